"""How a story calls the places of a table, and the ways of components between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.runtime.sight import Eyes, counts_zone
from croupier.runtime.story import Story


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

    def way(self, m: Any, p: int | None, source: int, z: int, several: bool, place: str = "top") -> str | None:
        """Where something went, as far as a seat may know."""
        leaves = source >= 0 and (p is None or counts_zone(m.game, source, p))
        comes = p is None or counts_zone(m.game, z, p)
        if p is not None:
            m.seen = Eyes(m, p)
        if leaves and comes:
            return f"{'go' if several else 'goes'} from {self.place(m, source)} to {self.end(m, z, place)}"
        if leaves:
            return f"{'leave' if several else 'leaves'} {self.place(m, source)}"
        return f"{'come' if several else 'comes'} to {self.end(m, z, place)}" if comes else None

    def end(self, m: Any, z: int, place: str) -> str:
        """Where something is put: the end of a pile or sequence is named if it is not the usual one."""
        order = m.game.places[z].order if place == "bottom" else ""
        return {"pile": "the bottom of ", "sequence": "the front of "}.get(order, "") + self.place(m, z)
