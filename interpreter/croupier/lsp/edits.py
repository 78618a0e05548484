"""The declarations and uses of a name, in a ruleset, its variants and scenarios; and edits: rename, fixes,
the canonical layout.

An edit is a value: a span and its new text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from croupier.authoring.fmt import format_source
from croupier.authoring.fmt.format import FormatError
from croupier.authoring.fmt.kinds import Kinds, kinds_of
from croupier.authoring.fmt.meaning import rule_text
from croupier.diagnostics import Diagnostic, Source, Span, chosen_fixes
from croupier.limits import MAX_NAME
from croupier.lsp.analysis import RulesetAnalysis, analyse, real_path
from croupier.lsp.hover import use_at
from croupier.lsp.workspace import Workspace
from croupier.scenarios.files import files_in
from croupier.schema.leaves import IDENTIFIER_PATTERN
from croupier.semantics.symbol_index import Symbol
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence, read
from croupier.syntax.parser import code_tokens


# ---------------------------------------------------------------- declarations and uses, in a ruleset and its
# variants
def symbol_at(workspace: Workspace, path: str, offset: int) -> tuple[Symbol, Span] | None:
    """The symbol at an offset of a file, and the span of its name there."""
    analysis = workspace.analysis(path)
    use = use_at(analysis, path, offset) if analysis is not None else None
    return (use.symbol, use.span) if use is not None else None


def definition(workspace: Workspace, path: str, offset: int) -> list[Span]:
    """The spans where the symbol at an offset is declared.

    For a declaration that replaces another, that of the other.
    """
    found = symbol_at(workspace, path, offset)
    analysis = workspace.analysis(path)
    if found is None or analysis is None:
        return []
    symbol, here = found
    declared = [use.span for use in analysis.index.of(symbol) if use.defines]
    others = [span for span in declared if span != here]
    if len(others) < len(declared):
        return others or _replaced(workspace, path, symbol, here) or declared
    span = analysis.index.declarations.get(symbol)
    return [span] if span is not None else declared


def _replaced(workspace: Workspace, path: str, symbol: Symbol, here: Span) -> list[Span]:
    """The spans of a declaration in what this file extends, if the declaration `here` replaces it: a row of a
    table.
    """
    analysis = workspace.analysis(path)
    below = (
        {source.name for source in analysis.doc.sources}
        if analysis is not None and analysis.doc is not None
        else set()
    )
    uses = [use for a in workspace.related_rulesets(path) for use in a.index.of(symbol) if use.defines]
    return list(
        dict.fromkeys(
            use.span
            for use in uses
            if use.span.source.name in below and use.span.source.name != here.source.name
        )
    )


def references(workspace: Workspace, path: str, offset: int, *, declarations: bool = True) -> list[Span]:
    """Every span of the symbol at an offset, in the ruleset, what it extends and its variants, each once."""
    found = symbol_at(workspace, path, offset)
    if found is None:
        return []
    return spans_of(workspace.related_rulesets(path), found[0], declarations=declarations)


def spans_of(analyses: list[RulesetAnalysis], symbol: Symbol, *, declarations: bool = True) -> list[Span]:
    """Every span of a symbol in some analyses, each once, in the order of files and offsets."""
    seen: dict[tuple[str, int, int], Span] = {}
    for analysis in analyses:
        for use in analysis.index.of(symbol):
            if declarations or not use.defines:
                seen.setdefault((use.span.source.name, use.span.start, use.span.end), use.span)
    return [seen[key] for key in sorted(seen)]


# ---------------------------------------------------------------- scenario names
# Uses of a ruleset's names in scenarios: keys of positions and parameters, phases, names in facts.
# keys whose own keys are such names
GROUPS = {"zone": ("zones",), "state": ("state",), "parameter": ("parameters",)}
SIGHT = ("sees", "hidden")  # seat -> zone or state
IN_FACTS = ("zone", "state", "parameter", "definition", "value", "id")
BEHIND_DOT = ("attribute", "column", "field")
# keys below which values and components stand
VALUED = ("state", "parameters", "zones", "do", "play", *SIGHT)
NAMED = ("value", "id")


def spans_in_scenarios(workspace: Workspace, root: Path, symbol: Symbol) -> list[Span]:
    """The spans of a symbol in the scenario files of a ruleset's folder."""
    found: list[Span] = []
    for path in files_in(root)[0]:
        source = workspace.source(real_path(path))
        tree = read(Source(real_path(path), source.text))[0] if source is not None else None
        if tree is not None:
            kinds = kinds_of(tree)
            found += _walk(tree, symbol, kinds, ())
    return found


