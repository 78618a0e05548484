"""One mutant of a ruleset: the changed ruleset, made without a file, and whether it means the same."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from croupier.authoring.mutation.mutants import Mutant, Part, ReadTexts
from croupier.diagnostics import Diagnostic, RulesetError, Span
from croupier.pipeline import load
from croupier.resolve import ResolvedRuleset, open_ruleset
from croupier.resolve.loader import Switches, open_switches
from croupier.ruleset import Ruleset
from croupier.scenarios.api import scenarios_of
from croupier.scenarios.document import Scenario
from croupier.scenarios.files import Opened
from croupier.semantics.canonical import canonical_form, declared
from croupier.semantics.check import Checker
from croupier.semantics.infoflow.incremental import AnalysisMemory, IncrementalAnalysis
from croupier.semantics.lints import REFUSING
from croupier.semantics.program import Program

Limits = tuple[int, int, int]  # decisions, chance events, fuel


class RefusedMutant(Exception):
    """`check` refuses the changed ruleset; the code of the first error is the text."""


@dataclass(frozen=True)
class ScenarioTask:
    """A scenario, and what its file gives it."""

    opened: Opened
    scenario: Scenario
    subject: str


class Subject:
    """The ruleset of a name, and whatever its scenarios are played with.

    Raises `RulesetError` if it does not check.
    """

    def __init__(self, name: str | Path) -> None:
        self.base = load(name)
        self.texts = ReadTexts()
        self.docs: dict[str, Part] = {}
        self.switches: dict[str, Switches] = {}
        self._flows: dict[tuple[str, ...], IncrementalAnalysis | None] = {}
        self._unchanged: dict[tuple[str, Limits | None], UnchangedRuleset] = {}
        self.main = os.path.realpath(self.base.path)
        self.open(self.main, self.base.path)
        self._refuse_leaks()
        self.tasks: list[ScenarioTask] = []
        for opened in scenarios_of(name):
            if opened.document is None or opened.ruleset is None or any(d.is_error for d in opened.found):
                raise RulesetError(opened.found)
            key = os.path.realpath(opened.ruleset.path)
            if key == self.main or self.main in self.open(key, opened.ruleset.path):
                self.tasks += [ScenarioTask(opened, s, key) for s in opened.document.scenarios]

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

    def _refuse_leaks(self) -> None:
        """Raise `RulesetError` if a lint refuses the ruleset as it is: it would refuse every mutant, too."""
        checker = self._checker(self.docs[self.main])
        checker.run()
        checker.lint(REFUSING)
        if any(d.is_error for d in checker.found):
            raise RulesetError([d for d in checker.found if d.is_error])

    @property
    def own_sources(self) -> frozenset[str]:
        """The files whose clauses are changed: of a variant its own, of others all but those of modules,
        which have scenarios themselves.
        """
        doc = self.docs[self.main]
        of_modules = {source.name for used in doc.modules for source in used.loaded.sources}
        return (
            frozenset([doc.sources[0].name])
            if doc.variant_of is not None
            else frozenset(s.name for s in doc.sources) - of_modules
        )

    # ------------------------------------------------------------ as it is
    def unchanged(self, key: str, limits: Limits | None) -> UnchangedRuleset:
        """A ruleset without any mutant, under limits; made once."""
        if (key, limits) not in self._unchanged:
            self._unchanged[key, limits] = UnchangedRuleset(self._ruleset(key, None, limits))
        return self._unchanged[key, limits]

    def _flow(self, doc: ResolvedRuleset) -> IncrementalAnalysis | None:
        """The information flow of a document without mutants in its texts; `None` if it does not check."""
        key = tuple(source.name for source in doc.sources)
        if key not in self._flows:
            checker = self._checker(doc)
            program = checker.run()
            self._flows[key] = IncrementalAnalysis(program, None) if checker.is_playable else None
        return self._flows[key]

    # ------------------------------------------------------------ with a mutant
    def changed(self, key: str, mutant: Mutant, limits: Limits | None) -> Ruleset:
        """A ruleset with a mutant in it, checked as `check` does. Raises `RefusedMutant`.

        Variants that can be switched on while nothing is changed have to fit still, and games have to be set
        up with any number of players. A set-up reads nothing but declarations: where these are as they were,
        it is not tried.
        """
        ruleset, base = self._ruleset(key, mutant, limits), self.unchanged(key, limits)
        try:
            for name in base.ruleset.switchable:
                ruleset.program_with((name,))
            if base.declared is None or declared(ruleset.program_for({})) != base.declared:
                for players in ruleset.players:
                    ruleset.set_up(players, {}, compiled=False)
        except RulesetError as error:
            raise RefusedMutant(error.diagnostics[0].code) from None
        return ruleset

    def _ruleset(self, key: str, mutant: Mutant | None, limits: Limits | None) -> Ruleset:
        """A ruleset of which only the rules are checked, not what is switched on. Raises `RefusedMutant`."""
        doc = self.docs[key]

        def check(doc: ResolvedRuleset) -> tuple[Program, list[Diagnostic]]:
            return self._check(doc, mutant, limits)

        program, found = check(doc)
        errors = [d.code for d in found if d.is_error]
        if errors:
            raise RefusedMutant(errors[0])
        return Ruleset(program, doc.path, switches=self.switches[key], check=check)

    def _check(
        self, doc: ResolvedRuleset, mutant: Mutant | None, limits: Limits | None
    ) -> tuple[Program, list[Diagnostic]]:
        """The rules of a document, with a mutant in them and under limits.

        Of the lints only those run that refuse a mutant.
        """
        is_edited = mutant is not None and mutant.text is None
        checker = self._checker(edited(doc, mutant) if mutant is not None and is_edited else doc)
        if mutant is not None and (not is_edited or any(doc is known for known in self.docs.values())):
            checker.memory = AnalysisMemory(self._flow(doc))
        self.texts.mutant = mutant
        try:
            program = checker.run()
        finally:
            self.texts.mutant = None
        if mutant is not None:
            checker.lint(REFUSING)
        if limits is not None:
            names = ("decisions", "chance", "fuel")
            program.limits |= {
                name: min(program.limits[name], limit) for name, limit in zip(names, limits, strict=True)
            }
        return program, checker.found

    def _checker(self, doc: ResolvedRuleset) -> Checker:
        checker = Checker(doc)
        checker.ctx.reader = self.texts
        return checker


class UnchangedRuleset:
    """A ruleset as it is: what mutants of it are compared with."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    @cached_property
    def form(self) -> str:
        """The canonical form of the rules: a mutant of the same form is none."""
        return canonical_form(self.ruleset.program)

    @cached_property
    def declared(self) -> object:
        """The shape of all that setting up a game reads; `None` if no game can be set up."""
        try:
            for players in self.ruleset.players:
                self.ruleset.set_up(players, {}, compiled=False)
        except RulesetError:
            return None
        return declared(self.ruleset.program_for({}))


