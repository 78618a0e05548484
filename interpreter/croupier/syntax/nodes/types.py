"""Nodes of written types and of declarations."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.syntax.nodes.base import Node
from croupier.syntax.nodes.expressions import Expr, Template


@dataclass(frozen=True, slots=True)
class TypeExpr(Node):
    """A written type."""


@dataclass(frozen=True, slots=True)
class TypeName(TypeExpr):
    """`int`, `Player`, or a declared name."""

    name: str


@dataclass(frozen=True, slots=True)
class KindsType(TypeExpr):
    """`Spell or Token`: components of several kinds."""

    kinds: tuple[TypeName, ...]


@dataclass(frozen=True, slots=True)
class RangeType(TypeExpr):
    """`low..high`."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class OptionalType(TypeExpr):
    """`base?`."""

    base: TypeExpr


@dataclass(frozen=True, slots=True)
class CollectionType(TypeExpr):
    """`list of base`, `list of base up to capacity`."""

    kind: str  # list, set, bag, zone
    base: TypeExpr
    capacity: Expr | None = None


@dataclass(frozen=True, slots=True)
class PerType(TypeExpr):
    """`value per key`."""

    value: TypeExpr
    key: TypeExpr


@dataclass(frozen=True, slots=True)
class Declaration(Node):
    """`type = start seen by audience as "words"`."""

    type: TypeExpr
    start: Expr | None
    seen_by: Expr | None
    label: Template | None = None
