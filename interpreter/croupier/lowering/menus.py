"""Menus: choices among unlike things. Each option has a range of numbers, one for each combination of what its `for`s walk."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, const, div, eq, lt, mod, mul, sub
from croupier.core.operations import Expression, Local
from croupier.lowering import windows
from croupier.lowering.chance import wait
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.operands import word
from croupier.lowering.sources import gathered, walk
from croupier.lowering.statements import block, rule
from croupier.semantics import types as t
from croupier.semantics.tree import MenuData, MenuOption, S, X

MOST_ROWS = 1000  # of a binder whose values are not numbered by their type


class Option:
    """An option of a menu: its first action, and how many values each of its binders has."""

    def __init__(self, c: Context, o: MenuOption, first: int) -> None:
        self.c, self.o, self.first = c, o, first
        self.kinds = [_base(x) for x in o.sources]
        self.finite = [c.game.is_finite(k) for k in self.kinds]
        sizes = [c.game.domain(k) if f else (0, MOST_ROWS) for k, f in zip(self.kinds, self.finite, strict=True)]
        self.lows, self.counts = [low for low, _ in sizes], [max(1, n) for _, n in sizes]
        self.end = first + prod(self.counts)

    def each(self, body: Callable[[Expression], None]) -> None:
        """Loops over the combinations that may be chosen, with their actions."""
        c, o, w = self.c, self.o, self.c.w
        tests = [*([] if o.condition is None else [o.condition]), *(q.value for q in o.conditions)]

        def passes(i: int, action: Expression) -> None:
            if i == len(tests):
                body(action)
            else:
                w.when(word(c, tests[i]), lambda: passes(i + 1, action))

        def at(depth: int, number: Expression) -> None:
            if depth == len(o.sources):
                passes(0, add(number, const(self.first)))
                return
            place = None
            if not self.finite[depth]:
                place = w.fresh()
                w.set(place, const(-1))

            def one(v: Operand) -> None:
                if place is not None:
                    w.set(place, add(Local(place), TRUE))
                    w.guard(lt(Local(place), const(MOST_ROWS)))
                    here: Expression = Local(place)
                else:
                    assert not isinstance(v, Ref)
                    here = sub(v, const(self.lows[depth]))
                with c.alias(o.slots[depth], v):
                    at(depth + 1, add(mul(number, const(self.counts[depth])), here))

            walk(c, o.sources[depth], one)

        at(0, FALSE)

    def bind(self, action: Expression) -> None:
        """The binders are what they were when this action was put down."""
        c = self.c
        rest = sub(action, const(self.first))
        for i, slot in enumerate(self.o.slots):
            after = prod(self.counts[i + 1 :])
            place = c.w.temp(mod(div(rest, const(after)), const(self.counts[i])) if len(self.counts) > 1 else rest)
            if self.finite[i]:
                c.bind(slot, add(place, const(self.lows[i])))
            else:
                c.bind(slot, c.element(gathered(c, self.o.sources[i]), place))


def _base(x: X) -> t.Type:
    return x.type.base if isinstance(x.type, t.Collection) else t.UNKNOWN


@rule("menu")
def _menu(c: Context, s: S) -> None:
    w = c.w
    d: MenuData = s.data
    options: list[Option] = []
    first = 0
    for o in d.options:
        options.append(Option(c, o, first))
        first = options[-1].end
    some = w.fresh()
    w.emit(op.NoOffers())
    w.set(some, FALSE)

    def offer(action: Expression) -> None:
        w.emit(op.Offer(action, TRUE))
        w.set(some, TRUE)

    for found in options:
        found.each(offer)
    opened = None if d.window is None else windows.in_menu(c, d, word(c, s.args[0]), first, offer)

    def ask() -> None:
        wait(c, word(c, s.args[0]), s.point)
        action = w.temp(op.Chosen())

        def take(i: int) -> None:
            if i == len(options):
                if opened is not None:
                    opened(action, s)
                return
            last = i == len(options) - 1 and opened is None

            def yes() -> None:
                options[i].bind(action)
                block(c, s.blocks[i])

            if last:
                yes()
            elif options[i].end == options[i].first + 1:
                w.when(eq(action, const(options[i].first)), yes, lambda: take(i + 1))
            else:
                w.when(lt(action, const(options[i].end)), yes, lambda: take(i + 1))

        take(0)

    def otherwise() -> None:
        if d.has_else:
            block(c, s.blocks[-1])
        else:
            w.emit(op.Fail())

    w.when(eq(Local(some), TRUE), ask, otherwise)
