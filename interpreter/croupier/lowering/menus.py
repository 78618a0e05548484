"""Menus: choices among options.

Each option has a range of actions, one for each combination of its binders.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, and_, const, div, eq, lt, mod, mul, sub
from croupier.core.operations import Expression, Local
from croupier.kernel import types as t
from croupier.kernel.tree import MenuData, MenuOption, MenuStmt, TypedExpr
from croupier.lowering import windows
from croupier.lowering.chance import wait
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.costs import pay_for
from croupier.lowering.lookahead import stuck
from croupier.lowering.merging import location_key, numbered
from croupier.lowering.operands import word
from croupier.lowering.shapes import NotLowered
from croupier.lowering.sources import gathered, walk
from croupier.lowering.statements import block, form

MOST_DIFFERENT = 512  # combinations of an option for components of which some are called alike
MOST_ROWS = 1000  # of a binder whose values are not numbered by their type


class NumberedOption:
    """An option of a menu: its first action, and the number of values of each binder."""

    def __init__(self, c: Context, o: MenuOption, first: int) -> None:
        self.c, self.o, self.first = c, o, first
        self.kinds = [_base(x) for x in o.sources]
        self.alike = [c.game.alike.among(k) for k in self.kinds]
        self.finite = [c.game.is_finite(k) for k in self.kinds]
        sizes = [
            c.game.domain(k) if f else (0, MOST_ROWS) for k, f in zip(self.kinds, self.finite, strict=True)
        ]
        self.lows, self.counts = [low for low, _ in sizes], [max(1, n) for _, n in sizes]
        self.end = first + prod(self.counts)

    def each(self, body: Callable[[Expression], None]) -> None:
        """Loop over the combinations that may be chosen, with their actions."""
        if any(self.alike):
            self.different(lambda action, _: body(action))
        else:
            self.combinations(lambda values, indices: body(self.action(indices)))

    def action(self, indices: list[Expression]) -> Expression:
        """The action of a combination, from the index of each value."""
        number: Expression = FALSE
        for count, index in zip(self.counts, indices, strict=True):
            number = add(mul(number, const(count)), index)
        return add(number, const(self.first))

    def combinations(self, body: Callable[[list[Operand], list[Expression]], None]) -> None:
        """Loop over the combinations that meet the conditions, with values and their indices."""
        c, o, w = self.c, self.o, self.c.w
        tests = [*([] if o.condition is None else [o.condition]), *(q.value for q in o.conditions)]

        def passes(i: int, values: list[Operand], indices: list[Expression]) -> None:
            if i == len(tests):
                body(values, indices)
            else:
                w.when(word(c, tests[i]), lambda: passes(i + 1, values, indices))

        def at(depth: int, values: list[Operand], indices: list[Expression]) -> None:
            if depth == len(o.sources):
                pay_for(c, tests, 1 + len(values))
                passes(0, values, indices)
                return
            index = None
            if not self.finite[depth]:
                index = w.fresh()
                w.set(index, const(-1))

            def one(v: Operand) -> None:
                pay_for(c, o.sources[depth + 1 : depth + 2], 1)
                if index is not None:
                    w.set(index, add(Local(index), TRUE))
                    w.guard(lt(Local(index), const(MOST_ROWS)))
                    here: Expression = Local(index)
                else:
                    assert not isinstance(v, Ref)
                    here = sub(v, const(self.lows[depth]))
                with c.alias(o.slots[depth], v):
                    at(depth + 1, [*values, v], [*indices, here])

            walk(c, o.sources[depth], one)

        pay_for(c, o.sources[:1])
        at(0, [], [])

    def different(self, body: Callable[[Expression, list[Expression]], None]) -> None:
        """The same without combinations that differ only in components of equal label: action and values."""
        c, w, depths = self.c, self.c.w, len(self.kinds)
        most, stride, n = MOST_DIFFERENT, 3 * depths, w.fresh()
        rows, numbers = w.array(most * stride, "rows"), w.array(most * depths, "numbers")
        w.set(n, FALSE)

        def at(i: Expression, part: int) -> Expression:
            return add(mul(i, const(stride)), const(part))

        def keep(values: list[Operand], indices: list[Expression]) -> None:
            w.guard(lt(Local(n), const(most)))
            new = w.fresh()
            for d, (v, index) in enumerate(zip(values, indices, strict=True)):
                if isinstance(v, Ref):
                    raise NotLowered(
                        "an option of a menu for lists, or for components some of which have the same label",
                        self.o.span,
                    )
                w.store(rows, at(Local(n), d), location_key(c, v) if self.alike[d] else v)
                w.store(rows, at(Local(n), depths + d), v)
                w.store(rows, at(Local(n), 2 * depths + d), index)
            w.set(new, TRUE)

            def compare(i: Expression) -> None:
                test: Expression = TRUE
                for d in range(depths):
                    test = and_(test, eq(op.Load(rows, at(i, d)), op.Load(rows, at(Local(n), d))))
                w.when(test, lambda: w.set(new, FALSE))

            w.count(FALSE, Local(n), compare)
            w.when(eq(Local(new), TRUE), lambda: w.set(n, add(Local(n), TRUE)))

        self.combinations(keep)
        taken = [w.array(len(c.game.components), "m") for _ in range(depths)]
        for memory, is_alike in zip(taken, self.alike, strict=True):
            if is_alike:
                w.count(
                    FALSE,
                    const(len(c.game.components)),
                    lambda i, memory=memory: w.store(memory, i, FALSE),  # type: ignore[misc]
                )

        def number(i: Expression) -> None:
            for d in range(depths):
                here = add(mul(i, const(depths)), const(d))
                if not self.alike[d]:
                    w.store(numbers, here, op.Load(rows, at(i, 2 * depths + d)))
                    continue
                known = w.fresh()
                w.set(known, const(-1))

                def before(j: Expression, d: int = d, known: str = known) -> None:
                    same = eq(op.Load(rows, at(j, d)), op.Load(rows, at(i, d)))
                    w.when(same, lambda: w.set(known, op.Load(numbers, add(mul(j, const(depths)), const(d)))))

                def first(d: int = d, known: str = known) -> None:
                    w.set(
                        known,
                        sub(
                            numbered(c, taken[d], w.temp(op.Load(rows, at(i, depths + d)))),
                            const(self.lows[d]),
                        ),
                    )

                w.count(FALSE, i, before)
                w.when(lt(Local(known), FALSE), first)
                w.store(numbers, here, Local(known))
            indices = [op.Load(numbers, add(mul(i, const(depths)), const(d))) for d in range(depths)]
            body(w.temp(self.action([*indices])), [op.Load(rows, at(i, depths + d)) for d in range(depths)])

        w.count(FALSE, Local(n), number)

    def bind(self, action: Expression) -> None:
        """Bind the binders to the values of the chosen action."""
        c = self.c
        if any(self.alike):
            names = [c.w.fresh() for _ in self.kinds]
            for name in names:
                c.w.set(name, const(op.NONE))

            def is_it(number: Expression, values: list[Expression]) -> None:
                def take() -> None:
                    for name, v in zip(names, values, strict=True):
                        c.w.set(name, v)

                c.w.when(eq(number, action), take)

            self.different(is_it)
            for name, slot in zip(names, self.o.slots, strict=True):
                c.bind(slot, Local(name))
            return
        rest = sub(action, const(self.first))
        for i, slot in enumerate(self.o.slots):
            after = prod(self.counts[i + 1 :])
            index = c.w.temp(
                mod(div(rest, const(after)), const(self.counts[i])) if len(self.counts) > 1 else rest
            )
            if self.finite[i]:
                c.bind(slot, add(index, const(self.lows[i])))
            else:
                c.bind(slot, c.element(gathered(c, self.o.sources[i]), index))


def _base(x: TypedExpr) -> t.Type:
    return x.type.base if isinstance(x.type, t.Collection) else t.UNKNOWN


@form(MenuStmt)
def _menu(c: Context, s: MenuStmt) -> None:
    w = c.w
    d: MenuData = s.menu
    options: list[NumberedOption] = []
    first = 0
    for o in d.options:
        options.append(NumberedOption(c, o, first))
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
        wait(c, word(c, s.args[0]), s.suspension_point)
        if opened is None and not any(s.blocks):
            return
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
            stuck(c)

    w.when(eq(Local(some), TRUE), ask, otherwise)
