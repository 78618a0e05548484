"""Shapes: how the values of a type lie in the array.

A number takes one place, stored from 0 up; where there may be no value, 0 says so and all others are one higher. Records and maps lie spread
out, entry by entry; a map may lack any of its entries. Sets of few possible values are flags, bags counts. A list is its length and room for
as many elements as it may have; where nothing bounds it, it lies at the end of the array and two places here say where.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from croupier.ir.layout.sizes import Sizes
from croupier.semantics import types as t
from croupier.semantics.program import Program
from croupier.semantics.types import Type

MAX_FLAGS = 256  # possible values of a set or bag that is laid out as flags or counts


@dataclass(frozen=True, slots=True)
class Number:
    """A value from `low`, one of `count`; `count` none: any integer. `none`: there may be no value."""

    low: int
    count: int | None
    none: bool = False

    @property
    def width(self) -> int:
        return 2 if self.none and self.count is None else 1


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value of several places that may be missing: a flag, then the value or zeros."""

    base: Shape

    @property
    def width(self) -> int:
        return 1 + self.base.width


@dataclass(frozen=True, slots=True)
class Fields:
    """Values one after another."""

    parts: tuple[Shape, ...]

    @property
    def width(self) -> int:
        return sum(p.width for p in self.parts)


@dataclass(frozen=True, slots=True)
class Many:
    """A list of at most `capacity` elements: its length, the elements, zeros."""

    base: Shape
    capacity: int

    @property
    def width(self) -> int:
        return 1 + self.capacity * self.base.width


@dataclass(frozen=True, slots=True)
class Counts:
    """A set or bag of the values `low`, `low + 1`, …: for each how often it occurs."""

    low: int
    count: int
    truth: bool = False  # the values are false and true

    @property
    def width(self) -> int:
        return self.count


@dataclass(frozen=True, slots=True)
class Pairs:
    """What some players have chosen so far, each a value: an entry per player."""

    base: Shape
    players: int

    @property
    def width(self) -> int:
        return self.players * self.base.width


@dataclass(frozen=True, slots=True)
class Spilled:
    """A list that nothing bounds: where it begins among those at the end of the array, and its length."""

    base: Shape

    @property
    def width(self) -> int:
        return 2


Shape: TypeAlias = Number | Maybe | Fields | Many | Counts | Pairs | Spilled  # each with its `width`, in places


class Shapes:
    """Shapes of types in one set-up."""

    def __init__(self, program: Program, sizes: Sizes) -> None:
        self.program, self.sizes = program, sizes

    def of(self, kind: Type, longest: int | None = None) -> Shape:
        """The shape of a type; `longest` bounds the length of a list of it."""
        sizes = self.sizes
        match kind:
            case t.Optional():
                return self.optional(self.of(kind.base, longest))
            case t.Record():
                return Fields(tuple(self.of(k) for k in self.program.records[kind.name].fields.values()))
            case t.Map():
                if isinstance(kind.key, t.Never):
                    return Fields(())
                return Fields((self.optional(self.of(kind.value)),) * sizes.domain(kind.key)[1])
            case t.Collection():
                return self.collection(kind, longest)
            case t.Endless():
                return Spilled(self.of(t.PLAYER)) if longest is None else Many(self.of(t.PLAYER), longest)
            case t.Zone():
                return Number(0, len(sizes.places))
            case t.Bool():
                return Number(0, 2)
            case t.Nothing() | t.Never():
                return Number(0, 1, True)
        if sizes.is_finite(kind):
            low, count = sizes.domain(kind)
            return Number(low, count)
        return Number(0, None)

    def optional(self, shape: Shape) -> Shape:
        match shape:
            case Number():
                return shape if shape.none else Number(shape.low, shape.count, True)
            case Maybe():
                return shape
        return Maybe(shape)

    def collection(self, kind: t.Collection, longest: int | None) -> Shape:
        sizes = self.sizes
        if kind.kind != "list" and sizes.is_finite(kind.base) and sizes.domain(kind.base)[1] <= MAX_FLAGS:
            low, count = sizes.domain(kind.base)
            return Counts(low, count, isinstance(kind.base, t.Bool))
        if kind.capacity is not None:
            longest = sizes.constant(kind.capacity)
        elif kind.kind == "set" and sizes.is_finite(kind.base):
            longest = sizes.domain(kind.base)[1]
        base = self.of(kind.base)
        return Spilled(base) if longest is None else Many(base, longest)
