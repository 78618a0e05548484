"""The analysis of a program that differs little from one that was analysed before: only procedures that have
changed are analysed again.

A procedure is analysed again if its shape has changed, or the summary of one that it calls. Whatever else the
analysis reads — who sees what, signatures, hooks, what procedures may write, what is unseen — has to be as it
was; where it is not, everything is analysed again. Where a procedure in a circle of calls has changed, the
circle is, so that the fixed points are the least ones.

What is carried over has spans of the texts as they were, but for the spans of decisions. So it shows whether
anything is to be reported; where something is, `afresh` says what.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import Any

from croupier.diagnostics import Span
from croupier.records import dataclass
from croupier.semantics.canonical import listeners, outline, signature, visibility_of
from croupier.semantics.infoflow.instances import CallArguments
from croupier.semantics.infoflow.interfaces import OUTSIDE, ProcedureSummary
from croupier.semantics.infoflow.summaries import FlowAnalysis, SolverState
from croupier.semantics.program import Program
from croupier.semantics.walk import closure

Surroundings = tuple[object, ...]
"""What the analysis of a procedure reads besides its body and the summaries of what it calls: nested
tuples.
"""
FindBefore = Callable[[Surroundings], "IncrementalAnalysis | None"]
MAX_POOLED = 64  # analyses of one pool


@dataclass
class AnalysisMemory:
    """The last analysis of a ruleset, for the next one."""

    last: IncrementalAnalysis | None = field(default=None)

    def analyse(self, program: Program) -> IncrementalAnalysis:
        """The analysis of a program, with what is known of former ones."""
        made = IncrementalAnalysis(program, self.find)
        self.keep(made)
        return made

    def afresh(self, program: Program) -> IncrementalAnalysis:
        """The analysis of a program, with spans of its own texts throughout."""
        made = IncrementalAnalysis(program, None)
        self.keep(made)
        return made

    def find(self, around: Surroundings) -> IncrementalAnalysis | None:
        """A former analysis that one with these surroundings may go on from."""
        return self.last

    def keep(self, made: IncrementalAnalysis) -> None:
        """Keep an analysis for the next ones."""
        self.last = made


@dataclass
class AnalysisPool(AnalysisMemory):
    """Analyses of several rulesets that differ little, like the variants of a folder: of those with the same
    surroundings the first.
    """

    first: dict[Surroundings, IncrementalAnalysis] = field(default_factory=dict)

    def find(self, around: Surroundings) -> IncrementalAnalysis | None:
        return self.first.get(around)

    def keep(self, made: IncrementalAnalysis) -> None:
        if len(self.first) < MAX_POOLED:
            self.first.setdefault(made.around, made)


def surroundings(program: Program) -> Surroundings:
    """Return what an analysis reads of a program besides the bodies of procedures."""
    found: Surroundings = _as_tuples(
        (visibility_of(program), [signature(proc) for proc in program.procs], listeners(program))
    )
    return found


def _as_tuples(value: Any) -> Any:  # noqa: ANN401 - values of all classes
    """Lists within each other as tuples, which can be keys."""
    return tuple(map(_as_tuples, value)) if isinstance(value, list | tuple) else value


class IncrementalAnalysis(FlowAnalysis):
    """An analysis that the next one can reuse. `carried`: it reuses another one itself."""

    def __init__(self, program: Program, find: FindBefore | None) -> None:
        self.carried = self._same_calls = False
        self.spans: list[list[Span]] = [[] for _ in program.procs]
        self.shapes = [outline(proc, spans) for proc, spans in zip(program.procs, self.spans, strict=True)]
        self.around = surroundings(program)
        self._before = None if find is None else find(self.around)
        super().__init__(program)
        self._before = None

    def _solve(self) -> None:
        before = self._before
        self.carried = before is not None and self._alike(before) and self._go_on(before)
        if not self.carried:
            self.begin_anew()
            super()._solve()

    def _propagate_arguments(self) -> None:
        if self.carried and self._same_calls and self._before is not None:
            self.entries = self._before.entries
        else:
            super()._propagate_arguments()

    # ------------------------------------------------------------ going on
    def _alike(self, before: IncrementalAnalysis) -> bool:
        """Tell whether everything around the bodies of procedures is as it was."""
        mine, theirs = self.effects, before.effects
        return (
            self.around == before.around
            and (mine.unperceived, mine.watched, self.looks_ahead)
            == (theirs.unperceived, theirs.watched, before.looks_ahead)
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
        self.summaries, self.found = list(before.summaries), list(before.found)
        callers, self._same_calls = self._callers(), True
        again: set[int] = set()
        self.outdated = set(before.outdated)
        order = self._callees_first()
        for index in order:
            if index not in todo:
                continue
            circle = self._circle(index, callers)
            members = [i for i in order if i in circle]
            todo |= circle
            if index != members[-1]:  # before the last of them comes whatever one of them calls
                continue
            again |= circle
            self.unseen = dict(before.unseen)
            self._analyse_circle(members, callers)
            for member in members:
                found, former = self.found[member], before.found[member]
                if outline(found.unseen) != outline(former.unseen):
                    return False
                if outline(self.summaries[member]) == outline(before.summaries[member]):
                    self.summaries[member] = before.summaries[member]
                else:
                    todo |= callers.get(member, set())
                if _calls(found.calls) == _calls(former.calls):
                    found.calls = former.calls
                else:
                    self._same_calls = False
        self.unseen = dict(before.unseen)
        return todo == again and self._move_decisions(before, again)

    def _analyse_circle(self, members: list[int], callers: dict[int, set[int]]) -> None:
        """The summaries of procedures that call each other, or of a single one; from nothing, so that they
        are the least ones.
        """
        if len(members) > 1 or members[0] in callers.get(members[0], ()):
            for member in members:
                self.summaries[member] = ProcedureSummary()
            solving = SolverState(members, callers, dict.fromkeys(members, 0))
            self._solve_summaries(solving.begin(members), solving)
        else:
            self.summaries[members[0]] = self._summary(self.program.procs[members[0]])

    def _circle(self, index: int, callers: dict[int, set[int]]) -> set[int]:
        """A procedure, and those that both call it and are called by it."""
        return {
            index,
            *(other for other in self._above(index, callers) if index in self._above(other, callers)),
        }

    @staticmethod
    def _above(start: int, callers: dict[int, set[int]]) -> set[int]:
        """The procedures that a change of one may reach."""
        return closure(callers.get(start, ()), lambda i: callers.get(i, ()))

    def _move_decisions(self, before: IncrementalAnalysis, again: set[int]) -> bool:
        """Give the decisions that are carried over their spans in the texts as they are now."""
        for index, found in enumerate(self.found):
            if index in again:  # these have their spans
                continue
            old, new = before.spans[index], self.spans[index]
            # of reactions they are found anew
            kept = {site: decisions for site, decisions in found.decisions.items() if site != OUTSIDE}
            if kept and len(old) != len(new):
                return False
            if not all(d.span in old for decisions in kept.values() for d in decisions):
                return False
            moved = {
                site: [replace(d, span=new[old.index(d.span)]) for d in decisions]
                for site, decisions in kept.items()
            }
            self.found[index] = replace(found, decisions=moved)
        return True


def _calls(given: list[CallArguments]) -> list[object]:
    """The shape of calls."""
    return [(g.target.index, outline(g.values), outline(g.states)) for g in given]
