"""Where a name is declared and where it is used: in a ruleset, in the variants of it and in scenarios."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from croupier.authoring.fmt.format import Kinds, kinds_of, rule_text
from croupier.diagnostics import Source, Span
from croupier.lsp.hover import use_at
from croupier.lsp.workspace import RulesetAnalysis, Workspace, real
from croupier.scenarios.files import files_in
from croupier.semantics.symbol_index import Symbol
from croupier.source import Mapping, Node, Scalar, Sequence, read
from croupier.syntax.parser import code_tokens


# ---------------------------------------------------------------- navigation
# Where a name is declared and where it is used, in a ruleset and in the variants of it.
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


def places_of(family: list[RulesetAnalysis], symbol: Symbol, *, declarations: bool = True) -> list[Span]:
    """Every place of a symbol in some analyses, each once, in the order of files and offsets."""
    seen: dict[tuple[str, int, int], Span] = {}
    for analysis in family:
        for use in analysis.index.of(symbol):
            if declarations or not use.defines:
                seen.setdefault((use.span.source.name, use.span.start, use.span.end), use.span)
    return [seen[key] for key in sorted(seen)]


# ---------------------------------------------------------------- scenario names
# Where scenarios name what a ruleset declares: keys of positions and parameters, phases, names in facts.
GROUPS = {"zone": ("zones",), "state": ("state",), "parameter": ("parameters",)}  # keys whose own keys are such names
SIGHT = ("sees", "hidden")  # seat -> zone or state
IN_FACTS = ("zone", "state", "parameter", "definition", "value", "id")
BEHIND_DOT = ("attribute", "column", "field")
VALUED = ("state", "parameters", "zones", "do", "play", *SIGHT)  # keys below which values and components stand
NAMED = ("value", "id")


def places_in_scenarios(workspace: Workspace, root: Path, symbol: Symbol) -> list[Span]:
    """The places of a symbol in the scenario files of a ruleset's folder."""
    found: list[Span] = []
    for path in files_in(root)[0]:
        source = workspace.source(real(path))
        tree = read(Source(real(path), source.text))[0] if source is not None else None
        if tree is not None:
            kinds = kinds_of(tree)
            found += _walk(tree, symbol, kinds, ())
    return found


def _walk(node: Node, symbol: Symbol, kinds: Kinds, path: tuple[str, ...]) -> Iterator[Span]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _walk(item, symbol, kinds, path)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            under = path[-1:] if path else ()
            named = under and under[0] in GROUPS.get(symbol.kind, ())
            seen = symbol.kind in ("zone", "state") and len(path) > 1 and path[-2] in SIGHT
            if (named or seen) and key.text == symbol.name and key.span.text == key.text:
                yield key.span
            if symbol.kind == "phase" and key.text == "at" and isinstance(value, Scalar) and value.text == symbol.name == value.span.text:
                yield value.span
            yield from _walk(value, symbol, kinds, (*path, key.text))
    elif isinstance(node, Scalar):
        yield from _in_scalar(node, symbol, kinds, path)


def _in_scalar(node: Scalar, symbol: Symbol, kinds: Kinds, path: tuple[str, ...]) -> Iterator[Span]:
    if symbol.kind in NAMED and node.text == symbol.name == node.span.text and set(path) & set(VALUED):
        yield node.span
    elif symbol.kind in (*IN_FACTS, *BEHIND_DOT) and node.style in ("plain", "literal") and kinds.starts(node):
        text = rule_text(node)
        before = ""
        for token in code_tokens(text.text, "expression") or ():
            if token.kind == "NAME" and token.text == symbol.name and (before == ".") == (symbol.kind in BEHIND_DOT):
                yield text.span(token.start, token.end)
            before = token.text
