"""Look-aheads in the lowered form: which of them wait, and what their terminators become.

A block that never waits is tried by a function of its own, which ends with the condition, and runs in place if that holds. A block that waits runs
as a function of its own, on copies of the position and then in earnest.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.backends.ends import Ahead, Judge
from croupier.ir.module import Module
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Foresee, Jump, Query, Settle, Terminator

Live = Callable[[Routine, int], tuple[int, ...]]


def looks_ahead(module: Module) -> bool:
    """Is there a look-ahead anywhere?"""
    return any(isinstance(b.end, Foresee) for r in module.every_routine() for b in r.blocks)


def waits(routine: Routine, end: Foresee) -> bool:
    """May the block of a look-ahead come to a suspension?"""
    seen, todo = set(), [end.body]
    while todo:
        number = todo.pop()
        if number in seen:
            continue
        seen.add(number)
        last = routine.blocks[number].end
        if isinstance(last, Suspend):
            return True
        if not (isinstance(last, Settle) and last.slot == end.slot):
            todo += [e.target for e in last.edges()]
    return False


def begun_with(routine: Routine, live: tuple[int, ...]) -> tuple[int, ...]:
    """Of the slots that are live where a block begins, those that it is given: whether blocks are being run stands in the frame, or is no matter."""
    return tuple(s for s in live if routine.slots[s].role != "so")


class Foresight:
    """Of one routine. `replaced` are the terminators that look-aheads change, by block."""

    def __init__(self, routine: Routine, live_in: Live, needs: Callable[[Routine, Query], tuple[int, ...]]) -> None:
        self.routine, self.needs = routine, needs
        self.replaced: dict[int, Terminator] = {}
        self.settling: dict[int, list[int]] = {}  # blocks at which a look-ahead ends that does not wait, by its slot
        waiting = {b.end.slot for b in routine.blocks if isinstance(b.end, Foresee) and waits(routine, b.end)}
        for block in routine.blocks:
            end = block.end
            if isinstance(end, Foresee) and end.slot in waiting:
                live = begun_with(routine, live_in(routine, end.body))
                self.replaced[block.number] = Ahead(end.span, end.slot, end.within, end.body, end.other, live)
            elif isinstance(end, Settle) and end.slot not in waiting:
                self.replaced[block.number] = Jump(end.span, end.target)
                self.settling.setdefault(end.slot, []).append(block.number)

    def attempt(self, slot: int) -> dict[int, Terminator]:
        """The same for the function that tries the block of a look-ahead: it ends there."""
        ends = [(n, self.routine.blocks[n].end) for n in self.settling.get(slot, ())]
        judged = {n: Judge(e.span, e.condition, self.needs(self.routine, e.condition)) for n, e in ends if isinstance(e, Settle)}
        return {**self.replaced, **judged}
