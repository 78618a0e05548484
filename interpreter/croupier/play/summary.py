"""The summary of a simulation: a value made of its games, and its JSON.

A seat's wins are the finished games that it won alone, its ties those that it won with others.  Its win rate is its part of all
finished games, a tie divided among those who share it: the rates of all seats and the share of the games that nobody won add up
to 1.  Games that did not finish are listed with their numbers: with the seed of
the run, `run --seed S --game N` plays such a game again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from croupier.play.game import Game
from croupier.play.statistics import Spread, spread, wilson
from croupier.play.tally import Tally

_MOST_LISTED = 100


@dataclass(frozen=True)
class SeatSummary:
    """What one seat, counted from 0, won: alone (`wins`) and with others (`ties`); the interval of the win rate is Wilson's at 95 %."""

    seat: int
    wins: int
    ties: int
    win_rate: float
    interval: tuple[float, float]
    scores: Spread | None

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "wins": self.wins,
            "ties": self.ties,
            "win_rate": round(self.win_rate, 6),
            "interval": [round(end, 6) for end in self.interval],
            "scores": self.scores.to_json() if self.scores else None,
        }


    def to_turn(self) -> dict[str, Any]:
        """The same of a place in the turn order."""
        found = {"place": self.seat, **self.to_json()}
        return {key: value for key, value in found.items() if key not in ("seat", "scores")}


def _summary(seat: int, won: tuple[int, int, Fraction], total: int, scores: Spread | None) -> SeatSummary:
    wins, ties, part = won
    return SeatSummary(seat, wins, ties, float(part / total) if total else 0.0, wilson(float(part), total), scores)


@dataclass(frozen=True)
class GradeSummary:
    """How many of the finished games ended with these words of `finish … as`, or without any."""

    grade: str | None
    games: int
    share: float

    def to_json(self) -> dict[str, Any]:
        return {"grade": self.grade, "games": self.games, "share": round(self.share, 6)}


@dataclass(frozen=True)
class Summary:
    """Games of one run, with what they were played with.  `asked` is how many were asked for."""

    ruleset: str
    ruleset_hash: str
    players: int
    parameters: Mapping[str, Any]
    seed: int
    bots: tuple[str, ...]
    asked: int
    tally: Tally
    seconds: float

    @property
    def games(self) -> int:
        return self.tally.games

    @property
    def statuses(self) -> Counter[str]:
        return self.tally.statuses

    @cached_property
    def problems(self) -> list[Game]:
        """The games that did not finish, in order."""
        return sorted(self.tally.problems, key=lambda game: game.game)

    @property
    def interrupted(self) -> bool:
        return self.games < self.asked

    @cached_property
    def digest(self) -> str:
        return self.tally.digest

    @cached_property
    def seats(self) -> list[SeatSummary]:
        return [self._seat(seat) for seat in range(self.players)]

    def _seat(self, seat: int) -> SeatSummary:
        return _summary(seat, self.tally.wins(seat), self.tally.finished, spread(self.tally.scores[seat]))

    @cached_property
    def places(self) -> list[SeatSummary]:
        """The same by turn order, the first to decide first; `seat` is the place, from 0. Nothing where that was not asked for."""
        total = self.tally.places.total()
        return [_summary(place, self.tally.wins_at(place), total, None) for place in range(self.players)] if total else []

    @property
    def nobody(self) -> int:
        """The finished games that nobody won."""
        return self.tally.winners[()]

    @cached_property
    def grades(self) -> list[GradeSummary]:
        """The grades of finished games, the most frequent first; nothing if no game had one."""
        counted, total = self.tally.grades, self.tally.finished
        if not any(counted):
            return []
        ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0] is not None, item[0] or ""))
        return [GradeSummary(grade, games, games / total) for grade, games in ordered]

    @cached_property
    def decisions(self) -> Spread | None:
        return spread(self.tally.decisions)

    @cached_property
    def chance_events(self) -> Spread | None:
        return spread(self.tally.chance_events)

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
            "games": self.games,
            "interrupted": self.interrupted,
            **{status: self.statuses[status] for status in ("finished", "unfinished", "stuck", "faulted")},
            "seats": [seat.to_json() for seat in self.seats],
            "nobody_wins": self.nobody,
            **({"turn_order": [place.to_turn() for place in self.places]} if self.places else {}),
            "grades": [grade.to_json() for grade in self.grades[:_MOST_LISTED]],
            "decisions": decisions.to_json() if decisions else None,
            "chance_events": chance.to_json() if chance else None,
            "problems": [{"game": game.game, "status": game.status, "reason": game.reason} for game in self.problems[:_MOST_LISTED]],
            "digest": self.digest,
            "seconds": round(self.seconds, 3),
        }
