"""The results of simulated games: of one game, and of many that native code played at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.diagnostics import JsonObject
from croupier.execution.rows import ResultRows
from croupier.play.outcome import reason_of

if TYPE_CHECKING:
    from croupier.play.watching import TailReader, WatchedTail


@dataclass(frozen=True)
class GameResult:
    """One simulated game.

    `game` counts from 1, winners are seats from 0, returns as in a record, `grade` the words of
    `finish … as`, `order` the seats in the order of their first decisions, if that was asked for, `by` the
    value that games are grouped by, or that of each seat, `verified_hash` that of the last position, if
    positions are verified, `left_to_evaluator` whether compiled code left an action to the evaluator, which
    says nothing about the game.
    """

    game: int
    status: str
    returns: tuple[int | str, ...]
    winners: tuple[int, ...]
    scores: tuple[int | str, ...] | None
    grade: str | None
    decisions: int
    chance_events: int
    reason: str | None
    order: tuple[int, ...] | None = None
    by: str | tuple[str, ...] | None = None
    verified_hash: str | None = None
    left_to_evaluator: bool = field(default=False, compare=False, repr=False)


def result_of(game: int, outcome: JsonObject, decisions: int, chance_events: int) -> GameResult:
    """The result of a game by its outcome, without what only some runs ask for."""
    scores = outcome.get("scores")
    return GameResult(
        game=game,
        status=outcome["status"],
        returns=tuple(outcome["returns"] or ()),
        winners=tuple(outcome["winners"] or ()),
        scores=None if scores is None else tuple(scores),
        grade=outcome.get("grade"),
        decisions=decisions,
        chance_events=chance_events,
        reason=reason_of(outcome),
    )


@dataclass(frozen=True)
class FinishedRows:
    """Games in a row that all finished; `lines` are theirs in a digest, `tails` reads what was watched of
    them.
    """

    rows: ResultRows
    lines: bytes
    tails: TailReader | None = None

    def __len__(self) -> int:
        return self.rows.count

    def games(self) -> Iterator[GameResult]:
        """The games one by one, as `GameResult`s."""
        for number, game in results_of_rows(self.rows, self.tails):
            assert game is not None, number
            yield game


def results_of_rows(
    rows: ResultRows, tails: TailReader | None = None
) -> Iterator[tuple[int, GameResult | None]]:
    """Yield the results of games that native code played, by number; `None` for a game that native code did
    not finish.
    """
    return ((number, game) for number, game, _ in results_with_tails(rows, tails))


def results_with_tails(
    rows: ResultRows, tails: TailReader | None
) -> Iterator[tuple[int, GameResult | None, WatchedTail | None]]:
    """`results_of_rows`, with what was watched of each game; `tails` reads that, and turn order and group
    come from it.
    """
    for number, played in rows.games():
        if played is None:
            yield number, None, None
            continue
        tail = None if tails is None else tails.read(rows.tail(number))
        order = tail.order if tail is not None and tail.reader.orders else None
        yield (
            number,
            GameResult(
                game=number,
                status="unfinished" if played.limit else "finished",
                returns=played.returns,
                winners=played.winners,
                scores=played.scores,
                grade=played.grade,
                decisions=played.decisions,
                chance_events=played.chance_events,
                reason=f"more than {rows.limits[played.limit]} {played.limit}" if played.limit else None,
                order=order,
                by=None if tail is None else tail.group,
            ),
            tail,
        )
