"""Positions that differ in what one seat cannot see: components of one class, hidden from it, change places;
values hidden from it are others.
"""

from __future__ import annotations

import json
import random
from typing import Any

from croupier.kernel import types as t
from croupier.play.plain import plain
from croupier.runtime.state import State
from croupier.runtime.visibility import sees_component, variable_audience


def twin(state: State, seat: int, seed: int) -> State | None:
    """A copy that this seat cannot tell apart now, and that is another position; none if there is nothing to
    exchange.
    """
    game, m = state._m.game, state._m
    hidden = [
        p.number
        for p in game.components
        if m.where[p.number] >= 0 and not sees_component(state._m, p.number, seat)
    ]
    other = state.clone()
    new = dict(zip(range(len(game.components)), range(len(game.components)), strict=True))
    shuffler = random.Random(seed)
    for kind in sorted({game.components[i].kind for i in hidden}):
        mine = [i for i in hidden if game.components[i].kind == kind]
        new.update(zip(mine, shuffler.sample(mine, len(mine)), strict=True))

    def moved(items: Any) -> Any:
        return tuple(map(moved, items)) if isinstance(items, tuple) else new[items]

    for zone in game.zones:
        items = moved(m.zones[zone.number])
        is_set = zone.order in ("set", "bag") and not any(isinstance(i, tuple) for i in items)
        other._m.zones[zone.number] = tuple(sorted(items)) if is_set else items
        for i in _flat(items):
            other._m.where[i] = zone.number
    moved_only = other.clone()
    for v in game.variables:
        other._m.vars[v.index] = _another(state, v.index, v.type, seat, shuffler)
    return next((one for one in (other, moved_only) if _is_twin(state, one, seat)), None)


def _is_twin(state: State, other: State, seat: int) -> bool:
    other._forget()
    same = json.dumps(plain(state.observation(seat)), sort_keys=True) == json.dumps(
        plain(other.observation(seat)), sort_keys=True
    )
    return same and other.position() != state.position()


def _another(state: State, index: int, kind: t.Type, seat: int, shuffler: random.Random) -> Any:
    """What a state variable holds, with others of its type where the seat does not see them: numbers, truths,
    names, cells, none.
    """
    m, game, inner = state._m, state._m.game, kind.value if isinstance(kind, t.Map) else kind
    value = m.vars[index]
    is_optional, inner = isinstance(inner, t.Optional), inner.base if isinstance(inner, t.Optional) else inner
    if (
        not isinstance(inner, t.Int | t.Bool | t.Enum | t.Player | t.Cell)
        or isinstance(inner, t.Int)
        and None in game.int_bounds(inner)
    ):
        return value
    entries = [(i, value[i]) for i in range(len(value))] if isinstance(kind, t.Map) else [(None, value)]
    new = [
        old
        if variable_audience(m, index, i)(seat)
        else shuffler.choice((*game.values(inner), *[None] * is_optional))
        for i, old in entries
    ]
    return tuple(new) if isinstance(value, tuple) else new if isinstance(kind, t.Map) else new[0]


def _flat(items: Any) -> list[int]:
    return [i for item in items for i in _flat(item)] if isinstance(items, tuple) else [items]
