"""Trying a mutant: the scenarios that execute its clause, the likeliest to notice first, until one fails."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

from croupier.authoring.mutate.operators import Mutant, Place
from croupier.authoring.mutate.report import Verdict
from croupier.authoring.mutate.sites import mutants_of
from croupier.authoring.mutate.subject import Limits, Refused, Subject, Task
from croupier.diagnostics import Diagnostic, RulesetError, diagnose
from croupier.load import Ruleset
from croupier.scenarios.context import Games
from croupier.scenarios.running import ScenarioRunner
from croupier.semantics.canonical import canonical_form

TIGHT: tuple[Limits | None, ...] = ((300, 300, 20_000), (2_000, 2_000, 200_000), None)
"""Limits of a game while mutants are tried, the first under which all scenarios pass; a mutant without end stops soon."""


@dataclass(frozen=True)
class Known:
    """What a scenario executes in the ruleset as it is, the rules that it lists, and how many places it comes to."""

    task: Task
    executed: frozenset[Place]
    cites: frozenset[str]
    alike: int = 0  # how many scenarios are played with the same set-up


class Bench:
    """Everything that trying a mutant needs. Raises `RulesetError` if a scenario fails without any mutant."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.mutants = mutants_of(subject.base.program, subject.texts, subject.own_sources)
        self.limits: Limits | None = None
        failed: list[Diagnostic] = []
        for limits in TIGHT:
            self.limits, failed = limits, []
            self.known = self._first_run(failed)
            if not failed:
                return
        raise RulesetError(failed)

    def _first_run(self, failed: list[Diagnostic]) -> list[Known]:
        runner = Runner(self.subject, None, self.limits)
        known: list[Known] = []
        used: list[tuple[int, ...]] = []
        for task in self.subject.tasks:
            failed += runner.run(task)
            if failed and self.limits is not None:
                return []  # too tight, perhaps: the next ones are to tell
            traces = runner.games[task.subject].used()
            used.append(tuple(map(id, traces)))
            spots = [spot for trace in traces for spot in trace.executed() if spot.kind != "set-up"]
            executed = frozenset((spot.span.source.name, spot.span.start) for spot in spots)
            known.append(Known(task, executed, frozenset(cite.text for cite in task.scenario.cites)))
        alike = Counter(used)
        return [replace(k, alike=alike[traces]) for k, traces in zip(known, used, strict=True)]

    def order(self, mutant: Mutant) -> list[Known]:
        """The scenarios to run: those that list a rule of the clause first, then those with a common set-up, then those that do little else."""
        chosen = [k for k in self.known if mutant.clause is None or mutant.clause & k.executed]
        exact = (mutant.span.source.name, mutant.span.start)
        return sorted(chosen, key=lambda k: (k.cites.isdisjoint(mutant.rules), exact not in k.executed, -k.alike, len(k.executed)))

    def judge(self, index: int) -> Verdict:
        """What becomes of a mutant."""
        mutant = self.mutants[index]
        runner = Runner(self.subject, mutant, self.limits)
        ran = 0
        try:
            runner.ruleset(self.subject.main)
            for known in self.order(mutant):
                ran += 1
                if runner.run(known.task):
                    return Verdict(index, "killed", known.task.scenario.id.text, ran)
        except Refused as refused:
            return Verdict(index, "refused", str(refused), ran)
        same = canonical_form(runner.ruleset(self.subject.main).program) == self.form
        return Verdict(index, "unchanged" if same else "survived", "", ran)

    @cached_property
    def form(self) -> str:
        """The canonical form of the rules as they are: a mutant of the same form is none."""
        return canonical_form(self.subject.changed(self.subject.main, None, self.limits).program)


class Runner:
    """Runs scenarios with a mutant; each ruleset is checked and set up when it is first needed."""

    def __init__(self, subject: Subject, mutant: Mutant | None, limits: Limits | None) -> None:
        self.subject, self.mutant, self.limits = subject, mutant, limits
        self.games: dict[str, Games] = {}

    def ruleset(self, key: str) -> Ruleset:
        """Raises `Refused`."""
        if key not in self.games:
            self.games[key] = Games(self.subject.changed(key, self.mutant, self.limits), traced=self.mutant is None)
        return self.games[key].ruleset

    def run(self, task: Task) -> list[Diagnostic]:
        """What is wrong in a scenario, nothing if it passes. Raises `Refused`."""
        ruleset, document = self.ruleset(task.subject), task.opened.document
        assert document is not None
        runner = ScenarioRunner(ruleset, self.games[task.subject], document.given, document.chance is not None)
        for scenario in document.scenarios:
            if scenario is task.scenario:
                break
            runner.earlier[scenario.id.text] = scenario
        try:
            return runner.run(task.scenario)
        except RecursionError:
            return [diagnose("K107", task.scenario.id.span, reason="it calls itself without end")]