def edited(doc: Part, mutant: Mutant) -> Part:
    """A document without the row or the audience of a mutant."""
    if mutant.operator == "row":
        return dataclasses.replace(doc, components=tuple(_without_row(doc.components, mutant.span)))
    lost = {}
    for section in ("zones", "boards", "state"):
        lost[section] = tuple(
            (name, _without_audience(thing, mutant.span)) for name, thing in getattr(doc, section)
        )
    return dataclasses.replace(doc, **lost)


def _same(a: Span, b: Span) -> bool:
    return (a.source.name, a.start, a.end) == (b.source.name, b.start, b.end)


def _without_row(components: Part, span: Span) -> Iterator[tuple[object, Part]]:
    for name, c in components:
        rows = c.rows
        kept = tuple(row for row in rows if not _same(row.span, span))
        yield (
            name,
            c
            if len(kept) == len(rows)
            else c.model_copy(update={"table": dataclasses.replace(c.table, rows=kept)}),
        )


def _without_audience(thing: Part, span: Span) -> object:
    for key in ("seen_by", "counted_by"):
        audience = getattr(thing, key, None)
        if audience is not None and _same(audience.span, span):
            return thing.model_copy(update={key: None})
    stack = getattr(thing, "stack", None)
    if stack is not None:
        inner = _without_audience(stack, span)
        return thing if inner is stack else thing.model_copy(update={"stack": inner})
    return thing
