"""The nodes of parsed rule text: frozen dataclasses, one for each construct, each with its span in the
author's file.

Names are not resolved and types not checked: `semantics` does that. Every node that may carry citations
(`@WB-23`) has `cites`. Statements and definitions are declared here; expressions, in `expressions.py`, are
imported, so that this module has all nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from croupier.diagnostics import Span
from croupier.source.statement_words import VERB_ROWS

# isort: off
from croupier.syntax.expressions import (
    Aggregate as Aggregate, Arg as Arg, Attr as Attr, Audience as Audience, Binary as Binary, Bool as Bool,
    Call as Call, Certain as Certain,
    Cite as Cite, Closure as Closure, CollectionType as CollectionType, Declaration as Declaration,
    Expr as Expr, For as For, IfElse as IfElse,
    Index as Index, Int as Int, IsKind as IsKind, IsNone as IsNone, KindsType as KindsType,
    ListComp as ListComp, ListLit as ListLit,
    MapComp as MapComp, MapLit as MapLit, Name as Name, Node as Node, NoneLit as NoneLit,
    OptionalType as OptionalType, PerType as PerType,
    RangeType as RangeType, SeenIf as SeenIf, Template as Template, TypeExpr as TypeExpr,
    TypeName as TypeName, Unary as Unary, node as node, walk as walk,
)  # fmt: skip
# isort: on


# ---------------------------------------------------------------- statements, decisions, chance
@node
class Stmt(Node):
    """A statement. The checker makes a statement of the kernel of it whose operation is its `form`; none of
    one that could not be parsed.
    """

    FORM: ClassVar[str | None] = None

    cites: tuple[Cite, ...]

    @property
    def form(self) -> str | None:
        return self.FORM

    def blocks(self) -> tuple[Block, ...]:
        """The blocks inside."""
        return ()

    def ways(self) -> tuple[Block, ...]:
        """The blocks of which one runs, if nothing says that it may be none."""
        return self.blocks()


Block = tuple["Stmt", ...]


@node
class Suppose(Expr):
    """`suppose statement, statement gives value`, or with a block."""

    body: Block
    value: Expr


@node
class Let(Stmt):
    """`let name = value`, `var name: type = value`."""

    FORM = "let"

    name: str
    name_span: Span
    mutable: bool
    type: TypeExpr | None
    value: Expr


@node
class Assign(Stmt):
    """`target = value as "words"`, `target += value`, `target -= value`."""

    FORM = "assign"

    target: Expr
    op: str  # "=", "+=", "-="
    value: Expr
    words: Template | None = None


@node
class CallStmt(Stmt):
    """A call that stands alone."""

    FORM = "do"

    call: Expr


@node
class Return(Stmt):
    """`return value`."""

    FORM = "return"

    value: Expr | None


@node
class Simple(Stmt):
    """`break`, `continue`, `pass`."""

    word: str

    @property
    def form(self) -> str:
        return self.word


@node
class If(Stmt):
    """`if condition:` … `else:`; `elif` is an `if` in the `else`."""

    FORM = "if"

    condition: Expr
    then: Block
    other: Block

    def blocks(self) -> tuple[Block, ...]:
        return self.then, self.other


@node
class ForStmt(Stmt):
    """`for name in source if condition:`, `for name in source at once:`."""

    FORM = "for"

    name: str
    name_span: Span
    source: Expr
    condition: Expr | None
    body: Block
    at_once: bool = False

    def blocks(self) -> tuple[Block, ...]:
        return (self.body,)


@node
class Repeat(Stmt):
    """`repeat:`, `repeat until condition:`."""

    FORM = "repeat"

    until: Expr | None
    body: Block

    def blocks(self) -> tuple[Block, ...]:
        return (self.body,)


@node
class Case(Node):
    """`case values:`."""

    values: tuple[Expr, ...]
    body: Block


@node
class Match(Stmt):
    """`match value:` with its cases and `else:`."""

    FORM = "match"

    value: Expr
    cases: tuple[Case, ...]
    other: Block | None

    def blocks(self) -> tuple[Block, ...]:
        return (*(case.body for case in self.cases), self.other or ())

    def ways(self) -> tuple[Block, ...]:
        return self.blocks() if self.other is not None else self.blocks()[:-1]


@node
class Move(Stmt):
    """`move what to to at place with name: value as "words"`."""

    FORM = "move"

    what: Expr
    to: Expr
    place: str | None
    words: Template | None = None
    marks: tuple[tuple[str, Span, Expr], ...] = ()


@node
class Draw(Stmt):
    """`draw count from source at bottom to to as name as "words"`."""

    FORM = "draw"

    count: Expr
    source: Expr
    to: Expr
    name: str | None
    name_span: Span | None
    words: Template | None = None
    bottom: Span | None = None


@node
class Verb(Stmt):
    """A statement that is a word with operands: a row of `VERB_ROWS`."""

    verb: str
    operands: tuple[Expr, ...]
    words: Template | None = None  # of what changes something

    @property
    def form(self) -> str:
        return VERB_ROWS[self.verb].form or self.verb


@node
class Tell(Stmt):
    """`tell p that "…"`, `announce "…"` (no audience)."""

    FORM = "tell"

    to: Expr | None
    text: Template


@node
class Open(Stmt):
    """`open window(args) to players`."""

    FORM = "open"

    window: str
    window_span: Span
    args: tuple[Arg, ...]
    to: Expr


@node
class Finish(Stmt):
    """`finish win ps as "grade"` and its kind."""

    FORM = "finish"

    result: str  # win rank pay lose draw
    value: Expr | None
    grade: Template | None


@node
class Condition(Node):
    """`only if "…": expression` of a choice."""

    text: Template
    value: Expr
    cites: tuple[Cite, ...]
    possible: bool = False  # `only if possible`: it counts where something meets it


@node
class Priority(Node):
    """`only this if possible "…"` of an option or a group: no other option is offered where one of these
    is.
    """

    text: Template
    cites: tuple[Cite, ...]


@node
class HowMany(Node):
    """The number of things that are chosen: `2`, `1..3`, `any`, `some`."""

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
    decline: str | None = None  # the words for declining
    unseen: Span | None = None  # the chooser does not see what they choose
    told: Template | None = None  # the sentence for the log
    told_decline: Template | None = None  # that of declining


@node
class Choose(Stmt):
    """`choose …`, `may choose …:`."""

    FORM = "choose"

    pick: Pick
    optional: bool
    body: Block  # of `may choose`
    other: Block | None

    def blocks(self) -> tuple[Block, ...]:
        return self.body, self.other or ()


@node
class Option(Stmt):
    """`option "label" told "sentence" for x in xs if condition:`."""

    label: Template
    fors: tuple[For, ...]
    condition: Expr | None
    conditions: tuple[Condition, ...]
    body: Block
    priorities: tuple[Priority, ...] = ()
    told: Template | None = None  # the sentence for the log


@node
class OptionGroup(Node):
    """`group for x in xs if condition:` with what its options share."""

    cites: tuple[Cite, ...]
    fors: tuple[For, ...]
    condition: Expr | None
    lets: tuple[Let, ...]
    conditions: tuple[Condition, ...]
    options: tuple[Option | OptionGroup, ...]
    priorities: tuple[Priority, ...] = ()


@node
class Menu(Stmt):
    """`choose by p with window(args):` with its options."""

    FORM = "menu"

    by: Expr
    window: str | None
    window_args: tuple[Arg, ...]
    options: tuple[Option | OptionGroup, ...]
    other: Block | None
    leaks: Leaks | None = None

    def leaves(self) -> Iterator[Option]:
        """The options, those in groups included."""
        return leaves(self.options)

    def blocks(self) -> tuple[Block, ...]:
        return (*(option.body for option in self.leaves()), self.other or ())

    def ways(self) -> tuple[Block, ...]:
        return self.blocks() if self.other is not None else self.blocks()[:-1]


def leaves(options: tuple[Option | OptionGroup, ...]) -> Iterator[Option]:
    """Options, those in groups included."""
    for o in options:
        if isinstance(o, OptionGroup):
            yield from leaves(o.options)
        else:
            yield o


@node
class SoThat(Stmt):
    """`so that condition within 2:` … `else:`."""

    FORM = "so_that"

    condition: Expr
    within: int | None
    body: Block
    other: Block | None
    within_span: Span | None = None
    leaks: Leaks | None = None

    def blocks(self) -> tuple[Block, ...]:
        return self.body, self.other or ()


@node
class Secretly(Stmt):
    """`secretly player:`."""

    FORM = "secretly"

    player: Expr
    body: Block

    def blocks(self) -> tuple[Block, ...]:
        return (self.body,)


@node
class ForSeconds(Stmt):
    """`for seconds seconds otherwise first:`: a block that takes this long at a table.

    `otherwise` says what is chosen for whoever has not decided when the time is over; `None` if it is not
    said.
    """

    FORM = "for_seconds"

    seconds: Expr
    otherwise: str | None
    body: Block
    otherwise_span: Span | None = None

    def blocks(self) -> tuple[Block, ...]:
        return (self.body,)


@node
class Broken(Stmt):
    """Text that could not be parsed and has been reported.

    `words` are the words in it: it may declare some of them.
    """

    body: Block = ()
    words: frozenset[str] = frozenset()


# ---------------------------------------------------------------- definitions, windows, hooks, watchers
@node
class Param(Node):
    """A parameter of a definition or window: `name: type = default`, `var name: type`."""

    name: str
    type: TypeExpr
    default: Expr | None
    var: bool


@node
class Item(Node):
    """A member of a section of definitions."""

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
    doc: str | None = None


@node
class Window(Item):
    """`window name(params) in any order nested 2`."""

    name: str
    name_span: Span
    params: tuple[Param, ...]
    nested: int | None
    nested_span: Span | None = None
    in_any_order: bool = False


@node
class Pattern(Node):
    """The event that a hook listens to: `name(args)`."""

    name: str
    name_span: Span
    args: tuple[Arg, ...]


@node
class Hook(Item):
    """`instead of`, `before`, `after`, `adjust … as n`, and `in window(…) as "label" told "sentence"`."""

    kind: str  # instead before after adjust reaction
    pattern: Pattern
    guard: Expr | None
    result: str | None  # the name bound by `adjust … as n`
    label: Template | None
    body: Block
    result_span: Span | None = None
    leaks: Leaks | None = None
    replace: Span | None = None  # the word `replace`
    told: Template | None = None  # the sentence for the log


@node
class Watch(Item):
    """`watch value for key as name:`."""

    value: Expr
    name: str | None
    body: Block
    name_span: Span | None = None
    replace: Span | None = None
    key: str | None = None
    key_span: Span | None = None


@node
class EndWhen(Item):
    """`end when condition:`."""

    condition: Expr
    body: Block
    replace: Span | None = None


@node
class AnyTime(Item):
    """`at any time by p if condition:` with options."""

    player: str
    player_span: Span
    condition: Expr | None
    options: tuple[Option | OptionGroup, ...]
    leaks: Leaks | None = None


@node
class Binding(Node):
    """`p in clockwise(leader) if …`, the `for:` of a nested phase."""

    name: str
    source: Expr
    condition: Expr | None


# ---------------------------------------------------------------- what a variant changes within its base
@node
class StepChange(Node):
    """`without @WB-1`, `before "words":`, `after …:`, `instead of …:`, `case value:`, `replace case value:`,
    `without case value`.

    `words` are those of the step, `matched` stands behind `in match`.
    """

    cites: tuple[Cite, ...]
    kind: str
    words: str | None
    values: tuple[Expr, ...]
    matched: Expr | None
    body: tuple[Stmt | OptionGroup | Condition, ...]


@node
class Revision(Node):
    """`in def name:`, `in phase "title":`, `in "end when left == 0":` with changes, or one change alone
    (`place` empty).
    """

    place: str  # def, phase, item
    name: str
    name_span: Span
    changes: tuple[StepChange, ...]
