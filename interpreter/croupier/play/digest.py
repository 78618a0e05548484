"""One short text that stands for everything that happened in a run.

    digest = SHA-256 of the ASCII lines, one a game, in game order, each ended by a line feed:

        NUMBER HASH STATUS RETURNS

NUMBER is the game's number, from 1; HASH its final position's hash; STATUS its outcome's status; RETURNS the returns of all
seats, joined by commas, fractions as `1/3`, or `-` when the game has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Protocol


class Played(Protocol):
    """What a digest needs to know of a game."""

    @property
    def game(self) -> int: ...
    @property
    def final_hash(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def returns(self) -> Sequence[int | str]: ...


class Digest:
    """Takes lines in any order; what comes in game order from game 1 on is not kept."""

    def __init__(self) -> None:
        self._hashed, self._next = sha256(), 1
        self._early: dict[int, tuple[int, bytes]] = {}  # by the number of the first game: how many, their lines

    def add(self, played: Played) -> None:
        returns = ",".join(map(str, played.returns)) or "-"
        self.add_lines(played.game, 1, f"{played.game} {played.final_hash} {played.status} {returns}\n".encode("ascii"))

    def add_lines(self, first: int, count: int, lines: bytes) -> None:
        """The lines of some games in a row."""
        self._early[first] = count, lines
        while self._next in self._early:
            count, lines = self._early.pop(self._next)
            self._hashed.update(lines)
            self._next += count

    def hexdigest(self) -> str:
        """The digest of what was added, as 64 hexadecimal digits."""
        whole = self._hashed.copy()
        for first in sorted(self._early):
            whole.update(self._early[first][1])
        return whole.hexdigest()


def digest(games: Iterable[Played]) -> str:
    """The digest of games in any order, as 64 hexadecimal digits."""
    made = Digest()
    for played in games:
        made.add(played)
    return made.hexdigest()
