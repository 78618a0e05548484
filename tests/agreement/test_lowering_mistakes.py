"""Lock step notices mistakes in the lowering: some in the suite, all with `tools/agree --mistakes`."""

from __future__ import annotations

import pytest

from lowering_mistakes import Mistake, changed, mistakes, noticed

ALL = mistakes()


def test_mistakes_are_planted_where_they_belong() -> None:
    for m in ALL:
        compile(changed(m), m.module, "exec")
    assert len({m.construct for m in ALL}) == len(ALL) >= 30


@pytest.mark.parametrize("m", ALL[1::9], ids=lambda m: m.construct)
def test_a_mistake_is_noticed(m: Mistake) -> None:
    assert noticed(m, [m.program]) == m.program


@pytest.mark.soak
@pytest.mark.parametrize("m", ALL, ids=lambda m: m.construct)
def test_every_mistake_is_noticed(m: Mistake) -> None:
    assert noticed(m, [m.program]) == m.program
