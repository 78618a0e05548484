"""The summary of a simulation: a value made of its games, and its JSON.

A seat's wins are the finished games that it won alone, its ties those that it won with others.  Its win rate
is its part of all finished games, a tie divided among those who share it: the rates of all seats and the
share of the games that nobody won add up to 1.  Games that did not finish are listed with their numbers: with
the seed of the run, `run --seed S --game N` plays such a game again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property

from croupier.diagnostics import JsonObject
from croupier.play.agents import clock_note
from croupier.play.results import GameResult
from croupier.play.statistics import Spread, spread, wilson
from croupier.play.tally import Tally

_MOST_LISTED = 100


@dataclass(frozen=True)
class SeatSummary:
    """The wins of one seat, counted from 0: alone (`wins`) and with others (`ties`); the interval of the win
    rate is Wilson's at 95 %.
    """

    seat: int
    wins: int
    ties: int
    win_rate: float
    interval: tuple[float, float]
    scores: Spread | None
    games: int  # that the rate is of

    def to_json(self) -> JsonObject:
        known = self.games > 0
        return {
            "seat": self.seat,
            "wins": self.wins,
            "ties": self.ties,
            "win_rate": round(self.win_rate, 6) if known else None,
            "interval": [round(end, 6) if known else None for end in self.interval],
            "scores": self.scores.to_json() if self.scores else None,
        }

    def to_turn(self) -> dict[str, object]:
        """Return the wins of the player at a place of the turn order."""
        found = {"place": self.seat, **self.to_json()}
        return {key: value for key, value in found.items() if key not in ("seat", "scores")}


def _summary(seat: int, won: tuple[int, int, Fraction], total: int, scores: Spread | None) -> SeatSummary:
    wins, ties, part = won
    return SeatSummary(
        seat, wins, ties, float(part / total) if total else 0.0, wilson(float(part), total), scores, total
    )


@dataclass(frozen=True)
class GradeSummary:
    """The finished games that ended with these words of `finish … as`, or without any."""

    grade: str | None
    games: int
    share: float
    interval: tuple[float, float]  # Wilson's at 95 %

    def to_json(self) -> JsonObject:
        interval = [round(end, 6) for end in self.interval]
        return {**asdict(self), "share": round(self.share, 6), "interval": interval}


@dataclass(frozen=True)
class GroupSummary:
    """Of the games in which an expression had a value: how many, and the part of them that a seat won.

    Without a seat: of the players for whom it had that value, how many, and which part of them won, alone or
    with others. The interval is Wilson's at 95 %; of players, clustered by game.
    """

    value: str
    seat: int | None
    count: int
    win_rate: float
    interval: tuple[float, float]

    def to_json(self) -> JsonObject:
        interval = [round(end, 6) for end in self.interval]
        return {**asdict(self), "win_rate": round(self.win_rate, 6), "interval": interval}


@dataclass(frozen=True)
class SimulationSummary:
    """Games of one run, with what they were played with.  `asked` is how many were asked for."""

    ruleset: str
    ruleset_hash: str
    players: int
    parameters: Mapping[str, object]
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
    def problems(self) -> list[GameResult]:
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
        """Wins by turn order, the first to decide first; `seat` is the place, from 0.

        Empty unless asked for.
        """
        total = self.tally.places.total()
        return (
            [_summary(place, self.tally.wins_at(place), total, None) for place in range(self.players)]
            if total
            else []
        )

    @cached_property
    def groups(self) -> list[GroupSummary]:
        """Return the wins by the values of an expression; empty if that was not asked for."""
        found = sorted(self.tally.groups.items(), key=lambda item: (_as_number(item[0][0]), item[0][1] or 0))
        return [
            GroupSummary(value, seat, n, float(won / n), self._interval_of_group(value, seat, won, n))
            for (value, seat), (n, won) in found
        ]

    def _interval_of_group(self, value: str, seat: int | None, won: Fraction, n: int) -> tuple[float, float]:
        if seat is None:
            return self.tally.groups_by_game[value].interval()
        return wilson(float(won), n)

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
        return [GradeSummary(grade, games, games / total, wilson(games, total)) for grade, games in ordered]

    @cached_property
    def decisions(self) -> Spread | None:
        return spread(self.tally.decisions)

    @cached_property
    def chance_events(self) -> Spread | None:
        return spread(self.tally.chance_events)

    def to_json(self) -> JsonObject:
        """The summary as one JSON object; everything but `timing` follows from the ruleset, the set-up and
        the seed, unless bots think by the clock.
        """
        decisions, chance = self.decisions, self.chance_events
        return {
            "ruleset": self.ruleset,
            "hash": self.ruleset_hash,
            "parameters": dict(self.parameters),
            "players": self.players,
            "bots": list(self.bots),
            "seed": self.seed,
            **clock_note(self.bots),
            "games": {"wanted": self.asked, "played": self.games},
            "interrupted": self.interrupted,
            **{status: self.statuses[status] for status in ("finished", "unfinished", "stuck", "faulted")},
            "rates_of": "finished games",
            "seats": [seat.to_json() for seat in self.seats],
            "nobody_wins": self.nobody,
            "turn_order": [place.to_turn() for place in self.places],
            "by": [group.to_json() for group in self.groups],
            "grades": [grade.to_json() for grade in self.grades[:_MOST_LISTED]],
            "decisions": decisions.to_json() if decisions else None,
            "chance_events": chance.to_json() if chance else None,
            "problems": [
                {"game": game.game, "status": game.status, "reason": game.reason}
                for game in self.problems[:_MOST_LISTED]
            ],
            "digest": self.digest,
            "timing": {"seconds": round(self.seconds, 3)},
        }


def _as_number(text: str) -> tuple[int, str]:
    """Sorts numbers by size, and words behind them by the alphabet."""
    return (int(text), "") if text.lstrip("-").isdecimal() else (2**63, text)
