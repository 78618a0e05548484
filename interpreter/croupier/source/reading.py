"""From text to the located tree: the guard first, then the tree."""

from __future__ import annotations

from functools import lru_cache

from croupier.diagnostics import Diagnostic, Source, diagnose
from croupier.source.forgotten import forgotten_blocks
from croupier.source.guard import guard
from croupier.source.nodes import Node
from croupier.source.tree import TreeBuilder

_MISREAD = frozenset({"Y001", "Y003", "Y004", "Y006", "Y008", "Y010", "Y011", "Y015", "Y016", "Y017", "Y018", "Y019", "Y022", "Y101", "Y102"})
KEPT = 16  # texts whose trees are kept
_MISLEADING = frozenset({"Y101", "Y102", "Y103"})  # parts are missing or not what they look like


def read(source: Source) -> tuple[Node | None, list[Diagnostic]]:
    """The tree and the mistakes of a YAML text (see `_read`); those of the last texts are kept, since an editor asks for one many times."""
    root, diagnostics = _read(source)
    return root, list(diagnostics)


@lru_cache(maxsize=KEPT)
def _read(source: Source) -> tuple[Node | None, list[Diagnostic]]:
    """The tree of a YAML text, and everything that is wrong with the text, in its order.

    There is a tree, without the parts in question, when every mistake leaves the rest as it was meant (a key given twice, a
    fraction); there is none for text that is not YAML, passes a limit, or uses anchors, aliases, tags or merge keys.
    """
    guarded = guard(source)
    diagnostics = guarded.diagnostics
    if guarded.complete or any(d.code in _MISREAD for d in diagnostics):
        forgotten = forgotten_blocks(source)
        if forgotten:  # whatever else was found, or not, comes of that
            return None, forgotten
    if not guarded.complete:
        return None, sorted(diagnostics, key=_place)
    if not guarded.events:
        return None, [diagnose("Y020", source.span(0, 0))]
    builder = TreeBuilder(source, iter(guarded.events))
    root = builder.build()
    merges_of_aliases = any(diagnostic.code == "Y101" for diagnostic in diagnostics)
    diagnostics += [diagnostic for diagnostic in builder.diagnostics if not (merges_of_aliases and diagnostic.code == "Y103")]
    diagnostics.sort(key=_place)
    return (None if any(d.code in _MISLEADING for d in diagnostics) else root), diagnostics


def _place(diagnostic: Diagnostic) -> tuple[int, int, str]:
    span = diagnostic.span
    return (span.start, span.end, diagnostic.code) if span is not None else (0, 0, diagnostic.code)
