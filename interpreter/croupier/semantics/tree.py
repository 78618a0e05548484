"""The typed tree: what the checker leaves behind, what the reference evaluator reads and what is lowered.

Expressions and statements are uniform nodes: an operation (those of statements are listed in `STATEMENTS`), a type, a span,
operands, and data that the operation needs. Names are gone: locals are slots, state variables, zones and definitions are numbered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from croupier.diagnostics import Span
from croupier.semantics.types import NOTHING, Type


@dataclass(frozen=True, slots=True)
class X:
    """A typed expression: `op` applied to `args`; pure."""

    op: str
    type: Type
    span: Span
    args: tuple[X, ...] = ()
    data: Any = None

    def walk(self) -> Iterator[X]:
        yield self
        for a in self.args:
            yield from a.walk()

    def binds(self) -> tuple[int, ...]:
        """The slots that a comprehension fills in itself."""
        return tuple(self.data[1]) if self.op == "comp" else tuple(self.data[0]) if self.op == "map_comp" else ()

    def in_slots(self, slots: dict[int, int]) -> X:
        """The same expression with other numbers for some slots."""
        data = self.data
        if self.op == "local":
            data = slots.get(data, data)
        elif self.op == "comp":
            data = (data[0], tuple(slots.get(i, i) for i in data[1]), *data[2:])
        elif self.op == "map_comp":
            data = (tuple(slots.get(i, i) for i in data[0]), *data[1:])
        return X(self.op, self.type, self.span, tuple(a.in_slots(slots) for a in self.args), data)


MOVED = -1


@dataclass(frozen=True, slots=True)
class StatementText:
    """What the story says of a statement that changes something, instead of each change. A local of slot `MOVED` is what has moved."""

    text: X


@dataclass(slots=True)
class S:
    """A typed statement. `suspension_point` numbers the suspension points of its procedure in text order (none: it never suspends)."""

    op: str
    span: Span
    args: tuple[X, ...] = ()
    blocks: tuple[list[S], ...] = ()
    data: Any = None
    cites: tuple[str, ...] = ()
    suspension_point: int | None = None
    suspends: bool = False
    words: StatementText | None = field(default=None, metadata={"derived": True})

    def walk(self) -> Iterator[S]:
        yield self
        for b in self.blocks:
            for s in b:
                yield from s.walk()


STATEMENTS = frozenset(
    "add announce assign break choose claim continue do draw finish for if let match menu move open pass remove repeat return roll secretly show"
    " shuffle so_that swap tell turns".split()
)
"""The operations of statements: a table by operation has a row for each."""


@dataclass(slots=True)
class Param:
    """A parameter of a procedure; `var`: what the caller gives is written through."""

    name: str
    type: Type
    slot: int
    var: bool
    default: X | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """What the story calls a phase: a text of the variables of the loops around it, which are its first locals of `slots`."""

    text: X
    slots: int


@dataclass(slots=True)
class Proc:
    """A definition, a phase, a hook's body or a window: what can have a frame."""

    index: int
    name: str
    kind: str  # def, phase, hook, window, watch, end, scoring
    span: Span
    params: list[Param] = field(default_factory=list)
    returns: Type = NOTHING
    nested: int | None = None
    body: list[S] = field(default_factory=list)
    slots: list[str] = field(default_factory=list)  # names of local slots; hidden ones begin with "$"
    slot_types: list[Type] = field(default_factory=list)
    effect: str = "pure"  # pure, acts, suspends
    cites: tuple[str, ...] = ()
    calls: set[int] = field(default_factory=set)
    opens: set[int] = field(default_factory=set)
    writes: set[Any] = field(default_factory=set)
    reads: set[Any] = field(default_factory=set)
    points: int = 0
    heading: Heading | None = field(default=None, metadata={"derived": True})  # of a phase whose title has parts in braces
    live: dict[int, tuple[int, ...]] = field(default_factory=dict, metadata={"derived": True})  # suspension point -> slots that may still be read

    def slot(self, name: str, kind: Type) -> int:
        self.slots.append(name)
        self.slot_types.append(kind)
        return len(self.slots) - 1


@dataclass(slots=True)
class PatternArg:
    """An argument in the pattern of a hook: it must equal `fixed`, or it is bound to `slot`."""

    param: int  # index of the parameter of the procedure that is hooked
    fixed: X | None  # must equal this
    slot: int | None  # binds this slot


@dataclass(slots=True)
class Hook:
    """One hook: where it listens, when it is live, and the procedure that runs."""

    index: int
    kind: str  # instead before after adjust reaction
    target: int  # procedure or window
    args: list[PatternArg]
    guard: X | None
    proc: Proc
    label: X | None
    component: tuple[str, str | None] | None  # class and id (none: every component of the class); none: the rules themselves
    self_slot: int | None = None
    owner_slot: int | None = None
    here_slot: int | None = None
    result_slot: int | None = None  # of `adjust … as n`
    original_slot: int | None = None  # hidden: what `original(…)` runs
    needs_owner: bool = False  # names `owner`: not live where nobody owns the component
    needs_here: bool = False
    cites: tuple[str, ...] = ()


@dataclass(slots=True)
class Watcher:
    """`watch` or `end when`."""

    index: int
    kind: str
    value: X
    proc: Proc
    slot: int | None
    reads: frozenset[Any] = frozenset()


@dataclass(frozen=True, slots=True)
class Named:
    """A named condition of a choice: `only if "…": value`."""

    text: str
    value: X
    span: Span
    cites: tuple[str, ...]


@dataclass(slots=True)
class Choice:
    """Everything about one `choose`."""

    slot: int  # the value chosen: one item, a list, or a map by player
    item: int  # a candidate while conditions are tested
    source: X
    where: X | None
    conditions: tuple[Named, ...]
    chooser: str  # one, every, chance
    by: X | None  # player, players, or weight
    every: int | None
    many: bool
    low: X | None
    high: X | None
    such_that: X | None
    merging: tuple[str, ...]
    label: X | None
    optional: bool
    base: Type
    name: str
    picked: int = -1  # hidden slot: what a set choice holds so far
    cursor: int = -1  # hidden slot: where it may go on
    decline: str | None = None  # the words for saying no


@dataclass(slots=True)
class MenuOption:
    """An option of a menu, once for each combination of values that its `for`s walk."""

    label: X
    slots: tuple[int, ...]
    sources: tuple[X, ...]
    condition: X | None
    conditions: tuple[Named, ...]
    span: Span
    cites: tuple[str, ...]


@dataclass(slots=True)
class MenuData:
    """What a `menu` has besides its expressions: its options and the window whose reactions it offers."""

    options: tuple[MenuOption, ...]
    window: int | None
    window_args: tuple[X, ...]
    has_else: bool
    used: int = -1  # hidden slot: reactions used in this opening
