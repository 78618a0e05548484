"""The types: one class a form, and the types that have a name in the language."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Type:
    """A type of the rule language; as a text, what an author would write."""

    def __str__(self) -> str:
        return type(self).__name__.lower()


@dataclass(frozen=True, slots=True)
class Bool(Type):
    """`bool`."""


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
        return f"{'…' if self.low is None else self.low}..{'…' if self.high is None else self.high}"


@dataclass(frozen=True, slots=True)
class Enum(Type):
    """An enumeration."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Player(Type):
    """`Player`."""

    def __str__(self) -> str:
        return "Player"


@dataclass(frozen=True, slots=True)
class Cell(Type):
    """A cell of a board."""

    board: str
    name: str = field(default="Cell", compare=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Component(Type):
    """A component of one of some kinds."""

    kinds: frozenset[str]

    def __str__(self) -> str:
        return " or ".join(sorted(self.kinds))


@dataclass(frozen=True, slots=True)
class Record(Type):
    """A record."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Text(Type):
    """Words of an author: they can be shown, never computed with."""


@dataclass(frozen=True, slots=True)
class Optional(Type):
    """`T?`: a value, or none."""

    base: Type

    def __str__(self) -> str:
        return f"{self.base}?"


@dataclass(frozen=True, slots=True)
class Collection(Type):
    """`list of T`, `set of T`, `bag of T`; `nonempty` where the text has shown that something is in it."""

    kind: str  # list, set, bag
    base: Type
    nonempty: bool = field(default=False, compare=False)
    capacity: Any = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.kind} of {self.base}"


@dataclass(frozen=True, slots=True)
class Endless(Type):
    """What `turns()` gives: a cycle of players for a `for` to walk."""

    def __str__(self) -> str:
        return "endless turns"


@dataclass(frozen=True, slots=True)
class Map(Type):
    """`T per K`."""

    key: Type
    value: Type

    def __str__(self) -> str:
        return f"{self.value} per {self.key}"


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

    zone: str
    key: Type
    kinds: frozenset[str]

    def __str__(self) -> str:
        return f"zones {self.zone} per {self.key}"


@dataclass(frozen=True, slots=True)
class Board(Type):
    """A board, as a value: what has cells."""

    name: str

    def __str__(self) -> str:
        return f"board {self.name}"


@dataclass(frozen=True, slots=True)
class Nothing(Type):
    """The type of `none`, and of what a procedure without result returns."""

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True, slots=True)
class Never(Type):
    """The element of an empty list: fits everywhere."""

    def __str__(self) -> str:
        return "nothing"


@dataclass(frozen=True, slots=True)
class Unknown(Type):
    """What a reported mistake leaves behind; fits everywhere, so that one mistake is reported once."""

    def __str__(self) -> str:
        return "unknown"


BOOL, PLAYER, TEXT, NOTHING, NEVER, UNKNOWN, INT = Bool(), Player(), Text(), Nothing(), Never(), Unknown(), Int()
AUDIENCE = Enum("Audience")
DIRECTION = Enum("Direction")
AUDIENCES = ("everybody", "nobody", "owner", "others")
DIRECTIONS = ("up", "up_right", "right", "down_right", "down", "down_left", "left", "up_left", "clockwise", "anticlockwise", "inward", "outward")


def in_full(kind: Type) -> str:
    """The type with the bounds as they are written, `0..9 per 1..most`: for two types that look alike and differ."""
    match kind:
        case Int(low_exact=low, high_exact=high) if low is not None or high is not None:
            return f"{kind.low if low is None else low.span.text}..{kind.high if high is None else high.span.text}"
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
