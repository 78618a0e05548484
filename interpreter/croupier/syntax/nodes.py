"""The nodes of parsed rule text: frozen, spanned, and free of meaning.

What comes in is rule text; what goes out of this stage are these nodes, one class a construct. Names are still names, numbers still
numbers; `semantics` decides what they mean. Every node knows its exact span in the author's file; every node that may carry citations
(`@WB-23`) has `cites`.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Node:
    span: Span


@dataclass(frozen=True, slots=True)
class Cite(Node):
    """One rule id of a citation; ranges are written out later, when the rule list is known."""

    first: str
    last: str | None = None  # `@WB-17..20`


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Expr(Node):
    pass


@dataclass(frozen=True, slots=True)
class Int(Expr):
    value: int


@dataclass(frozen=True, slots=True)
class Bool(Expr):
    value: bool


@dataclass(frozen=True, slots=True)
class NoneLit(Expr):
    pass


@dataclass(frozen=True, slots=True)
class Template(Expr):
    """A text in double quotes; `{expression}` parts are parsed."""

    parts: tuple[str | Expr, ...]
    raw: str


@dataclass(frozen=True, slots=True)
class Name(Expr):
    name: str


@dataclass(frozen=True, slots=True)
class Attr(Expr):
    target: Expr
    name: str
    name_span: Span


@dataclass(frozen=True, slots=True)
class Arg(Node):
    name: str | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Call(Expr):
    target: Expr
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class For(Node):
    """`for name in source` of a comprehension."""

    name: str
    source: Expr


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
    target: Expr
    key: Expr


@dataclass(frozen=True, slots=True)
class Certain(Expr):
    """`x!`: the value of an optional, a fault at this position if there is none."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Unary(Expr):
    op: str  # "-", "+", "not"
    value: Expr


@dataclass(frozen=True, slots=True)
class Binary(Expr):
    op: str  # + - * // mod and or == != < <= > >= in "not in" .. otherwise
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class IsNone(Expr):
    value: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class IfElse(Expr):
    condition: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class ListLit(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ListComp(Expr):
    element: Expr
    fors: tuple[For, ...]
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class MapLit(Expr):
    entries: tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True, slots=True)
class MapComp(Expr):
    key: Expr
    value: Expr
    fors: tuple[For, ...]
    condition: Expr | None


# ---------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class TypeExpr(Node):
    pass


@dataclass(frozen=True, slots=True)
class TypeName(TypeExpr):
    name: str


@dataclass(frozen=True, slots=True)
class RangeType(TypeExpr):
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class OptionalType(TypeExpr):
    base: TypeExpr


@dataclass(frozen=True, slots=True)
class CollectionType(TypeExpr):
    kind: str  # list, set, bag, zone
    base: TypeExpr
    capacity: Expr | None = None


@dataclass(frozen=True, slots=True)
class PerType(TypeExpr):
    value: TypeExpr
    key: TypeExpr


@dataclass(frozen=True, slots=True)
class Declaration(Node):
    """`type = start seen by audience`."""

    type: TypeExpr
    start: Expr | None
    seen_by: Expr | None


# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Stmt(Node):
    cites: tuple[Cite, ...]


Block = tuple["Stmt", ...]


@dataclass(frozen=True, slots=True)
class Let(Stmt):
    name: str
    name_span: Span
    mutable: bool
    type: TypeExpr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Assign(Stmt):
    target: Expr
    op: str  # "=", "+=", "-="
    value: Expr


@dataclass(frozen=True, slots=True)
class CallStmt(Stmt):
    call: Expr


@dataclass(frozen=True, slots=True)
class Return(Stmt):
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Simple(Stmt):
    """`break`, `continue`, `pass`."""

    word: str


@dataclass(frozen=True, slots=True)
class If(Stmt):
    condition: Expr
    then: Block
    other: Block


