"""Rows on offer in native code, put in the order of their actions, against lists."""

from __future__ import annotations

from itertools import product

from croupier.backends.native import offered
from croupier.backends.native import plan as p
from croupier.backends.native.engine import Engine, Memory, object_code
from needs import compiler

pytestmark = compiler


def test_first_of_each_action_in_order() -> None:
    text = offered.sorting().replace("define internal", "define", 1)
    engine = Engine(object_code("declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\n" + text))
    sort, memory = engine.function("offers.sort", "a"), Memory(p.RETURNS - p.OFFERS)
    rows = memory.view[: 6 * p.STRIDE]
    for n in range(5):
        for actions in product(range(4), repeat=n):
            for k, action in enumerate(actions):
                rows[k * p.STRIDE] = action
                for word in range(1, p.STRIDE):
                    rows[k * p.STRIDE + word] = 100 * k + word
            memory.view[p.COUNT - p.OFFERS] = n
            sort(memory.address - 8 * p.OFFERS)
            wanted = [(a, *(100 * actions.index(a) + word for word in range(1, p.STRIDE))) for a in sorted(set(actions))]
            found = memory.view[p.COUNT - p.OFFERS]
            assert [tuple(rows[k * p.STRIDE : (k + 1) * p.STRIDE]) for k in range(found)] == wanted
