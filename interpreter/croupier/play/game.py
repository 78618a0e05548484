"""What is kept of a simulated game, and of many that native code played at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.backends.native.rows import Rows


@dataclass(frozen=True)
class Game:
    """One simulated game.  `game` counts from 1, winners are seats from 0, returns as in a record, `grade` the words of `finish … as`,
    `order` the seats in the order of their first decisions, if that was asked for."""

    game: int
    final_hash: str
    status: str
    returns: tuple[int | str, ...]
    winners: tuple[int, ...]
    scores: tuple[int | str, ...] | None
    grade: str | None
    decisions: int
    chance_events: int
    reason: str | None
    order: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Batch:
    """Games in a row that all finished; `lines` are theirs in a digest."""

    rows: Rows
    lines: bytes

    def __len__(self) -> int:
        return self.rows.count

    def games(self) -> Iterator[Game]:
        """One by one."""
        for number, game in of_rows(self.rows):
            assert game is not None, number
            yield game


def of_rows(rows: Rows) -> Iterator[tuple[int, Game | None]]:
    """Games that native code played, with their numbers; none for one that held something unusual."""
    for number, played in rows.played():
        if played is None:
            yield number, None
            continue
        yield number, Game(
            game=number,
            final_hash=played.final_hash,
            status="finished",
            returns=played.returns,
            winners=played.winners,
            scores=played.scores,
            grade=played.grade,
            decisions=played.decisions,
            chance_events=played.chance_events,
            reason=None,
        )
