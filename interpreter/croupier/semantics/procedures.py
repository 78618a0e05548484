"""Procedures: what has a body of typed statements and can have a frame, and what runs it - hooks, watchers,
groups of phases.
"""

from __future__ import annotations

from dataclasses import field

from croupier.diagnostics import Span
from croupier.kernel.tree import TypedExpr, TypedStmt
from croupier.kernel.types import NOTHING, Type
from croupier.records import dataclass

ALL_REACT = "$all"
"""The hidden local of a window in which all reactions happen: those who are asked choose their order."""
CHOSEN_NONE = "$none"
"""The hidden local that says that nothing of a decision itself was chosen, where other options stand open."""


@dataclass(slots=True)
class Param:
    """A parameter of a procedure; `var`: what the caller gives is written through."""

    name: str
    type: Type
    slot: int
    var: bool
    default: TypedExpr | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a phase in the story: a text of the variables of the loops around it, which are its first
    locals of `slots`.
    """

    text: TypedExpr
    slots: int


@dataclass(slots=True)
class PhaseGroup:
    """A group of phases with parts in braces in its title.

    It begins anew with its `first` phase, unless that lies in a loop within the group, and whenever the loops
    around it have gone on.
    """

    number: int
    heading: Heading
    variables: int  # of the loops around its phases, its own among them
    loops: int  # how many loops are around its phases, its own among them
    cites: tuple[str, ...]
    first: int = -1
    is_looped: bool = False  # does `first` lie in a loop within the group?
    phases: int = 0

    def holds(self, phase: int, loops: int) -> None:
        """The next of its phases, in this many loops."""
        if self.first < 0:
            self.first, self.is_looped = phase, loops > self.loops
        self.phases += 1

    @property
    def is_its_phase(self) -> bool:
        """Tell whether the group is one phase and no more, so that its title stands for that of the phase."""
        return self.phases == 1 and not self.is_looped


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
    body: list[TypedStmt] = field(default_factory=list)
    slots: list[str] = field(default_factory=list)  # names of local slots; hidden ones begin with "$"
    slot_types: list[Type] = field(default_factory=list)
    effect: str = "pure"  # pure, acts, suspends
    supposes: bool = False  # it is nothing but a `suppose`: what it does, it does on a copy
    cites: tuple[str, ...] = ()
    calls: set[int] = field(default_factory=set)
    opens: set[int] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)
    points: int = 0
    doc: str = ""  # what it is for, for readers
    # of a phase whose title has parts in braces
    heading: Heading | None = field(default=None, metadata={"derived": True})
    # around a phase, from the outermost on
    groups: tuple[PhaseGroup, ...] = field(default=(), metadata={"derived": True})
    # suspension point -> slots that may still be read
    live: dict[int, tuple[int, ...]] = field(default_factory=dict, metadata={"derived": True})
    # the procedure before claims were expanded, of which hashes are
    origin: Proc | None = field(default=None, metadata={"derived": True})

    @property
    def all_react(self) -> bool:
        """Tell whether all reactions of a window happen, in an order that players choose."""
        return ALL_REACT in self.slots

    def slot(self, name: str, kind: Type) -> int:
        self.slots.append(name)
        self.slot_types.append(kind)
        return len(self.slots) - 1


@dataclass(slots=True)
class PatternArg:
    """An argument in the pattern of a hook: it must equal `fixed`, or it is bound to `slot`."""

    param: int  # index of the parameter of the procedure that is hooked
    fixed: TypedExpr | None  # must equal this
    slot: int | None  # binds this slot


@dataclass(slots=True)
class Hook:
    """One hook: where it listens, when it is live, and the procedure that runs."""

    index: int
    kind: str  # instead before after adjust reaction
    target: int  # procedure or window
    args: list[PatternArg]
    guard: TypedExpr | None
    proc: Proc
    label: TypedExpr | None
    # class and id (none: every component of the class); none: the rules themselves
    component: tuple[str, str | None] | None
    self_slot: int | None = None
    owner_slot: int | None = None
    here_slot: int | None = None
    result_slot: int | None = None  # of `adjust … as n`
    original_slot: int | None = None  # hidden: what `original(…)` runs
    needs_owner: bool = False  # names `owner`: not live where nobody owns the component
    needs_here: bool = False
    cites: tuple[str, ...] = ()
    told: TypedExpr | None = None  # of `in window(…)`: the sentence for the log

    def bound(self, target: Proc) -> dict[int, int]:
        """The slots of its own for parameters of what it listens to, by their slots there."""
        return {target.params[a.param].slot: a.slot for a in self.args if a.slot is not None}


@dataclass(slots=True)
class Watcher:
    """`watch` or `end when`."""

    index: int
    kind: str
    value: TypedExpr
    proc: Proc
    slot: int | None
    # where the value stands that was seen last
    before: int | None = field(default=None, metadata={"derived": True})
    reads: frozenset[str] = frozenset()
