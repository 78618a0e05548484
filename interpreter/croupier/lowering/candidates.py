"""Candidates: what may be chosen in an ask, and the actions that stand for it.

A *source* has bindings and conditions, in order. A candidate is a value for each binding so that the
conditions hold. Each value has a number: its place in its type or, where that has no bounds, its place in
what is walked; the action of a candidate is made of the numbers of its values. While somebody chooses only
actions are kept: what was chosen is worked out from the action.

A choice of one thing is a source with one binding, and each option of a menu is a source. The reactions of a
window are numbered one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, add, and_, const, div, eq, le, lt, mod, mul, sub
from croupier.core.operations import Expression, Local
from croupier.kernel import types as t
from croupier.kernel.tree import ChooseStmt, MenuOption, TypedExpr
from croupier.lowering import hooks
from croupier.lowering.context import Context, HookRow, Operand, Ref
from croupier.lowering.costs import pay_for
from croupier.lowering.merging import alike, first_of, location_key, numbered
from croupier.lowering.operands import word
from croupier.lowering.procedures import ResumePoint
from croupier.lowering.shapes import WORD, NotLowered, optional
from croupier.lowering.sources import elements, gathered, is_distinct, listed, most_elements, walk

MAX_ROWS = 1000  # of a binding of an option whose type does not number its values
MAX_DIFFERENT = 512  # combinations of an option for components of which some are called alike
KEY, VALUE, WEIGHT, STRIDE = range(4)  # the words of a candidate that others may be merged with

Steps = tuple[list[TypedExpr], int]  # what is paid: for the evaluation of these, and so many steps
Offer = Callable[[Expression, Expression], None]  # takes an action and its weight
Found = Callable[[list[Operand], list[Expression]], None]  # takes values and their numbers
Merged = Callable[[Expression, Expression, Operand], None]  # takes action, weight and value


class Binding:
    """A local of a source, and the values that it may have."""

    def __init__(
        self, c: Context, slot: int, source: TypedExpr, base: t.Type, most: int | None, keeps: bool
    ) -> None:
        """`most`: how many values of a type without bounds it has numbers for, if that matters. `keeps`: the
        list that was walked is kept until one of such values is chosen.
        """
        self.c, self.slot, self.source, self.keeps = c, slot, source, keeps
        self.finite = c.game.is_finite(base)
        self.most = None if self.finite else most
        self.low, count = c.game.domain(base) if self.finite else (0, most or 0)
        self.count = max(1, count)
        self.alike = c.game.alike.among(base)  # are some of them components that are called alike?
        self.kept: Ref | None = None

    def walk(self, body: Callable[[Operand], None]) -> None:
        """Loop over the values."""
        if self.finite or not self.keeps:
            walk(self.c, self.source, body)
        else:
            self.kept = listed(self.c, self.source)
            elements(self.c, self.kept, body)

    def value(self, number: Expression) -> Operand:
        """The value with a number."""
        c = self.c
        if self.finite:
            return add(number, const(self.low))
        if self.kept is None:
            return c.element(gathered(c, self.source), number)
        with c.w.inside() as again:
            list_ = listed(c, self.source)
        if list_.memory == self.kept.memory or list_.at != const(0) or self.kept.at != const(0):
            c.w.out.extend(again)
        else:
            c.w.emit(op.Recall(list_.memory, self.kept.memory, tuple(again)))
        return c.element(list_, number)


class Source:
    """Bindings and conditions; the actions of its candidates are those from `first` on."""

    def __init__(
        self, c: Context, bindings: list[Binding], tests: list[TypedExpr], first: int, is_set: bool = False
    ) -> None:
        self.c, self.bindings, self.tests, self.first, self.is_set = c, bindings, tests, first, is_set
        self.end = first + prod(b.count for b in bindings)
        # what is paid when it begins, for each value, and for each candidate
        self.begin: Steps = ([b.source for b in bindings[:1]], 0)
        self.each_value: Steps = ([], 1)
        self.each_candidate: Steps = (tests, 1 + len(bindings))

    def each(self, body: Found) -> None:
        """Loop over the candidates, with values and their numbers; with `is_set` over equal ones once."""
        c, w = self.c, self.c.w
        seen = self.marks() if self.is_set else None

        def at(depth: int, values: list[Operand], numbers: list[Expression]) -> None:
            if depth == len(self.bindings):
                pay_for(c, *self.each_candidate)
                once(lambda: passing(0, lambda: body(values, numbers)), numbers)
                return
            b, place = self.bindings[depth], ""
            if not b.finite:
                place = w.fresh()
                w.set(place, const(-1))
            if not depth:
                pay_for(c, *self.begin)

            def one(v: Operand) -> None:
                paid, steps = self.each_value
                pay_for(c, [*paid, *(inner.source for inner in self.bindings[depth + 1 : depth + 2])], steps)
                if b.finite:
                    assert not isinstance(v, Ref)
                    number = sub(v, const(b.low))
                else:
                    w.set(place, add(Local(place), TRUE))
                    number = Local(place)
                if b.most is not None:
                    w.guard(lt(number, const(b.most)))
                with c.alias(b.slot, v):
                    at(depth + 1, [*values, v], [*numbers, number])

            b.walk(one)

        def once(go: Callable[[], None], numbers: list[Expression]) -> None:
            if seen is None:
                go()
                return
            place = w.temp(numbers[0])

            def first() -> None:
                w.store(seen, place, TRUE)
                go()

            w.when(eq(op.Load(seen, place), FALSE), first)

        def passing(tested: int, go: Callable[[], None]) -> None:
            if tested == len(self.tests):
                go()
            else:
                w.when(word(c, self.tests[tested]), lambda: passing(tested + 1, go))

        at(0, [], [])

    def marks(self) -> str:
        """An array with a 0 for each value of the only binding."""
        w, count = self.c.w, self.bindings[0].count
        memory = w.array(count, "m")
        w.count(FALSE, const(count), lambda i: w.store(memory, i, FALSE))
        return memory

    def action(self, numbers: list[Expression]) -> Expression:
        """The action of a candidate, from the numbers of its values."""
        found: Expression = FALSE
        for b, number in zip(self.bindings, numbers, strict=True):
            found = add(mul(found, const(b.count)), number)
        return add(found, const(self.first))

    def numbers(self, action: Expression) -> list[Expression]:
        """The numbers of the values of a candidate, from its action."""
        rest, counts = sub(action, const(self.first)), [b.count for b in self.bindings]
        if len(counts) == 1:
            return [rest]
        return [mod(div(rest, const(prod(counts[i + 1 :]))), const(count)) for i, count in enumerate(counts)]

    def looked_up(
        self, action: Expression, each: Callable[[Callable[[Expression, list[Expression]], None]], None]
    ) -> list[Local]:
        """The values of the candidate with an action among `each` that is offered."""
        w, names = self.c.w, [self.c.w.fresh() for _ in self.bindings]
        for name in names:
            w.set(name, NONE)

        def compare(other: Expression, values: list[Expression]) -> None:
            def take() -> None:
                for name, v in zip(names, values, strict=True):
                    w.set(name, v)

            w.when(eq(other, action), take)

        each(compare)
        return [Local(name) for name in names]


class ChoiceSource(Source):
    """What one thing is chosen from. "No" has the action before them; at chance each has a weight."""

    def __init__(self, c: Context, s: ChooseStmt) -> None:
        choice = s.choice
        by_chance = choice.chooser == "chance"
        binding = Binding(c, choice.item, choice.source, choice.base, None, choice.every is None)
        tests = [*([] if choice.where is None else [choice.where]), *(q.value for q in choice.conditions)]
        is_set = by_chance and binding.finite and not is_distinct(c, choice.source)
        super().__init__(c, [binding], tests, int(choice.optional), is_set)
        self.choice, self.binding, self.may_lack = choice, binding, s.has_other
        self.weight = choice.by if by_chance else None
        asked = [] if choice.by is None else [choice.by]
        self.begin = ([choice.source, *asked], 2)
        self.each_value = ([*tests, *(asked if by_chance else [])], 1)
        self.each_candidate = ([], 0)

    def offered(self, offer: Offer) -> None:
        """Offer each candidate with its weight, and those that are one option once."""
        if self.choice.merging or self.binding.alike:
            self.merged(lambda action, weight, v: offer(action, weight))
        else:
            self.each(lambda values, numbers: offer(self.action(numbers), self.weight_of(values[0])))

    def weight_of(self, v: Operand) -> Expression:
        """The weight of a candidate."""
        c = self.c
        if self.weight is None:
            return TRUE
        with c.alias(self.choice.item, v):
            weight = c.w.temp(word(c, self.weight))
        c.w.guard(le(FALSE, weight))
        return weight

    def take(self, action: Expression) -> None:
        """Bind the local of the choice to the value that an action stands for."""
        shape = self.c.shape(self.choice.base)  # behind `else` it may be none
        self.c.bind(self.choice.slot, self.chosen(action), optional(shape) if self.may_lack else shape)

    def chosen(self, action: Expression) -> Operand:
        """The value that an action stands for."""
        if not self.binding.alike:
            return self.binding.value(self.numbers(action)[0])

        def each(body: Callable[[Expression, list[Expression]], None]) -> None:
            def one(number: Expression, _: Expression, v: Operand) -> None:
                assert not isinstance(v, Ref)
                body(number, [v])

            self.merged(one, is_weighed=False)

        return self.looked_up(self.c.w.temp(action), each)[0]

    def merged(self, body: Merged, is_weighed: bool = True) -> None:
        """Loop over the candidates of which the others are copies, with action, weight and value; the weights
        of those that are merged add up.
        """
        c, w, b, choice = self.c, self.c.w, self.binding, self.choice
        domain = b.count if b.finite else 0
        most = domain or most_elements(c, choice.source) or 256
        rows, leads, n = w.array(STRIDE * most), w.array(most), w.fresh()
        w.set(n, FALSE)
        seen = w.array(domain, "m")
        w.count(FALSE, const(domain), lambda i: w.store(seen, i, FALSE))
        taken = w.array(len(c.game.components), "m")
        if b.alike:
            w.count(FALSE, const(len(c.game.components)), lambda i: w.store(taken, i, FALSE))

        def at(i: Expression, part: int) -> Expression:
            return add(mul(i, const(STRIDE)), const(part))

        def note(values: list[Operand], numbers: list[Expression]) -> None:
            (v,), action = values, self.action(numbers)

            def keep() -> None:
                w.guard(lt(Local(n), const(most)))
                key = action
                if b.alike:
                    assert not isinstance(v, Ref)
                    key = first_of(c, v)
                w.store(rows, at(Local(n), KEY), key)
                w.store(rows, at(Local(n), VALUE), action)
                w.store(rows, at(Local(n), WEIGHT), self.weight_of(v) if is_weighed else TRUE)
                w.set(n, add(Local(n), TRUE))

            if not b.finite:
                keep()
                return
            place = w.temp(numbers[0])

            def first() -> None:
                w.store(seen, place, TRUE)
                keep()

            w.when(eq(op.Load(seen, place), FALSE), first)

        self.each(note)
        w.emit(op.Sort(rows, FALSE, Local(n), STRIDE, 1))
        w.count(FALSE, Local(n), lambda i: w.store(leads, i, TRUE))
        list_ = None if b.finite else gathered(c, choice.source)

        def value_at(i: Expression) -> Operand:
            number = sub(op.Load(rows, at(i, VALUE)), const(self.first))
            if list_ is None:
                return w.temp(add(number, const(b.low)))
            return c.element(list_, w.temp(number))

        def compare(i: Expression) -> None:
            v, total = value_at(i), w.fresh()
            w.set(total, op.Load(rows, at(i, WEIGHT)))

            def others(j: Expression) -> None:
                def same() -> None:
                    w.store(leads, j, FALSE)
                    w.set(total, add(Local(total), op.Load(rows, at(j, WEIGHT))))

                w.when(eq(op.Load(leads, j), TRUE), lambda: w.when(alike(c, choice, v, value_at(j)), same))

            def lead() -> None:
                w.count(add(i, TRUE), Local(n), others)
                action: Expression = op.Load(rows, at(i, VALUE))
                if b.alike:
                    assert not isinstance(v, Ref)
                    action = self.action([sub(numbered(c, taken, v), const(b.low))])
                body(w.temp(action), Local(total), v)

            w.when(eq(op.Load(leads, i), TRUE), lead)

        w.count(FALSE, Local(n), compare)


class OptionSource(Source):
    """An option of a menu."""

    def __init__(self, c: Context, o: MenuOption, first: int) -> None:
        bindings = [
            Binding(
                c, slot, x, x.type.base if isinstance(x.type, t.Collection) else t.UNKNOWN, MAX_ROWS, False
            )
            for slot, x in zip(o.slots, o.sources, strict=True)
        ]
        tests = [*([] if o.condition is None else [o.condition]), *(q.value for q in o.conditions)]
        super().__init__(c, bindings, tests, first)
        self.option = o
        self.is_alike = any(b.alike for b in bindings)

    def offered(self, offer: Offer) -> None:
        """Offer each candidate."""
        if self.is_alike:
            self.different(lambda action, _: offer(action, TRUE))
        else:
            self.each(lambda values, numbers: offer(self.action(numbers), TRUE))

    def take(self, action: Expression) -> None:
        """Bind the locals of the option to the values that an action stands for."""
        c = self.c
        if self.is_alike:
            for b, found in zip(self.bindings, self.looked_up(action, self.different), strict=True):
                c.bind(b.slot, found)
            return
        for b, number in zip(self.bindings, self.numbers(action), strict=True):
            c.bind(b.slot, b.value(c.w.temp(number)))

    def different(self, body: Callable[[Expression, list[Expression]], None]) -> None:
        """Loop over the candidates without those that differ only in components of equal label: action and
        values.
        """
        c, w, depths = self.c, self.c.w, len(self.bindings)
        stride, n = 3 * depths, w.fresh()
        rows, known = w.array(MAX_DIFFERENT * stride, "rows"), w.array(MAX_DIFFERENT * depths, "numbers")
        w.set(n, FALSE)

        def at(i: Expression, part: int) -> Expression:
            return add(mul(i, const(stride)), const(part))

        def keep(values: list[Operand], numbers: list[Expression]) -> None:
            w.guard(lt(Local(n), const(MAX_DIFFERENT)))
            new = w.fresh()
            for d, (b, v, number) in enumerate(zip(self.bindings, values, numbers, strict=True)):
                if isinstance(v, Ref):
                    raise NotLowered(
                        "an option of a menu for lists, or for components some of which have the same label",
                        self.option.span,
                    )
                w.store(rows, at(Local(n), d), location_key(c, v) if b.alike else v)
                w.store(rows, at(Local(n), depths + d), v)
                w.store(rows, at(Local(n), 2 * depths + d), number)
            w.set(new, TRUE)

            def compare(i: Expression) -> None:
                test: Expression = TRUE
                for d in range(depths):
                    test = and_(test, eq(op.Load(rows, at(i, d)), op.Load(rows, at(Local(n), d))))
                w.when(test, lambda: w.set(new, FALSE))

            w.count(FALSE, Local(n), compare)
            w.when(eq(Local(new), TRUE), lambda: w.set(n, add(Local(n), TRUE)))

        self.each(keep)
        taken = [w.array(len(c.game.components), "m") for _ in self.bindings]

        def clear(memory: str) -> None:
            w.count(FALSE, const(len(c.game.components)), lambda i: w.store(memory, i, FALSE))

        for b, memory in zip(self.bindings, taken, strict=True):
            if b.alike:
                clear(memory)

        def number_of(i: Expression, d: int) -> Expression:
            """The number of a component that is called alike: the one it has in a row above, or the next."""
            number = w.fresh()
            w.set(number, const(-1))

            def before(j: Expression) -> None:
                same = eq(op.Load(rows, at(j, d)), op.Load(rows, at(i, d)))
                w.when(same, lambda: w.set(number, op.Load(known, add(mul(j, const(depths)), const(d)))))

            def first() -> None:
                component = w.temp(op.Load(rows, at(i, depths + d)))
                w.set(number, sub(numbered(c, taken[d], component), const(self.bindings[d].low)))

            w.count(FALSE, i, before)
            w.when(lt(Local(number), FALSE), first)
            return Local(number)

        def one(i: Expression) -> None:
            for d, b in enumerate(self.bindings):
                number = number_of(i, d) if b.alike else op.Load(rows, at(i, 2 * depths + d))
                w.store(known, add(mul(i, const(depths)), const(d)), number)
            numbers = [op.Load(known, add(mul(i, const(depths)), const(d))) for d in range(depths)]
            body(w.temp(self.action([*numbers])), [op.Load(rows, at(i, depths + d)) for d in range(depths)])

        w.count(FALSE, Local(n), one)


class Reactions:
    """The reactions of a window: each has a number, one for each component whose power it is."""

    def __init__(self, c: Context, window: int) -> None:
        self.c, self.rows = c, c.hook_rows.of(window, "reaction")
        self.count = sum(max(1, len(row.components)) for row in self.rows)

    def each(self, args: list[Operand], seat: Expression, body: Callable[[Expression], None]) -> None:
        """Loop over the numbers of the reactions that a seat has."""
        for row in self.rows:
            hooks.each_row(self.c, row, args, seat, lambda component, owner, here, number: body(number))

    def use(
        self,
        number: Expression,
        args: list[Operand],
        seat: Expression,
        resume: ResumePoint,
        done: Callable[[dict[int, Operand]], None],
    ) -> None:
        """Run the reaction with a number; `done` gets the final values of the arguments that it names."""

        def at(i: int) -> None:
            row = self.rows[i]

            def run() -> None:
                component, owner, here = self.component(row, number, seat)
                resumes = resume if row.hook.proc.effect == "suspends" else None
                _, changed = hooks.run(self.c, row.hook, args, component, owner, here, None, None, resumes)
                done(changed)

            if row is self.rows[-1]:
                run()
            else:
                end = const(row.first + max(1, len(row.components)))
                self.c.w.when(lt(number, end), run, lambda: at(i + 1))

        at(0)

    def component(
        self, row: HookRow, number: Expression, seat: Expression
    ) -> tuple[Expression, Expression, Expression]:
        """The component whose power a reaction is, its owner, and the key of its zone."""
        c, w = self.c, self.c.w
        if not row.components:
            return NONE, seat, NONE

        def known(values: Sequence[int | None], index: Expression) -> Expression:
            found = c.rows(list(values), WORD, index)
            assert not isinstance(found, Ref)
            return found

        component = w.temp(known(row.components, sub(number, const(row.first))))
        z = w.temp(op.Load("where", component))
        owners = known([zone.owner for zone in c.game.zones], z)
        keys = known([None if zone.key is None else int(zone.key) for zone in c.game.zones], z)
        there = le(FALSE, z)
        return (
            component,
            w.temp(op.Select(there, owners, NONE)),
            w.temp(op.Select(there, keys, NONE)),
        )
