"""Choices of several things: a sequence of single picks in the order of the source, each of which can be
completed to a valid set.

Action 0 is "done", i + 1 the element at index i. A list of the frame holds the indices picked so far. Whether
a pick can be completed is found by depth-first search in canonical order, unless only the number of elements
matters.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, and_, const, eq, le, lt, not_, select, sub
from croupier.core.operations import CHANCE, Expression, Local
from croupier.kernel.tree import Choice, ChooseStmt, TypedExpr
from croupier.lowering.candidates import alike
from croupier.lowering.context import Context, Ref, as_word
from croupier.lowering.costs import length, pay, pay_for
from croupier.lowering.lookahead import nothing_to_choose
from croupier.lowering.operands import word
from croupier.lowering.shapes import Items, Word
from croupier.lowering.sources import gathered, most_elements
from croupier.lowering.statements import block, wait

MAX_COMPLETIONS = 200_000  # sets that one search looks at


class Search:
    """The search for valid sets: `low` to `high` elements of `source`."""

    def __init__(self, c: Context, choice: Choice) -> None:
        merges = bool(choice.merging) or c.game.alike.among(choice.base)
        self.c, self.choice, w = c, choice, c.w
        bounds = [x for x in (choice.low, choice.high, choice.by) if x is not None]
        pay_for(c, [choice.source, *bounds], 4 + 2 * length(c, choice.source))
        self.source = gathered(c, choice.source, most_elements(c, choice.source))
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
        into = c.room(self.source.shape, "whole")
        c.clear(into)
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


def choose(c: Context, s: ChooseStmt) -> None:
    """Lower a choice of several things, by a player or by chance."""
    w, choice = c.w, s.choice
    picked_most = most_elements(c, choice.source)
    indices = c.hidden_list(choice.picked, picked_most if picked_most is not None else 256)
    c.clear(indices)
    first = Search(c, choice)
    ok = w.variable(FALSE)
    w.when(le(first.low, first.high), lambda: first.completable(indices, None, ok))
    if choice.optional:
        any_ = w.variable(FALSE)

        def try_(i: Expression) -> None:
            one = w.fresh()
            first.completable(indices, i, one)
            w.leave_if(eq(Local(one), TRUE), lambda: w.set(any_, TRUE))

        with w.where(eq(Local(ok), TRUE)):
            w.when(lt(FALSE, first.high), lambda: first.next_ranks(indices, try_))
            w.set(ok, Local(any_))

    def begin() -> None:
        done = f"d{choice.picked}"
        w.set(done, FALSE)
        with w.forever():
            pick(c, s, indices, done)
        if choice.optional:
            w.when(eq(Local(done), TRUE), lambda: block(c, s.blocks[0]), lambda: block(c, s.blocks[1]))

    other = s.blocks[1] if choice.optional or s.has_other else None
    w.when(eq(Local(ok), TRUE), begin, lambda: nothing_to_choose(c, other))


def pick(c: Context, s: ChooseStmt, indices: Ref, done: str) -> None:
    """Write one pick: offer the elements that may come next; the set is complete if there is no such
    element.
    """
    w, choice = c.w, s.choice
    by_chance = choice.chooser == "chance"
    search = Search(c, choice)
    w.emit(op.NoOffers())
    more, ok, n = w.variable(FALSE), w.fresh(), w.variable(FALSE)
    valid = w.fresh()
    search.valid(indices, valid)
    if choice.optional and not by_chance:
        w.when(eq(c.length(indices), FALSE), lambda: w.set(valid, TRUE))
    with w.where(eq(Local(valid), TRUE)):
        weight: Expression = TRUE
        if by_chance and search.first:
            search.begin(indices, None)
            weight = search.weight()
        w.emit(op.Offer(FALSE, weight))
        w.set(n, add(Local(n), TRUE))
    only = w.variable(FALSE)

    def next_(i: Expression) -> None:
        search.completable(indices, i, ok)
        with w.where(eq(Local(ok), TRUE)):
            weight: Expression = TRUE
            if by_chance:
                total = w.fresh()
                search.begin(indices, i)
                search.search(w.temp(add(c.length(indices), TRUE)), total, count=True)
                weight = Local(total)
            w.emit(op.Offer(add(search.index_of(i), TRUE), weight))
            w.set(more, TRUE)
            w.set(only, add(search.index_of(i), TRUE))
            w.set(n, add(Local(n), TRUE))

    w.when(lt(c.length(indices), search.high), lambda: search.next_ranks(indices, next_))

    def complete(found: Search) -> None:
        shape = found.source.shape
        assert isinstance(shape, Items)
        c.bind(choice.slot, found.whole(indices), Items("list", shape.most, shape.element))
        w.set(done, TRUE)
        w.emit(op.Break())

    def fallen() -> Expression:
        action = w.variable(Local(only))
        with w.where(lt(TRUE, Local(n))):
            wait(c, const(CHANCE), s.suspension_point)
            w.set(action, op.Chosen())
        return Local(action)

    def picked(by: TypedExpr) -> Expression:
        stop = eq(Local(more), FALSE)
        if choice.optional:
            stop = and_(stop, lt(FALSE, c.length(indices)))
        w.when(stop, lambda: complete(search))
        wait(c, word(c, by), s.suspension_point)
        return w.temp(op.Chosen())

    if by_chance:
        action = fallen()
    else:
        assert choice.by is not None
        action = picked(choice.by)
    if choice.optional:
        w.leave_if(and_(eq(action, FALSE), eq(c.length(indices), FALSE)))
    w.when(eq(action, FALSE), lambda: complete(search if by_chance else Search(c, choice)))
    c.push(sub(action, TRUE), indices)
