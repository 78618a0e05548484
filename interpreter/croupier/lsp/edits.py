"""Edits as values: new names, fixes, the canonical layout.  An edit is a place and the text that takes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from croupier.authoring.fmt import format_source
from croupier.authoring.fmt.format import FormatError
from croupier.diagnostics import Diagnostic, Source, Span, chosen_fixes
from croupier.limits import MAX_NAME
from croupier.lsp.references import BEHIND_DOT, NAMED, places_in_scenarios, places_of, symbol_at
from croupier.lsp.workspace import RulesetAnalysis, Workspace, analyse, real
from croupier.schema.leaves import IDENTIFIER_PATTERN
from croupier.semantics.symbol_index import Symbol

FIXED = {"builtin", "rule"}  # kinds of symbols whose names are not the author's to change here


class RefusedEdit(Exception):
    """An edit that cannot be made, with the reason in words."""


@dataclass(frozen=True)
class Edit:
    """A place and the text that takes it."""

    span: Span
    text: str


# ---------------------------------------------------------------- names
def nameable(workspace: Workspace, path: str, offset: int) -> tuple[Symbol, Span] | None:
    """The symbol at an offset and the place of its name, if it can be renamed."""
    found = symbol_at(workspace, path, offset)
    if found is None or found[0].kind in FIXED or found[1].text != found[0].name:
        return None
    analysis = workspace.analysis(path)
    declared = analysis is not None and any(use.defines for use in analysis.index.of(found[0]))
    return found if declared or found[0].kind != "local" else None  # a name that the language gives, as `claimant`


def rename(workspace: Workspace, path: str, offset: int, name: str) -> list[Edit]:
    """The edits that give the symbol at an offset another name everywhere.  Raises `Refused` where that would not be the same ruleset."""
    found = nameable(workspace, path, offset)
    if found is None:
        raise RefusedEdit("only what a ruleset declares can be renamed")
    symbol, _ = found
    if symbol.kind not in ("phase", "claim") and (not IDENTIFIER_PATTERN.match(name) or len(name) > MAX_NAME):
        raise RefusedEdit(f"`{name}` is not a name: letters, digits and `_`, at most {MAX_NAME}, beginning with a letter")
    if symbol.kind in ("phase", "claim") and (not name.strip() or any(c in name for c in ":#\n\"'{}[]") or name != name.strip()):
        raise RefusedEdit(f"`{name}` cannot be a title")
    if name == symbol.name:
        return []
    family = workspace.family(path)
    used = [module for a in family if a.doc is not None for module in a.doc.modules]
    elsewhere = {source.name for module in used for source in module.loaded.sources if real(source.name) != path}
    places = [span for span in places_of(family, symbol) if span.text == symbol.name and span.source.name not in elsewhere]
    given = {span for module in used for name_given, span in module.given.items() if name_given == symbol.name}
    places += () if symbol.kind in ("local", *NAMED) else sorted(given, key=lambda span: span.start)
    if symbol.kind == "cells" and not any(use.defines for a in family for use in a.index.of(symbol)):
        raise RefusedEdit(f"`{symbol.name}` is called so by the language: give the board a `cell:` to choose another name")
    edits = [Edit(span, name) for span in places]
    for analysis in family:
        _must_stay_right(workspace, analysis, edits)
    return edits + [Edit(span, name) for span in _in_scenarios(workspace, family, symbol)]


def _must_stay_right(workspace: Workspace, analysis: RulesetAnalysis, edits: list[Edit]) -> None:
    after = analyse(analysis.path, {**workspace.texts, **applied(edits)}, set_up=False)
    before = [d.code for d in analysis.diagnostics if d.is_error]
    for d in after.diagnostics:
        if d.is_error and d.code in before:
            before.remove(d.code)
        elif d.is_error:
            raise RefusedEdit(f"with that name the ruleset has a mistake: {d.message}")


def _in_scenarios(workspace: Workspace, family: list[RulesetAnalysis], symbol: Symbol) -> list[Span]:
    if symbol.kind in (*NAMED, *BEHIND_DOT) and _shared(family, symbol):
        return []  # what the name means there is not known without more: scenarios are left as they are
    roots = {real(a.doc.root) for a in family if a.doc is not None}
    return [span for root in sorted(roots) for span in places_in_scenarios(workspace, Path(root), symbol)]


def _shared(family: list[RulesetAnalysis], symbol: Symbol) -> bool:
    """Whether something else has the same name."""
    return any(s.name == symbol.name and s.owner != symbol.owner for a in family for s in a.index.about if s.kind not in ("local", "phase", "claim"))


def applied(edits: Iterable[Edit]) -> dict[str, str]:
    """The texts with the edits made, by path."""
    by_file: dict[str, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.span.source.name, []).append(edit)
    texts: dict[str, str] = {}
    for name, some in by_file.items():
        text = some[0].span.source.text
        for edit in sorted(some, key=lambda e: -e.span.start):
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        texts[real(name)] = text
    return texts


# ---------------------------------------------------------------- fixes and layout
def fixes_in(diagnostics: Iterable[Diagnostic], path: str, start: int, end: int) -> list[Diagnostic]:
    """The diagnostics of a file with a fix that touch a range."""
    return [
        d for d in diagnostics
        if d.fix is not None and d.span is not None and real(d.fix.span.source.name) == path and d.span.start <= end and start <= d.span.end
    ]  # fmt: skip


def all_safe_fixes(diagnostics: Iterable[Diagnostic], path: str, source: Source) -> list[Edit]:
    """The safe fixes of a file that can be applied together."""
    own = [d for d in diagnostics if d.fix is not None and real(d.fix.span.source.name) == path]
    same = [replace(d, fix=replace(d.fix, span=Span(source, d.fix.span.start, d.fix.span.end))) for d in own if d.fix is not None]
    return [Edit(d.fix.span, d.fix.replacement) for d in chosen_fixes(source, same) if d.fix is not None]


def layout(source: Source) -> Edit | None:
    """The edit that brings a file into the canonical layout; None if it is in it, or cannot be read."""
    try:
        text = format_source(source).text
    except FormatError:
        return None
    return Edit(source.span(0, len(source.text)), text) if text is not None and text != source.text else None