def _walk(node: YamlNode, symbol: Symbol, kinds: Kinds, path: tuple[str, ...]) -> Iterator[Span]:
    if isinstance(node, YamlSequence):
        for item in node.items:
            yield from _walk(item, symbol, kinds, path)
    elif isinstance(node, YamlMapping):
        for key, value in node.entries:
            under = path[-1:] if path else ()
            named = under and under[0] in GROUPS.get(symbol.kind, ())
            seen = symbol.kind in ("zone", "state") and len(path) > 1 and path[-2] in SIGHT
            if (named or seen) and key.text == symbol.name and key.span.text == key.text:
                yield key.span
            if (
                symbol.kind == "phase"
                and key.text == "at"
                and isinstance(value, YamlScalar)
                and value.text == symbol.name == value.span.text
            ):
                yield value.span
            yield from _walk(value, symbol, kinds, (*path, key.text))
    elif isinstance(node, YamlScalar):
        yield from _in_scalar(node, symbol, kinds, path)


def _in_scalar(node: YamlScalar, symbol: Symbol, kinds: Kinds, path: tuple[str, ...]) -> Iterator[Span]:
    if symbol.kind in NAMED and node.text == symbol.name == node.span.text and set(path) & set(VALUED):
        yield node.span
    elif (
        symbol.kind in (*IN_FACTS, *BEHIND_DOT) and node.style in ("plain", "literal") and kinds.starts(node)
    ):
        text = rule_text(node)
        before = ""
        for token in code_tokens(text.text, "expression") or ():
            if (
                token.kind == "NAME"
                and token.text == symbol.name
                and (before == ".") == (symbol.kind in BEHIND_DOT)
            ):
                yield text.span(token.start, token.end)
            before = token.text


FIXED = {"builtin", "rule"}  # kinds of symbols that cannot be renamed


class RefusedEdit(Exception):
    """An edit that cannot be made, with the reason in words."""


@dataclass(frozen=True)
class Edit:
    """A span and its new text."""

    span: Span
    text: str


# ---------------------------------------------------------------- names
def renamable_at(workspace: Workspace, path: str, offset: int) -> tuple[Symbol, Span] | None:
    """The symbol at an offset and the span of its name; `None` if it cannot be renamed."""
    found = symbol_at(workspace, path, offset)
    if found is None or found[0].kind in FIXED or found[1].text != found[0].name:
        return None
    analysis = workspace.analysis(path)
    declared = analysis is not None and any(use.defines for use in analysis.index.of(found[0]))
    # a name that the language gives, as `claimant`
    return found if declared or found[0].kind != "local" else None


