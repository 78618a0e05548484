"""The expressions of the core: one frozen class each. They are pure, and yield one word."""

from __future__ import annotations

from typing import get_args

from croupier.records import dataclass

# the word for no value; smaller than every number of the language, so that none sorts first
NONE = -(1 << 60)


class Operation:
    """Base of all operations.

    It has slots for the results that `walk.py` caches; operations are immutable.
    """

    __slots__ = ("_arrays", "_inside", "_kinds", "_mentions", "_parts", "_reads", "_summary")


@dataclass(frozen=True, slots=True)
class Const(Operation):
    """A constant."""

    value: int


@dataclass(frozen=True, slots=True)
class Local(Operation):
    """A local of the current function."""

    name: str


@dataclass(frozen=True, slots=True)
class Load(Operation):
    """A word of an array: of the state, a table, or the current function."""

    memory: str
    index: Expression


@dataclass(frozen=True, slots=True)
class Length(Operation):
    """The number of components in a zone."""

    zone: Expression


@dataclass(frozen=True, slots=True)
class Element(Operation):
    """The component at an index of a zone; 0 is the bottom."""

    zone: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Loose(Operation):
    """1 if an index of a zone and the next above it belong to the same unordered part."""

    zone: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Find(Operation):
    """The index of a component in its zone."""

    zone: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Rank(Operation):
    """The number of components of a sorted zone that are less than a given one."""

    zone: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class PartBegin(Operation):
    """The lowest index of the unordered part of a zone that an index belongs to."""

    zone: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Chosen(Operation):
    """The action that ended the last wait."""


@dataclass(frozen=True, slots=True)
class ChosenSeat(Operation):
    """The seat that took it, after a wait for several seats."""


@dataclass(frozen=True, slots=True)
class Add(Operation):
    """The sum, unchecked."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Sub(Operation):
    """The difference, unchecked."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Mul(Operation):
    """The product; the action fails if it overflows 64 bits."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Times(Operation):
    """The product, unchecked: its operands are known to be small."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Div(Operation):
    """Floor division; the divisor is never 0."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Mod(Operation):
    """The remainder of `Div`."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Eq(Operation):
    """1 if both words are equal."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Lt(Operation):
    """1 if the first is less."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Le(Operation):
    """1 if the first is less or equal."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class And(Operation):
    """Logical and; short-circuit."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Or(Operation):
    """Logical or; short-circuit."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Not(Operation):
    """Logical not."""

    a: Expression


@dataclass(frozen=True, slots=True)
class Select(Operation):
    """One of two words by a test; only that one is evaluated."""

    test: Expression
    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Bits(Operation):
    """A bitwise operation: `and`, `or`, `xor`, `shl`, `shr`."""

    kind: str
    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class CountBits(Operation):
    """The number of bits that are set."""

    a: Expression


@dataclass(frozen=True, slots=True)
class LowBit(Operation):
    """The index of the lowest bit that is set; at least one is."""

    a: Expression


@dataclass(frozen=True, slots=True)
class Holds(Operation):
    """1 if a word is among `count` words of an array, from an index on."""

    memory: str
    begin: Expression
    count: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Offered(Operation):
    """1 if anything is on offer."""


@dataclass(frozen=True, slots=True)
class Searching(Operation):
    """1 while a look-ahead is searching."""


Expression = (
    Const | Local | Load | Length | Element | Loose | Find | Rank | PartBegin | Chosen | ChosenSeat
    | Searching | Holds | Offered | Add | Sub | Mul | Times | Div | Mod | Eq | Lt | Le | And | Or
    | Not | Select | Bits | CountBits | LowBit
)  # fmt: skip
EXPRESSIONS: tuple[type, ...] = get_args(Expression)
