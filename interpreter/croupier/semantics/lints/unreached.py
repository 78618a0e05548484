"""Definitions and windows that no game reaches.

Proves: the definition or window is named somewhere, but only where nothing leads to from a phase, a watcher or a declaration: in definitions that
are never called themselves, or by hooks that listen to it.
"""

from __future__ import annotations

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.semantics.lints.reach import reached
from croupier.semantics.program import Program


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """One report for each; what nothing names at all is reported as unused."""
    found: list[Diagnostic] = []
    alive = reached(program)
    for kind, table, verb in (("definition", program.defs, "called"), ("window", program.windows, "opened")):
        for name, proc in table.items():
            if proc.index not in alive and (kind, name) in used:
                hooks = [h for h in program.hooks if h.target == proc.index]
                labels = [Label(h.proc.span, "so this never happens") for h in hooks[:4]]
                found.append(diagnose("L011", proc.span, kind=kind, name=name, verb=verb, labels=labels))
    return found
