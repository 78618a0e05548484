"""Lints: what is certainly useless or certainly wrong though every type fits. One file a lint; each says what it proves.

`walk.py` is what they have in common. Lints look at a program only when it has no errors and nothing of it was refused when it was read.
"""

from __future__ import annotations

from croupier.diagnostics import Diagnostic
from croupier.semantics.infoflow import forget
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


def run_lints(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """Every lint, in a fixed order. `used` holds the declarations that something names, with their kinds."""
    found = [d for lint in LINTS for d in lint.find(program, used)]
    forget(program)
    return found
