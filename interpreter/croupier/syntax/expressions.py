"""The nodes of expressions, written types and declarations; and the base of all nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import TypeVar, dataclass_transform

from croupier.diagnostics import Span
from croupier.records import dataclass

# ---------------------------------------------------------------- what all have
T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False)
def node(cls: type[T]) -> type[T]:
    """A class of nodes: a frozen dataclass.

    Nodes are never compared, and writing methods for that took half the time of importing them.
    """
    return dataclass(frozen=True, slots=True, eq=False, repr=False)(cls)


@node
class Node:
    """A part of rule text, with its span."""

    span: Span

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.span})"

    def children(self) -> list[Node]:
        """The nodes directly within it, in order."""
        return _nodes([getattr(self, name) for name in FIELDS[self.__class__]])


class _Fields(dict[type[Node], tuple[str, ...]]):
    """A map from a class of nodes to the names of its fields."""

    def __missing__(self, form: type[Node]) -> tuple[str, ...]:
        self[form] = tuple([field.name for field in fields(form)])
        return self[form]


FIELDS = _Fields()


def _nodes(values: Iterable[object]) -> list[Node]:
    """The nodes among some values, and in tuples among them."""
    found: list[Node] = []
    for value in values:
        if isinstance(value, Node):
            found.append(value)
        elif value.__class__ is tuple:
            found += _nodes(value)
    return found


def walk(part: object, but: type[Node] | tuple[()] = ()) -> Iterator[Node]:
    """A node, or those of a block, and all nodes in it, without what stands in nodes of a class."""
    left = _nodes((part,))[::-1]
    while left:
        found = left.pop()
        yield found
        if not isinstance(found, but):
            left += found.children()[::-1]


@node
class Cite(Node):
    """One rule id of a citation; a range is expanded later, when the rule list is known."""

    first: str
    last: str | None = None  # `@WB-17..20`


# ---------------------------------------------------------------- expressions
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
class Closure(Expr):
    """`reached(steps for name from source)`, `groups(…)`."""

    target: Expr
    step: Expr
    name: str
    name_span: Span
    source: Expr


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
    """`x is Kind`: the question whether the component is of that kind."""

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
class SeenIf(Node):
    """`who if condition`, of an audience: these players where it holds, nobody else; a new name stands for
    whoever looks.
    """

    who: Expr
    condition: Expr


Audience = Expr | SeenIf


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


# ---------------------------------------------------------------- written types and declarations
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
    seen_by: Audience | None
    label: Template | None = None
