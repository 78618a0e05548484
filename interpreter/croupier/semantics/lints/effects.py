"""Cards and other components whose effect can never trigger.

Proves: the powers of a component are in force only in live zones (it is not `live: anywhere`), and there is none that can hold it, or none that
anything ever comes to: nothing starts there and no statement moves anything there; or the condition of the effect is always false.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.semantics.flow import operands, statement_call
from croupier.semantics.lints.walk import bodies, truth
from croupier.semantics.program import Program
from croupier.semantics.tree import Hook, X

ZONES = ("zone", "zone_at", "zone_item")
TARGET = {"move": 1, "draw": 2, "swap": 1}


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """One report for a component, or for each effect whose condition never holds."""
    found: list[Diagnostic] = []
    entered = _entered(program)
    dead: set[str] = set()
    for hook in program.hooks:
        if hook.guard is not None and hook.guard.op != "const" and truth(hook.guard) is False:
            found.append(diagnose("L025", hook.guard.span, what=_called(hook), why="its condition is always false", help="correct the condition"))
        if hook.component is None or hook.component[0] in dead or program.classes[hook.component[0]].live_anywhere:
            continue
        kind = hook.component[0]
        live = [z for z in program.zones.values() if z.live and kind in z.kinds]
        if any(z.name in entered or z.start is not None for z in live):
            continue
        dead.add(kind)
        lying = [z for z in program.zones.values() if kind in z.kinds]
        labels = [Label(z.span, "nothing ever comes here") for z in live] or [Label(z.span, "this is not live") for z in lying]
        why = "nothing ever comes to a live zone that holds it" if live else "no zone that holds it is live"
        found.append(diagnose("L025", hook.proc.span, what=f"the effects of `{kind}`", why=why, labels=labels))
    return found


def _called(hook: Hook) -> str:
    return "this" if hook.component is None else f"this effect of `{hook.component[1] or hook.component[0]}`"


def _entered(program: Program) -> set[str]:
    """The zones that something may come to: targets of moves, and those handed to a definition."""
    entered: set[str] = set()
    for _, s in bodies(program):
        if s.op in TARGET:
            targets = s.args if s.op == "swap" else s.args[TARGET[s.op] :]
            entered |= {x.data for target in targets for x in _zones(target)}
        call = statement_call(s)
        for o in (*operands(s), *(call.args if call is not None else ())):
            entered |= {x.data for y in o.walk() if y.op in ("call", "original") for a in y.args for x in _zones(a)}
    return entered


def _zones(x: X) -> Iterator[X]:
    return (y for y in x.walk() if y.op in ("zone", "zone_at"))
