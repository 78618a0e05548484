"""The types of the rule language, and what may stand where what was promised.

Types are values; two types are equal when they mean the same set of values. Integer types carry an interval
that encloses every value for every legal setting of the parameters; exact bounds that depend on parameters
are kept beside it as expressions and hold at run time. The intervals of sums and products are worked out
here; bounds beyond 2^53 are given up (the value is trapped when the rule runs).
"""

from __future__ import annotations

from dataclasses import field
from itertools import product
from typing import Any, ClassVar

from croupier.limits import MAX_NUMBER
from croupier.records import dataclass


# ---------------------------------------------------------------- the types
@dataclass(frozen=True, slots=True)
class Type:
    """A type of the rule language; as a text, what an author would write: `SPELLING`, with its fields."""

    SPELLING: ClassVar[str] = ""

    def __str__(self) -> str:
        return self.SPELLING.format(self)


@dataclass(frozen=True, slots=True)
class Bool(Type):
    """`bool`."""

    SPELLING = "bool"


@dataclass(frozen=True, slots=True)
class Int(Type):
    """`int`, or `low..high`; the exact bounds are expressions of parameters."""

    low: int | None = None
    high: int | None = None
    low_exact: Any = field(default=None, compare=False)  # typed expression of parameters, or none
    high_exact: Any = field(default=None, compare=False)

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return "int"
        if self.low == self.high:
            return str(self.low)
        low = "…" if self.low is None else self.low
        high = "…" if self.high is None else self.high
        return f"{low}..{high}"


@dataclass(frozen=True, slots=True)
class Enum(Type):
    """An enumeration."""

    SPELLING = "{0.name}"
    name: str


@dataclass(frozen=True, slots=True)
class Player(Type):
    """`Player`."""

    SPELLING = "Player"


@dataclass(frozen=True, slots=True)
class Cell(Type):
    """A cell of a board."""

    SPELLING = "{0.name}"
    board: str
    name: str = field(default="Cell", compare=False)


@dataclass(frozen=True, slots=True)
class Component(Type):
    """A component of one of some kinds."""

    kinds: frozenset[str]

    def __str__(self) -> str:
        return " or ".join(sorted(self.kinds))


@dataclass(frozen=True, slots=True)
class Record(Type):
    """A record."""

    SPELLING = "{0.name}"
    name: str


@dataclass(frozen=True, slots=True)
class Text(Type):
    """Words of an author: they can be shown, never computed with."""

    SPELLING = "text"


@dataclass(frozen=True, slots=True)
class Optional(Type):
    """`T?`: a value, or `none`."""

    SPELLING = "{0.base}?"
    base: Type


@dataclass(frozen=True, slots=True)
class Collection(Type):
    """`list of T`, `set of T`, `bag of T`; `nonempty` where the text has shown that something is in it."""

    SPELLING = "{0.kind} of {0.base}"
    kind: str  # list, set, bag
    base: Type
    nonempty: bool = field(default=False, compare=False)
    capacity: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Endless(Type):
    """The type of `turns()`: a cycle of players for a `for` to walk."""

    SPELLING = "endless turns"


@dataclass(frozen=True, slots=True)
class Map(Type):
    """`T per K`."""

    SPELLING = "{0.value} per {0.key}"
    key: Type
    value: Type


@dataclass(frozen=True, slots=True)
class Zone(Type):
    """A zone for components of some kinds."""

    kinds: frozenset[str]
    order: str = field(default="set", compare=False)

    def __str__(self) -> str:
        return f"zone of {' or '.join(sorted(self.kinds))}"


@dataclass(frozen=True, slots=True)
class Family(Type):
    """A zone declared `per` something, as a whole."""

    SPELLING = "zones {0.zone} per {0.key}"
    zone: str
    key: Type
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Board(Type):
    """A board, as a value: what has cells."""

    SPELLING = "board {0.name}"
    name: str


@dataclass(frozen=True, slots=True)
class Nothing(Type):
    """The type of `none`, and of what a procedure without result returns."""

    SPELLING = "none"


@dataclass(frozen=True, slots=True)
class Never(Type):
    """The element of an empty list: fits everywhere."""

    SPELLING = "nothing"


@dataclass(frozen=True, slots=True)
class Unknown(Type):
    """The type that a reported mistake leaves behind; it fits everywhere, so that one mistake is reported
    once.
    """

    SPELLING = "unknown"


BOOL = Bool()
PLAYER = Player()
TEXT = Text()
NOTHING = Nothing()
NEVER = Never()
UNKNOWN = Unknown()
INT = Int()
AUDIENCE = Enum("Audience")
DIRECTION = Enum("Direction")
AUDIENCES = ("everybody", "nobody", "owner", "others")
ORTHOGONAL = ("up", "right", "down", "left")
# a rhombus: row and column steps and one diagonal
HEX = ("up", "up_right", "right", "down", "down_left", "left")
OFFSETS = {
    "up": (-1, 0), "up_right": (-1, 1), "right": (0, 1), "down_right": (1, 1),
    "down": (1, 0), "down_left": (1, -1), "left": (0, -1), "up_left": (-1, -1),
}  # fmt: skip
# an edge or corner by the cells that meet there, those beyond the rim counted
Virtual = frozenset[tuple[int, int]]


