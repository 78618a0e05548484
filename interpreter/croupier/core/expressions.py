"""The expressions of the core: one frozen class each. They are pure, and yield one word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

NONE = -(1 << 60)  # the word for no value; smaller than every number of the language, so that none sorts first


class Operation:
    """What is found out about an operation by walking it is kept with it: it never changes. See `walk.py`, which asks for it."""

    __slots__ = ("_arrays", "_inside", "_kinds", "_parts", "_reads")


@dataclass(frozen=True, slots=True)
class Const(Operation):
    """A word that is known."""

    value: int


@dataclass(frozen=True, slots=True)
class Local(Operation):
    """A word of the function that runs."""

    name: str


@dataclass(frozen=True, slots=True)
class Load(Operation):
    """A word of an array: of the state, of a table, of the function that runs."""

    memory: str
    index: Expression


@dataclass(frozen=True, slots=True)
class Length(Operation):
    """How many components lie in a zone."""

    zone: Expression


@dataclass(frozen=True, slots=True)
class Element(Operation):
    """The component at a place of a zone, counted from 0 at the bottom."""

    zone: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Loose(Operation):
    """1 if a place of a zone and the one above it belong to the same unordered part."""

    zone: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Find(Operation):
    """The place of a component in the zone where it lies."""

    zone: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Rank(Operation):
    """How many components of a zone in ascending order are less than one."""

    zone: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class PartBegin(Operation):
    """The lowest place of the unordered part of a zone that a place belongs to."""

    zone: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Chosen(Operation):
    """The action that ended the last wait."""


@dataclass(frozen=True, slots=True)
class ChosenSeat(Operation):
    """The seat that took it, after a wait for several."""


@dataclass(frozen=True, slots=True)
class Add(Operation):
    """The sum; nobody tests it."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Sub(Operation):
    """The difference."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Mul(Operation):
    """The product; it fails the action where 64 bits do not hold it."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Times(Operation):
    """The product of words that are small: it surely fits."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Div(Operation):
    """Division rounded down; the divisor is not 0."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Mod(Operation):
    """The remainder of `Div`."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Eq(Operation):
    """1 if both are the same word."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Lt(Operation):
    """1 if the first is less."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Le(Operation):
    """1 if the first is not greater."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class And(Operation):
    """Both are 1; the second is asked only if the first is."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Or(Operation):
    """One of them is 1; the second is asked only if the first is not."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Not(Operation):
    """1 if a test is 0."""

    a: Expression


@dataclass(frozen=True, slots=True)
class Select(Operation):
    """One of two words by a test; only that one is asked for."""

    test: Expression
    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Bits(Operation):
    """A word by word operation on bits: `and`, `or`, `xor`, `shl`, `shr`."""

    kind: str
    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class CountBits(Operation):
    """How many bits are set."""

    a: Expression


@dataclass(frozen=True, slots=True)
class LowBit(Operation):
    """The place of the lowest bit that is set; there is one."""

    a: Expression


@dataclass(frozen=True, slots=True)
class Holds(Operation):
    """1 if a word is among so many of an array, from a place on."""

    memory: str
    begin: Expression
    count: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Offered(Operation):
    """1 if anything is on offer."""


@dataclass(frozen=True, slots=True)
class Searching(Operation):
    """1 while ways are looked for."""


Expression = (
    Const | Local | Load | Length | Element | Loose | Find | Rank | PartBegin | Chosen | ChosenSeat | Searching | Holds | Offered
    | Add | Sub | Mul | Times | Div | Mod | Eq | Lt | Le | And | Or | Not | Select | Bits | CountBits | LowBit
)  # fmt: skip
EXPRESSIONS: tuple[type, ...] = get_args(Expression)
