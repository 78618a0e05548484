"""Nodes of written types and of declarations."""

from __future__ import annotations

from croupier.syntax.nodes.base import Node, node
from croupier.syntax.nodes.expressions import Expr, Template


@node
class TypeExpr(Node):
    """A written type."""


@node
class TypeName(TypeExpr):
    """`int`, `Player`, or a declared name."""

    name: str


@node
class KindsType(TypeExpr):
    """`Spell or Token`: components of several kinds."""

    kinds: tuple[TypeName, ...]


@node
class RangeType(TypeExpr):
    """`low..high`."""

    low: Expr
    high: Expr


@node
class OptionalType(TypeExpr):
    """`base?`."""

    base: TypeExpr


@node
class CollectionType(TypeExpr):
    """`list of base`, `list of base up to capacity`."""

    kind: str  # list, set, bag, zone
    base: TypeExpr
    capacity: Expr | None = None


@node
class PerType(TypeExpr):
    """`value per key`."""

    value: TypeExpr
    key: TypeExpr


@node
class Declaration(Node):
    """`type = start seen by audience as "words"`."""

    type: TypeExpr
    start: Expr | None
    seen_by: Expr | None
    label: Template | None = None
