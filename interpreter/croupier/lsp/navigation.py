"""Where a name is declared and where it is used, in a ruleset and in the variants of it."""

from __future__ import annotations

from croupier.diagnostics import Span
from croupier.lsp.analysis import Analysis
from croupier.lsp.hover import use_at
from croupier.lsp.workspace import Workspace
from croupier.semantics.noting import Symbol


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
        return others or declared
    place = analysis.index.places.get(symbol)
    return [place] if place is not None else declared


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
