"""The progress of a game that is watched: words of the state of their own, to which the rules write the phase
and the simultaneous decisions.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, const
from croupier.core.operations import Local
from croupier.lowering.context import Context
from croupier.semantics.procedures import Proc

# words of the state: index of the phase among `phases_of`; how many simultaneous decisions have begun
PHASE, ROUND = "phase", "round"


def phases_of(procs: list[Proc]) -> list[Proc]:
    """The phases of a game, in the order of their numbers."""
    return [proc for proc in procs if proc.kind == "phase"]


def mark_phase(c: Context, proc: Proc) -> Callable[[], None]:
    """Write that a phase begins, if its function is being written; return what writes that it ends."""
    if not c.is_watched or proc.kind != "phase":
        return lambda: None
    memory, before = c.scalar(PHASE, op.NONE), Local(c.w.fresh("f"))
    c.w.set(before.name, op.Load(memory, FALSE))
    numbers = [phase.index for phase in phases_of(c.game.program.procs)]
    c.w.store(memory, FALSE, const(numbers.index(proc.index)))
    return lambda: c.w.store(memory, FALSE, before)


def count_round(c: Context) -> None:
    """Write that a simultaneous decision begins."""
    if c.is_watched:
        memory = c.scalar(ROUND)
        c.w.store(memory, FALSE, add(op.Load(memory, FALSE), TRUE))
