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


def digest(games: Iterable[Played]) -> str:
    """The digest of games in any order, as 64 hexadecimal digits."""
    hashed = sha256()
    for played in sorted(games, key=lambda each: each.game):
        returns = ",".join(map(str, played.returns)) or "-"
        hashed.update(f"{played.game} {played.final_hash} {played.status} {returns}\n".encode("ascii"))
    return hashed.hexdigest()
