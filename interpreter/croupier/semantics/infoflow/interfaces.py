"""The interfaces between the parts of the analysis, and the values that they exchange.

`ProgramFlow` is the analysis of the whole program (`summaries.py`), `ProcedureFlow` that of one procedure
(`statements.py`).
"""

from __future__ import annotations

from dataclasses import field
from typing import Protocol

from croupier.diagnostics import Span
from croupier.kernel.tree import CallExpr, TypedStmt
from croupier.records import dataclass
from croupier.semantics.infoflow.expressions import ExpressionLabels, ProgramFacts
from croupier.semantics.infoflow.store import (
    PUBLIC,
    AbstractStore,
    AbstractValue,
    Label,
    Observer,
    Policy,
    Thing,
)
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program

NOTHING = AbstractValue(("const", "nothing"), PUBLIC)

Placed = tuple[tuple[Policy, Span], ...]


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


@dataclass(frozen=True)
class Returned:
    """A path out of a procedure, with the value that it returns."""

    store: AbstractStore
    value: AbstractValue


@dataclass
class Exits:
    """The stores with which paths leave a procedure or a loop early."""

    left: list[AbstractStore] = field(default_factory=list)
    again: list[AbstractStore] = field(default_factory=list)


@dataclass(frozen=True)
class LoopRun:
    """An earlier run of a loop: the store at its entry, what returned from it, and the store at its end."""

    entry: AbstractStore
    returned: list[Returned]
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


class ProgramFlow(ProgramFacts, Protocol):
    """The analysis of a program, as the analysis of a procedure sees it."""

    summaries: list[ProcedureSummary]
    decisions: dict[tuple[int, int], list[DecisionFlow]]
    excluded_receivers: dict[tuple[int, int], ExcludedReceiver]
    secret_turns: dict[tuple[int, int], SecretTurn]
    outdated: set[str]
    untold: frozenset[str]
    looks_ahead: bool

    def sites(self, proc: Proc) -> dict[int, tuple[int, int]]: ...

    def outline(self, label: Label) -> Label: ...

    def write_unseen(self, kind: str, name: str, label: Label) -> None: ...

    def record_call(
        self,
        caller: Proc,
        s: TypedStmt,
        target: Proc,
        values: dict[int, AbstractValue],
        states: dict[str, Observer],
        asked: Observer | None = None,
    ) -> None: ...

    def written_in(self, window: int, name: str, given: Label) -> Label: ...

    def window_var(self, window: int, slot: int, given: Label) -> AbstractValue: ...

    def hook_var(self, read: ExpressionLabels, x: CallExpr, slot: int) -> AbstractValue | None: ...


class ProcedureFlow(Protocol):
    """The flow through one procedure, as loops, decisions and disclosures see it."""

    analysis: ProgramFlow
    program: Program
    proc: Proc
    sites: dict[int, tuple[int, int]]
    audience: frozenset[Observer] | None
    secret: TypedStmt | None
    secret_numbers: tuple[Observer | None, ...]
    in_lookahead: bool
    is_timed: bool
    exits: list[Exits]
    returned: list[Returned]
    loops: dict[Observer, Label]
    done: dict[tuple[int, bool], list[LoopRun]]
    termination: Label

    def block(self, body: list[TypedStmt], store: AbstractStore) -> AbstractStore | None: ...

    def at(self, s: TypedStmt, store: AbstractStore, chooser: Observer | None = None) -> ExpressionLabels: ...

    def site(self, s: TypedStmt) -> int: ...

    def point(self, s: TypedStmt, what: str = "met") -> tuple[object, ...]: ...

    def expand(self, label: Label, store: AbstractStore) -> Label: ...

    def lookahead_label(self, s: TypedStmt, store: AbstractStore) -> Label: ...
