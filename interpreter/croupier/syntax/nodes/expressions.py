"""Nodes of expressions."""

from __future__ import annotations

from croupier.diagnostics import Span
from croupier.syntax.nodes.base import Node, node


@node
class Expr(Node):
    """An expression."""


@node
class Int(Expr):
    """`12`."""

    value: int


@node
class Bool(Expr):
    """`true`, `false`."""

    value: bool


@node
class NoneLit(Expr):
    """`none`."""


@node
class Template(Expr):
    """A text in double quotes; `{expression}` parts are parsed."""

    parts: tuple[str | Expr, ...]
    raw: str


@node
class Name(Expr):
    """`leader`."""

    name: str


@node
class Attr(Expr):
    """`target.name`."""

    target: Expr
    name: str
    name_span: Span


@node
class Arg(Node):
    """An argument: `value`, or `name=value`."""

    name: str | None
    value: Expr


@node
class Call(Expr):
    """`target(args)`."""

    target: Expr
    args: tuple[Arg, ...]


@node
class For(Node):
    """`for name in source` of a comprehension, with the condition that stands before a further `for`."""

    name: str
    source: Expr
    condition: Expr | None = None


@node
class Aggregate(Expr):
    """`name(element for x in xs if condition by key)`."""

    target: Expr
    element: Expr
    fors: tuple[For, ...]
    condition: Expr | None
    by: Expr | None


@node
class Index(Expr):
    """`target[key]`."""

    target: Expr
    key: Expr


@node
class Certain(Expr):
    """`x!`: the value of an optional, a fault at this position if there is none."""

    value: Expr


@node
class Unary(Expr):
    """`-value`, `+value`, `not value`."""

    op: str  # "-", "+", "not"
    value: Expr


@node
class Binary(Expr):
    """`left op right`."""

    op: str  # + - * // mod and or == != < <= > >= in "not in" .. otherwise
    left: Expr
    right: Expr


@node
class IsNone(Expr):
    """`value is none`, `value is not none`."""

    value: Expr
    negated: bool


@node
class IsKind(Expr):
    """`x is Kind`: is the component of that kind?"""

    value: Expr
    kind: str
    kind_span: Span
    negated: bool


@node
class IfElse(Expr):
    """`then if condition else other`."""

    condition: Expr
    then: Expr
    other: Expr


@node
class ListLit(Expr):
    """`[a, b]`."""

    items: tuple[Expr, ...]


@node
class ListComp(Expr):
    """`[element for x in xs if condition]`."""

    element: Expr
    fors: tuple[For, ...]
    condition: Expr | None


@node
class MapLit(Expr):
    """`{key: value, …}`."""

    entries: tuple[tuple[Expr, Expr], ...]


@node
class MapComp(Expr):
    """`{key: value for x in xs if condition}`."""

    key: Expr
    value: Expr
    fors: tuple[For, ...]
    condition: Expr | None
