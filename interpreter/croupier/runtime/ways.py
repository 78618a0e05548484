"""How a story calls the places of a table, and the ways of components between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from croupier.runtime.sight import EVERYBODY, OWNER, Eyes, counts_zone
from croupier.runtime.story import Story, Transfer


def spoken(name: str) -> str:
    """A name of a ruleset in a story."""
    return name.replace("_", " ")


class Ways(Story):
    """Names zones as the ruleset labels them; a zone whose contents a seat may not even count is not named to it."""

    def place(self, m: Any, z: int) -> str:
        if z < 0:
            return "nowhere"
        spot = m.game.places[z]
        definition = m.game.program.zones[spot.zone]
        words: Callable[[Any], str] | None = m.game.code.words(definition, (spot.key,))
        if words is not None:
            return words(m)
        name = spoken(spot.zone)
        return name if definition.key is None else f"{name} of {m.game.show(spot.key, definition.key, m)}"

    def way(self, m: Any, p: int | None, source: int, z: int, place: str = "top") -> Transfer | None:
        """Where something went, as far as a seat may know; none if neither end is named to it. What went is added by `replace`."""
        leaves = source >= 0 and (p is None or counts_zone(m.game, source, p))
        comes = p is None or counts_zone(m.game, z, p)
        if not leaves and not comes:
            return None
        if p is not None:
            m.seen = Eyes(m, p)
        start = self.place(m, source) if leaves else None
        way = Transfer("", start, self.end(m, z, place) if comes else None)
        return replace(way, taker=self._taker(m, source, z), player=self._player(m, source, z)) if leaves and comes and place == "top" else way

    def _taker(self, m: Any, source: int, z: int) -> int | None:
        """Who draws, if this goes from a pile of nobody to the hand of a player."""
        start, goal = m.game.places[source], m.game.places[z]
        return goal.owner if start.owner is None and start.order == "pile" and self._is_hand(m, z) else None

    def _player(self, m: Any, source: int, z: int) -> int | None:
        """Who plays, if this goes from the hand of a player to a place of theirs that everybody sees."""
        start, goal = m.game.places[source], m.game.places[z]
        return goal.owner if start.owner == goal.owner and goal.seen_by == EVERYBODY and self._is_hand(m, source) else None

    def _is_hand(self, m: Any, z: int) -> bool:
        """Is this the only place of a player that nobody else sees?"""
        spot = m.game.places[z]
        return spot.owner is not None and spot.seen_by == OWNER and sum(1 for s in m.game.places if s.owner == spot.owner and s.seen_by == OWNER) == 1

    def end(self, m: Any, z: int, place: str) -> str:
        """Where something is put: the end of a pile or sequence is named if it is not the usual one."""
        order = m.game.places[z].order if place == "bottom" else ""
        return {"pile": "the bottom of ", "sequence": "the front of "}.get(order, "") + self.place(m, z)
