"""Declared and never used: parameters, types, components, boards, zones, state, definitions, windows, claims.

Proves: no expression, statement or declaration that the checker read names it, and no power of it is in force wherever it lies.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, Span, diagnose
from croupier.semantics.lints.walk import bodies
from croupier.semantics.program import Program


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """One report for each declaration that nothing names."""
    found = [diagnose("L001", span, kind=kind, name=name) for kind, name, span in _declared(program) if (kind, name) not in used]
    if program.claims and not any(s.op == "claim" for _, s in bodies(program)):
        found += [diagnose("L001", c.span, kind="claim", name=c.name) for c in program.claims]
    return found


def _declared(program: Program) -> Iterator[tuple[str, str, Span]]:
    yield from (("parameter", name, p.span) for name, p in program.params.items() if not p.labels_only)
    yield from (("type", name, e.span) for name, e in program.enums.items() if e.span is not None)
    yield from (("type", name, r.span) for name, r in program.records.items())
    acting = {h.component[0] for h in program.hooks if h.component is not None}
    yield from (("component", name, k.span) for name, k in program.classes.items() if not (k.live_anywhere and name in acting))
    yield from (("board", name, b.span) for name, b in program.boards.items())
    boards = set(program.boards)
    yield from (("zone", name, z.span) for name, z in program.zones.items() if z.start != "all" and name not in boards)
    yield from (("state", name, v.span) for name, v in program.vars.items() if v.of_class is None)
    yield from (("definition", name, d.span) for name, d in program.defs.items())
    yield from (("window", name, w.span) for name, w in program.windows.items())
