"""Where a name is declared and where it is used, in a ruleset and in the variants of it."""

from __future__ import annotations

from croupier.diagnostics import Span
from croupier.lsp.analysis import Analysis
from croupier.lsp.hover import use_at
from croupier.lsp.workspace import Workspace
from croupier.semantics.symbol_index import Symbol


def symbol_at(workspace: Workspace, path: str, offset: int) -> tuple[Symbol, Span] | None:
    """The symbol at an offset of a file, and the place of its name there."""
    analysis = workspace.analysis(path)
    use = use_at(analysis, path, offset) if analysis is not None else None
    return (use.symbol, use.span) if use is not None else None


def definition(workspace: Workspace, path: str, offset: int) -> list[Span]:
    """Where the symbol at an offset is declared.  From a declaration that replaces another, the way leads to that."""
    found = symbol_at(workspace, path, offset)
    analysis = workspace.analysis(path)
    if found is None or analysis is None:
        return []
    symbol, here = found
    declared = [use.span for use in analysis.index.of(symbol) if use.defines]
    others = [span for span in declared if span != here]
    if len(others) < len(declared):
        return others or _replaced(workspace, path, symbol, here) or declared
    place = analysis.index.places.get(symbol)
    return [place] if place is not None else declared


def _replaced(workspace: Workspace, path: str, symbol: Symbol, here: Span) -> list[Span]:
    """Where a symbol is declared in what this file extends, if its declaration `here` takes the place of that: a row of a table."""
    analysis = workspace.analysis(path)
    below = {source.name for source in analysis.doc.sources} if analysis is not None and analysis.doc is not None else set()
    uses = [use for a in workspace.family(path) for use in a.index.of(symbol) if use.defines]
    return list(dict.fromkeys(use.span for use in uses if use.span.source.name in below and use.span.source.name != here.source.name))


def references(workspace: Workspace, path: str, offset: int, *, declarations: bool = True) -> list[Span]:
    """Every place of the symbol at an offset, in the ruleset, what it extends and its variants, each once."""
    found = symbol_at(workspace, path, offset)
    if found is None:
        return []
    return places_of(workspace.family(path), found[0], declarations=declarations)


def places_of(family: list[Analysis], symbol: Symbol, *, declarations: bool = True) -> list[Span]:
    """Every place of a symbol in some analyses, each once, in the order of files and offsets."""
    seen: dict[tuple[str, int, int], Span] = {}
    for analysis in family:
        for use in analysis.index.of(symbol):
            if declarations or not use.defines:
                seen.setdefault((use.span.source.name, use.span.start, use.span.end), use.span)
    return [seen[key] for key in sorted(seen)]
