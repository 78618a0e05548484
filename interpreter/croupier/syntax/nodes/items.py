"""Nodes of definitions, windows, hooks and watchers."""

from __future__ import annotations

from croupier.diagnostics import Span
from croupier.syntax.nodes.base import Cite, Node, node
from croupier.syntax.nodes.expressions import Arg, Expr, Template
from croupier.syntax.nodes.statements import Block, Leaks
from croupier.syntax.nodes.types import TypeExpr


@node
class Param(Node):
    """A parameter of a definition or window: `name: type = default`, `var name: type`."""

    name: str
    type: TypeExpr
    default: Expr | None
    var: bool


@node
class Item(Node):
    """What stands among definitions."""

    cites: tuple[Cite, ...]


@node
class Def(Item):
    """`def name(params) -> returns nested 2:`."""

    name: str
    name_span: Span
    params: tuple[Param, ...]
    returns: TypeExpr | None
    nested: int | None
    body: Block
    replace: bool = False
    nested_span: Span | None = None


@node
class Window(Item):
    """`window name(params) nested 2`."""

    name: str
    name_span: Span
    params: tuple[Param, ...]
    nested: int | None
    nested_span: Span | None = None


@node
class Pattern(Node):
    """What a hook listens to: `name(args)`."""

    name: str
    name_span: Span
    args: tuple[Arg, ...]


@node
class Hook(Item):
    """`instead of`, `before`, `after`, `adjust … as n`, and `in window(…) as "label"`."""

    kind: str  # instead before after adjust reaction
    pattern: Pattern
    guard: Expr | None
    result: str | None  # the name bound by `adjust … as n`
    label: Template | None
    body: Block
    result_span: Span | None = None
    leaks: Leaks | None = None
    replace: Span | None = None  # the word `replace`


@node
class Watch(Item):
    """`watch value as name:`."""

    value: Expr
    name: str | None
    body: Block
    name_span: Span | None = None
    replace: Span | None = None


@node
class EndWhen(Item):
    """`end when condition:`."""

    condition: Expr
    body: Block
    replace: Span | None = None


@node
class Binding(Node):
    """`p in clockwise(leader) if …`, the `for:` of a nested phase."""

    name: str
    source: Expr
    condition: Expr | None
