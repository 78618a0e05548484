"""Lints: what is certainly useless or certainly wrong though every type fits. One file a lint; each says what it proves.

`walk.py` is what they have in common. Lints look at a program only when it has no errors and nothing of it was refused when it was read.
"""

from __future__ import annotations

from croupier.diagnostics import Diagnostic
from croupier.semantics.infoflow import forget
from croupier.semantics.infoflow.kept import Memory
from croupier.semantics.lints import (
    chance_sets,
    citing,
    effects,
    endless,
    hidden,
    leaks,
    native,
    options,
    unheard,
    unreachable,
    unreached,
    unread,
    unused,
)
from croupier.semantics.program import Program

LINTS = (unused, unread, unreachable, unreached, endless, options, chance_sets, effects, hidden, leaks, unheard, citing, native)
OF_FLOW = (leaks, unheard)  # those that read the information flow


def run_lints(program: Program, used: set[tuple[str, str]], memory: Memory | None = None) -> list[Diagnostic]:
    """Every lint, in a fixed order. `used` holds the declarations that something names, with their kinds; `memory` is of former programs."""
    flow = None if memory is None else memory.analyse(program)
    program.flow = flow
    found = {lint: lint.find(program, used) for lint in LINTS}
    if memory is not None and flow is not None and flow.carried and any(found[lint] for lint in OF_FLOW):
        program.flow = memory.afresh(program)
        found.update({lint: lint.find(program, used) for lint in OF_FLOW})
    forget(program)
    return [d for some in found.values() for d in some]
