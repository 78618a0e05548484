"""Nodes of statements, decisions and chance."""

from __future__ import annotations

from croupier.diagnostics import Span
from croupier.syntax.nodes.base import Cite, Node, node
from croupier.syntax.nodes.expressions import Arg, Expr, For, Template
from croupier.syntax.nodes.types import TypeExpr


@node
class Stmt(Node):
    """A statement."""

    cites: tuple[Cite, ...]


Block = tuple["Stmt", ...]


@node
class Let(Stmt):
    """`let name = value`, `var name: type = value`."""

    name: str
    name_span: Span
    mutable: bool
    type: TypeExpr | None
    value: Expr


@node
class Assign(Stmt):
    """`target = value`, `target += value`, `target -= value`."""

    target: Expr
    op: str  # "=", "+=", "-="
    value: Expr


@node
class CallStmt(Stmt):
    """A call that stands alone."""

    call: Expr


@node
class Return(Stmt):
    """`return value`."""

    value: Expr | None


@node
class Simple(Stmt):
    """`break`, `continue`, `pass`."""

    word: str


@node
class If(Stmt):
    """`if condition:` … `else:`; `elif` is an `if` in the `else`."""

    condition: Expr
    then: Block
    other: Block


@node
class ForStmt(Stmt):
    """`for name in source if condition:`."""

    name: str
    name_span: Span
    source: Expr
    condition: Expr | None
    body: Block


@node
class Repeat(Stmt):
    """`repeat:`, `repeat until condition:`."""

    until: Expr | None
    body: Block


@node
class Case(Node):
    """`case values:`."""

    values: tuple[Expr, ...]
    body: Block


@node
class Match(Stmt):
    """`match value:` with its cases and `else:`."""

    value: Expr
    cases: tuple[Case, ...]
    other: Block | None


@node
class Move(Stmt):
    """`move what to to at place`."""

    what: Expr
    to: Expr
    place: str | None


@node
class Draw(Stmt):
    """`draw count from source to to as name`."""

    count: Expr
    source: Expr
    to: Expr
    name: str | None
    name_span: Span | None


@node
class Verb(Stmt):
    """Statements of one or two operands: shuffle, roll, swap, add, remove, show, reveal, claim."""

    verb: str
    operands: tuple[Expr, ...]


@node
class Tell(Stmt):
    """`tell p that "…"`, `announce "…"` (no audience)."""

    to: Expr | None
    text: Template


@node
class Open(Stmt):
    """`open window(args) to players`."""

    window: str
    window_span: Span
    args: tuple[Arg, ...]
    to: Expr


@node
class Finish(Stmt):
    """`finish win ps as "grade"` and its kind."""

    result: str  # win rank pay lose draw
    value: Expr | None
    grade: Template | None


@node
class Condition(Node):
    """`only if "…": expression` of a choice."""

    text: Template
    value: Expr
    cites: tuple[Cite, ...]


@node
class HowMany(Node):
    """How many are chosen: `2`, `1..3`, `any`, `some`."""

    low: Expr | None  # none: nothing at all is allowed
    high: Expr | None  # none: as many as there are


@node
class Leaks(Node):
    """`leaks "reason"`: what is offered depends on what its chooser may not see, and why that is meant."""

    reason: str


@node
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


@node
class Choose(Stmt):
    """`choose …`, `may choose …:`."""

    pick: Pick
    optional: bool
    body: Block  # of `may choose`
    other: Block | None


@node
class Option(Stmt):
    """`option "label" for x in xs if condition:`."""

    label: Template
    fors: tuple[For, ...]
    condition: Expr | None
    conditions: tuple[Condition, ...]
    body: Block


@node
class Menu(Stmt):
    """`choose by p with window(args):` with its options."""

    by: Expr
    window: str | None
    window_args: tuple[Arg, ...]
    options: tuple[Option, ...]
    other: Block | None
    leaks: Leaks | None = None


@node
class SoThat(Stmt):
    """`so that condition within 2:` … `else:`."""

    condition: Expr
    within: int | None
    body: Block
    other: Block | None
    within_span: Span | None = None
    leaks: Leaks | None = None


@node
class Secretly(Stmt):
    """`secretly player:`."""

    player: Expr
    body: Block


@node
class Broken(Stmt):
    """What could not be parsed; it has been reported. `words` are all the words lost with it, some of them perhaps declarations."""

    body: Block = ()
    words: frozenset[str] = frozenset()