def rename(workspace: Workspace, path: str, offset: int, name: str) -> list[Edit]:
    """The edits that give the symbol at an offset another name everywhere.

    Raises `RefusedEdit` where that would change the ruleset's meaning.
    """
    found = renamable_at(workspace, path, offset)
    if found is None:
        raise RefusedEdit("only what a ruleset declares can be renamed")
    symbol, _ = found
    if symbol.kind not in ("phase", "claim") and (not IDENTIFIER_PATTERN.match(name) or len(name) > MAX_NAME):
        raise RefusedEdit(
            f"`{name}` is not a name: letters, digits and `_`, at most {MAX_NAME}, beginning with a letter"
        )
    if symbol.kind in ("phase", "claim") and (
        not name.strip() or any(c in name for c in ":#\n\"'{}[]") or name != name.strip()
    ):
        raise RefusedEdit(f"`{name}` cannot be a title")
    if name == symbol.name:
        return []
    analyses = workspace.related_rulesets(path)
    used = [module for a in analyses if a.doc is not None for module in a.doc.modules]
    elsewhere = {
        source.name for module in used for source in module.loaded.sources if real_path(source.name) != path
    }
    spans = [
        span
        for span in spans_of(analyses, symbol)
        if span.text == symbol.name and span.source.name not in elsewhere
    ]
    given = {
        span for module in used for name_given, span in module.given.items() if name_given == symbol.name
    }
    spans += () if symbol.kind in ("local", *NAMED) else sorted(given, key=lambda span: span.start)
    if symbol.kind == "cells" and not any(use.defines for a in analyses for use in a.index.of(symbol)):
        raise RefusedEdit(
            f"`{symbol.name}` is called so by the language: give the board a `cell:` to choose another name"
        )
    edits = [Edit(span, name) for span in spans]
    for analysis in analyses:
        _check_edits(workspace, analysis, edits)
    return edits + [Edit(span, name) for span in _in_scenarios(workspace, analyses, symbol)]


def _check_edits(workspace: Workspace, analysis: RulesetAnalysis, edits: list[Edit]) -> None:
    after = analyse(
        analysis.path,
        {**workspace.texts, **applied(edits)},
        set_up=False,
        cache=workspace.cache_of_texts(analysis.path),
    )
    before = [d.code for d in analysis.diagnostics if d.is_error]
    for d in after.diagnostics:
        if d.is_error and d.code in before:
            before.remove(d.code)
        elif d.is_error:
            raise RefusedEdit(f"with that name the ruleset has a mistake: {d.message}")


def _in_scenarios(workspace: Workspace, analyses: list[RulesetAnalysis], symbol: Symbol) -> list[Span]:
    if symbol.kind in (*NAMED, *BEHIND_DOT) and _shared(analyses, symbol):
        return []  # what the name means in a scenario is not certain: scenarios are not changed
    roots = {real_path(a.doc.root) for a in analyses if a.doc is not None}
    return [span for root in sorted(roots) for span in spans_in_scenarios(workspace, Path(root), symbol)]


def _shared(analyses: list[RulesetAnalysis], symbol: Symbol) -> bool:
    """Tell whether something else has the same name."""
    symbols = (s for a in analyses for s in a.index.about)
    return any(
        s.name == symbol.name and s.owner != symbol.owner
        for s in symbols
        if s.kind not in ("local", "phase", "claim")
    )


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
        texts[real_path(name)] = text
    return texts


# ---------------------------------------------------------------- fixes and layout
def fixes_in(diagnostics: Iterable[Diagnostic], path: str, start: int, end: int) -> list[Diagnostic]:
    """The diagnostics of a file with a fix that touch a range."""
    found = []
    for d in diagnostics:
        if d.fix is None or d.span is None or real_path(d.fix.span.source.name) != path:
            continue
        if d.span.start <= end and start <= d.span.end:
            found.append(d)
    return found


def all_safe_fixes(diagnostics: Iterable[Diagnostic], path: str, source: Source) -> list[Edit]:
    """The safe fixes of a file that can be applied together."""
    own = [d for d in diagnostics if d.fix is not None and real_path(d.fix.span.source.name) == path]
    same = [
        replace(d, fix=replace(d.fix, span=Span(source, d.fix.span.start, d.fix.span.end)))
        for d in own
        if d.fix is not None
    ]
    return [Edit(d.fix.span, d.fix.replacement) for d in chosen_fixes(source, same) if d.fix is not None]


def layout(source: Source) -> Edit | None:
    """The edit that formats a file; `None` if it is formatted, or cannot be read."""
    try:
        text = format_source(source).text
    except FormatError:
        return None
    return Edit(source.span(0, len(source.text)), text) if text is not None and text != source.text else None
