"""The analysis of a program that differs little from one that was analysed before: only procedures that have changed are analysed again.

A procedure is analysed again if its shape has changed, or the summary of one that it calls. Whatever else the analysis reads — who sees what,
signatures, hooks, what procedures may write, what is unseen — has to be as it was; where it is not, and where a procedure in a circle of calls has
changed, everything is analysed again, so that the fixed points are the least ones.

What is carried over has spans of the texts as they were, but for the spans of decisions. So it shows whether anything is to be reported; where
something is, `afresh` says what.
"""

from __future__ import annotations

from dataclasses import field, replace

from croupier.diagnostics import Span
from croupier.records import dataclass
from croupier.semantics.canonical import declared, listeners, shape, signature, visibility_of
from croupier.semantics.infoflow.interfaces import ProcedureSummary
from croupier.semantics.infoflow.store import PUBLIC, Label
from croupier.semantics.infoflow.summaries import CallArguments, FlowAnalysis
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program

Unseen = dict[tuple[str, str], Label]


@dataclass
class AnalysisMemory:
    """The last analysis of a ruleset, for the next one; or the first one of several that differ little from it, if it `keeps_first`."""

    last: IncrementalAnalysis | None = field(default=None)
    keeps_first: bool = False

    def analyse(self, program: Program) -> IncrementalAnalysis:
        """The analysis of a program, with what is known of the last one."""
        return self._kept(IncrementalAnalysis(program, self.last))

    def afresh(self, program: Program) -> IncrementalAnalysis:
        """The analysis of a program, with spans of its own texts throughout."""
        return self._kept(IncrementalAnalysis(program, None))

    def _kept(self, made: IncrementalAnalysis) -> IncrementalAnalysis:
        if self.last is None or not self.keeps_first:
            self.last = made
        return made


class IncrementalAnalysis(FlowAnalysis):
    """An analysis that the next one can reuse. `carried`: it reuses another one itself."""

    def __init__(self, program: Program, before: IncrementalAnalysis | None) -> None:
        self.carried = False
        self.unseen_by: dict[int, Unseen] = {}  # what each procedure adds to what is unseen
        self._at: int | None = None  # the procedure that is being analysed
        self._before, self._same_calls = before, False
        self.spans: list[list[Span]] = [[] for _ in program.procs]
        self.shapes = [shape(proc, spans) for proc, spans in zip(program.procs, self.spans, strict=True)]
        self.declared = declared(program)
        self.around = (visibility_of(program), [signature(proc) for proc in program.procs], listeners(program))
        super().__init__(program)
        self._before = None

    def _solve(self) -> None:
        before = self._before
        self.carried = before is not None and self._alike(before) and self._go_on(before)
        if not self.carried:
            self.summaries = [ProcedureSummary() for _ in self.program.procs]
            self.decisions, self.excluded_receivers, self.given, self.unseen, self.unseen_by = {}, {}, {}, {}, {}
            self.outdated = set()
            super()._solve()
        self._at = None

    def _propagate_arguments(self) -> None:
        if self.carried and self._same_calls and self._before is not None:
            self.entries = self._before.entries
        else:
            super()._propagate_arguments()

    def _summary(self, proc: Proc) -> ProcedureSummary:
        self._at = proc.index
        self.unseen_by[proc.index] = {}
        return super()._summary(proc)

    def write_unseen(self, kind: str, name: str, label: Label) -> None:
        super().write_unseen(kind, name, label)
        if self._at is not None:
            here = self.unseen_by[self._at]
            here[kind, name] = here.get((kind, name), PUBLIC) | label

    # ------------------------------------------------------------ going on
    def _alike(self, before: IncrementalAnalysis) -> bool:
        """Is everything around the bodies of procedures as it was?"""
        mine, theirs = self.effects, before.effects
        return (
            self.around == before.around
            and (mine.unperceived, mine.watched, self.looks_ahead) == (theirs.unperceived, theirs.watched, before.looks_ahead)
            and all(
                mine.own(new) == theirs.own(old)
                for new, old in zip(self.program.procs, before.program.procs, strict=True)
                if self.shapes[new.index] != before.shapes[old.index]
            )
        )

    def _go_on(self, before: IncrementalAnalysis) -> bool:
        """Take over what is known, and analyse what has changed; False where that is not enough."""
        procs = self.program.procs
        todo = {proc.index for proc in procs if self.shapes[proc.index] != before.shapes[proc.index]}
        self.summaries, self.given, self.unseen_by = list(before.summaries), dict(before.given), dict(before.unseen_by)
        self.decisions, self.excluded_receivers = dict(before.decisions), dict(before.excluded_receivers)
        callers, self._same_calls = self._callers(), True
        again: set[int] = set()
        self.outdated = set(before.outdated)
        for index in self._callees_first():
            if index not in todo:
                continue
            if index in self._above(index, callers):
                return False
            again.add(index)
            self.unseen = dict(before.unseen)
            summary = self._summary(procs[index])
            if shape(self.unseen_by[index]) != shape(before.unseen_by[index]):
                return False
            if shape(summary) != shape(self.summaries[index]):
                self.summaries[index] = summary
                todo |= callers.get(index, set())
            if _calls(self.given.get(index, [])) == _calls(before.given.get(index, [])):
                self.given[index] = before.given.get(index, [])
            else:
                self._same_calls = False
        self.unseen = dict(before.unseen)
        return todo == again and self._move_decisions(before, again)

    def _above(self, start: int, callers: dict[int, set[int]]) -> set[int]:
        """The procedures that a change of one may reach."""
        seen: set[int] = set()
        todo = list(callers.get(start, ()))
        while todo:
            index = todo.pop()
            if index not in seen:
                seen.add(index)
                todo += callers.get(index, ())
        return seen

    def _move_decisions(self, before: IncrementalAnalysis, again: set[int]) -> bool:
        """Give the decisions that are carried over their spans in the texts as they are now."""
        for (index, site), found in list(self.decisions.items()):
            if -1 in (index, site) or index in again:  # of claims and reactions, and of what was analysed: these have their spans
                continue
            old, new = before.spans[index], self.spans[index]
            if len(old) != len(new) or not all(d.span in old for d in found):
                return False
            self.decisions[index, site] = [replace(d, span=new[old.index(d.span)]) for d in found]
        return True


def _calls(given: list[CallArguments]) -> list[object]:
    """The shape of calls."""
    return [(g.target.index, shape(g.values), shape(g.states)) for g in given]
