"""Nodes of statements, decisions and chance."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.diagnostics import Span
from croupier.syntax.nodes.base import Cite, Node
from croupier.syntax.nodes.expressions import Arg, Expr, For, Template
from croupier.syntax.nodes.types import TypeExpr


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
class Leaks(Node):
    """`leaks "reason"`: what is offered depends on what its chooser may not see, and why that is meant."""

    reason: str


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
    merging_spans: tuple[Span, ...] = ()
    leaks: Leaks | None = None
    decline: str | None = None  # the words for saying no


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
    leaks: Leaks | None = None


@dataclass(frozen=True, slots=True)
class SoThat(Stmt):
    condition: Expr
    within: int | None
    body: Block
    other: Block | None
    within_span: Span | None = None
    leaks: Leaks | None = None


@dataclass(frozen=True, slots=True)
class Secretly(Stmt):
    player: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Broken(Stmt):
    """What could not be parsed; it has been reported. `words` are all the words lost with it, some of them perhaps declarations."""

    body: Block = ()
    words: frozenset[str] = frozenset()
