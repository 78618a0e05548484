"""What the parts of the analysis ask of each other, and the values that they exchange.

`ProgramFlow` is the analysis of the whole program (`summaries.py`), `ProcedureFlow` that of one procedure (`flow.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from croupier.diagnostics import Span
from croupier.semantics.infoflow.expressions import ProgramFacts, Reading
from croupier.semantics.infoflow.store import PUBLIC, AbstractStore, AbstractValue, Label, Observer, Policy, Thing
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.tree import CallExpr, S

NOTHING = AbstractValue(("const", "nothing"), PUBLIC)

Placed = tuple[tuple[Policy, Span], ...]


@dataclass(frozen=True)
class DecisionFlow:
    """A decision: where it stands, who decides, the policies that its options depend on, and those that their words show."""

    span: Span
    chooser: Observer
    reads: Placed
    words: Placed = ()

    @property
    def label(self) -> Label:
        """What its options depend on, without places."""
        return frozenset(p for p, _ in self.reads)


@dataclass(frozen=True)
class Addressed:
    """Somebody whom a `show` or `tell` in a `secretly` names and who may be outside of it."""

    span: Span
    word: str
    block: Span


@dataclass(frozen=True)
class Returned:
    """A way out of a procedure, with the value that it returns."""

    store: AbstractStore
    value: AbstractValue


@dataclass
class Exits:
    """The stores with which ways leave a procedure or a loop early."""

    left: list[AbstractStore] = field(default_factory=list)
    again: list[AbstractStore] = field(default_factory=list)


@dataclass(frozen=True)
class Past:
    """A loop as it was run before: from where, with what it returned and where that led."""

    entry: AbstractStore
    returned: list[Returned]
    stuck: Label
    end: AbstractStore | None


@dataclass
class ProcedureSummary:
    """What a call of a procedure gives and does, in its own names."""

    value: AbstractValue = NOTHING
    outs: dict[int, AbstractValue] = field(default_factory=dict)  # what `var`s hold at the end, by slot; of a hook all names that it gave new values
    known: dict[int, frozenset[Observer]] = field(default_factory=dict)  # who knows an argument afterwards
    moved: dict[int, Label | None] = field(default_factory=dict)  # where components given lie afterwards
    written: dict[str, Label] = field(default_factory=dict)
    facts: dict[Thing, frozenset[Observer]] = field(default_factory=dict)
    stuck: Label = PUBLIC


class ProgramFlow(ProgramFacts, Protocol):
    """The analysis of a program, as the analysis of a procedure sees it."""

    summaries: list[ProcedureSummary]
    decisions: dict[tuple[int, int], list[DecisionFlow]]
    addressed: dict[tuple[int, int], Addressed]
    outdated: set[str]
    untold: frozenset[str]
    looks_ahead: bool

    def sites(self, proc: Proc) -> dict[int, tuple[int, int]]: ...

    def outline(self, label: Label) -> Label: ...

    def write_unseen(self, kind: str, name: str, label: Label) -> None: ...

    def record_call(
        self, caller: Proc, s: S, target: Proc, values: dict[int, AbstractValue], states: dict[str, Observer], asked: Observer | None = None
    ) -> None: ...

    def written_in(self, window: int, name: str, given: Label) -> Label: ...

    def out_of(self, window: int, slot: int, given: Label) -> AbstractValue: ...

    def out_of_hooks(self, read: Reading, x: CallExpr, slot: int) -> AbstractValue | None: ...


class ProcedureFlow(Protocol):
    """The flow through one procedure, as loops, decisions and disclosures see it."""

    analysis: ProgramFlow
    program: Program
    proc: Proc
    sites: dict[int, tuple[int, int]]
    audience: frozenset[Observer] | None
    secret: S | None
    secret_numbers: tuple[Observer | None, ...]
    trial: bool
    exits: list[Exits]
    returned: list[Returned]
    loops: dict[Observer, Label]
    done: dict[tuple[int, bool], list[Past]]
    stuck: Label

    def block(self, body: list[S], store: AbstractStore) -> AbstractStore | None: ...

    def at(self, s: S, store: AbstractStore, chooser: Observer | None = None) -> Reading: ...

    def site(self, s: S) -> int: ...

    def place(self, s: S, what: str = "met") -> tuple[object, ...]: ...

    def expand(self, label: Label, store: AbstractStore) -> Label: ...

    def foreseen(self, s: S, store: AbstractStore) -> Label: ...
