"""One ruleset as an editor sees it: unsaved texts first, everything noted, every diagnostic by file.

The same stages as `load.check`, in the same order, with the checker that takes notes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.diagnostics import Diagnostic, RulesetError, Source
from croupier.lsp.symbols import Index, build_index
from croupier.pipeline import set_up_problems, with_switches
from croupier.resolve import open_ruleset
from croupier.resolve.attribution import UNUSED_CODES
from croupier.resolve.resolved import ResolvedRuleset
from croupier.scenarios import check_scenarios
from croupier.semantics.canonical import declared
from croupier.semantics.infoflow.kept import Memory
from croupier.semantics.program import Program
from croupier.semantics.symbol_index import SymbolIndex, check_with_index
from croupier.source.files import buffers


def real(name: str | Path) -> str:
    """The absolute path of a file by which texts, diagnostics and places are told apart."""
    return os.path.abspath(name)


@dataclass
class Analysis:
    """What is known about a ruleset or a file of scenarios.  `texts` are those that it was made of, by path."""

    path: str
    diagnostics: tuple[Diagnostic, ...]
    doc: ResolvedRuleset | None = None
    program: Program | None = None
    notes: SymbolIndex = field(default_factory=SymbolIndex)
    index: Index = field(default_factory=Index)
    sources: dict[str, Source] = field(default_factory=dict)

    def by_file(self) -> dict[str, list[Diagnostic]]:
        """The diagnostics by file; those without a place belong to the file itself."""
        found: dict[str, list[Diagnostic]] = {name: [] for name in (self.path, *self.sources)}
        for d in self.diagnostics:
            found.setdefault(real(d.span.source.name) if d.span is not None else self.path, []).append(d)
        return found

    def is_file(self, name: str, path: str) -> bool:
        """Whether a source of this name is the file at a path."""
        source = self.sources.get(path)
        return source is not None and source.name == name

    def source(self, path: str) -> Source | None:
        """The text of a file as it was analysed."""
        return self.sources.get(path)


@dataclass
class Kept:
    """What was found out about former texts of a ruleset, and changes only how long it takes to look at the next one."""

    flow: Memory = field(default_factory=Memory)
    set_up: Any = None  # the shape of the last declarations with which every game can be set up


def analyse(path: str, texts: Mapping[str, str], *, set_up: bool = True, kept: Kept | None = None) -> Analysis:
    """Analyse the ruleset or variant at a path; `texts` stand for files that are not saved.

    `set_up`: also try whether a game can be set up, as `croupier check` does.
    """
    kept = Kept() if kept is None else kept
    with buffers({Path(name): text for name, text in texts.items()}):
        doc, found = open_ruleset(Path(path))
        if doc is None:
            return Analysis(path, tuple(found))
        program, more, notes = check_with_index(doc, kept.flow)
        diagnostics = [*found, *more]
        if any(p.switches for p in program.params.values()):  # variants that are not looked at here may use what these rules do not
            diagnostics = [d for d in diagnostics if d.code not in UNUSED_CODES]
        if set_up and not any(d.is_error for d in diagnostics):
            diagnostics += _set_up_problems(program, doc, kept)
    sources = {real(source.name): source for source in doc.sources}
    return Analysis(path, tuple(diagnostics), doc, program, notes, build_index(doc, program, notes), sources)


def _set_up_problems(program: Program, doc: ResolvedRuleset, kept: Kept) -> Sequence[Diagnostic]:
    """Why games cannot be set up. The rules themselves are not looked at: with the declarations of a ruleset that could be, there is nothing."""
    last = kept.flow.last
    form = last.declared if last is not None and last.program is program else declared(program)
    if form == kept.set_up:
        return ()
    ruleset, problems = with_switches(program, doc)
    if not any(d.is_error for d in problems):
        try:
            problems += set_up_problems(ruleset)
        except RulesetError as error:  # a default switches a variant on, and that is wrong
            problems += error.diagnostics
    if not problems:
        kept.set_up = form
    return problems


def analyse_scenarios(path: str, texts: Mapping[str, str]) -> Analysis:
    """What is wrong with a file of scenarios, without running them for their results."""
    with buffers({Path(name): text for name, text in texts.items()}):
        try:
            return Analysis(path, tuple(check_scenarios(Path(path))))
        except RulesetError as error:
            return Analysis(path, error.diagnostics)
