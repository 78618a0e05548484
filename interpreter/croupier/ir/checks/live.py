"""What is live at each suspension is what the analysis of the typed tree says: the two were found in different ways."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.ir.dataflow import live_at_start, live_while_waiting, members
from croupier.ir.problems import Problem
from croupier.ir.routines import Routine
from croupier.semantics.program import Program


def check_live(program: Program, routine: Routine) -> Iterator[Problem]:
    """The slots that are live while a routine waits are those found on the typed tree."""
    known = program.procs[routine.index].live if 0 <= routine.index < len(program.procs) else {}
    if routine.live != known:
        yield Problem("live", routine.name, None, "it does not carry what the analysis of the typed tree found")
    live = live_at_start(routine)
    for block, end in routine.suspensions():
        here = members(live_while_waiting(end, live))
        there = routine.live.get(end.point)
        if here != there:
            text = f"at point {end.point} {_words(routine, here)} are live; the typed tree says {_words(routine, there or ())}"
            yield Problem("live", routine.name, block.number, text)


def _words(routine: Routine, slots: tuple[int, ...]) -> str:
    return ", ".join(str(routine.slots[i]) for i in slots) or "no slots"
