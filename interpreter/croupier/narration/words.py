"""Words of a narration: lists, numbers of things, plurals, names of players."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

MAX_NAME = 40  # characters of a player's name
_PLAYER = re.compile(r"\bplayer (\d{1,3})\b")
_PLAYERS = re.compile(r"\bplayers ((?:\d{1,3}, )*\d{1,3}) and (\d{1,3})\b")
_IRREGULAR = {"die": "dice"}


class Names:
    """What players are called; without names they are `player 1` and so on."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self.names = tuple(" ".join(name.split())[:MAX_NAME] for name in names)

    def __call__(self, text: str) -> str:
        """A text with the names of the players in it."""
        if not self.names:
            return text
        several = _PLAYERS.sub(lambda found: listed([f"player {n}" for n in (*found[1].split(", "), found[2])]), text)
        return _PLAYER.sub(lambda found: self._name(int(found[1])) or found[0], several)

    def of(self, seat: int) -> str:
        """A player by their seat, counted from 0."""
        return self._name(seat + 1) or f"player {seat + 1}"

    def _name(self, number: int) -> str:
        return self.names[number - 1] if 0 < number <= len(self.names) else ""

    def back(self, text: str) -> str:
        """What somebody typed with names, in the words of the rules."""
        for number, name in sorted(enumerate(self.names, 1), key=lambda pair: -len(pair[1])):
            if name:
                text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"player {number}", text, flags=re.IGNORECASE)
        return text


def listed(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def plural(noun: str) -> str:
    """The plural of a noun by the usual rules: `Cards`, `Dice`, `Boxes`, `Bodies`."""
    word = noun.rpartition(" ")[2]
    known = _IRREGULAR.get(word.casefold())
    if known is not None:
        return noun[: len(noun) - len(word)] + (known.capitalize() if word[:1].isupper() else known)
    if re.search(r"[^aeiou]y$", word):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(s|x|z|ch|sh)$", word) else f"{noun}s"


def counted(things: Sequence[str]) -> list[str]:
    """Equal neighbours as a number of them: `a Card`, `a Card` as `2 Cards`, `blue-3`, `blue-3` as `2 × blue-3`."""
    found = []
    for thing, group in groupby(things):
        number = len(list(group))
        article, _, noun = thing.partition(" ")
        if number == 1:
            found.append(thing)
        elif article in ("a", "an") and noun.isidentifier():
            found.append(f"{number} {plural(noun)}")
        else:
            found.append(f"{number} × {thing}")
    return found
