"""The trial of mutants: the scenarios that execute the clause of a mutant are run until one fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from croupier.authoring.mutation.mutants import Mutant, SourceLocation, mutants_of
from croupier.authoring.mutation.report import Verdict
from croupier.authoring.mutation.subject import Limits, RefusedMutant, ScenarioTask, Subject
from croupier.diagnostics import Diagnostic, RulesetError, diagnose
from croupier.ruleset import Ruleset
from croupier.scenarios.running import ScenarioRunner
from croupier.scenarios.settings import Games
from croupier.semantics.canonical import canonical_form

TIGHT: tuple[Limits | None, ...] = ((300, 300, 20_000), (2_000, 2_000, 200_000), None)
"""Limits of a game while mutants are tried, the first under which all scenarios pass; a mutant without end
stops soon.
"""


@dataclass(frozen=True)
class ScenarioTrace:
    """The clauses that a scenario, by its number among the tasks, executes in the ruleset as it is, and the
    rules that it lists.
    """

    task: int
    executed: frozenset[SourceLocation]
    cites: frozenset[str]
    alike: int = 0  # how many scenarios are played with the same set-up


Progress = Callable[[int, int], None]
"""Told how many of how many are done."""


def untold(done: int, of: int) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True)
class FirstRun:
    """The scenarios as they are run without any mutant: what each executes, in their order, under the
    tightest limits that let all pass.
    """

    limits: Limits | None
    traces: tuple[ScenarioTrace, ...]


class Bench:
    """Everything that trying a mutant needs.

    The scenarios are run once as they are when a mutant is first tried, unless a `first` run is given.
    """

    def __init__(self, subject: Subject, first: FirstRun | None = None, progress: Progress = untold) -> None:
        self.subject, self._progress = subject, progress
        self.mutants = mutants_of(subject.base.program, subject.texts, subject.own_sources)
        self._given = first

    @cached_property
    def first(self) -> FirstRun:
        """The first run. Raises `RulesetError` if a scenario fails without any mutant."""
        if self._given is not None:
            return self._given
        failed: list[Diagnostic] = []
        for limits in TIGHT:
            failed = []
            known = self._first_run(failed, limits)
            if not failed:
                return FirstRun(limits, known)
        note = "mutants are tried with scenarios that pass; `croupier test` shows all that fail"
        raise RulesetError(
            [replace(d, notes=(*d.notes, note)) if i == len(failed) - 1 else d for i, d in enumerate(failed)]
        )

    def _first_run(self, failed: list[Diagnostic], limits: Limits | None) -> tuple[ScenarioTrace, ...]:
        runner = Runner(self.subject, None, limits)
        known: list[ScenarioTrace] = []
        used: list[tuple[int, ...]] = []
        for number, task in enumerate(self.subject.tasks):
            self._progress(number, len(self.subject.tasks))
            failed += runner.run(task)
            if failed and limits is not None:
                return ()  # too tight, perhaps: the next ones are to tell
            traces = runner.games[task.subject].used()
            used.append(tuple(map(id, traces)))
            spots = [spot for trace in traces for spot in trace.executed() if spot.kind != "set-up"]
            executed = frozenset((spot.span.source.name, spot.span.start) for spot in spots)
            known.append(
                ScenarioTrace(number, executed, frozenset(cite.text for cite in task.scenario.cites))
            )
        alike = Counter(used)
        return tuple(replace(k, alike=alike[traces]) for k, traces in zip(known, used, strict=True))

    def order(self, mutant: Mutant) -> list[ScenarioTrace]:
        """The scenarios to run: those that list a rule of the clause first, then those with a common set-up,
        then those that do little else.
        """
        chosen = [k for k in self.first.traces if mutant.clause is None or mutant.clause & k.executed]
        exact = (mutant.span.source.name, mutant.span.start)

        def promise(trace: ScenarioTrace) -> tuple[bool, bool, int, int]:
            cites_none = trace.cites.isdisjoint(mutant.rules)
            return cites_none, exact not in trace.executed, -trace.alike, len(trace.executed)

        return sorted(chosen, key=promise)

    def judge(self, index: int) -> Verdict:
        """Try a mutant: run scenarios until one fails."""
        mutant, in_order = self.mutants[index], self.order(self.mutants[index])
        runner = Runner(self.subject, mutant, self.first.limits)
        ran = 0
        try:
            runner.ruleset(self.subject.main)
            for known in in_order:
                ran += 1
                task = self.subject.tasks[known.task]
                if runner.run(task):
                    return Verdict(index, "killed", task.scenario.id.text, ran)
        except RefusedMutant as refused:
            return Verdict(index, "refused", str(refused), ran)
        form = canonical_form(runner.ruleset(self.subject.main).program)
        same = form == self.subject.unchanged(self.subject.main, self.first.limits).form
        return Verdict(index, "unchanged" if same else "survived", "", ran)


class Runner:
    """Runs scenarios with a mutant; each ruleset is checked and set up when it is first needed."""

    def __init__(self, subject: Subject, mutant: Mutant | None, limits: Limits | None) -> None:
        self.subject, self.mutant, self.limits = subject, mutant, limits
        self.games: dict[str, Games] = {}

    def ruleset(self, key: str) -> Ruleset:
        """Raises `RefusedMutant`."""
        if key not in self.games:
            if self.mutant is None:
                ruleset = self.subject.unchanged(key, self.limits).ruleset
            else:
                ruleset = self.subject.changed(key, self.mutant, self.limits)
            self.games[key] = Games(ruleset, traced=self.mutant is None)
        return self.games[key].ruleset

    def run(self, task: ScenarioTask) -> list[Diagnostic]:
        """Return the diagnostics of a scenario, which are none if it passes. Raises `RefusedMutant`."""
        ruleset, document = self.ruleset(task.subject), task.opened.document
        assert document is not None
        runner = ScenarioRunner(
            ruleset, self.games[task.subject], document.given, document.chance is not None
        )
        for scenario in document.scenarios:
            if scenario is task.scenario:
                break
            runner.earlier[scenario.id.text] = scenario
        try:
            return runner.run(task.scenario)
        except RecursionError:
            return [diagnose("K107", task.scenario.id.span, reason="it calls itself without end")]
