"""What may stand inside a look-ahead: decisions of one player, and effects. No chance, nobody else's decision.

A look-ahead tries the block on copies of the game. Chance inside it would need every outcome, another player's decision a guess. What is said
or shown is said only when it really happens. The check follows calls, hooks and windows.
"""

from __future__ import annotations

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.semantics.flow import callees, statement_call, statements
from croupier.semantics.program import Program
from croupier.semantics.tree import S

FORBIDDEN = {"roll": "a roll", "draw": "a draw", "open": "a window for several players", "claim": "a claim"}


def check_horizons(program: Program) -> list[Diagnostic]:
    """One diagnostic for each look-ahead that can reach something it may not hold."""
    found = []
    for proc in program.procs:
        for s in statements(proc.body):
            if s.op == "so_that":
                bad = _reach(program, s.blocks[0], set())
                if bad is not None:
                    at, what = bad
                    found.append(diagnose("F014", s.span, what=what, labels=(Label(at.span, f"{what} is reached here"),)))
    return found


def _asks_one(s: S) -> bool:
    """Is this a window for one player? Whether it is the one who looks ahead shows when the rule runs, as with any choice."""
    return s.op == "open" and s.args[0].op == "list" and len(s.args[0].args) == 1


def _reach(program: Program, block: list[S], seen: set[int]) -> tuple[S, str] | None:
    for s in statements(block):
        if s.op in FORBIDDEN and not _asks_one(s):
            return s, FORBIDDEN[s.op]
        if s.op == "choose" and s.data[0].chooser != "one":
            return s, "chance" if s.data[0].chooser == "chance" else "a choice by several players"
        call = statement_call(s)
        targets = set() if call is None else {call.data} | callees(program, program.procs[call.data])
        window = s.data if s.op == "open" else s.data.window if s.op == "menu" else None
        if window is not None:
            targets |= callees(program, program.procs[window])
        for i in sorted(targets - seen):
            seen.add(i)
            bad = _reach(program, program.procs[i].body, seen)
            if bad is not None:
                return bad
    return None
