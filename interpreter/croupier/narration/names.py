"""Names of players, put into finished texts in place of "player 1"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from croupier.runtime.wording import listed

MAX_NAME = 40  # characters of a player's name
_PLAYER = re.compile(r"\bplayer (\d{1,3})\b")
_PLAYERS = re.compile(r"\bplayers ((?:\d{1,3}, )*\d{1,3}) and (\d{1,3})\b")


class Names:
    """The names of the players; without names they are `player 1` and so on."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self.names = tuple(" ".join(name.split())[:MAX_NAME] for name in names)

    def __call__(self, text: str) -> str:
        """A text with the names of the players in it."""
        if not self.names:
            return text
        several = _PLAYERS.sub(
            lambda found: listed([f"player {n}" for n in (*found[1].split(", "), found[2])]), text
        )
        return _PLAYER.sub(lambda found: self._name(int(found[1])) or found[0], several)

    def of(self, seat: int) -> str:
        """A player by their seat, counted from 0."""
        return self._name(seat + 1) or f"player {seat + 1}"

    def _name(self, number: int) -> str:
        return self.names[number - 1] if 0 < number <= len(self.names) else ""

    def back(self, text: str) -> str:
        """A text that somebody typed with names, in the words of the rules."""
        for number, name in sorted(enumerate(self.names, 1), key=lambda pair: -len(pair[1])):
            if name:
                text = re.sub(
                    rf"(?<!\w){re.escape(name)}(?!\w)", f"player {number}", text, flags=re.IGNORECASE
                )
        return text
