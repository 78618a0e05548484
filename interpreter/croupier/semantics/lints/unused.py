"""Declared and never read: definitions, zones, parameters, state.

Proves: no expression, statement or declaration that the checker read names it.
"""

from __future__ import annotations

from croupier.diagnostics import Diagnostic, diagnose
from croupier.semantics.program import Program


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    found = []
    for name, p in program.params.items():
        if ("parameter", name) not in used and not p.labels_only:
            found.append(diagnose("L001", p.span, kind="parameter", name=name))
    for name, z in program.zones.items():
        if ("zone", name) not in used and z.start != "all":
            found.append(diagnose("L001", z.span, kind="zone", name=name))
    for name, v in program.vars.items():
        if ("state", name) not in used and v.of_class is None:
            found.append(diagnose("L001", v.span, kind="state", name=name))
    for name, d in program.defs.items():
        if ("definition", name) not in used:
            found.append(diagnose("L001", d.span, kind="definition", name=name))
    return found