@dataclass(frozen=True, slots=True)
class ForStmt(Stmt):
    name: str
    name_span: Span
    source: Expr
    condition: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Repeat(Stmt):
    until: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Case(Node):
    values: tuple[Expr, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class Match(Stmt):
    value: Expr
    cases: tuple[Case, ...]
    other: Block | None


@dataclass(frozen=True, slots=True)
class Move(Stmt):
    what: Expr
    to: Expr
    place: str | None


@dataclass(frozen=True, slots=True)
class Draw(Stmt):
    count: Expr
    source: Expr
    to: Expr
    name: str | None
    name_span: Span | None


@dataclass(frozen=True, slots=True)
class Verb(Stmt):
    """Statements of one or two operands: shuffle, roll, swap, add, remove, show, reveal, claim."""

    verb: str
    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Tell(Stmt):
    """`tell p that "…"`, `announce "…"` (no audience)."""

    to: Expr | None
    text: Template


@dataclass(frozen=True, slots=True)
class Open(Stmt):
    window: str
    window_span: Span
    args: tuple[Arg, ...]
    to: Expr


@dataclass(frozen=True, slots=True)
class Finish(Stmt):
    result: str  # win rank pay lose draw
    value: Expr | None
    grade: Template | None


@dataclass(frozen=True, slots=True)
class Condition(Node):
    """`only if "…": expression` of a choice."""

    text: Template
    value: Expr
    cites: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class HowMany(Node):
    low: Expr | None  # none: nothing at all is allowed
    high: Expr | None  # none: as many as there are


@dataclass(frozen=True, slots=True)
class Pick(Node):
    """The head of a choice."""

    how_many: HowMany | None
    name: str
    name_span: Span
    source: Expr
    where: Expr | None
    chooser: str  # one, every, chance
    by: Expr | None  # the player; the list of players; the weight
    every: str | None  # the name bound by `by every`
    merging: tuple[str, ...]
    such_that: Expr | None
    label: Template | None
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Choose(Stmt):
    pick: Pick
    optional: bool
    body: Block  # of `may choose`
    other: Block | None


@dataclass(frozen=True, slots=True)
class Option(Stmt):
    label: Template
    fors: tuple[For, ...]
    condition: Expr | None
    conditions: tuple[Condition, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class Menu(Stmt):
    by: Expr
    window: str | None
    window_args: tuple[Arg, ...]
    options: tuple[Option, ...]
    other: Block | None


@dataclass(frozen=True, slots=True)
class SoThat(Stmt):
    condition: Expr
    within: int | None
    body: Block
    other: Block | None


@dataclass(frozen=True, slots=True)
class Secretly(Stmt):
    player: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Broken(Stmt):
    """What could not be parsed; it has been reported."""

    body: Block = ()


# ---------------------------------------------------------------- definitions and hooks


@dataclass(frozen=True, slots=True)
class Param(Node):
    name: str
    type: TypeExpr
    default: Expr | None
    var: bool


@dataclass(frozen=True, slots=True)
class Item(Node):
    cites: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class Def(Item):
    name: str
    name_span: Span
    params: tuple[Param, ...]
    returns: TypeExpr | None
    nested: int | None
    body: Block
    replace: bool = False


@dataclass(frozen=True, slots=True)
class Window(Item):
    name: str
    name_span: Span
    params: tuple[Param, ...]
    nested: int | None


@dataclass(frozen=True, slots=True)
class Pattern(Node):
    name: str
    name_span: Span
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class Hook(Item):
    """`instead of`, `before`, `after`, `adjust … as n`, and `in window(…) as "label"`."""

    kind: str  # instead before after adjust reaction
    pattern: Pattern
    guard: Expr | None
    result: str | None  # the name bound by `adjust … as n`
    label: Template | None
    body: Block


@dataclass(frozen=True, slots=True)
class Watch(Item):
    value: Expr
    name: str | None
    body: Block


@dataclass(frozen=True, slots=True)
class EndWhen(Item):
    condition: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Binding(Node):
    """`p in clockwise(leader) if …`, the `for:` of a nested phase."""

    name: str
    source: Expr
    condition: Expr | None
