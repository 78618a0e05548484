"""The summary of a simulation: a value made of its games, and its JSON.

A seat's wins count every finished game in which it is among the winners, so a shared victory counts for each of those who
share it; rates are shares of the finished games.  Games that did not finish are listed with their numbers: with the seed of
the run, `run --seed S --game N` plays such a game again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from croupier.play.digest import digest
from croupier.play.plain import exact
from croupier.play.simulate import Game
from croupier.play.statistics import Spread, spread, wilson

_MOST_LISTED = 100


@dataclass(frozen=True)
class SeatSummary:
    """What one seat, counted from 0, won: `shared` of the `wins` with others; the interval is Wilson's at 95 %."""

    seat: int
    wins: int
    shared: int
    win_rate: float
    interval: tuple[float, float]
    scores: Spread | None

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "wins": self.wins,
            "shared": self.shared,
            "win_rate": round(self.win_rate, 6),
            "interval": [round(end, 6) for end in self.interval],
            "scores": self.scores.to_json() if self.scores else None,
        }


@dataclass(frozen=True)
class Summary:
    """Games of one run, in game order, with what they were played with.  `asked` is how many were asked for."""

    ruleset: str
    ruleset_hash: str
    players: int
    parameters: Mapping[str, Any]
    seed: int
    bots: tuple[str, ...]
    asked: int
    games: Sequence[Game]
    seconds: float

    @cached_property
    def statuses(self) -> Counter[str]:
        return Counter(game.status for game in self.games)

    @cached_property
    def finished(self) -> list[Game]:
        return [game for game in self.games if game.status == "finished"]

    @cached_property
    def problems(self) -> list[Game]:
        """The games that did not finish."""
        return [game for game in self.games if game.status != "finished"]

    @property
    def interrupted(self) -> bool:
        return len(self.games) < self.asked

    @cached_property
    def digest(self) -> str:
        return digest(self.games)

    @cached_property
    def seats(self) -> list[SeatSummary]:
        return [self._seat(seat) for seat in range(self.players)]

    def _seat(self, seat: int) -> SeatSummary:
        won = [game for game in self.finished if seat in game.winners]
        scores = [float(exact(game.scores[seat])) for game in self.finished if game.scores]
        total = len(self.finished)
        return SeatSummary(
            seat=seat,
            wins=len(won),
            shared=sum(len(game.winners) > 1 for game in won),
            win_rate=len(won) / total if total else 0.0,
            interval=wilson(len(won), total),
            scores=spread(scores),
        )

    @property
    def decisions(self) -> Spread | None:
        return spread([game.decisions for game in self.games])

    @property
    def chance_events(self) -> Spread | None:
        return spread([game.chance_events for game in self.games])

    def to_json(self) -> dict[str, Any]:
        """The summary as one JSON object; everything but `seconds` follows from the ruleset, the set-up and the seed."""
        decisions, chance = self.decisions, self.chance_events
        return {
            "ruleset": self.ruleset,
            "ruleset_hash": self.ruleset_hash,
            "players": self.players,
            "parameters": dict(self.parameters),
            "seed": self.seed,
            "bots": list(self.bots),
            "games": len(self.games),
            "interrupted": self.interrupted,
            **{status: self.statuses[status] for status in ("finished", "unfinished", "stuck", "faulted")},
            "seats": [seat.to_json() for seat in self.seats],
            "decisions": decisions.to_json() if decisions else None,
            "chance_events": chance.to_json() if chance else None,
            "problems": [{"game": game.game, "status": game.status, "reason": game.reason} for game in self.problems[:_MOST_LISTED]],
            "digest": self.digest,
            "seconds": round(self.seconds, 3),
        }
