"""The ruleset that is changed, with its scenarios and those of its variants: opened and read once, checked again for each mutant."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from croupier.authoring.mutate.operators import Mutant
from croupier.authoring.mutate.reading import Texts
from croupier.diagnostics import Diagnostic, RulesetError, Span
from croupier.load import Ruleset, load
from croupier.resolve import ResolvedRuleset, open_ruleset
from croupier.resolve.switches import Switches, open_switches
from croupier.scenarios.api import scenarios_of
from croupier.scenarios.document import Scenario
from croupier.scenarios.files import Opened
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
            checker.reader = self.texts
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
