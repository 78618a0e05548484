"""The analysis of a ruleset for an editor.

The stages of `pipeline.check`, in the same order, with unsaved texts and a checker that notes the symbols of
names.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from croupier.authoring.rulebook.places import Places, places_of
from croupier.diagnostics import Diagnostic, RulesetError, Source
from croupier.lsp.symbols import RulesetIndex, build_index
from croupier.pipeline import set_up_problems, with_switches
from croupier.resolve import open_ruleset
from croupier.resolve.attribution import UNUSED_CODES
from croupier.resolve.resolved import ResolvedRuleset
from croupier.scenarios import check_scenarios
from croupier.semantics.canonical import declared
from croupier.semantics.context import FileReader
from croupier.semantics.infoflow.incremental import AnalysisMemory
from croupier.semantics.program import Program
from croupier.semantics.symbol_index import SymbolIndex, check_with_index
from croupier.source.files import buffers


def real_path(name: str | Path) -> str:
    """The real absolute path of a file, which identifies it."""
    return os.path.abspath(name)


@dataclass
class RulesetAnalysis:
    """The analysis of a ruleset or a file of scenarios.  `texts` are those that were analysed, by path."""

    path: str
    diagnostics: tuple[Diagnostic, ...]
    doc: ResolvedRuleset | None = None
    program: Program | None = None
    notes: SymbolIndex = field(default_factory=SymbolIndex)
    index: RulesetIndex = field(default_factory=RulesetIndex)
    sources: dict[str, Source] = field(default_factory=dict)

    @cached_property
    def told(self) -> Places | None:
        """The places in the rulebook that tell each clause; `None` of a ruleset that has errors."""
        if self.doc is None or self.program is None or any(d.is_error for d in self.diagnostics):
            return None
        try:
            return places_of(with_switches(self.program, self.doc)[0])
        except RulesetError:
            return None

    def by_file(self) -> dict[str, list[Diagnostic]]:
        """The diagnostics by file; those without a place belong to the file itself."""
        found: dict[str, list[Diagnostic]] = {name: [] for name in (self.path, *self.sources)}
        for d in self.diagnostics:
            found.setdefault(real_path(d.span.source.name) if d.span is not None else self.path, []).append(d)
        return found

    def is_file(self, name: str, path: str) -> bool:
        """Tell whether a source of this name is the file at a path."""
        source = self.sources.get(path)
        return source is not None and source.name == name

    def source(self, path: str) -> Source | None:
        """The text of a file as it was analysed."""
        return self.sources.get(path)


@dataclass
class AnalysisCache:
    """Results for former texts of a ruleset that make the next analysis faster and change nothing else."""

    flow: AnalysisMemory = field(default_factory=AnalysisMemory)
    reader: FileReader = field(default_factory=FileReader)
    set_up: object = None  # the shape of the last declarations with which every game can be set up


def analyse(
    path: str, texts: Mapping[str, str], *, set_up: bool = True, cache: AnalysisCache | None = None
) -> RulesetAnalysis:
    """Analyse the ruleset or variant at a path; `texts` are used instead of unsaved files.

    `set_up`: also check whether a game can be set up, as `croupier check` does.
    """
    cache = AnalysisCache() if cache is None else cache
    with buffers({Path(name): text for name, text in texts.items()}):
        doc, found = open_ruleset(Path(path))
        if doc is None:
            return RulesetAnalysis(path, tuple(found))
        program, more, notes = check_with_index(doc, cache.flow, cache.reader)
        diagnostics = [*found, *more]
        # variants, which are not analysed here, may use what these rules do not
        if any(p.switches for p in program.params.values()):
            diagnostics = [d for d in diagnostics if d.code not in UNUSED_CODES]
        if set_up and not any(d.is_error for d in diagnostics):
            diagnostics += _set_up_problems(program, doc, cache)
    sources = {real_path(source.name): source for source in doc.sources}
    return RulesetAnalysis(
        path, tuple(diagnostics), doc, program, notes, build_index(doc, program, notes), sources
    )


def _set_up_problems(program: Program, doc: ResolvedRuleset, cache: AnalysisCache) -> Sequence[Diagnostic]:
    """Return the reasons why games cannot be set up.

    It depends on declarations only, so it is cached by the shape of declarations with which all games can.
    """
    form = declared(program)
    if form == cache.set_up:
        return ()
    ruleset, problems = with_switches(program, doc)
    if not any(d.is_error for d in problems):
        try:
            problems += set_up_problems(ruleset)
        except RulesetError as error:  # a default switches a variant on, and that is wrong
            problems += error.diagnostics
    if not problems:
        cache.set_up = form
    return problems


def analyse_scenarios(path: str, texts: Mapping[str, str]) -> RulesetAnalysis:
    """The analysis of a file of scenarios, without their results."""
    with buffers({Path(name): text for name, text in texts.items()}):
        try:
            return RulesetAnalysis(path, tuple(check_scenarios(Path(path))))
        except RulesetError as error:
            return RulesetAnalysis(path, error.diagnostics)
