"""Loops that count, as Python walks: over rows of tables and parts of arrays as they lie, where a loop only counts to read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from croupier.core import operations as op
from croupier.core.builder import add, sub
from croupier.core.operations import Const, Expression, Local
from croupier.core.types import Memory
from croupier.core.walk import expressions, locals_of, operands, sets, statements
from croupier.passes.effects import ALL, effects
from croupier.passes.lists import index_at_round, index_before, linear_form

Words = tuple[int, ...]
Columns = dict[op.Load, tuple[int, Expression]]  # what is read by so many times the number of a loop and a rest
MOST_ROWS = 20_000


@dataclass(slots=True)
class Constants:
    """Rows that loops walk over, by names that no other text has."""

    prefix: str
    memos: int = 0
    loose: frozenset[int] | None = None  # the zones that may have an unordered part
    found: dict[object, str] = field(default_factory=dict)

    def named(self, value: object) -> str:
        return self.found.setdefault(value, f"{self.prefix}{len(self.found)}")

    def memo(self) -> str:
        """A place to keep offers in."""
        self.memos += 1
        return f"{self.prefix}M{self.memos}"

    def lines(self) -> list[str]:
        kept = [f"{self.prefix}M{k + 1} = {{}}" for k in range(self.memos)]
        return kept + [f"{name} = {shown(value)}" for value, name in self.found.items()]


def shown(words: object) -> str:
    """Words as a list or tuples; none by its name, so that it is one object everywhere and can be told by that."""
    return repr(words).replace(str(op.NONE), "NONE")


@dataclass(frozen=True, slots=True)
class Walk:
    """How a loop is printed: behind `for` and `in`, and the names of what it reads by its number."""

    names: str
    source: str
    columns: dict[Expression, str]


def walked(
    s: op.For,
    arrays: dict[str, Memory],
    x: Callable[[Expression], str],
    constants: Constants,
    is_read_outside: bool,
    local: frozenset[str],
    lists: dict[str, int],
    counts: frozenset[str],
) -> Walk | None:
    """A loop as a walk over what it reads; none where it reads nothing by its number alone.

    `local`: arrays that only this function has; `lists`: those that are lists of Python, and how many words their elements have; `counts`: locals
    that are never negative.
    """
    change = effects(s.body)
    everything = ALL in change.changes
    first = next((set(strict(t)) for t in s.body if not isinstance(t, op.Pay)), set[Expression]())
    columns: Columns = {}
    uses = 0
    for t in statements(s.body):
        for e in expressions(t):
            if isinstance(e, Local) and e.name == s.name:
                uses += 1
            if not isinstance(e, op.Load) or s.name not in locals_of(e.index):
                continue
            if isinstance(t, op.For) and e in (t.low, t.high):  # perhaps a walk over rows, which the number itself chooses
                continue
            found = linear_form(e.index, s.name)
            if found is None or e.memory not in arrays:
                continue
            times, rest = found
            m = arrays[e.memory]
            if not m.constant and (e.memory in change.changes or everything and e.memory not in local):
                continue
            if any(isinstance(p, (op.Load, op.Length, op.Element, op.Find, op.Holds)) for p in (rest, *expressions(rest))):
                continue
            if set(locals_of(rest)) & change.changes or not (_fits(s, times, rest, m, lists) or e in first):
                continue
            if times < 1 or e.memory in lists and index_before(rest) is None:
                continue
            columns[e] = found
    if not columns or any(s.name in sets(t) for t in statements(s.body)):
        return None
    inside = sum(isinstance(p, Local) and p.name == s.name for e in _outermost(s, columns) for p in expressions(e))
    plain = is_read_outside or uses > inside
    names: dict[Expression, str] = {e: f"{s.name}_{k}" for k, e in enumerate(columns)}
    shown = ", ".join([*([s.name] if plain else []), *names.values()])
    constant = all(arrays[e.memory].constant and isinstance(rest, Const) for e, (_, rest) in columns.items())
    if constant:
        source = _rows(s, columns, arrays, plain, constants, x)
        if source is not None:
            return Walk(shown, source, names)
    parts = [_part(s, arrays[e.memory], times, rest, x, lists, counts) for e, (times, rest) in columns.items()]
    if not plain:
        return Walk(shown, parts[0] if len(parts) == 1 else f"zip({', '.join(parts)})", names)
    if len(parts) == 1:
        return Walk(shown, f"enumerate({parts[0]}{'' if s.low == Const(0) else ', ' + x(s.low)})", names)
    numbers = f"range({x(s.high)})" if s.low == Const(0) else f"range({x(s.low)}, {x(s.high)})"
    return Walk(shown, f"zip({numbers}, {', '.join(parts)})", names)


def _outermost(s: op.For, columns: Columns) -> Iterator[op.Load]:
    """The columns where they stand, those in the index of another one left out, and those that say where another loop begins and ends: that loop may
    be a walk over rows, which the number itself chooses."""

    def look(e: Expression) -> Iterator[op.Load]:
        if e in columns:
            assert isinstance(e, op.Load)
            yield e
            return
        for part in operands(e):
            yield from look(part)

    for t in statements(s.body):
        for e in () if isinstance(t, op.For) else operands(t):
            yield from look(e)


def _fits(s: op.For, times: int, rest: Expression, m: Memory, lists: dict[str, int]) -> bool:
    """Do all rounds surely read inside of an array?"""
    if s.low == Const(0) and s.high == op.Load(m.name, Const(0)) and isinstance(rest, Const):  # a list, as far as it goes
        return 1 <= rest.value <= times and lists.get(m.name, times) == times
    if m.name in lists:
        return False
    if not (isinstance(s.low, Const) and isinstance(s.high, Const) and isinstance(rest, Const)):
        return m.constant and isinstance(rest, Const) and isinstance(s.low, op.Load) and isinstance(s.high, op.Load)
    return 0 <= s.low.value * times + rest.value and (s.high.value - 1) * times + rest.value < m.size


def strict(s: op.Statement) -> Iterator[Expression]:
    """What a statement certainly asks for."""

    def look(e: Expression) -> Iterator[Expression]:
        yield e
        match e:
            case op.And(a, _) | op.Or(a, _):
                yield from look(a)
            case op.Select(test, _, _):
                yield from look(test)
            case _:
                for part in operands(e):
                    yield from look(part)

    if not isinstance(s, (op.Loop, op.For, op.Each, op.Try, op.Ahead)):
        for e in operands(s):
            yield from look(e)


def _part(s: op.For, m: Memory, times: int, rest: Expression, x: Callable[[Expression], str], lists: dict[str, int], counts: frozenset[str]) -> str:
    if m.name in lists:
        shifted = index_before(rest)
        assert shifted is not None
        if s.low == Const(0) and s.high == op.Load(m.name, Const(0)):
            return m.name if times == 1 and shifted == Const(0) else f"{m.name}[{x(shifted)}::{times}]"
        rest = shifted
    begin, end = index_at_round(s.low, times, rest), index_at_round(s.high, times, rest)
    to = x(end) if counted(end, counts, m.name) else f"max(0, {x(end)})"  # what is negative would count from the end
    if times > 1:
        return f"{m.name}[{x(begin)}:{to}:{times}]"
    if begin == Const(0):
        return m.name if end == Const(m.size) else f"{m.name}[:{to}]"
    return f"{m.name}[{x(begin)}:{to}]"


def counted(e: Expression, counts: frozenset[str], memory: str = "") -> bool:
    """Is an expression surely not negative? `counts`: locals that are not; `memory`: an array that says how much of it counts."""
    match e:
        case Const(value):
            return value >= 0
        case op.Length() | op.Find() | op.Rank():
            return True
        case Local(name):
            return name in counts
        case op.Load(name, _):
            return bool(memory) and name == memory
        case op.Add(a, b) | op.Times(a, b) | op.Mul(a, b):
            return counted(a, counts, memory) and counted(b, counts, memory)
        case op.Mod(_, Const(n)):
            return n > 0
        case op.Select(_, a, b):
            return counted(a, counts, memory) and counted(b, counts, memory)
    return False


def _rows(s: op.For, columns: Columns, arrays: dict[str, Memory], plain: bool, constants: Constants, x: Callable[[Expression], str]) -> str | None:
    """Rows that are known: as a constant, or as one for each word by which the loop begins and ends."""

    def row(i: int) -> int | Words:
        found = [i] if plain else []
        for e, (times, rest) in columns.items():
            words = arrays[e.memory].initial
            assert isinstance(rest, Const)
            at = i * times + rest.value
            found.append(words[at] if 0 <= at < len(words) else op.NONE)
        return found[0] if len(found) == 1 else tuple(found)

    match s.low, s.high:
        case Const(low), Const(high):
            return constants.named(tuple(map(row, range(low, high)))) if high - low < MOST_ROWS else None
        case op.Load(a, at), op.Load(b, after) if a == b and sub(after, at) == Const(1) or a == b and after == add(at, Const(1)):
            begins = arrays[a].initial if a in arrays and arrays[a].constant else ()
            if begins and begins[-1] < MOST_ROWS and list(begins) == sorted(begins):
                parts = tuple(tuple(map(row, range(low, high))) for low, high in zip(begins, begins[1:], strict=False))
                return f"{constants.named(parts)}[{x(at)}]"
    return None


__all__ = ["Constants", "Walk", "counted", "shown", "walked"]
