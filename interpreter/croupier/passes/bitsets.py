"""Bitsets beside small maps: for each value, one 64-bit word holds the keys that have it.

Loops over keys become operations on these words.

Loops are recognized by their shape, as lowering emits it; others stay as they are. A map of the state takes
part if it has at most 64 keys and few values, and is only written entry by entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, add, and_, const, eq, le, lt, not_, select
from croupier.core.operations import Body, Const, Expression, Local, Statement
from croupier.core.rewriting import replace_bodies, replace_statements, rewrite_bodies
from croupier.core.types import CoreProgram, Memory, constant_words
from croupier.core.walk import expressions, locals_of, operands, sets, statements, writes
from croupier.passes.lists import offset_from
from croupier.passes.states import contains_jump

WIDTH = 64  # bits of a word, so keys of a map
MOST_VALUES = 16  # of a map
MOST_PAID = 5000  # steps that a loop pays before it begins
FEWEST = 4  # keys of a map for which bitsets pay off


@dataclass(slots=True)
class BitsetMaps:
    """The maps that take part: `sizes` in keys, `values` as the lowest and their number; and the tables of
    masks made so far.
    """

    program: CoreProgram
    sizes: dict[str, int]
    values: dict[str, tuple[int, int]]
    used: set[str] = field(default_factory=set)
    tables: dict[tuple[int, ...], str] = field(default_factory=dict)
    names: int = 0

    def fresh(self) -> str:
        self.names += 1
        return f"b_{self.names}"

    def bits(self, name: str) -> str:
        """The array of bitsets of a map; its name holds the lowest value."""
        return f"bits.{self.values[name][0]}.{name}"

    def words(self, name: str) -> tuple[int, ...] | None:
        """Return the words of a constant table; `None` if it is no such table."""
        return constant_words(self.program.memories, name)

    def table(self, words: tuple[int, ...]) -> str:
        return self.tables.setdefault(words, f"B{len(self.tables)}")


def add_bitsets(program: CoreProgram, domains: Mapping[str, tuple[int, int]]) -> CoreProgram:
    """Return the program with words of bits.

    `domains`: arrays of the state whose words are values of a domain, lowest value and number of values, or
    `NONE`.
    """
    sizes = {
        m.name: m.size for m in program.memories.values() if not m.constant and FEWEST <= m.size <= WIDTH
    }
    whole = _written_as_a_whole(program)
    values = {
        name: d for name, d in domains.items() if name in sizes and d[1] < MOST_VALUES and name not in whole
    }
    if not values:
        return program
    maps = BitsetMaps(program, sizes, values)
    out = replace_bodies(program, lambda body, _: _Rewriter(maps).body(body))
    if not maps.used:
        return program
    out = replace_bodies(out, lambda body, _: replace_statements(body, lambda s: _updating(maps, s)))
    out.memories = dict(program.memories)
    for name in sorted(maps.used):
        low, count = values[name]
        held = program.memories[name].initial or (0,) * sizes[name]
        made = maps.bits(name)
        out.memories[made] = Memory(made, count + 1, tuple(bitset_words(held, low, count)))
    for words, name in maps.tables.items():
        out.memories[name] = Memory(name, len(words), words, constant=True)
    return out


def bitset_words(held: Sequence[int], low: int, count: int) -> list[int]:
    """The bitsets of a map that holds these words."""
    bits = [0] * (count + 1)
    for i, word in enumerate(held):
        bits[0 if word == op.NONE else word - low + 1] |= 1 << i
    return list(map(_signed, bits))


def rebuild_bitsets(memories: dict[str, list[int]]) -> None:
    """Recompute the bitsets in the arrays of a position from its maps."""
    for name, words in memories.items():
        if name.startswith("bits."):
            _, low, of = name.split(".")
            words[:] = bitset_words(memories[of], int(low), len(words) - 1)


def _signed(word: int) -> int:
    return word - (1 << WIDTH) if word >> WIDTH - 1 & 1 else word


def _written_as_a_whole(program: CoreProgram) -> set[str]:
    found: set[str] = set()
    for body in [f.body for f in program.functions.values()] + [s.body for s in program.states.values()]:
        for s in statements(body):
            match s:
                case op.Copy() | op.Sort() | op.Call():
                    found |= writes(s, program)
                case op.Enter(arrays=arrays):
                    found |= set(arrays)
    return found


# ------------------------------------------------------------ updates
def _place(maps: BitsetMaps, memory: str, value: Expression) -> Expression:
    """The index of the bitset of a value."""
    low, _ = maps.values[memory]
    if isinstance(value, Const):
        return FALSE if value == NONE else const(value.value - low + 1)
    return select(eq(value, NONE), FALSE, add(value, const(1 - low)))


def _updating(maps: BitsetMaps, s: Statement) -> Body:
    """A statement and, if it stores into a map, what updates the bitsets."""
    match s:
        case op.Store(memory, index, value) if memory in maps.used:
            at, bit, new, old = (maps.fresh() for _ in range(4))
            bits = maps.bits(memory)
            toggle = op.Store(bits, Local(old), op.Bits("xor", op.Load(bits, Local(old)), Local(bit)))
            return (
                op.Set(at, index),
                op.Set(bit, op.Bits("shl", TRUE, Local(at))),
                op.Set(new, value),
                op.Set(old, _place(maps, memory, op.Load(memory, Local(at)))),
                toggle,
                op.Store(memory, Local(at), Local(new)),
                op.Set(old, _place(maps, memory, Local(new))),
                toggle,
            )
    return (s,)


# ------------------------------------------------------------ queries
class _Rewriter:
    """Rewrites the loops of one body."""

    def __init__(self, maps: BitsetMaps) -> None:
        self.maps = maps
        # locals that are the index of a row: local * stride + begin
        self.rows: dict[str, tuple[str, int, int]] = {}

    def body(self, body: Body) -> Body:
        out: list[Statement] = []
        for s in body:
            if isinstance(s, op.Set):
                self.note(s)
            found = self.paid(s) if isinstance(s, op.For) else None
            if found is not None:
                out.extend(found)
            else:
                out.append(rewrite_bodies(s, self.body))
        return tuple(out)

    def note(self, s: op.Set) -> None:
        """Record a local that is the index of a row."""
        match s.value:
            case op.Add(op.Mul(Local(row), Const(stride)), Const(begin)):
                self.rows[s.name] = row, stride, begin
            case _:
                self.rows.pop(s.name, None)

    def paid(self, s: op.For) -> list[Statement] | None:
        """Rewrite a loop; payments of all its iterations move before it."""
        match s.high:
            case op.Load(table, Const(at)) if (words := self.maps.words(table)) is not None:
                s = replace(s, high=const(words[at]))
        match s:
            case op.For(name, Const(low), Const(high), (op.Pay(Const(steps)), *rest)) if (
                0 < steps * (high - low) <= MOST_PAID
            ):
                found = self.loop(op.For(name, s.low, s.high, tuple(rest)))
                return None if found is None else [op.Pay(const(steps * (high - low))), *found]
            case op.For(name, Const(0), op.Load(table, Local(p)), (op.Pay(Const(steps)), *rest)) if (
                longest := self.longest(table, p)
            ):
                found = self.loop(op.For(name, s.low, s.high, tuple(rest)))
                return None if found is None else [op.Pay(const(steps * longest)), *found]
        return self.loop(s)

    def loop(self, s: op.For) -> list[Statement] | None:
        return self.keys(s) or self.row(s) or self.rows_with(s)

    # a loop over keys that have a value
    def keys(self, s: op.For) -> list[Statement] | None:
        match s:
            case op.For(name, Const(low), Const(high), (op.If(test, then, ()),)) if high - low > 2:
                pass
            case _:
                return None
        found = self.entry(test, name)
        if found is None:
            return None
        memory, value, holds, shift, rest = found
        low_bit, high_bit = low + shift, high + shift
        if (
            not 0 <= low_bit <= high_bit <= self.maps.sizes[memory]
            or not self.is_invariant(value, s)
            or self.changes(memory, then)
        ):
            return None
        self.maps.used.add(memory)
        mask = _signed((1 << high_bit) - (1 << low_bit))
        word: Expression = op.Load(self.maps.bits(memory), _place(self.maps, memory, value))
        if not holds:
            word = op.Bits("xor", word, const(-1))
        if high_bit - low_bit < self.maps.sizes[memory] or not holds:
            word = op.Bits("and", word, const(mask))
        left = self.maps.fresh()
        out: list[Statement] = [op.Set(left, word)]
        key = add(op.LowBit(Local(left)), const(-shift))
        if (
            rest is None
            and then
            and isinstance(then[-1], op.Break)
            and not any(map(contains_jump, then[:-1]))
        ):
            return [*out, op.If(not_(eq(Local(left), FALSE)), (op.Set(name, key), *self.body(then[:-1])))]
        inner: Body = self.body(then) if rest is None else (op.If(rest, self.body(then)),)
        match inner:
            case (op.Offer(action, Const(1)), *more) if (by := offset_from(action, name)) is not None and all(
                _plain(m, name) for m in more
            ):
                there = tuple(more)
                return [
                    *out,
                    op.OfferBits(Local(left), const(by - shift)),
                    *([op.If(not_(eq(Local(left), FALSE)), there)] if there else []),
                ]
        next_ = op.Set(left, op.Bits("and", Local(left), op.Sub(Local(left), TRUE)))
        round_ = (op.If(eq(Local(left), FALSE), (op.Break(),)), op.Set(name, key), next_, *inner)
        return [*out, op.Loop(round_)]

    def entry(
        self, test: Expression, name: str
    ) -> tuple[str, Expression, bool, int, Expression | None] | None:
        """A test of a map at a key: the map, the value, whether it must be equal, index minus key, and the
        other conjuncts.
        """
        match test:
            case op.And(a, b):
                found = self.entry(a, name)
                if found is not None:
                    return *found[:4], b if found[4] is None else and_(found[4], b)
                return None
            case op.Not(a):
                found = self.entry(a, name)
                if found is None or found[4] is not None:
                    return None
                return (found[0], found[1], not found[2], found[3], None)
            case op.Eq(op.Load(memory, index), value) if (
                memory in self.maps.values and name not in locals_of(value) and _is_word(value)
            ):
                shift = offset_from(index, name)
                return None if shift is None else (memory, value, True, shift, None)
        return None

    def is_invariant(self, value: Expression, s: op.For) -> bool:
        """Return whether a value is invariant in a loop."""
        changed = {n for inner in statements((s,)) for n in sets(inner)}
        return isinstance(value, (Const, Local)) and not changed & set(locals_of(value))

    def changes(self, memory: str, body: Body) -> bool:
        return any(
            isinstance(s, op.Call) or isinstance(s, op.Store) and s.memory == memory for s in statements(body)
        )

    # a loop over the keys of a row: has one of them a value, or is one of them a given key
    def row(self, s: op.For) -> list[Statement] | None:
        match s:
            case op.For(
                j,
                Const(0),
                op.Load(table, Local(p)),
                (
                    op.Set(c, op.Load(other, op.Add(Local(q), op.Add(Local(k), Const(1))))),
                    op.If(test, then, ()),
                ),
            ) if table == other and p == q and j == k:
                pass
            case _:
                return None
        masks = self.masks(table, p)
        if (
            not masks
            or not then
            or not isinstance(then[-1], op.Break)
            or any(map(contains_jump, then[:-1]))
            or c in {n for e in operands_in(then) for n in locals_of(e)}
        ):
            return None
        mask: Expression = op.Load(self.maps.table(masks), Local(self.rows[p][0]))
        match test:
            case op.Eq(Local(x), Local(n)) | op.Eq(Local(n), Local(x)) if n == c and x != c:
                bit = op.Bits("and", op.Bits("shr", mask, op.Bits("and", Local(x), const(WIDTH - 1))), TRUE)
                inside = and_(le(FALSE, Local(x)), lt(Local(x), const(WIDTH)))
                return [op.If(and_(eq(bit, TRUE), inside), then[:-1])]
        found = self.entry(test, c)
        if found is None or found[4] is not None or found[3] != 0 or not self.is_invariant(found[1], s):
            return None
        memory, value, holds, _, _ = found
        self.maps.used.add(memory)
        word: Expression = op.Load(self.maps.bits(memory), _place(self.maps, memory, value))
        held = self.maps.fresh()
        both = op.Bits("and", word if holds else op.Bits("xor", word, const(-1)), mask)
        return [op.Set(held, both), op.If(not_(eq(Local(held), FALSE)), then[:-1])]

    def longest(self, table: str, place: str) -> int:
        """The length of the longest row of a table; 0 if it is no table of rows."""
        return max(map(len, self.rows_of(table, place)), default=0)

    def masks(self, table: str, place: str) -> tuple[int, ...]:
        """The rows of a table as bitsets; none if there is a key that has no bit."""
        rows = self.rows_of(table, place)
        if any(not 0 <= k < WIDTH for keys in rows for k in keys):
            return ()
        return tuple(_signed(sum(1 << k for k in set(keys))) for keys in rows)

    def rows_of(self, table: str, place: str) -> list[tuple[int, ...]]:
        """The rows of a table, if a local is the index of a row of one."""
        words = self.maps.words(table)
        _, stride, begin = self.rows.get(place, ("", 0, 0))
        if words is None or stride <= 0 or begin < 0:
            return []
        return [words[at + 1 : at + 1 + max(words[at], 0)] for at in range(begin, len(words), stride)]

    # a loop over the rows that contain a key
    def rows_with(self, s: op.For) -> list[Statement] | None:
        match s:
            case op.For(i, Const(low), Const(high), inner):
                pass
            case _:
                return None
        made = self.body(inner)
        before: list[Statement] = []
        for n, statement in enumerate(made):
            match statement:
                case op.If(
                    op.And(
                        op.Eq(
                            op.Bits("and", op.Bits("shr", op.Load(masks, Local(row)), _), Const(1)), Const(1)
                        ),
                        _,
                    ),
                    marks,
                    (),
                ) if row == i:
                    rest = made[n + 1 :]
                    x = self.number(statement.test)
                    flags = [m.name for m in marks if isinstance(m, op.Set) and m.value == TRUE]
                    match rest:
                        case (op.If(Local(flag), go, ()),) if (
                            flag in flags and len(flags) == len(marks) and self.harmless(before)
                        ):
                            return self.through(masks, i, low, high, x, before, marks, go, s)
                    break
                case op.Set():
                    before.append(statement)
                case _:
                    break
        return [op.For(i, const(low), const(high), made)] if made != inner else None

    @staticmethod
    def number(test: Expression) -> Expression:
        assert (
            isinstance(test, op.And)
            and isinstance(test.a, op.Eq)
            and isinstance(test.a.a, op.Bits)
            and isinstance(test.a.a.a, op.Bits)
        )
        bits = test.a.a.a.b
        assert isinstance(bits, op.Bits)
        return bits.a

    @staticmethod
    def harmless(before: list[Statement]) -> bool:
        return all(
            isinstance(s, op.Set)
            and not any(isinstance(e, (op.Load, op.Element, op.Find)) for e in expressions(s))
            for s in before
        )

    def through(
        self,
        masks: str,
        i: str,
        low: int,
        high: int,
        x: Expression,
        before: list[Statement],
        marks: Body,
        go: Body,
        s: op.For,
    ) -> list[Statement] | None:
        """The loop over the rows that contain key `x` alone."""
        words = next(w for w, name in self.maps.tables.items() if name == masks)
        with_key = [[r for r in range(low, min(high, len(words))) if words[r] >> k & 1] for k in range(WIDTH)]
        starts = tuple(sum(map(len, with_key[:k])) for k in range(WIDTH + 1))
        flat = tuple(r for rows in with_key for r in rows)
        if not flat or high > len(words):
            return None
        begins, rows, at = self.maps.table(starts), self.maps.table((*flat, -1)), self.maps.fresh()
        held = self.maps.fresh()
        value: Expression = x
        for earlier in before:
            if isinstance(earlier, op.Set) and isinstance(x, Local) and earlier.name == x.name:
                value = earlier.value
        if i in locals_of(value) or not self.is_invariant(value, s):
            return None
        inside = and_(le(FALSE, Local(held)), lt(Local(held), const(WIDTH)))
        each = (op.Set(i, op.Load(rows, Local(at))), *before, *marks, *go)
        loop = op.For(at, op.Load(begins, Local(held)), op.Load(begins, add(Local(held), TRUE)), each)
        return [op.Set(held, value), op.If(inside, (loop,))]


def _is_word(value: Expression) -> bool:
    return isinstance(value, (Const, Local))


def _plain(s: Statement, name: str) -> bool:
    """Return whether a statement only sets another local to a constant."""
    return isinstance(s, op.Set) and isinstance(s.value, Const) and s.name != name


def operands_in(body: Body) -> list[Expression]:
    """The operands of all statements of a body."""
    return [e for s in statements(body) for e in operands(s)]
