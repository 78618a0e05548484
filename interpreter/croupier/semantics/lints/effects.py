"""Lints: hooks that do nothing, what is shown outside of a secret, what the native back end does not take."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, Label, Span, diagnose
from croupier.semantics.infoflow import analyse
from croupier.semantics.procedures import Hook
from croupier.semantics.program import Program
from croupier.semantics.tree import CallExpr, ChooseStmt, ConstExpr, LocalExpr, StateExpr, X, ZoneAtExpr, ZoneExpr
from croupier.semantics.walk import bodies, operands, statement_call, statements, truth

ZONES = ("zone", "zone_at", "zone_item")
TARGET = {"move": 1, "draw": 2, "swap": 1}


def find_idle(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """Cards and other components whose effect can never trigger.

    Proves: the powers of a component are in force only in live zones (it is not `live: anywhere`), and there is none that can hold it, or none that
    anything ever comes to: nothing starts there and no statement moves anything there; or the condition of the effect is always false.

    One report for a component, or for each effect whose condition never holds.
    """
    found: list[Diagnostic] = []
    entered = _entered(program)
    dead: set[str] = set()
    for hook in program.hooks:
        if hook.guard is not None and not isinstance(hook.guard, ConstExpr) and truth(hook.guard) is False:
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
            entered |= {x.name for target in targets for x in _zones(target)}
        call = statement_call(s)
        for o in (*operands(s), *(call.args if call is not None else ())):
            entered |= {x.name for y in o.walk() if isinstance(y, CallExpr) for a in y.args for x in _zones(a)}
    return entered


def _zones(x: X) -> Iterator[ZoneExpr | ZoneAtExpr]:
    return (y for y in x.walk() if isinstance(y, (ZoneExpr, ZoneAtExpr)))


# ---------------------------------------------------------------- secrets
def find_unheard(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """What is shown or told in a `secretly` to somebody who may be outside of it.

    Proves of a ruleset without a report: where the players of a `secretly` are named one by one, or are all but one, whoever something is shown or
    told to in its block is certainly one of them. Nothing is said where they are worked out in another way, nor of what the block calls.

    One report for each `show` or `tell`.
    """
    found: list[Diagnostic] = []
    for _, addressed in sorted(analyse(program).addressed.items()):
        label = Label(addressed.block, "only they perceive what happens in this block")
        found.append(diagnose("L033", addressed.span, word=addressed.word, labels=(label,)))
    return found


# ---------------------------------------------------------------- native code
def find_not_native(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """What the native back end certainly does not compile, so that games are played at a fraction of its speed: `explain X601` lists everything.

    Told are those constructs that can be seen in the rules alone; what depends on the size of a set-up (values that are too wide, boards that are too
    large) is told by whoever plays.

    One report for each kind of construct, at the first place where it stands.
    """
    first: dict[str, Span] = {}
    for what, span in _in_lines(program):
        first.setdefault(what, span)
    return [diagnose("L050", span, what=what) for what, span in first.items()]


def _in_lines(program: Program) -> Iterator[tuple[str, Span]]:
    """`board.lines(n)` where a choice or the state says what n is."""
    for proc in program.procs:
        chosen = {slot for s in statements(proc.body) if isinstance(s, ChooseStmt) for slot in (s.choice.slot, s.choice.item)}
        for x in (x for s in statements(proc.body) for o in operands(s) for x in o.walk() if x.op == "board.lines"):
            if any(isinstance(y, StateExpr) or (isinstance(y, LocalExpr) and y.slot in chosen) for a in x.args for y in a.walk()):
                yield "lines whose length a choice or the state decides", x.span
