"""Candidates: what may be chosen in an ask, and the actions that stand for it.

A *source* has bindings and conditions, in order. A candidate is a value for each binding so that the
conditions hold. Each value has a number: its place in its type or, where that has no bounds, its place in
what is walked; the action of a candidate is made of the numbers of its values. While somebody chooses only
actions are kept: what was chosen is worked out from the action.

A choice of one thing is a source with one binding, and each option of a menu is a source.

Candidates are one option if they are equal in the `merging` attributes, or components of equal label in one
set or bag.

Where several things are chosen, what is searched for are sets of them. Action 0 is "done" then, i + 1 the
element at index i; a list of the frame holds the indices picked so far. Whether a pick can be completed is
found by depth-first search in canonical order, unless only the number of elements matters.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from math import prod

from croupier.core import operations as op
from croupier.core.builder import (
    FALSE,
    NONE,
    TRUE,
    add,
    all_of,
    and_,
    const,
    div,
    eq,
    le,
    lt,
    mod,
    mul,
    not_,
    select,
    sub,
)
from croupier.core.operations import Expression, Local
from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import Choice, ChooseStmt, MenuOption, TypedExpr
from croupier.lowering.compare import equal
from croupier.lowering.context import Context, Operand, Ref, as_word
from croupier.lowering.costs import length, pay, pay_for
from croupier.lowering.expressions import attribute
from croupier.lowering.operands import word
from croupier.lowering.shapes import Items, NotLowered, Word, optional
from croupier.lowering.sources import cleared, elements, gathered, is_distinct, listed, most_elements, walk

MAX_ROWS = 1000  # of a binding of an option whose type does not number its values
MAX_COMPLETIONS = 200_000  # sets that one search looks at
MAX_DIFFERENT = 512  # combinations of an option for components of which some are called alike

Steps = tuple[list[TypedExpr], int]  # what is paid: for the evaluation of these, and so many steps
Offer = Callable[[Expression, Expression], None]  # takes an action and its weight
Found = Callable[[list[Operand], list[Expression]], None]  # takes values and their numbers
Merged = Callable[[Expression, Expression, list[Expression]], None]  # takes action, weight and values


class Binding:
    """A local of a source, and the values that it may have."""

    def __init__(
        self, c: Context, slot: int, source: TypedExpr, base: t.Type, most: int | None, keeps: bool
    ) -> None:
        """`most`: how many values of a type without bounds it has numbers for, if that matters. `keeps`: the
        list that was walked is kept until one of such values is chosen.
        """
        self.c, self.slot, self.source, self.base, self.keeps = c, slot, source, base, keeps
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
        self,
        c: Context,
        bindings: list[Binding],
        tests: list[TypedExpr],
        first: int,
        merging: tuple[str, ...] = (),
    ) -> None:
        self.c, self.bindings, self.tests, self.first, self.merging = c, bindings, tests, first, merging
        self.end = first + prod(b.count for b in bindings)
        # what is paid when it begins, for each value, and for each candidate
        self.begin: Steps = ([b.source for b in bindings[:1]], 0)
        self.each_value: Steps = ([], 1)
        self.each_candidate: Steps = (tests, 1 + len(bindings))
        self.is_set = False  # is each of equal values a candidate once?
        self.by_chance = False
        self.weight: TypedExpr | None = None
        self.is_merged = bool(merging) or any(b.alike for b in bindings)
        self.most = MAX_DIFFERENT  # options, if candidates are merged
        self.span: Span | None = None

    def each(self, body: Found) -> None:
        """Loop over the candidates, with values and their numbers."""
        c, w = self.c, self.c.w
        seen = cleared(c, self.bindings[0].count) if self.is_set else None

        def at(depth: int, values: list[Operand], numbers: list[Expression]) -> None:
            if depth == len(self.bindings):
                pay_for(c, *self.each_candidate)
                passing(numbers, lambda: body(values, numbers))
                return
            b = self.bindings[depth]
            place = "" if b.finite else w.variable(const(-1))
            if not depth:
                pay_for(c, *self.begin)

            def one(v: Operand) -> None:
                paid, steps = self.each_value
                pay_for(c, [*paid, *(inner.source for inner in self.bindings[depth + 1 : depth + 2])], steps)
                if b.finite:
                    number = sub(as_word(v), const(b.low))
                else:
                    w.set(place, add(Local(place), TRUE))
                    number = Local(place)
                if b.most is not None:
                    w.guard(lt(number, const(b.most)))
                with c.alias(b.slot, v):
                    at(depth + 1, [*values, v], [*numbers, number])

            b.walk(one)

        def passing(numbers: list[Expression], go: Callable[[], None]) -> None:
            with ExitStack() as tests:
                if seen is not None:
                    place = w.temp(numbers[0])
                    tests.enter_context(w.where(eq(op.Load(seen, place), FALSE)))
                    w.store(seen, place, TRUE)
                for x in self.tests:
                    test = word(c, x)
                    if test == FALSE:
                        return
                    tests.enter_context(w.where(test))
                go()

        at(0, [], [])

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

    def weight_of(self, values: list[Operand]) -> Expression:
        """The weight of a candidate."""
        c = self.c
        if self.weight is None:
            return TRUE
        with c.alias(self.bindings[0].slot, values[0]):
            weight = c.w.temp(word(c, self.weight))
        c.w.guard(le(FALSE, weight))
        return weight

    def offered(self, offer: Offer) -> None:
        """Offer each candidate with its weight, and those that are one option once."""
        if self.is_merged:
            self.merged(lambda action, weight, _: offer(action, weight), self.by_chance)
        else:
            self.each(lambda values, numbers: offer(self.action(numbers), self.weight_of(values)))

    # ------------------------------------------------------------ candidates that are one option
    def merged(self, body: Merged, is_weighed: bool) -> None:
        """Loop over the options: action, weight, and the values of the candidate that an option stands for.

        Those candidates are one option that are equal in the attributes of `merging`, or but for components
        of equal label. It stands for the one with the lowest number, and their weights add up.
        """
        c, w, depths = self.c, self.c.w, len(self.bindings)
        stride, n = 2 * depths + int(is_weighed), w.fresh()  # keys, numbers, perhaps a weight
        rows = w.array(self.most * stride, "rows")
        w.set(n, FALSE)
        value_of = self.values_by_number() if self.merging else None

        def at(i: Expression, part: int) -> Expression:
            return add(mul(i, const(stride)), const(part))

        def load(i: Expression, part: int) -> Expression:
            return op.Load(rows, at(i, part))

        def put(i: Expression, words: list[Expression]) -> None:
            for part, x in enumerate(words):
                w.store(rows, at(i, part), x)

        def keep(values: list[Operand], numbers: list[Expression]) -> None:
            keys = [self.key(*found) for found in zip(self.bindings, values, numbers, strict=True)]
            weight = [self.weight_of(values)] if is_weighed else []
            known = w.variable(FALSE)
            with w.count(FALSE, Local(n)) as i:
                if value_of is None:
                    test = all_of([eq(load(i, d), key) for d, key in enumerate(keys)])
                else:
                    test = equal_in(c, self.merging, self.bindings[0].base, value_of(load(i, 1)), values[0])
                with w.where(test):
                    w.set(known, TRUE)
                    for more in weight:
                        w.store(rows, at(i, 2 * depths), add(load(i, 2 * depths), more))
                    if value_of is not None:
                        w.when(lt(keys[0], load(i, 0)), lambda: put(i, [keys[0], numbers[0]]))
                    w.emit(op.Break())
            with w.where(eq(Local(known), FALSE)):
                w.guard(lt(Local(n), const(self.most)))
                put(Local(n), [*keys, *numbers, *weight])
                w.set(n, add(Local(n), TRUE))

        self.each(keep)
        renumbered = {d: self.renumbered(d, load) for d, b in enumerate(self.bindings) if b.alike}
        with w.count(FALSE, Local(n)) as i:
            values, numbers = [], []
            for d, b in enumerate(self.bindings):
                number = load(i, depths + d)
                values.append(add(number, const(b.low)) if b.finite else load(i, d))
                numbers.append(renumbered[d](i) if b.alike else number)
            body(w.temp(self.action(numbers)), load(i, 2 * depths) if is_weighed else TRUE, values)

    def key(self, b: Binding, v: Operand, number: Expression) -> Expression:
        """A word that is equal for equal values, and for components of equal label that lie in one place.

        Where attributes say what is one option, it is what says which candidate that stands for.
        """
        if b.alike:
            component = as_word(v)
            if self.merging:
                return self.c.w.temp(first_of(self.c, component))
            return location_key(self.c, component)
        if self.merging or b.finite:
            return number
        if isinstance(v, Ref):
            raise NotLowered(
                "an option of a menu for lists, or for components some of which have the same label",
                self.span,
            )
        return v

    def values_by_number(self) -> Callable[[Expression], Operand]:
        """The values of the only binding, by their numbers."""
        c, b = self.c, self.bindings[0]
        if b.finite:
            return lambda number: c.w.temp(add(number, const(b.low)))
        list_ = gathered(c, b.source)
        return lambda number: c.element(list_, c.w.temp(number))

    def renumbered(
        self, depth: int, load: Callable[[Expression, int], Expression]
    ) -> Callable[[Expression], Expression]:
        """The numbers of the components of a binding, by row: those of equal label have the numbers of these,
        in the order in which they come up, and those that lie in one place have one.
        """
        c, w, b, depths = self.c, self.c.w, self.bindings[depth], len(self.bindings)
        taken = cleared(c, len(c.game.components))

        def next_of(i: Expression) -> Expression:
            component = w.temp(add(load(i, depths + depth), const(b.low)))
            return sub(numbered(c, taken, component), const(b.low))

        if depths == 1:
            return next_of
        known = w.array(self.most, "numbers")

        def of_row(i: Expression) -> Expression:
            number = w.variable(const(-1))
            with w.count(FALSE, i) as j:
                w.leave_if(eq(load(j, depth), load(i, depth)), lambda: w.set(number, op.Load(known, j)))
            w.when(lt(Local(number), FALSE), lambda: w.set(number, next_of(i)))
            w.store(known, i, Local(number))
            return Local(number)

        return of_row

    def looked_up(self, action: Expression) -> list[Expression]:
        """The values that an action stands for, among options of components of equal label."""
        w, names = self.c.w, [self.c.w.fresh() for _ in self.bindings]
        for name in names:
            w.set(name, NONE)

        def compare(other: Expression, _: Expression, values: list[Expression]) -> None:
            with w.where(eq(other, action)):
                for name, v in zip(names, values, strict=True):
                    w.set(name, v)
                w.emit(op.Break())

        self.merged(compare, is_weighed=False)
        return [Local(name) for name in names]


class ChoiceSource(Source):
    """What one thing is chosen from. "No" has the action before them; at chance each has a weight."""

    def __init__(self, c: Context, s: ChooseStmt) -> None:
        choice = s.choice
        binding = Binding(c, choice.item, choice.source, choice.base, None, choice.every is None)
        tests = [*([] if choice.where is None else [choice.where]), *(q.value for q in choice.conditions)]
        super().__init__(c, [binding], tests, int(choice.optional), choice.merging)
        self.choice, self.binding, self.may_lack = choice, binding, s.has_other
        self.by_chance = choice.chooser == "chance"
        self.is_set = self.by_chance and binding.finite and not is_distinct(c, choice.source)
        asked = [] if choice.by is None else [choice.by]
        self.begin = ([choice.source, *asked], 2)
        self.each_value = ([*tests, *(asked if self.by_chance else [])], 1)
        self.each_candidate = ([], 0)
        self.weight = choice.by if self.by_chance else None
        self.most = (binding.count if binding.finite else most_elements(c, choice.source)) or 256

    def take(self, action: Expression) -> None:
        """Bind the local of the choice to the value that an action stands for."""
        shape = self.c.shape(self.choice.base)  # behind `else` it may be none
        self.c.bind(self.choice.slot, self.chosen(action), optional(shape) if self.may_lack else shape)

    def chosen(self, action: Expression) -> Operand:
        """The value that an action stands for."""
        if self.binding.alike:
            return self.looked_up(self.c.w.temp(action))[0]
        return self.binding.value(self.numbers(action)[0])


class OptionSource(Source):
    """An option of a menu."""

    def __init__(self, c: Context, o: MenuOption, first: int) -> None:
        bindings = []
        for slot, x in zip(o.slots, o.sources, strict=True):
            base = x.type.base if isinstance(x.type, t.Collection) else t.UNKNOWN
            bindings.append(Binding(c, slot, x, base, MAX_ROWS, False))
        tests = [*([] if o.condition is None else [o.condition]), *(q.value for q in o.conditions)]
        super().__init__(c, bindings, tests, first)
        self.span = o.span

    def take(self, action: Expression) -> None:
        """Bind the locals of the option to the values that an action stands for."""
        c = self.c
        if self.is_merged:
            for b, found in zip(self.bindings, self.looked_up(action), strict=True):
                c.bind(b.slot, found)
            return
        for b, number in zip(self.bindings, self.numbers(action), strict=True):
            c.bind(b.slot, b.value(c.w.temp(number)))


# ---------------------------------------------------------------- when candidates are one option
def equal_in(c: Context, merging: tuple[str, ...], base: t.Type, a: Operand, b: Operand) -> Expression:
    """1 if two candidates are equal in the attributes of `merging`."""
    test: Expression = TRUE
    for name in merging:
        test = and_(test, equal(c, attribute(c, base, name, a), attribute(c, base, name, b)))
    return test


def alike(c: Context, choice: Choice, a: Operand, b: Operand) -> Expression:
    """1 if two candidates are one option."""
    if choice.merging:
        return equal_in(c, choice.merging, choice.base, a, b)
    return eq(location_key(c, as_word(a)), location_key(c, as_word(b)))


def location_key(c: Context, component: Expression) -> Expression:
    """A number that components share if they have equal labels and are in one set or bag, or both in no
    zone.
    """
    w, zones = c.w, c.game.zones
    component = w.temp(component)
    z = w.temp(op.Load("where", component))
    ordered = c.words([p.order not in ("set", "bag") for p in zones], z)
    alone = and_(op.Le(FALSE, z), eq(ordered, TRUE))
    shared = add(mul(first_of(c, component), const(len(zones) + 1)), add(z, TRUE))
    return w.temp(select(alone, sub(const(-1), component), shared))


def first_of(c: Context, component: Expression) -> Expression:
    """The lowest index among the components with the label of a component."""
    return c.words(c.game.alike.first, component)


def numbered(c: Context, taken: str, component: Expression) -> Expression:
    """The index that represents a component after others; `taken` counts those of equal label."""
    w = c.w
    members = c.game.alike.members
    rows = [members.get(i, (i,)) for i in range(len(c.game.components))]
    starts = [sum(map(len, rows[:i])) for i in range(len(rows))]
    first = w.temp(first_of(c, component))
    place = w.temp(add(c.words(starts, first), op.Load(taken, first)))
    number = w.temp(c.words([n for row in rows for n in row], place))
    w.store(taken, first, add(op.Load(taken, first), TRUE))
    return number


# ---------------------------------------------------------------- several things
class Search:
    """The search for valid sets: `low` to `high` elements of `source`."""

    def __init__(self, c: Context, choice: Choice) -> None:
        merges = bool(choice.merging) or c.game.alike.among(choice.base)
        self.c, self.choice, w = c, choice, c.w
        bounds = [x for x in (choice.low, choice.high, choice.by) if x is not None]
        pay_for(c, [choice.source, *bounds], 4 + 2 * length(c, choice.source))
        self.source = gathered(c, choice.source)
        self.size = w.temp(c.length(self.source), "n")
        low = FALSE if choice.low is None else w.temp(word(c, choice.low))
        self.low = w.temp(select(lt(low, FALSE), FALSE, low), "low")
        high = self.size if choice.high is None else w.temp(word(c, choice.high))
        self.high = w.temp(select(lt(high, self.size), high, self.size), "high")
        assert isinstance(self.source.shape, Items)
        self.path = c.room(Items("list", self.source.shape.most + 1, Word()), "path")
        self.order = self.rank = self.skip = self.first = ""
        if merges:
            self.merge(self.source.shape.most)

    def merge(self, most: int) -> None:
        """Group equal elements at the index of the first; `skip` holds the rank after each group."""
        c, w, ch = self.c, self.c.w, self.choice
        rows = w.array(2 * most)
        self.order, self.rank, self.skip, self.first = (
            w.array(most, base) for base in ("order", "rank", "skip", "first")
        )

        def kind(r: Expression) -> Expression:
            return op.Load(rows, op.Mul(r, const(2)))

        with w.count(FALSE, self.size) as i:
            w.store(rows, op.Mul(i, const(2)), i)
            w.store(rows, add(op.Mul(i, const(2)), TRUE), i)
            with w.count(FALSE, i) as j:
                is_alike = alike(c, ch, c.element(self.source, i), c.element(self.source, j))
                w.leave_if(is_alike, lambda: w.store(rows, op.Mul(i, const(2)), j))
        w.emit(op.Sort(rows, FALSE, self.size, 2, 1))
        with w.count(FALSE, self.size) as r:
            at = w.temp(op.Load(rows, add(op.Mul(r, const(2)), TRUE)))
            w.store(self.order, r, at)
            w.store(self.rank, at, r)
            w.store(self.skip, r, self.size)
            w.store(self.first, r, r)
            with w.where(lt(FALSE, r)), w.where(eq(kind(sub(r, TRUE)), kind(r))):
                w.store(self.first, r, op.Load(self.first, sub(r, TRUE)))
            with w.count(add(r, TRUE), self.size) as q:
                w.leave_if(not_(eq(kind(q), kind(r))), lambda: w.store(self.skip, r, q))

    def index_of(self, rank: Expression) -> Expression:
        return op.Load(self.order, rank) if self.order else rank

    def beside(self, rank: Expression) -> Expression:
        """The rank to try after one and all sets that begin with it."""
        return op.Load(self.skip, rank) if self.skip else add(rank, TRUE)

    def next_ranks(self, indices: Ref, body: Callable[[Expression], None]) -> None:
        """Loop over the ranks that may follow some indices."""
        w = self.c.w
        begin = w.temp(add(self.last(indices), TRUE))
        if not self.skip:
            with w.count(begin, self.size) as i:
                body(i)
            return
        at = w.variable(begin)
        with w.forever():
            w.leave_if(le(self.size, Local(at)))
            rank = w.temp(Local(at))
            w.set(at, self.beside(rank))
            body(rank)

    def valid(self, indices: Ref, into: str, ranks: bool = False) -> None:
        """Set a local to 1 if these indices (or ranks) are a valid set."""
        c, w, ch = self.c, self.c.w, self.choice
        w.set(into, le(self.low, c.length(indices)))
        if ch.such_that is None:
            return
        with w.where(eq(Local(into), TRUE)):
            pay_for(c, [ch.such_that])
            with c.alias(ch.cursor, self.whole(indices, ranks)):
                w.set(into, word(c, ch.such_that))

    def whole(self, indices: Ref, ranks: bool = False) -> Ref:
        """The values at some indices (or ranks)."""
        c = self.c
        assert isinstance(self.source.shape, Items)
        into = c.empty_list(self.source.shape, "whole")
        with c.w.count(FALSE, c.length(indices)) as i:
            index = as_word(c.element(indices, i))
            c.push(c.element(self.source, self.index_of(index) if ranks else index), into)
        return into

    def weight(self) -> Expression:
        """The number of sets that are equal to `path` in kind: a product of binomial coefficients."""
        c, w = self.c, self.c.w
        if not self.first:
            return TRUE
        total, kind, taken = w.variable(TRUE), w.variable(const(-1)), w.variable(FALSE)
        with w.count(FALSE, c.length(self.path)) as i:
            rank = w.temp(as_word(c.element(self.path, i)))
            first = w.temp(op.Load(self.first, rank))
            w.set(taken, select(eq(first, Local(kind)), add(Local(taken), TRUE), TRUE))
            w.set(kind, first)
            left = add(sub(sub(op.Load(self.skip, rank), first), Local(taken)), TRUE)
            w.set(total, op.Div(op.Mul(Local(total), left), Local(taken)))
        return Local(total)

    def last(self, indices: Ref, ranks: bool = False) -> Expression:
        """Return the rank of the last index, -1 if there is no index."""
        n = self.c.length(indices)
        found: Expression = op.Load(indices.memory, n)
        return select(
            eq(n, FALSE), const(-1), op.Load(self.rank, found) if self.rank and not ranks else found
        )

    def search(self, base: Expression, into: str, count: bool = False) -> None:
        """Search for valid sets that begin with `path`, of which the first `base` stay.

        `into` is set to 1 if there is one; if `count`, to the number of them.
        """
        c, w, path = self.c, self.c.w, self.path
        n, tried, ok = c.length(path), w.fresh(), w.fresh()
        w.set(into, FALSE)
        w.set(tried, FALSE)
        going = w.variable(TRUE)

        def back() -> None:
            w.set(going, FALSE)
            with w.forever():
                w.leave_if(le(n, base))
                after = w.temp(self.beside(self.last(path, ranks=True)))
                w.store(path.memory, FALSE, sub(n, TRUE))
                with w.where(lt(after, self.size)):
                    c.push(after, path)
                    w.set(going, TRUE)
                    w.emit(op.Break())

        with w.forever():
            w.set(tried, add(Local(tried), TRUE))
            w.guard(le(Local(tried), const(MAX_COMPLETIONS)))
            pay(c, 2)
            self.valid(path, ok, ranks=True)
            if count:
                w.when(eq(Local(ok), TRUE), lambda: w.set(into, add(Local(into), self.weight())))
            else:
                w.leave_if(eq(Local(ok), TRUE), lambda: w.set(into, TRUE))
            after = w.temp(add(self.last(path, ranks=True), TRUE))
            enough = le(self.low, add(n, sub(self.size, after)))
            deeper = and_(and_(lt(n, self.high), enough), lt(after, self.size))
            w.when(deeper, lambda: c.push(after, path), back)
            w.leave_if(eq(Local(going), FALSE))

    def completable(self, indices: Ref, more: Expression | None, into: str) -> None:
        """Set a local to 1 if indices, with one `more`, can be completed to a valid set."""
        c, w = self.c, self.c.w
        n = add(c.length(indices), TRUE) if more is not None else c.length(indices)
        if more is not None:
            left = sub(sub(self.size, TRUE), more)
        else:
            left = sub(self.size, add(self.last(indices), TRUE))
        if self.choice.such_that is None:
            w.set(into, and_(le(n, self.high), le(self.low, add(n, left))))
            return
        w.set(into, FALSE)
        with w.where(le(n, self.high)):
            self.begin(indices, more)
            self.search(w.temp(n), into)

    def begin(self, indices: Ref, more: Expression | None) -> None:
        c = self.c
        c.w.emit(op.Copy(self.path.memory, FALSE, indices.memory, FALSE, add(c.length(indices), TRUE)))
        if self.rank:
            with c.w.count(TRUE, add(c.length(indices), TRUE)) as i:
                c.w.store(self.path.memory, i, op.Load(self.rank, op.Load(self.path.memory, i)))
        if more is not None:
            c.push(more, self.path)
