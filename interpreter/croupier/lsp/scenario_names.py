"""Where scenarios name what a ruleset declares: keys of positions and parameters, phases, names in facts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from croupier.authoring.fmt.meaning import Kinds, kinds_of, rule_text
from croupier.diagnostics import Source, Span
from croupier.lsp.analysis import real
from croupier.lsp.workspace import Workspace
from croupier.scenarios.files import files_in
from croupier.semantics.symbol_index import Symbol
from croupier.source import Mapping, Node, Scalar, Sequence, read
from croupier.syntax.parser import code_tokens

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
