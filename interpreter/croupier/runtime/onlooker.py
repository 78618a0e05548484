"""Noticing whether an action read, showed or told something that some seats could not see before.

In a game that was set up `watched`, every read of a component, a zone or a state variable asks `m.seen`, as texts do (`masks.py`). An onlooker
answers yes to everything and remembers when the answer should have been no. What a look-ahead reads counts as hidden.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from croupier.runtime import position
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import Machine
from croupier.runtime.sight import counts_zone, sees_piece, sees_zone, variable_audience
from croupier.runtime.state import State

TOLD = ("show", "tell")


class Onlooker:
    """Eyes of several seats that look at everything; `hidden` is set when they should not have."""

    __slots__ = ("m", "seats", "hidden")

    def __init__(self, m: Machine, seats: Collection[int]) -> None:
        self.m, self.seats, self.hidden = m, seats, False

    def _noted(self, seen: bool) -> bool:
        self.hidden = self.hidden or not seen
        return True

    def __call__(self, piece: int) -> bool:
        return self._noted(any(sees_piece(self.m, piece, p) for p in self.seats))

    def zone(self, z: int) -> bool:
        return self._noted(any(sees_zone(self.m.game, z, p) for p in self.seats))

    def count(self, z: int) -> bool:
        return self._noted(any(counts_zone(self.m.game, z, p) for p in self.seats))

    def variable(self, index: int, at: Value) -> bool:
        return self._noted(any(variable_audience(self.m, index, at)(p) for p in self.seats))


def hides_nothing(state: State, seats: Collection[int]) -> bool:
    """Do some seats, together, see all zones that hold anything and all state?"""
    m = state._m
    game = m.game
    zones = (place.number for place in game.places if m.zones[place.number])
    if not all(any(sees_zone(game, z, p) for p in seats) and not any(type(i) is tuple for i in m.zones[z]) for z in zones):
        return False
    return all(v.of_class is not None or any(variable_audience(m, v.index, None)(p) for p in seats) for v in game.program.vars.values())


def reveals(state: State, watched: Game, seat: int, action: int, seats: Collection[int]) -> bool:
    """Would this action, with what follows from it, let `seats` learn what they do not see now?

    The state stays as it is; `watched` is its game, set up to be watched.
    """
    m = position.restore(watched, position.to_json(position.as_data(state._m)))
    before = _faces(m, seats)
    eyes = Onlooker(m, seats)
    frame: Any = m.frames[-1]
    m.refuel()
    m.viewer, m.seen = frame.viewer, eyes
    _run(m, frame, seat, action)
    after = state.clone()
    heard = {p: len(state.events(p)) for p in seats}
    after.apply_action(action, seat if state.is_simultaneous_node() else None)
    told = any(e.kind in TOLD for p in seats for e in after.events(p)[heard[p] :])
    return eyes.hidden or told or m.examined[0] > 0 or not _faces(after._m, seats) <= before


def _run(m: Machine, frame: Any, seat: int, action: int) -> None:
    """Apply an action under the eyes of an onlooker, up to the next options of one of its seats."""
    from croupier.runtime.faults import Fault, GameOver

    try:
        frame.pc.resume(m, frame, seat, action)
        m.run()
        op, top = m.waiting, m.frames[-1]
        if op.seats == "one" and op.chooser(m, top) in m.seen.seats:
            op.actions(m, top, op.chooser(m, top))
    except (Fault, GameOver):
        m.frames = []


def _faces(m: Machine, seats: Collection[int]) -> set[int]:
    return {piece.number for piece in m.game.pieces if any(sees_piece(m, piece.number, p) for p in seats)}
