"""Positions that differ in what one seat cannot see: components of one class, hidden from it, change places."""

from __future__ import annotations

import json
import random
from typing import Any

from croupier.play.record import plain
from croupier.runtime.state import State
from croupier.runtime.visibility import sees_piece


def twin(state: State, seat: int, seed: int) -> State | None:
    """A copy that this seat cannot tell apart now, and that is another position; none if there is nothing to exchange."""
    game, m = state._m.game, state._m
    hidden = [p.number for p in game.pieces if m.where[p.number] >= 0 and not sees_piece(state._m, p.number, seat)]
    other = state.clone()
    new = dict(zip(range(len(game.pieces)), range(len(game.pieces)), strict=True))
    shuffler = random.Random(seed)
    for kind in sorted({game.pieces[i].kind for i in hidden}):
        mine = [i for i in hidden if game.pieces[i].kind == kind]
        new.update(zip(mine, shuffler.sample(mine, len(mine)), strict=True))

    def moved(items: Any) -> Any:
        return tuple(map(moved, items)) if isinstance(items, tuple) else new[items]

    for place in game.places:
        items = moved(m.zones[place.number])
        is_set = place.order in ("set", "bag") and not any(isinstance(i, tuple) for i in items)
        other._m.zones[place.number] = tuple(sorted(items)) if is_set else items
        for i in _flat(items):
            other._m.where[i] = place.number
    other._forget()
    same = json.dumps(plain(state.observation(seat)), sort_keys=True) == json.dumps(plain(other.observation(seat)), sort_keys=True)
    return other if same and other.position() != state.position() else None


def _flat(items: Any) -> list[int]:
    return [i for item in items for i in _flat(item)] if isinstance(items, tuple) else [items]
