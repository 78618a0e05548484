"""Counted loops as iterations: where a loop reads arrays by its counter, it iterates over slices of them, or
over constant rows worked out before.

This is strength reduction for CPython, where an index operation costs more than the next item of a tuple. A
*column* is a load at `times * counter + rest`; it becomes a loop variable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from typing import Protocol

from croupier.core import operations as op
from croupier.core.builder import add, sub
from croupier.core.operations import Body, Const, Expression, Local
from croupier.core.types import CoreProgram, Memory
from croupier.core.walk import expressions, locals_of, operands, sets, statements
from croupier.passes.effects import ALL, effects
from croupier.passes.lists import Parameters, index_at_round, index_before, linear_form, list_parameters
from croupier.records import dataclass

Words = tuple[int, ...]
# by load: the factor of the counter and the rest of its index
Columns = dict[op.Load, tuple[int, Expression]]
MAX_ROWS = 20_000


@dataclass(slots=True)
class ConstantRows:
    """Collects constant rows and memo tables, by global names with a prefix that no other text uses."""

    prefix: str
    memos: int = 0
    loose: frozenset[int] | None = None  # the zones that may have an unordered part
    parameters: Parameters | None = None  # the parameters that are lists of Python
    found: dict[object, str] = field(default_factory=dict)

    def name_of(self, value: object) -> str:
        return self.found.setdefault(value, f"{self.prefix}{len(self.found)}")

    def new_memo(self) -> str:
        """The name of a new memo table."""
        self.memos += 1
        return f"{self.prefix}M{self.memos}"

    def list_parameters(self, program: CoreProgram) -> Parameters:
        """The parameters that are lists of Python, of a program that is printed in one text with these
        rows.
        """
        if self.parameters is None:
            self.parameters = list_parameters(program)
        return self.parameters

    def lines(self) -> list[str]:
        memos = [f"{self.prefix}M{k + 1} = {{}}" for k in range(self.memos)]
        return memos + [f"{name} = {literal(value)}" for value, name in self.found.items()]


def literal(words: object) -> str:
    """Words as a literal; `NONE` by its name, so that it is one object, and `is` compares it."""
    return repr(words).replace(str(op.NONE), "NONE")


class LoopPrinter(Protocol):
    """The facts and methods of a `PythonBodyPrinter` that loops need: arrays in scope, which of them are the
    function's own, growing lists with the words of an element, locals that are never negative.
    """

    constants: ConstantRows
    memory: dict[str, Memory]
    local: frozenset[str]
    lists: dict[str, int]
    weighted: frozenset[int]
    read_counts: Counter[str]
    columns: dict[Expression, str]
    nonnegative: frozenset[str]
    local_offers: bool

    def value(self, e: Expression) -> str: ...
    def condition(self, e: Expression) -> str: ...
    def slice_bounds(self, at: Expression, count: Expression) -> str: ...
    def loop_head(self, s: op.For) -> tuple[str, str, dict[Expression, str]]: ...


@dataclass(frozen=True, slots=True)
class Iteration:
    """A loop as it is printed: its target and iterable, and the names of its columns."""

    names: str
    source: str
    columns: dict[Expression, str]


def as_iteration(code: LoopPrinter, s: op.For, is_read_outside: bool) -> Iteration | None:
    """Return a counted loop as an iteration over its columns; `None` if no column can be read ahead.

    `is_read_outside`: the counter is read behind the loop.
    """
    x, arrays, lists = code.value, code.memory, code.lists
    change = effects(s.body)
    everything = ALL in change.changes
    first = next(
        (set(certainly_evaluated(t)) for t in s.body if not isinstance(t, op.Pay)), set[Expression]()
    )
    columns: Columns = {}
    uses = 0
    for t in statements(s.body):
        for e in expressions(t):
            if isinstance(e, Local) and e.name == s.name:
                uses += 1
            if not isinstance(e, op.Load) or s.name not in locals_of(e.index):
                continue
            # the inner loop may choose constant rows by the counter itself
            if isinstance(t, op.For) and e in (t.low, t.high):
                continue
            found = linear_form(e.index, s.name)
            if found is None or e.memory not in arrays:
                continue
            times, rest = found
            m = arrays[e.memory]
            if not m.constant and (e.memory in change.changes or everything and e.memory not in code.local):
                continue
            if any(
                isinstance(p, (op.Load, op.Length, op.Element, op.Find, op.Holds))
                for p in (rest, *expressions(rest))
            ):
                continue
            if set(locals_of(rest)) & change.changes or not (
                _in_bounds(s, times, rest, m, lists) or e in first
            ):
                continue
            if times < 1 or e.memory in lists and index_before(rest) is None:
                continue
            columns[e] = found
    if not columns or any(s.name in sets(t) for t in statements(s.body)):
        return None
    inside = sum(
        isinstance(p, Local) and p.name == s.name
        for e in _outermost_columns(s, columns)
        for p in expressions(e)
    )
    plain = is_read_outside or uses > inside
    names: dict[Expression, str] = {e: f"{s.name}_{k}" for k, e in enumerate(columns)}
    target = ", ".join([*([s.name] if plain else []), *names.values()])
    constant = all(arrays[e.memory].constant and isinstance(rest, Const) for e, (_, rest) in columns.items())
    if constant:
        source = _constant_rows(code, s, columns, plain)
        if source is not None:
            return Iteration(target, source, names)
    parts = [_slice(code, s, arrays[e.memory], *found) for e, found in columns.items()]
    if not plain:
        return Iteration(target, parts[0] if len(parts) == 1 else f"zip({', '.join(parts)})", names)
    if len(parts) == 1:
        return Iteration(
            target, f"enumerate({parts[0]}{'' if s.low == Const(0) else ', ' + x(s.low)})", names
        )
    numbers = f"range({x(s.high)})" if s.low == Const(0) else f"range({x(s.low)}, {x(s.high)})"
    return Iteration(target, f"zip({numbers}, {', '.join(parts)})", names)


def _outermost_columns(s: op.For, columns: Columns) -> Iterator[op.Load]:
    """The columns that are not inside another one, nor bounds of an inner loop, which may choose its rows by
    the counter itself.
    """

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


def _in_bounds(s: op.For, times: int, rest: Expression, m: Memory, lists: dict[str, int]) -> bool:
    """Return whether the loads of all iterations are certainly in bounds."""
    # a list up to its length
    if s.low == Const(0) and s.high == op.Load(m.name, Const(0)) and isinstance(rest, Const):
        return 1 <= rest.value <= times and lists.get(m.name, times) == times
    if m.name in lists:
        return False
    if not (isinstance(s.low, Const) and isinstance(s.high, Const) and isinstance(rest, Const)):
        return (
            m.constant
            and isinstance(rest, Const)
            and isinstance(s.low, op.Load)
            and isinstance(s.high, op.Load)
        )
    return 0 <= s.low.value * times + rest.value and (s.high.value - 1) * times + rest.value < m.size


def certainly_evaluated(s: op.Statement) -> Iterator[Expression]:
    """The expressions that a statement certainly evaluates."""

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


def _slice(code: LoopPrinter, s: op.For, m: Memory, times: int, rest: Expression) -> str:
    x = code.value
    if m.name in code.lists:
        shifted = index_before(rest)
        assert shifted is not None
        if s.low == Const(0) and s.high == op.Load(m.name, Const(0)):
            return m.name if times == 1 and shifted == Const(0) else f"{m.name}[{x(shifted)}::{times}]"
        rest = shifted
    begin, end = index_at_round(s.low, times, rest), index_at_round(s.high, times, rest)
    is_row = (
        s.low == Const(0)
        and m.constant
        and s.high == op.Load(m.name, sub(rest, Const(1)))
        and min(m.initial, default=0) >= 0
    )
    # a negative bound would count from the end
    to = x(end) if is_row or is_nonnegative(end, code.nonnegative, m.name) else f"max(0, {x(end)})"
    if times > 1:
        return f"{m.name}[{x(begin)}:{to}:{times}]"
    if begin == Const(0):
        return m.name if end == Const(m.size) else f"{m.name}[:{to}]"
    return f"{m.name}[{x(begin)}:{to}]"


def is_nonnegative(e: Expression, nonnegative: frozenset[str], memory: str = "") -> bool:
    """Return whether an expression is certainly not negative.

    `nonnegative`: locals that are not; `memory`: a list, whose loads are lengths.
    """
    match e:
        case Const(value):
            return value >= 0
        case op.Length() | op.Find() | op.Rank():
            return True
        case Local(name):
            return name in nonnegative
        case op.Load(name, _):
            return bool(memory) and name == memory
        case op.Add(a, b) | op.Times(a, b) | op.Mul(a, b):
            return is_nonnegative(a, nonnegative, memory) and is_nonnegative(b, nonnegative, memory)
        case op.Mod(_, Const(n)):
            return n > 0
        case op.Select(_, a, b):
            return is_nonnegative(a, nonnegative, memory) and is_nonnegative(b, nonnegative, memory)
    return False


def nonnegative_locals(body: Body, given: tuple[str, ...]) -> frozenset[str]:
    """The locals that are never negative: the greatest fixed point over their assignments."""
    values: dict[str, list[Expression | None]] = {name: [None] for name in given}
    for s in statements(body):
        match s:
            case op.Set(name, value):
                values.setdefault(name, []).append(value)
            case op.For(name, low):
                values.setdefault(name, []).append(low)
            case _:
                for name in sets(s):
                    values.setdefault(name, []).append(None)
    found = frozenset(values)
    while True:
        now = frozenset(
            n for n in found if all(v is not None and is_nonnegative(v, found) for v in values[n])
        )
        if now == found:
            return found
        found = now


def _constant_rows(code: LoopPrinter, s: op.For, columns: Columns, plain: bool) -> str | None:
    """The rows of a loop over constant tables: one constant, or one for each entry of a table of bounds
    (compressed rows).
    """
    arrays, constants = code.memory, code.constants

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
            return constants.name_of(tuple(map(row, range(low, high)))) if high - low < MAX_ROWS else None
        case op.Load(a, at), op.Load(b, after) if (
            a == b and sub(after, at) == Const(1) or a == b and after == add(at, Const(1))
        ):
            begins = arrays[a].initial if a in arrays and arrays[a].constant else ()
            if begins and begins[-1] < MAX_ROWS and list(begins) == sorted(begins):
                parts = tuple(
                    tuple(map(row, range(low, high))) for low, high in zip(begins, begins[1:], strict=False)
                )
                return f"{constants.name_of(parts)}[{code.value(at)}]"
    return None


__all__ = [
    "ConstantRows",
    "Iteration",
    "LoopPrinter",
    "as_iteration",
    "is_nonnegative",
    "literal",
    "nonnegative_locals",
]