def meetings(row: int, column: int, *, is_hex: bool) -> list[tuple[Virtual, Virtual]]:
    """The edges of a cell, clockwise from the top, each with the corner after it."""
    beside = [(row + y, column + x) for y, x in (OFFSETS[d] for d in (HEX if is_hex else ORTHOGONAL))]
    found = []
    for near, after in zip(beside, (*beside[1:], beside[0]), strict=True):
        across = set() if is_hex else {(near[0] + after[0] - row, near[1] + after[1] - column)}
        found.append((frozenset({(row, column), near}), frozenset({(row, column), near, after, *across})))
    return found


DIRECTIONS = (*OFFSETS, "clockwise", "anticlockwise", "inward", "outward")


def in_words(kind: Type) -> str:
    """A number by its bounds, as people say it: `3`, `1 to 3`, `1 or more`; any other type by its name."""
    if not isinstance(kind, Int) or (kind.low is None and kind.high is None):
        return str(kind)
    if kind.low is not None and kind.high is not None:
        return str(kind.low) if kind.low == kind.high else f"{kind.low} to {kind.high}"
    return f"{kind.low} or more" if kind.high is None else f"{kind.high} or less"


def in_full(kind: Type) -> str:
    """The type with the bounds as they are written, `0..9 per 1..most`: for two types that look alike and
    differ.
    """
    match kind:
        case Int(low_exact=low, high_exact=high) if low is not None or high is not None:
            low_text = kind.low if low is None else low.span.text
            high_text = kind.high if high is None else high.span.text
            return f"{low_text}..{high_text}"
        case Optional():
            return f"{in_full(kind.base)}?"
        case Collection():
            return f"{kind.kind} of {in_full(kind.base)}"
        case Map():
            return f"{in_full(kind.value)} per {in_full(kind.key)}"
    return str(kind)


def list_of(base: Type, nonempty: bool = False) -> Collection:
    """The type of a list."""
    return Collection("list", base, nonempty)


# ---------------------------------------------------------------- which fit where, hold one another, have a
# type in common
def same_keys(a: Type, b: Type) -> bool:
    """Tell whether maps with these keys have an entry for the same values, under all parameters.

    Only then can one stand for the other.
    """
    if isinstance(a, (Never, Unknown)) or isinstance(b, (Never, Unknown)):
        return True
    if isinstance(a, Int) and isinstance(b, Int):
        return a == b and is_alike(a.low_exact, b.low_exact) and is_alike(a.high_exact, b.high_exact)
    return a == b


def is_alike(x: Any, y: Any) -> bool:  # noqa: ANN401 - typed expressions, which this module may not import
    """Tell whether two expressions are the same, wherever they stand."""
    if x is None or y is None:
        return x is y
    return (
        x.op == y.op
        and x.details == y.details
        and len(x.args) == len(y.args)
        and all(map(is_alike, x.args, y.args))
    )


def is_lost(kind: object) -> bool:
    """Tell whether a type has a part that is unknown, because of a mistake that is reported."""
    match kind:
        case Unknown():
            return True
        case Component():
            return not kind.kinds
        case Optional() | Collection():
            return is_lost(kind.base)
        case Map():
            return is_lost(kind.key) or is_lost(kind.value)
    return False


def is_assignable(given: Type, wanted: Type) -> bool:
    """Tell whether a value of `given` may stand where `wanted` was promised.

    Intervals only have to overlap: the rest is trapped when the rule runs.
    """
    match given, wanted:
        case (Unknown() | Never(), _) | (_, Unknown()):
            return True
        case Int(), Int():
            return not _apart(given, wanted)
        case Component(), Component():
            return bool(given.kinds & wanted.kinds) if not given.kinds <= wanted.kinds else True
        case Nothing(), Optional():
            return True
        case Optional(), Optional():
            return is_assignable(given.base, wanted.base)
        case _, Optional():
            return is_assignable(given, wanted.base)
        case Collection(), Collection():
            return given.kind == wanted.kind and is_assignable(given.base, wanted.base)
        case Zone(), Zone():
            return given.kinds <= wanted.kinds
        case Map(), Map():
            return same_keys(given.key, wanted.key) and is_assignable(given.value, wanted.value)
        case Cell(), Cell():
            return given.board == wanted.board
    return given == wanted


def _apart(a: Int, b: Int) -> bool:
    return (a.high is not None and b.low is not None and a.high < b.low) or (
        a.low is not None and b.high is not None and a.low > b.high
    )


def within(given: Type, wanted: Type) -> bool:
    """Tell whether every value of `given` is certainly one of `wanted`.

    No check is needed then when the rule runs.
    """
    match given, wanted:
        case Int(), Int():
            if wanted.low_exact is not None or wanted.high_exact is not None:
                return False
            low = wanted.low is None or (given.low is not None and given.low >= wanted.low)
            return low and (wanted.high is None or (given.high is not None and given.high <= wanted.high))
        case Component(), Component():
            return given.kinds <= wanted.kinds
        case ((Never() | Nothing()), _):
            return True
        case Optional(), Optional():
            return within(given.base, wanted.base)
        case _, Optional():
            return within(given, wanted.base)
        case Collection(), Collection():
            return within(given.base, wanted.base) and wanted.capacity is None
        case Map(), Map():
            return within(given.value, wanted.value)
    return given == wanted


