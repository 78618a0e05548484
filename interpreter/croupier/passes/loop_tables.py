"""Loop tabulation: a loop over parts of constant tables iterates over rows that are evaluated at compile
time.

Such a loop reads tables by its counter and by locals of small range: counters of enclosing loops, or words
that arithmetic or a guard bounds. For each combination of these locals one row holds the iterations that do
anything, with the words that each of them reads. An array that the branches of a condition fill with
constants becomes a row of a table, too.

`fuse_search_and_use` moves what follows a successful search into the loop, to where the search succeeds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from math import prod

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, and_, const, mul, select, sub
from croupier.core.operations import Body, Const, Expression, Local, Statement
from croupier.core.rewriting import (
    FOLDED,
    rewrite_bodies,
    rewrite_body,
    rewrite_statement,
    substitute,
)
from croupier.core.types import CoreProgram, Function
from croupier.core.walk import (
    KINDS,
    ONE,
    array_uses,
    count_mentions,
    expressions,
    locals_of,
    mentions,
    names_read,
    statements,
    times_set,
)
from croupier.passes.constants import ConstantTables, conjuncts
from croupier.passes.locals import eliminate_dead_stores, is_never_none
from croupier.passes.ranges import Range, Ranges
from croupier.passes.states import contains_jump

MOST_VALUES = 600  # combinations of the locals that select a row
MOST_ROWS = 4_200  # iterations in all rows of a loop
LARGEST_ARRAY = 64  # words of an array that becomes a row of a table
LARGEST = 40  # nodes of an expression that is substituted for a local
KNOWN = (Const, op.Add, op.Sub, op.Times, op.Mul, op.Div, op.Mod, op.Select, op.Eq, op.Not, op.Lt, op.Le)
WAITING = (op.Wait, op.Enter, op.Ahead, op.Try, op.Memo, op.Recall)


def tabulate_loops(program: CoreProgram) -> CoreProgram:
    """The program whose loops over parts of constant tables iterate over precomputed rows."""
    memories = dict(program.memories)
    tables = ConstantTables(memories, looks=False)
    functions = {
        n: _LoopTabulator(_tabulate_branches(f, tables), tables).function()
        for n, f in program.functions.items()
    }
    return replace(program, memories=memories, functions=functions)


# ---------------------------------------------------------------- arrays that branches fill with constants
def _tabulate_branches(f: Function, tables: ConstantTables) -> Function:
    """Replace arrays that the branches of a condition fill with constants by rows of tables."""
    sizes = {m.name: m.size for m in f.memories if "_" in m.name and m.size <= LARGEST_ARRAY}
    used = Counter(n for s in statements(f.body) for n in array_uses(s) if n in sizes)
    gone: set[str] = set()

    def body(given: Body) -> Body:
        out = [rewrite_bodies(s, body) for s in given]
        for i, s in enumerate(out):
            filled = _filled_by_branches(s)
            if filled is None or filled[0] not in sizes:
                continue
            name, number, rows = filled
            rest = tuple(out[i + 1 :])
            here = Counter(n for t in statements((s, *rest)) for n in array_uses(t))
            if here[name] < used[name] or not all(_only_loads(t, name) for t in statements(rest)):
                continue
            width, row = sizes[name], f"row_{name}"
            table = tables.named(tuple(words.get(k, 0) for words in rows for k in range(width)))

            def moved(
                e: Expression, name: str = name, table: str = table, row: str = row, width: int = width
            ) -> Expression:
                if isinstance(e, op.Load) and e.memory == name:
                    return op.Load(table, add(mul(Local(row), const(width)), e.index))
                return e

            gone.add(name)
            return body((*out[:i], op.Set(row, number), *rewrite_body(rest, moved)))
        return tuple(out)

    made = body(f.body)
    return replace(f, body=made, memories=tuple(m for m in f.memories if m.name not in gone)) if gone else f


def _only_loads(s: Statement, name: str) -> bool:
    loads = sum(isinstance(e, op.Load) and e.memory == name for e in expressions(s))
    return loads == [*array_uses(s)].count(name)


def _filled_by_branches(s: Statement) -> tuple[str, Expression, list[dict[int, int]]] | None:
    """A condition whose branches do nothing but store constants at the same indices of one array: the array,
    the branch index, its stores.
    """
    leaves: list[dict[int, int]] = []
    names: set[str] = set()

    def look(body: Body) -> Expression | None:
        match body:
            case (op.If(test, then, otherwise),):
                one = look(then)
                two = None if one is None else look(otherwise)
                return None if one is None or two is None else select(test, one, two)
        found: dict[int, int] = {}
        for t in body:
            match t:
                case op.Store(memory, Const(k), Const(word)):
                    names.add(memory)
                    found[k] = word
                case _:
                    return None
        leaves.append(found)
        return const(len(leaves) - 1)

    number = look((s,)) if isinstance(s, op.If) else None
    if (
        number is None
        or len(names) != 1
        or not leaves[0]
        or any(leaf.keys() != leaves[0].keys() for leaf in leaves)
    ):
        return None
    return names.pop(), number, leaves


# ---------------------------------------------------------------- loops over parts of tables
class _LoopTabulator:
    """Tabulates the loops of one function."""

    def __init__(self, f: Function, tables: ConstantTables) -> None:
        self.f, self.tables = f, tables
        self.arrays = f.arrays
        self.ranges = Ranges(tables.memories)
        # locals that depend on constant tables and locals of small range alone, with their values
        self.held: dict[str, Expression] = {}
        self.times = times_set(f.body, (p.name for p in f.parameters))
        self.mentioned = mentions(f.body)

    def function(self) -> Function:
        return replace(self.f, body=self.body(self.f.body))

    def body(self, body: Body) -> Body:
        known, held = dict(self.ranges.known), dict(self.held)
        out: list[Statement] = []
        for s in body:
            match s:
                case op.Set(name, value) if self.times[name] == 1:
                    self.note(name, value)
                case op.Guard(test):
                    self.learn(test)
                case op.For(name, Const(low), Const(high)) if self.times[name] == 1 and low < high:
                    self.ranges.known[name] = low, high - 1
            made = self.row(s) if isinstance(s, op.For) else None
            out += [rewrite_bodies(s, self.body)] if made is None else made
        self.ranges.known, self.held = known, held
        return tuple(out)

    def note(self, name: str, value: Expression) -> None:
        """Record range and value of a local that is set once."""
        value = substitute(value, self.held)
        found = self.ranges.of(value)
        if found is not None:
            self.ranges.known[name] = found
        if sum(1 for _ in expressions(op.Guard(value))) <= LARGEST and self.is_known(value):
            self.held[name] = value

    def learn(self, test: Expression) -> None:
        """Narrow the ranges of locals by a guard."""
        for part in conjuncts(test):
            match part:
                case op.Le(Const(low), Local(name)) if self.times[name] == 1:
                    _, high = self.ranges.known.get(name, (0, 1 << 62))
                    self.ranges.known[name] = low, high
                case op.Le(Local(name), Const(high)) if self.times[name] == 1:
                    low, _ = self.ranges.known.get(name, (-(1 << 62), 0))
                    self.ranges.known[name] = low, high

    def is_known(self, e: Expression, number: str = "") -> bool:
        """Return whether an expression depends on constant tables, locals of small range and the loop counter
        `number` alone.
        """
        for p in (e, *expressions(e)):
            match p:
                case Local(name):
                    found = self.ranges.known.get(name)
                    if name != number and (
                        found is None or found[1] - found[0] >= MOST_VALUES or found[1] < found[0]
                    ):
                        return False
                case op.Load(memory, _):
                    if memory in self.arrays or self.tables.words(memory) is None:
                        return False
                case _ if not isinstance(p, KNOWN):
                    return False
        return True

    def row(self, s: op.For) -> list[Statement] | None:
        """Return the loop over precomputed rows.

        `None` if it does not depend on tables and locals of small range, or the rows would be too many.
        """
        name = s.name
        inside = statements(s.body)
        here = count_mentions((s,), name)
        if (
            self.times[name] != 1
            or here < self.mentioned[name]
            or any(isinstance(t, WAITING) for t in inside)
        ):
            return None
        held = dict(self.held)
        for t in inside:
            if isinstance(t, op.Set) and self.times[t.name] == 1:
                value = substitute(t.value, held)
                if sum(1 for _ in expressions(op.Guard(value))) <= LARGEST and self.is_known(value, name):
                    held[t.name] = value
        low, high = substitute(s.low, held), substitute(s.high, held)
        if not self.is_known(low) or not self.is_known(high):
            return None
        loads: dict[op.Load, Expression] = {}
        for t in inside:
            for e in expressions(t):
                if (
                    isinstance(e, op.Load)
                    and e not in loads
                    and e.memory not in self.arrays
                    and self.tables.words(e.memory) is not None
                ):
                    full = substitute(e, held)
                    if name in locals_of(full) and self.is_known(full, name):
                        loads[e] = full
        by = sorted({n for e in (low, high, *loads.values()) for n in locals_of(e)} - {name})
        spans: list[Range] = [self.ranges.known[n] for n in by]
        if not by or prod(b - a + 1 for a, b in spans) > MOST_VALUES:
            return None
        test, body = self.static_test(s.body, held, name, by)
        if test == TRUE and all(set(locals_of(e)) == {name} for e in loads.values()):
            return None
        wanted = list(loads.values())
        starts, rows = [0], list[tuple[int, ...]]()
        for words in product(*(range(a, b + 1) for a, b in spans)):
            given = dict(zip(by, words, strict=True))
            begin, end = self.tables.value(low, given), self.tables.value(high, given)
            if begin is None or end is None or end - begin + len(rows) > MOST_ROWS:
                return None
            for k in range(begin, end):
                given[name] = k
                found = self.tables.value(test, given)
                if found is None:
                    return None
                if found:
                    words_of = [self.tables.value(e, given) for e in wanted]
                    rows.append((k, *(op.NONE if w is None else w for w in words_of)))
            starts.append(len(rows))
        if not rows:
            return []
        at: Expression = FALSE
        for n, (a, b) in zip(by, spans, strict=True):
            at = add(mul(at, const(b - a + 1)), sub(Local(n), const(a)))
        j = f"{name}r"
        columns = [self.column([row[c] for row in rows], j) for c in range(len(rows[0]))]
        places: dict[Expression, Expression] = {
            **dict(zip(loads, columns[1:], strict=True)),
            Local(name): columns[0],
        }
        begins = self.tables.named(tuple(starts))
        self.times[j] = 1
        return [
            op.For(j, op.Load(begins, at), op.Load(begins, add(at, TRUE)), self.body(_replace(body, places)))
        ]

    def static_test(
        self, body: Body, held: dict[str, Expression], name: str, by: list[str]
    ) -> tuple[Expression, Body]:
        """The part of the test around a body that is known at compile time, and the body without that
        part.
        """
        *before, last = body or (op.Fail(),)
        if (
            not isinstance(last, op.If)
            or last.otherwise
            or not all(isinstance(t, op.Set) and t.name in held for t in before)
        ):
            return TRUE, body
        mine = {t.name for t in before if isinstance(t, op.Set)}
        if any(count_mentions(body, n) < self.mentioned[n] for n in mine):
            return TRUE, body
        known: Expression = TRUE
        rest: Expression = TRUE
        for part in conjuncts(last.test):
            full = substitute(part, held)
            if self.is_known(full, name) and set(locals_of(full)) <= {name, *by}:
                known = and_(known, full)
            else:
                rest = and_(rest, part)
        return known, (*before, *last.then) if rest == TRUE else (*before, op.If(rest, last.then))

    def column(self, words: list[int], name: str) -> Expression:
        """An expression for the word that a column holds in row `name`."""
        return (
            Const(words[0]) if len(set(words)) == 1 else op.Load(self.tables.named(tuple(words)), Local(name))
        )


def _replace(body: Body, places: dict[Expression, Expression]) -> Body:
    """Replace expressions in a body, outermost first."""

    def one(e: Expression) -> Expression:
        kind = e.__class__
        if e in places or kind is Local or kind is Const:
            return places.get(e, e)
        made = [
            one(getattr(e, name)) if holds == ONE else getattr(e, name) for name, holds in KINDS[kind].fields
        ]
        return FOLDED.get(kind, kind)(*made)

    return tuple(rewrite_statement(s, one, lambda inner: _replace(inner, places)) for s in body)


# ---------------------------------------------------------------- search and use
def fuse_search_and_use(program: CoreProgram) -> CoreProgram:
    """The program that runs what follows a successful search inside the loop, right before the loop is
    left.
    """
    tables = frozenset(m.name for m in program.memories.values() if m.constant and op.NONE not in m.initial)
    functions = {}
    for name, f in program.functions.items():
        reads = Counter(n for s in statements(f.body) for n in names_read(s))
        body = _fuse(f.body, reads, tables)
        functions[name] = replace(f, body=eliminate_dead_stores(body)) if body != f.body else f
    return replace(program, functions=functions)


def _fuse(body: Body, reads: Counter[str], tables: frozenset[str]) -> Body:
    out = [rewrite_bodies(s, lambda inner: _fuse(inner, reads, tables)) for s in body]
    for k in range(len(out) - 2):
        match out[k : k + 3]:
            case [
                op.Set(name, Const(op.NONE)),
                op.For() as loop,
                op.If(op.Not(op.Eq(Local(asked), Const(op.NONE))), then, ()),
            ] if asked == name:
                readers = sum(name in names_read(t) for t in statements((out[k + 2],)))
                leaves = any(map(contains_jump, then))
                if readers < reads[name] or leaves or any(map(_waits, statements(then))):
                    continue
                marks = [t for t in statements(loop.body) if isinstance(t, op.Set) and t.name != name]
                there = {loop.name} | {t.name for t in marks if is_never_none(t.value, {loop.name}, tables)}
                new = _used_where_found(loop.body, name, then, there, tables)
                if new is not None:
                    out[k + 1 : k + 3] = [replace(loop, body=new), op.If(FALSE, ())]
    return tuple(s for s in out if s != op.If(FALSE, ()))


def _waits(s: Statement) -> bool:
    return isinstance(s, (op.Wait, op.Enter))


def _used_where_found(
    body: Body, name: str, then: Body, there: set[str], tables: frozenset[str]
) -> Body | None:
    """Return the body of a search that runs `then` before its `Break`; `None` if the loop may end in another
    way.
    """
    match body:
        case (*before, op.If(test, (op.Set(set_, value), op.Break()), ())) if set_ == name and is_never_none(
            value, there, tables
        ):
            plain = all(isinstance(t, op.Set) and t.name != name for t in before)
            return (*before, op.If(test, (op.Set(name, value), *then, op.Break()))) if plain else None
        case (op.If(test, inner, ()),):
            new = _used_where_found(inner, name, then, there, tables)
            return None if new is None else (op.If(test, new),)
    return None


__all__ = ["fuse_search_and_use", "tabulate_loops"]
