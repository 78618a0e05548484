"""The interfaces between the parts of the analysis, and the values that they exchange.

`ProgramFlow` is the analysis of the whole program (`summaries.py`), `ProcedureFlow` that of one procedure,
which `statements.py` completes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import field
from typing import Protocol

from croupier.diagnostics import Span
from croupier.kernel.tree import CallExpr, TypedStmt
from croupier.records import dataclass
from croupier.semantics.infoflow.expressions import ExpressionLabels, ProgramFacts
from croupier.semantics.infoflow.instances import CallArguments
from croupier.semantics.infoflow.store import (
    PUBLIC,
    AbstractStore,
    AbstractValue,
    Label,
    Observer,
    Policy,
    Thing,
    declassify,
)
from croupier.semantics.procedures import Proc

NOTHING = AbstractValue(("const", "nothing"), PUBLIC)

OUTSIDE = -1  # the site of what stands in no statement
RESULT = -1  # the slot of what is returned

Placed = tuple[tuple[Policy, Span], ...]
Unseen = dict[tuple[str, str], Label]
"""What things are given where not all who see them perceive it, by their kinds and names."""


@dataclass(frozen=True)
class DecisionFlow:
    """A decision: where it stands, who decides, the policies that its options depend on, those that their
    words show, and of these the ones that nobody who reads of the decision is kept from (`said`). `kind`
    says which sort it is; `asked` is the text that names whoever decides, `None` where the rules name
    nobody, and `chooser_name` the name that one of them has in the conditions.
    """

    span: Span
    chooser: Observer
    reads: Placed
    words: Placed = ()
    said: Placed = ()
    kind: str = "choose"  # or every, menu, so_that, reaction, claim
    asked: str | None = None
    chooser_name: str = "p"

    @property
    def label(self) -> Label:
        """The label of what the options depend on, without spans."""
        return frozenset(p for p, _ in self.reads)


@dataclass(frozen=True)
class ExcludedReceiver:
    """A receiver of a `show` or `tell` in a `secretly` who may not be among those that perceive the block."""

    span: Span
    word: str
    block: Span


@dataclass(frozen=True)
class SecretTurn:
    """A `secretly` outside of any block that takes its time: whose events others do not perceive, and what
    decides whether control comes here.
    """

    block: TypedStmt
    label: Label


@dataclass
class Exits:
    """The stores with which paths leave a loop early."""

    left: list[AbstractStore] = field(default_factory=list)
    again: list[AbstractStore] = field(default_factory=list)


@dataclass(frozen=True)
class LoopRun:
    """An earlier run of a loop: the store at its entry, what returned from it, and the store at its end."""

    entry: AbstractStore
    returned: list[AbstractStore]
    termination: Label
    end: AbstractStore | None


@dataclass
class ProcedureSummary:
    """The summary of a procedure: the value it returns and its effects, in terms of its own parameters."""

    value: AbstractValue = NOTHING
    # what `var`s hold at the end, by slot; of a hook all names that it gave new values
    outs: dict[int, AbstractValue] = field(default_factory=dict)
    known: dict[int, frozenset[Observer]] = field(default_factory=dict)  # who knows an argument afterwards
    moved: dict[int, Label | None] = field(default_factory=dict)  # where components given lie afterwards
    written: dict[str, Label] = field(default_factory=dict)
    facts: dict[Thing, frozenset[Observer]] = field(default_factory=dict)
    termination: Label = PUBLIC


@dataclass
class ProcedureFindings:
    """What the last analysis of a procedure has found in it, by the sites of its statements; of the procedure
    itself at `OUTSIDE`.
    """

    decisions: dict[int, list[DecisionFlow]] = field(default_factory=dict)
    excluded_receivers: dict[int, ExcludedReceiver] = field(default_factory=dict)
    secret_turns: dict[int, SecretTurn] = field(default_factory=dict)
    calls: list[CallArguments] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)  # things of which it matters whether they are unseen
    unseen: Unseen = field(default_factory=dict)  # what it adds to what is unseen

    def note_call(self, call: CallArguments) -> None:
        """Note what a call gives, or what a window is opened with."""
        if call not in self.calls:
            self.calls.append(call)


class ProgramFlow(ProgramFacts, Protocol):
    """The analysis of a program, as the analysis of a procedure sees it."""

    summaries: list[ProcedureSummary]
    found: list[ProcedureFindings]
    outdated: set[str]
    untold: frozenset[str]
    looks_ahead: bool

    def sites(self, proc: Proc) -> dict[int, tuple[int, int]]: ...

    def outline(self, label: Label) -> Label: ...

    def write_unseen(self, kind: str, name: str, label: Label) -> None: ...

    def written_in(self, window: int, name: str, given: Label) -> Label: ...

    def window_vars(self, window: int, slot: int, given: Label) -> Iterable[AbstractValue]: ...

    def hook_vars(self, read: ExpressionLabels, x: CallExpr, slot: int) -> Iterable[AbstractValue]: ...


class ProcedureFlow(ABC):
    """The flow through one procedure, as loops, decisions and disclosures see it."""

    def __init__(self, analysis: ProgramFlow, proc: Proc) -> None:
        self.analysis, self.proc, self.program = analysis, proc, analysis.program
        self.sites, self.found = analysis.sites(proc), analysis.found[proc.index]
        # of the `secretly` around; none: everybody perceives what happens
        self.audience: frozenset[Observer] | None = None
        self.secret: TypedStmt | None = None
        self.secret_numbers: tuple[Observer | None, ...] = ()
        self.is_timed = False  # in a block that takes its time at a table
        self.in_lookahead = False  # in the look-ahead of a `so that`: nobody perceives what happens
        self.exits: list[Exits] = []
        self.returned: list[AbstractStore] = []  # the ends of its paths, with the value at `RESULT`
        # those around, by their marks, with the label of the program counter before them
        self.loops: dict[Observer, Label] = {}
        self.written: dict[str, Label] = {}
        self.done: dict[tuple[int, bool], list[LoopRun]] = {}  # loops within others
        # what decides whether a decision has an option at all, or whether the game ends
        self.termination: Label = PUBLIC

    @abstractmethod
    def block(self, body: list[TypedStmt], store: AbstractStore) -> AbstractStore | None:
        """The store after some statements, `None` if no path leads there."""

    @abstractmethod
    def lookahead_label(self, s: TypedStmt, store: AbstractStore) -> Label:
        """The label of what a look-ahead finds: the condition at its end, the paths to it, and whether the
        game can go on until then.
        """

    def at(self, s: TypedStmt, store: AbstractStore) -> ExpressionLabels:
        """The labels of expressions at a statement."""
        return ExpressionLabels(self.analysis, self.proc, store, self.site(s), self.in_lookahead)

    def site(self, s: TypedStmt) -> int:
        return self.sites[id(s)][0]

    def point(self, s: TypedStmt, what: str | int = "met") -> tuple[object, ...]:
        """The number of a value that a statement makes, by what it is or the local that gets it; or the
        beginning of the numbers of several.
        """
        return ("at", self.proc.index, self.site(s), what)

    def expand(self, label: Label, store: AbstractStore) -> Label:
        """A label as a decision or a call finds it: which round of a loop it is, is what led here in this
        round.
        """
        if not any(p.kind == "loop" for p in label):
            return label
        found = {p for p in label if p.kind != "loop"}
        # who perceives what happens can count the rounds
        here = store.skips if self.audience is None else store.pc
        for p in label:
            if p.kind == "loop" and p.key in self.loops:
                found |= declassify(
                    frozenset(q for q in here - self.loops[p.key] if q.kind != "loop"), p.readers
                )
        return frozenset(found)
