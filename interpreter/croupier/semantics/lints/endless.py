"""Games that cannot end, and loops that nothing can leave.

Proves: no `finish` stands in anything that a game can reach; or a loop without end has no `break`, no `return` and no `finish` in it, in what it
calls and in the hooks, windows and watchers that may act meanwhile; or a `repeat until` asks only for state that no statement changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, diagnose
from croupier.semantics.flow import operands, statements, writes_state
from croupier.semantics.lints.reach import called, finishes, reached, reached_from
from croupier.semantics.lints.unreachable import leaves
from croupier.semantics.lints.walk import bodies, truth
from croupier.semantics.program import Program
from croupier.semantics.tree import S

UNSETTLED = ("zone", "zone_at", "mutable", "local", "unknown", "component.owner")


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """One report for a game without end, otherwise one for each loop."""
    alive = reached(program)
    if not finishes(program, (program.procs[i] for i in alive)):
        phases = [] if program.main is None else [s for s in statements(program.main.body) if s.op == "do"]
        return [diagnose("L012", s.span) for s in phases[-1:]]
    changed = {x.data for _, s in bodies(program) if writes_state(s) for o in operands(s) for x in o.walk() if x.op == "state"}
    watchers_finish = finishes(program, (w.proc for w in program.watchers))
    found: list[Diagnostic] = []
    for proc, s in bodies(program):
        if s.op == "repeat" and s.args:
            if _settled(s, changed) and not watchers_finish and truth(s.args[0]) is None and not _ends(program, s):
                found.append(diagnose("L014", s.args[0].span))
        elif s.op in ("repeat", "turns") and proc.index in alive and not watchers_finish and len(s.args) == (s.op == "turns"):
            if not leaves(s.blocks[0]) and not _ends(program, s):
                found.append(diagnose("L013", s.span))
    return found


def _settled(s: S, changed: set[str]) -> bool:
    """Does the condition of a loop depend on nothing but state that never changes?"""
    parts = list(s.args[0].walk())
    if any(x.op in UNSETTLED or x.op == "call" for x in parts):
        return False
    asked = {x.data for x in parts if x.op == "state"}
    return bool(asked) and not asked & changed


def _ends(program: Program, loop: S) -> bool:
    """Does a `finish` or `return` stand in the loop, or a `finish` in what it may run?"""
    inside = list(_within(loop))
    if any(s.op in ("finish", "return") for s in inside) or leaves(loop.blocks[0]):
        return True
    todo = called(o for s in inside for o in operands(s))
    todo += [s.data for s in inside if s.op == "open"]
    todo += [s.data.window for s in inside if s.op == "menu" and s.data.window is not None]
    return finishes(program, (program.procs[i] for i in reached_from(program, todo)))


def _within(loop: S) -> Iterator[S]:
    for block in loop.blocks:
        yield from statements(block)
