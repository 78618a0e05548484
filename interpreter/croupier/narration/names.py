"""The edge between texts and people: what players are called.

In: a `Text`, whose parts say where a player is named. Out: a plain string with the names of the players.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.text import Seat, Text

MAX_NAME = 40  # characters of a player's name


class Names:
    """The names of the players; without names they are `player 1` and so on."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self.names = tuple(" ".join(name.split())[:MAX_NAME] for name in names)

    def __call__(self, text: str) -> str:
        """A text with the names of the players in it; a plain string as it is, for it names nobody."""
        if not isinstance(text, Text):
            return text
        return text.rendered(lambda seat: self.of(seat.seat)) if any(self.names) else str(text)

    def of(self, seat: int) -> str:
        """A player by their seat, counted from 0."""
        name = self.names[seat] if 0 <= seat < len(self.names) else ""
        return name or str(Seat(seat))
