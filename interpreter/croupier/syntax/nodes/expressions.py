"""Nodes of expressions."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.diagnostics import Span
from croupier.syntax.nodes.base import Node


@dataclass(frozen=True, slots=True)
class Expr(Node):
    """An expression."""


@dataclass(frozen=True, slots=True)
class Int(Expr):
    """`12`."""

    value: int


@dataclass(frozen=True, slots=True)
class Bool(Expr):
    """`true`, `false`."""

    value: bool


@dataclass(frozen=True, slots=True)
class NoneLit(Expr):
    """`none`."""


@dataclass(frozen=True, slots=True)
class Template(Expr):
    """A text in double quotes; `{expression}` parts are parsed."""

    parts: tuple[str | Expr, ...]
    raw: str


@dataclass(frozen=True, slots=True)
class Name(Expr):
    """`leader`."""

    name: str


@dataclass(frozen=True, slots=True)
class Attr(Expr):
    """`target.name`."""

    target: Expr
    name: str
    name_span: Span


@dataclass(frozen=True, slots=True)
class Arg(Node):
    """An argument: `value`, or `name=value`."""

    name: str | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """`target(args)`."""

    target: Expr
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class For(Node):
    """`for name in source` of a comprehension, with the condition that stands before a further `for`."""

    name: str
    source: Expr
    condition: Expr | None = None


@dataclass(frozen=True, slots=True)
class Aggregate(Expr):
    """`name(element for x in xs if condition by key)`."""

    target: Expr
    element: Expr
    fors: tuple[For, ...]
    condition: Expr | None
    by: Expr | None


@dataclass(frozen=True, slots=True)
class Index(Expr):
    """`target[key]`."""

    target: Expr
    key: Expr


@dataclass(frozen=True, slots=True)
class Certain(Expr):
    """`x!`: the value of an optional, a fault at this position if there is none."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Unary(Expr):
    """`-value`, `+value`, `not value`."""

    op: str  # "-", "+", "not"
    value: Expr


@dataclass(frozen=True, slots=True)
class Binary(Expr):
    """`left op right`."""

    op: str  # + - * // mod and or == != < <= > >= in "not in" .. otherwise
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class IsNone(Expr):
    """`value is none`, `value is not none`."""

    value: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class IsKind(Expr):
    """`x is Kind`: is the component of that kind?"""

    value: Expr
    kind: str
    kind_span: Span
    negated: bool


@dataclass(frozen=True, slots=True)
class IfElse(Expr):
    """`then if condition else other`."""

    condition: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class ListLit(Expr):
    """`[a, b]`."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ListComp(Expr):
    """`[element for x in xs if condition]`."""

    element: Expr
    fors: tuple[For, ...]
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class MapLit(Expr):
    """`{key: value, …}`."""

    entries: tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True, slots=True)
class MapComp(Expr):
    """`{key: value for x in xs if condition}`."""

    key: Expr
    value: Expr
    fors: tuple[For, ...]
    condition: Expr | None