def join(a: Type, b: Type) -> Type | None:
    """The smallest type that holds the values of both, or `None`."""
    match a, b:
        case (Unknown() | Never(), _):
            return b
        case (_, Unknown() | Never()):
            return a
        case Int(), Int():
            low = None if a.low is None or b.low is None else min(a.low, b.low)
            return Int(low, None if a.high is None or b.high is None else max(a.high, b.high))
        case Component(), Component():
            return Component(a.kinds | b.kinds)
        case Nothing(), Nothing():
            return a
        case (Nothing(), kind) | (kind, Nothing()):
            return kind if isinstance(kind, Optional) else Optional(kind)
        case (Optional(base=one), other) | (other, Optional(base=one)):
            inner = join(one, other.base if isinstance(other, Optional) else other)
            return None if inner is None else Optional(inner)
        case Collection(), Collection() if a.kind == b.kind:
            inner = join(a.base, b.base)
            return None if inner is None else Collection(a.kind, inner, a.nonempty and b.nonempty)
        case Zone(), Zone():
            return Zone(a.kinds | b.kinds, a.order if a.order == b.order else "set")
        case Map(), Map():
            key, value = (join(a.key, b.key) if same_keys(a.key, b.key) else None), join(a.value, b.value)
            return None if key is None or value is None else Map(key, value)
    return a if a == b else None


def comparable(a: Type, b: Type) -> bool:
    """Tell whether `==` may stand between values of these types.

    Values that can never be equal are a mistake, except integers out of range (a lint).
    """
    if isinstance(a, Int) and isinstance(b, Int):
        return True
    return is_assignable(a, b) or is_assignable(b, a)


def widened(kind: Type) -> Type:
    """The type of a name that may be given other values later: what is inside may be any number, and lists
    may become empty.

    Keys of maps stay: they say which entries there are. So do the fields of records, which are declared.
    """
    match kind:
        case Int():
            return INT
        case Optional():
            return Optional(widened(kind.base))
        case Collection():
            return Collection(kind.kind, widened(kind.base))
        case Map():
            return Map(kind.key, widened(kind.value))
    return kind


def unsaid(kind: Type) -> str | None:
    """Say why the first value of a name does not tell what else the name may hold; `None` if it does."""
    match kind:
        case Nothing():
            return "as none"
        case Never():
            return "empty"
        case Collection() | Optional():
            return unsaid(kind.base)
        case Map():
            return unsaid(kind.value)
    return None


def outline(kind: Type) -> str:
    """A type as it would be written, with `Type` for what its value does not say."""
    match kind:
        case Nothing():
            return "Type?"
        case Never():
            return "Type"
        case Optional():
            return f"{outline(kind.base)}?"
        case Collection():
            return f"{kind.kind} of {outline(kind.base)}"
        case Map():
            return f"{outline(kind.value)} per {kind.key}"
    return str(kind)


def is_scalar(t: Type) -> bool:
    """Tell whether a value of this type is one thing, of a domain known when the game is set up.

    Integers are only with bounds.
    """
    if isinstance(t, Int):
        return t.low is not None and t.high is not None
    return isinstance(t, (Bool, Enum, Player, Cell, Component))


# ---------------------------------------------------------------- intervals
def interval(op: str, *operands: Type) -> Int:
    """The interval of `op` applied to integers of the operands' intervals."""
    ints = [o if isinstance(o, Int) else INT for o in operands]
    if op == "neg":
        return interval("-", Int(0, 0), ints[0])
    a, b = ints
    if op == "+":
        return _capped(
            None if a.low is None or b.low is None else a.low + b.low,
            None if a.high is None or b.high is None else a.high + b.high,
        )
    if op == "-":
        return _capped(
            None if a.low is None or b.high is None else a.low - b.high,
            None if a.high is None or b.low is None else a.high - b.low,
        )
    if op == "*":
        if None not in (a.low, a.high, b.low, b.high):
            ends = [x * y for x, y in product((a.low, a.high), (b.low, b.high))]  # type: ignore[operator]
            return _capped(min(ends), max(ends))
        if a.low is not None and b.low is not None and a.low >= 0 and b.low >= 0:
            return _capped(a.low * b.low, None)
        return INT
    if op == "mod":
        if b.low is not None and b.low > 0:
            return _capped(0, None if b.high is None else b.high - 1)
        return INT
    if op == "//":
        if a.low is not None and a.low >= 0 and b.low is not None and b.low >= 0:
            return _capped(0, a.high)
        return INT
    raise AssertionError(op)


def _capped(low: int | None, high: int | None) -> Int:
    return Int(
        None if low is not None and abs(low) > MAX_NUMBER else low,
        None if high is not None and abs(high) > MAX_NUMBER else high,
    )
