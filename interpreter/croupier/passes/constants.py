"""Constant propagation and folding, loop unrolling, and tables for what depends on a loop counter alone.

Constants replace the locals that hold them, loads from constant tables are folded, short loops are unrolled.
In a loop with constant bounds an expression of the counter alone becomes a load from a new table. So a walk
over a board becomes a row of cells for each iteration, which printers can iterate directly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, and_, not_, or_, sub
from croupier.core.operations import Body, Const, Expression, Local, Statement
from croupier.core.rewriting import rename, rewrite, rewrite_statement
from croupier.core.types import CoreProgram, Function, Memory, constant_words
from croupier.core.walk import (
    count_mentions,
    expressions,
    kept_locals,
    locals_of,
    looks_ahead,
    mentions,
    names_read,
    sets,
    statements,
    times_set,
)
from croupier.passes.effects import effects, reads
from croupier.passes.lists import linear_form
from croupier.passes.liveness import NOTHING, live
from croupier.passes.ranges import Range, Ranges
from croupier.passes.states import contains_jump

Values = dict[str, Expression]
MOST_ROUNDS = 4_200  # iterations of a loop that tables are made for
MOST_UNROLLED = 5  # iterations of a loop that is unrolled
MOST_STATEMENTS = 24  # of an unrolled loop
MOST_COUNTED = 1 << 40
MOST_TESTS = 12  # of a disjunction that replaces a search
MOST_PARTS = 96  # nodes of that disjunction


def propagate_constants(program: CoreProgram, longer: int = 1) -> CoreProgram:
    """The program with constants folded and short loops unrolled.

    `longer` multiplies the limits for loops that only offer or test.
    """
    tables = dict(program.memories)
    looks = looks_ahead(program)
    made = ConstantTables(tables, looks)
    functions = {name: _Folder(f, made, longer).function() for name, f in program.functions.items()}
    return replace(program, memories=tables, functions=functions)


class ConstantTables:
    """The constant tables of a program, and new ones; `looks`: something in the program looks ahead."""

    def __init__(self, memories: dict[str, Memory], looks: bool) -> None:
        self.memories, self.looks = memories, looks
        self.names = {m.initial: m.name for m in memories.values() if m.constant}

    def named(self, words: tuple[int, ...]) -> str:
        if words not in self.names:
            name = self.names[words] = f"C{len(self.names)}"
            self.memories[name] = Memory(name, len(words), words, constant=True)
        return self.names[words]

    def words(self, name: str) -> tuple[int, ...] | None:
        """Return the words of a constant table; `None` if it is no such table."""
        return constant_words(self.memories, name)

    def value(self, e: Expression, given: Mapping[str, int]) -> int | None:
        """Return the value of an expression for given locals; `None` if it depends on more."""
        return value_of(e, given, self.words)


def value_of(
    e: Expression, given: Mapping[str, int], words_of: Callable[[str], Sequence[int] | None]
) -> int | None:
    """Return the value of an expression for given locals and arrays; `None` if it depends on more."""

    def known(part: Expression) -> Expression:
        match part:
            case Local(name) if name in given:
                return Const(given[name])
            case op.Load(memory, Const(i)):
                words = words_of(memory)
                if words is not None and 0 <= i < len(words):
                    return Const(words[i])
        return part

    found = rewrite(e, known)
    return found.value if isinstance(found, Const) else None


class _Folder:
    """Folds one function."""

    def __init__(self, f: Function, tables: ConstantTables, longer: int) -> None:
        self.f, self.tables, self.longer = f, tables, longer
        self.own = f.arrays
        self.count = 0
        self.counts: Counter[str] = Counter()
        self.mentioned: Counter[str] = Counter()  # how many statements set or read a local
        self.kept: set[str] = set()
        self.ranges = Ranges(tables.memories)
        self.counting: set[str] = set()  # counters of enclosing loops without constant bounds
        # counters of enclosing loops with constant bounds, and their ranges
        self.loops: dict[str, Range] = {}

    def function(self) -> Function:
        body = self.f.body
        self.kept = kept_locals(body)
        self.counts = times_set(body, (p.name for p in self.f.parameters))
        self.mentioned = mentions(body)
        body = self.body(body, {p.name: Local(p.name) for p in self.f.parameters if self.counts[p.name] == 1})
        return replace(self.f, body=body)

    # ------------------------------------------------------------ expressions
    def x(self, e: Expression, values: Values) -> Expression:
        """Substitute known values and fold."""

        def change(part: Expression) -> Expression:
            if isinstance(part, Local):
                return values.get(part.name, part)
            if isinstance(part, op.Searching) and not self.tables.looks:
                return FALSE
            if isinstance(part, op.Mul) and self.ranges.is_small(part):
                part = op.Times(part.a, part.b)
            return self.ranges.fold_comparison(self.folded_load(part))

        return rewrite(e, change)

    def folded_load(self, e: Expression) -> Expression:
        """Fold a load from a constant table, if its index is constant or depends on one loop counter
        alone.
        """
        match e:
            case op.Load(memory, index):
                words = self.words(memory)
                if words is None:
                    return e
                if isinstance(index, Const):
                    return Const(words[index.value] if 0 <= index.value < len(words) else op.NONE)
                span = self.ranges.of(index) or (0, len(words) - 1)
                if (
                    len(words) > span[0] >= 0
                    and len(set(words[span[0] : span[1] + 1])) == 1
                    and span[1] < len(words)
                ):
                    return Const(words[span[0]])
                return self.by_loop(e, index, words)
        return e

    def words(self, memory: str) -> tuple[int, ...] | None:
        """Return the words of a constant table; `None` of any other array."""
        return None if memory in self.own else self.tables.words(memory)

    def by_loop(self, e: Expression, index: Expression, words: tuple[int, ...]) -> Expression:
        names = {*locals_of(index)}
        if len(names) != 1 or not names <= self.loops.keys():
            return e
        (name,) = names
        low, high = self.loops[name]
        if high - low >= MOST_ROUNDS or low < 0:
            return e
        found: list[int] = []
        for i in range(low, high + 1):
            at = self.tables.value(index, {name: i})
            found.append(op.NONE if at is None or not 0 <= at < len(words) else words[at])
        if len(set(found)) == 1:
            return Const(found[0])
        if all(v == found[0] + k for k, v in enumerate(found)):
            return add(Local(name), Const(found[0] - low))
        if isinstance(index, Local):
            return e
        return op.Load(self.tables.named((op.NONE,) * low + tuple(found)), Local(name))

    # ------------------------------------------------------------ statements
    def body(self, body: Body, values: Values) -> Body:
        out: list[Statement] = []
        values = dict(values)
        for s in body:
            out += self.statement(s, values)
            if out and isinstance(out[-1], (op.Break, op.Continue, op.Return, op.Finish, op.Fail)):
                break
        return tuple(out)

    def statement(self, s: Statement, values: Values) -> list[Statement]:
        match s:
            case op.Set(name, value):
                return self.set(name, self.x(value, values), values)
            case op.If(test, then, otherwise):
                test = self.x(test, values)
                if isinstance(test, Const):
                    return list(self.body(then if test.value else otherwise, values))
                one, two = self.body(then, values), self.body(otherwise, values)
                if not one:
                    return [op.If(not_(test), two)] if two else []
                return [op.If(test, one, two)]
            case op.Guard(test):
                test = self.x(test, values)
                if test == TRUE:
                    return []
                return [op.Fail() if test == FALSE else op.Guard(test)]
            case op.For(name, low, high, body):
                return self.loop(op.For(name, self.x(low, values), self.x(high, values), body), values)
            case op.Each(name, zone, body):
                if self.counts[name] == 1:
                    values[name] = Local(name)
                return [op.Each(name, self.x(zone, values), self.body(body, values))]
            case op.Switch(value, cases, otherwise):
                found = self.x(value, values)
                if isinstance(found, Const):
                    return list(
                        self.body(next((c.body for c in cases if found.value in c.values), otherwise), values)
                    )
        return [rewrite_statement(s, lambda e: self.x(e, values), lambda inner: self.body(inner, values))]

    def set(self, name: str, value: Expression, values: Values) -> list[Statement]:
        """Assign a local; a local that is assigned once may be replaced by its value."""
        if self.counts[name] == 1:
            bounds = self.ranges.of(value)
            if bounds is not None:
                self.ranges.known[name] = bounds
            match value:
                case Const():
                    values[name] = value
                case _ if name in self.kept:
                    # a frame map names it: so it is what is kept while somebody waits
                    values[name] = Local(name)
                case Local(other) if other in values and values[other] == value:
                    values[name] = value
                case _ if self.depends_on_counters(value):
                    values[name] = value
                case _:
                    values[name] = Local(name)
        return [op.Set(name, value)]

    def depends_on_counters(self, e: Expression) -> bool:
        """Return whether an expression depends on counters of enclosing loops and constant tables alone."""
        parts = (e, *expressions(e))
        if len(parts) > 12 or not any(isinstance(p, Local) for p in parts):
            return False
        for p in parts:
            match p:
                case Local(name) if name in self.loops or name in self.counting:
                    pass
                case op.Load(memory, _) if self.words(memory) is not None:
                    pass
                case Const() | op.Add() | op.Sub() | op.Times() | op.Div() | op.Mod():
                    pass
                case _:
                    return False
        return True

    # ------------------------------------------------------------ loops
    def loop(self, s: op.For, values: Values) -> list[Statement]:
        name, low, high = s.name, self.ranges.of(s.low), self.ranges.of(s.high)
        if self.counts[name] != 1:
            return [op.For(name, s.low, s.high, self.body(s.body, values))]
        if low is None or high is None:
            self.ranges.known[name] = (0 if low is not None and low[0] >= 0 else -MOST_COUNTED), MOST_COUNTED
            self.counting.add(name)
            found = op.For(name, s.low, s.high, self.body(s.body, {**values, name: Local(name)}))
            self.counting.discard(name)
            looked = self.searched(found) if self.only_inside(name, s) else None
            return [found] if looked is None else looked
        if high[1] <= low[0]:
            return []
        rounds = range(low[0], high[1])
        if isinstance(s.low, Const) and isinstance(s.high, Const):
            short = self.unrolled(s, rounds, values)
            if short is not None:
                return short
        self.loops[name] = self.ranges.known[name] = rounds.start, rounds.stop - 1
        values[name] = Local(name)
        body = self.body(s.body, values)
        made = op.For(name, s.low, s.high, body)
        picked = None
        if self.only_inside(name, s):
            picked = self.selected(made, rounds, values) or self.searched(made)
        del self.loops[name]
        del values[name]
        return [made] if picked is None else picked

    def searched(self, s: op.For) -> list[Statement] | None:
        """A loop that searches an array for a word, as a membership test (`Holds`)."""
        match s.body:
            case (op.If(op.Eq(a, b), (*marks, op.Break()), ()),) if not any(
                s.name in names_read(t) for t in statements(tuple(marks))
            ):
                for one, other in ((a, b), (b, a)):
                    if (
                        isinstance(one, op.Load)
                        and s.name not in locals_of(other)
                        and not self.is_table_by(one, s.name)
                    ):
                        step, rest = linear_form(one.index, s.name) or (0, FALSE)
                        if step == 1 and not effects(s.body).touch(
                            reads(other) | reads(rest) | {one.memory}, NOTHING
                        ):
                            test = op.Holds(one.memory, add(rest, s.low), sub(s.high, s.low), other)
                            return [op.If(test, tuple(marks))]
        return None

    def is_table_by(self, e: op.Load, name: str) -> bool:
        is_by = name in locals_of(e.index) and e.index != Local(name)
        return is_by and self.words(e.memory) is not None

    def selected(self, s: op.For, rounds: range, values: Values) -> list[Statement] | None:
        """A loop that skips all iterations but those for one word: a table by that word lists them."""
        if len(s.body) != 1 or not isinstance(s.body[0], op.If) or s.body[0].otherwise or len(rounds) < 3:
            return None
        test, then = s.body[0].test, s.body[0].then
        for factor in conjuncts(test):
            found = self.by_word(factor, s.name, rounds)
            if found is None:
                continue
            name, by = found
            if any(name in sets(t) for t in statements(s.body)):
                continue
            low, high = min(by), max(by)
            if high - low > MOST_ROUNDS or sum(map(len, by.values())) > 4 * MOST_ROUNDS:
                continue
            starts, rows = [0], list[int]()
            for word in range(low, high + 1):
                rows += by.get(word, [])
                starts.append(len(rows))
            k = self.fresh("k")
            self.counts[k] = 1
            begins, at = self.tables.named(tuple(starts)), sub(Local(name), Const(low))
            rest: Expression = TRUE
            for other in conjuncts(test):
                rest = rest if other is factor else and_(rest, other)
            inner: Body = then if rest == TRUE else (op.If(rest, then),)
            here = add(Local(k), Const(rows[0]))
            if rows != list(range(rows[0], rows[0] + len(rows))):
                here = op.Load(self.tables.named(tuple(rows)), Local(k))
            self.loops[k] = self.ranges.known[k] = 0, len(rows) - 1
            body = self.body(inner, {**values, s.name: here, k: Local(k)})
            del self.loops[k]
            test = and_(op.Le(Const(low), Local(name)), op.Le(Local(name), Const(high)))
            return [op.If(test, (op.For(k, op.Load(begins, at), op.Load(begins, add(at, TRUE)), body),))]
        return None

    def by_word(self, test: Expression, name: str, rounds: range) -> tuple[str, dict[int, list[int]]] | None:
        """A test that compares a local with words of the iteration: the local, and the iterations for each
        value that it may have.
        """
        names = set(locals_of(test)) - {name}
        if len(names) != 1:
            return None
        (word,) = names
        if self.counts[word] != 1 or word in self.loops:
            return None
        others: list[Expression] = []
        for case in disjuncts(test):
            match case:
                case op.Eq(a, b) if Local(word) in (a, b):
                    others.append(b if a == Local(word) else a)
                case _:
                    return None
        if len(rounds) * len(others) > 4 * MOST_ROUNDS:
            return None
        found: dict[int, list[int]] = {}
        for k in rounds:
            for other in others:
                at = self.tables.value(other, {name: k})
                if at is None:
                    return None
                if k not in found.setdefault(at, []):
                    found[at].append(k)
        return word, found

    def unrolled(self, s: op.For, rounds: range, values: Values) -> list[Statement] | None:
        """Unroll a short loop; a short search becomes one test. None if it is neither."""
        size = sum(1 for _ in statements(s.body))
        leaves = any(map(contains_jump, s.body))
        most = MOST_UNROLLED * (
            self.longer if all(isinstance(t, (op.If, op.Offer, op.Pay)) for t in statements(s.body)) else 1
        )
        if not leaves and (len(rounds) == 1 or len(rounds) <= most and len(rounds) * size <= MOST_STATEMENTS):
            if (
                any(isinstance(t, (op.Wait, op.Enter, op.Ahead)) for t in statements(s.body))
                and len(rounds) > 1
            ):
                return None
            return self.iterations(s, rounds, values)
        if len(rounds) == 1:
            body = unwrap_last_break(s.body)
            return None if body is None else self.iterations(replace(s, body=body), rounds, values)
        if self.only_inside(s.name, s):
            one = {**values, s.name: Local(s.name)}
            body = tuple(rewrite_statement(t, lambda e: self.x(e, one)) for t in s.body)
            found = self.searched(replace(s, body=body))
            if found is not None:
                return found
        if len(rounds) <= MOST_TESTS:
            return self.as_disjunction(s, rounds, values)
        return None

    def iterations(self, s: op.For, rounds: range, values: Values) -> list[Statement]:
        out: list[Statement] = []
        mine = self.renamed(s) if len(rounds) > 1 else []
        for k in rounds:
            names = {n: self.fresh(n) for n in mine}
            body = rename(s.body, names)
            for n, new in names.items():
                self.counts[new], self.mentioned[new] = self.counts[n], self.mentioned[n]
            out += self.body(body, {**values, s.name: Const(k)})
        return out if s.name not in self.kept else [op.Set(s.name, Const(rounds[-1])), *out]

    def renamed(self, s: op.For) -> list[str]:
        """The locals that each iteration of a loop sets for itself, in order."""
        inside = {n for t in statements(s.body) for n in sets(t)}
        again = live(s.body, NOTHING, {}, NOTHING, NOTHING)
        return sorted(n for n in inside if n not in self.kept and n not in again and self.only_inside(n, s))

    def only_inside(self, name: str, s: op.For) -> bool:
        """Return whether a local is used nowhere else than in a loop."""
        here = name in sets(s) or name in names_read(s)
        return here + count_mentions(s.body, name) == self.mentioned[name]

    def fresh(self, name: str) -> str:
        self.count += 1
        return f"{name}x{self.count}"

    def as_disjunction(self, s: op.For, rounds: range, values: Values) -> list[Statement] | None:
        """A loop that sets locals and ends when a test holds, as a disjunction."""
        held: Values = {}
        *before, last = s.body or (op.Fail(),)
        for t in before:
            if (
                not isinstance(t, op.Set)
                or self.counts[t.name] != 1
                or t.name in self.kept
                or not self.only_inside(t.name, s)
            ):
                return None
            held[t.name] = self.x(t.value, {**values, **held})
        match last:
            case op.If(test, (*marks, op.Break()), ()) if marks and all(
                isinstance(m, op.Set) and isinstance(m.value, Const) for m in marks
            ):
                pass
            case _:
                return None
        found: Expression = FALSE
        for k in reversed(rounds):
            one = {**values, s.name: Const(k)}
            found = or_(self.x(self.x(test, {**values, **held}), one), found)
        if sum(1 for _ in expressions(op.Guard(found))) > MOST_PARTS * self.longer:
            return None
        if isinstance(found, Const):
            return self.statement(op.If(found, tuple(marks)), values)
        return [op.If(found, tuple(marks))]


def conjuncts(e: Expression) -> list[Expression]:
    """The conjuncts of a test."""
    return [*conjuncts(e.a), *conjuncts(e.b)] if isinstance(e, op.And) else [e]


def disjuncts(e: Expression) -> list[Expression]:
    """The disjuncts of a test."""
    return [*disjuncts(e.a), *disjuncts(e.b)] if isinstance(e, op.Or) else [e]


def unwrap_last_break(body: Body) -> Body | None:
    """Return the body of a single iteration without `Break` and `Continue` at its end; `None` if there are
    others.
    """
    if not body:
        return body
    *before, last = body
    if any(map(contains_jump, before)):
        return None
    match last:
        case op.Break() | op.Continue():
            return tuple(before)
        case op.If(test, then, otherwise):
            one, two = unwrap_last_break(then), unwrap_last_break(otherwise)
            return None if one is None or two is None else (*before, op.If(test, one, two))
        case op.Switch() if contains_jump(last):
            return None
    return body


__all__ = ["ConstantTables", "conjuncts", "propagate_constants", "value_of"]
