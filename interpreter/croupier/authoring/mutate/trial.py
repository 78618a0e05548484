"""One mutant: the changed ruleset, made without a file, and the scenarios that execute the clause."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from croupier.authoring.mutate.mutants import Mutant, Place, Texts, mutants_of
from croupier.authoring.mutate.report import Verdict
from croupier.diagnostics import Diagnostic, RulesetError, Span, diagnose
from croupier.pipeline import load
from croupier.resolve import ResolvedRuleset, open_ruleset
from croupier.resolve.loader import Switches, open_switches
from croupier.ruleset import Ruleset
from croupier.scenarios.api import scenarios_of
from croupier.scenarios.context import Games
from croupier.scenarios.document import Scenario
from croupier.scenarios.files import Opened
from croupier.scenarios.running import ScenarioRunner
from croupier.semantics.canonical import canonical_form
from croupier.semantics.check import Checker
from croupier.semantics.program import Program

Limits = tuple[int, int, int]  # decisions, chance events, fuel


class Refused(Exception):
    """`check` refuses the changed ruleset; the code of the first error is the text."""


@dataclass(frozen=True)
class Task:
    """A scenario, and what its file gives it."""

    opened: Opened
    scenario: Scenario
    subject: str


class Subject:
    """The ruleset of a name, and whatever its scenarios are played with. Raises `RulesetError` if it does not check."""

    def __init__(self, name: str | Path) -> None:
        self.base = load(name)
        self.texts = Texts()
        self.docs: dict[str, Any] = {}
        self.switches: dict[str, Switches] = {}
        self._switchable: dict[str, tuple[str, ...]] = {}
        self.main = os.path.realpath(self.base.path)
        self.open(self.main, self.base.path)
        self.tasks: list[Task] = []
        for opened in scenarios_of(name):
            if opened.document is None or opened.ruleset is None or any(d.is_error for d in opened.found):
                raise RulesetError(opened.found)
            key = os.path.realpath(opened.ruleset.path)
            if key == self.main or self.main in self.open(key, opened.ruleset.path):
                self.tasks += [Task(opened, s, key) for s in opened.document.scenarios]

    def open(self, key: str, path: Path) -> set[str]:
        """Read a ruleset; the files that it is made of."""
        if key not in self.docs:
            doc, found = open_ruleset(str(path))
            if doc is None:
                raise RulesetError(found)
            self.docs[key] = doc
            self.switches[key], more = open_switches(doc)
            if any(d.is_error for d in more):
                raise RulesetError(more)
        return {os.path.realpath(source.name) for source in self.docs[key].sources}

    @property
    def own_sources(self) -> frozenset[str]:
        """The files whose clauses are changed: of a variant its own, of any other ruleset all of them."""
        doc = self.docs[self.main]
        return frozenset([doc.sources[0].name]) if doc.variant_of is not None else frozenset(s.name for s in doc.sources)

    def switchable(self, key: str) -> tuple[str, ...]:
        """The variants that can be switched on as long as nothing is changed."""
        if key not in self._switchable:
            self._switchable[key] = load(self.docs[key].path).switchable
        return self._switchable[key]

    def changed(self, key: str, mutant: Mutant | None, limits: Limits | None = None) -> Ruleset:
        """A ruleset with a mutant in it. Raises `Refused`."""
        doc = self.docs[key]

        def checked(doc: ResolvedRuleset) -> tuple[Program, list[Diagnostic]]:
            if mutant is not None and mutant.text is None:
                doc = edited(doc, mutant)
            self.texts.mutant = mutant
            checker = Checker(doc)
            checker.ctx.reader = self.texts
            try:
                program = checker.run()
            finally:
                self.texts.mutant = None
            if limits is not None:
                names = ("decisions", "chance", "fuel")
                program.limits |= {name: min(program.limits[name], limit) for name, limit in zip(names, limits, strict=True)}
            return program, checker.found

        program, found = checked(doc)
        errors = [d.code for d in found if d.severity == "error"]
        if errors:
            raise Refused(errors[0])
        ruleset = Ruleset(program, doc.path, switches=self.switches[key], check=checked)
        try:
            for name in self.switchable(key):
                ruleset.program_with((name,))
            for players in ruleset.players:
                ruleset.set_up(players, {}, compiled=False)
        except RulesetError as error:
            raise Refused(error.diagnostics[0].code) from None
        return ruleset


def edited(doc: Any, mutant: Mutant) -> Any:
    """A document without the row or the audience of a mutant."""
    if mutant.operator == "row":
        return dataclasses.replace(doc, components=tuple(_without_row(doc.components, mutant.span)))
    lost = {}
    for section in ("zones", "boards", "state"):
        lost[section] = tuple((name, _without_audience(thing, mutant.span)) for name, thing in getattr(doc, section))
    return dataclasses.replace(doc, **lost)


def _same(a: Span, b: Span) -> bool:
    return (a.source.name, a.start, a.end) == (b.source.name, b.start, b.end)


def _without_row(components: Any, span: Span) -> Iterator[tuple[Any, Any]]:
    for name, c in components:
        rows = c.table.rows if c.table is not None else ()
        kept = tuple(row for row in rows if not _same(row.span, span))
        yield name, c if len(kept) == len(rows) else c.model_copy(update={"table": dataclasses.replace(c.table, rows=kept)})


def _without_audience(thing: Any, span: Span) -> Any:
    for key in ("seen_by", "counted_by"):
        audience = getattr(thing, key, None)
        if audience is not None and _same(audience.span, span):
            return thing.model_copy(update={key: None})
    stack = getattr(thing, "stack", None)
    if stack is not None:
        inner = _without_audience(stack, span)
        return thing if inner is stack else thing.model_copy(update={"stack": inner})
    return thing


# ---------------------------------------------------------------- trial
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
