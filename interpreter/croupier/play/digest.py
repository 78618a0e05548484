"""The digest of games: one short text that stands for everything that happened in a run.

    digest = SHA-256 of the ASCII lines, one a game, in game order, each ended by a line feed:

        NUMBER STATUS RETURNS DECISIONS EVENTS

NUMBER is the game's number, from 1; STATUS its outcome's status; RETURNS the returns of all seats, joined
by commas, fractions as `1/3`, or `-` when the game has none; DECISIONS and EVENTS how many decisions and
chance events there were. Where positions are verified, too, the hash of the last one ends the line, behind
a space.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Protocol


class DigestedGame(Protocol):
    """A game as a digest reads it; `verified_hash` is `None` if positions are not verified."""

    @property
    def game(self) -> int: ...
    @property
    def status(self) -> str: ...
    @property
    def returns(self) -> Sequence[int | str]: ...
    @property
    def decisions(self) -> int: ...
    @property
    def chance_events(self) -> int: ...
    @property
    def verified_hash(self) -> str | None: ...


def digest_line(played: DigestedGame) -> str:
    """Return the line of a game in a digest."""
    returns = ",".join(map(str, played.returns)) or "-"
    verified = "" if played.verified_hash is None else f" {played.verified_hash}"
    return f"{played.game} {played.status} {returns} {played.decisions} {played.chance_events}{verified}\n"


class Digest:
    """Takes lines in any order; what comes in game order from game 1 on is not kept."""

    def __init__(self) -> None:
        self._hashed, self._next = sha256(), 1
        # by the number of the first game: how many, their lines
        self._early: dict[int, tuple[int, bytes]] = {}

    def add(self, played: DigestedGame) -> None:
        self.add_lines(played.game, 1, digest_line(played).encode("ascii"))

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


def digest(games: Iterable[DigestedGame]) -> str:
    """The digest of games in any order, as 64 hexadecimal digits."""
    made = Digest()
    for played in games:
        made.add(played)
    return made.hexdigest()
