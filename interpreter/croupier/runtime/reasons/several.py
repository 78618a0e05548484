"""How many of several things are chosen, and which of them are taken already: what the options alone do not show."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.runtime.faults import Fault
from croupier.runtime.node import Node
from croupier.runtime.sets import SetOp


@dataclass(frozen=True)
class Several:
    """The least and the most that may be chosen (none: as many as there are), and the words of those taken so far."""

    least: int
    most: int | None
    taken: tuple[str, ...]


def several(state: Node, seat: int) -> Several | None:
    """How many a seat that must act chooses; none if it chooses one thing, or if that cannot be worked out."""
    m = state._m
    op = m.waiting
    if not isinstance(op, SetOp) or seat not in state.pending_seats():
        return None
    frame = m.frames[-1]
    m.refuel()
    try:
        offer = op.offer(m, frame.L)
        taken = tuple(op.game.show(offer.source[place], op.base, m) for place in frame.L[op.picked] or ())
    except Fault:
        return None
    finally:
        m.refuel()
    return Several(offer.low, None if op.high_run is None else offer.high, taken)
