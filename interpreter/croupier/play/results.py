"""The results of simulated games, the counts of many, and the summary of all of it as one value."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from croupier.diagnostics import JsonObject
from croupier.execution.rows import CHANCE_EVENTS, DECISIONS, ResultRows
from croupier.play.record import Digest, exact

if TYPE_CHECKING:
    from croupier.play.watching import TailReader, WatchedTail


# ---------------------------------------------------------------- game
# What is kept of a simulated game, and of many that native code played at once.
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


# ---------------------------------------------------------------- statistics
# What many games say.
#
# The interval of a share is Wilson's score interval (E. B. Wilson, Journal of the American Statistical
# Association 22, 1927):
# with k successes in n trials, p = k / n and z the normal quantile of the confidence,
#
#     (p + z^2 / 2n  +-  z * sqrt(p (1 - p) / n + z^2 / 4 n^2))  /  (1 + z^2 / n)
#
# It never leaves 0 to 1 and stays honest for few games and for shares near 0 or 1.  Floating point is used
# for such figures only: nothing that is computed here ever enters a game, a hash or a digest.
CONFIDENCE = 0.95


def wilson(successes: float, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of a share, from 0 to 1; the whole of it without trials; successes may be fractions.

    Raises ValueError for impossible counts.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / trials
    centre = share + z * z / (2 * trials)
    spread = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    low = 0.0 if successes == 0 else (centre - spread) / scale
    high = 1.0 if successes == trials else (centre + spread) / scale
    return low, high


@dataclass(frozen=True)
class Spread:
    """The smallest, middle, mean and largest of some numbers."""

    min: float
    median: float
    mean: float
    max: float

    def to_json(self) -> dict[str, float]:
        return {"min": self.min, "median": self.median, "mean": round(self.mean, 6), "max": self.max}


def spread(numbers: Iterable[float] | Mapping[float, int]) -> Spread | None:
    """The spread of some numbers, or of numbers that occurred so often; None if there are none."""
    counted = Counter(numbers)
    if not counted:
        return None
    total, values = counted.total(), sorted(counted)
    ends = list(accumulate(counted[value] for value in values))
    low, high = (values[bisect_right(ends, at)] for at in ((total - 1) // 2, total // 2))
    mean = float(sum(Fraction(value) * n for value, n in counted.items()) / total)
    return Spread(values[0], low if total % 2 else (low + high) / 2, mean, values[-1])


# ---------------------------------------------------------------- tally
# What is counted of the games of a run, as they come in, in any order.
class Tally:
    """Counts, and the games that did not finish.

    Winners, scores and grades are those of finished games, scores by seat.
    """

    def __init__(self, players: int, games: Iterable[GameResult | FinishedRows] = ()) -> None:
        self.players, self.games = players, 0
        self.statuses, self.winners = Counter[str](), Counter[tuple[int, ...]]()
        # the winners by their place in the turn order, where games tell it
        self.places = Counter[tuple[int, ...]]()
        # by a value and a seat (none: its players): how many, and how many won
        self.groups: dict[tuple[str, int | None], tuple[int, Fraction]] = {}
        self.decisions, self.chance_events = Counter[int](), Counter[int]()
        self.scores = [Counter[float]() for _ in range(players)]
        self.grades = Counter[str | None]()
        self.problems: list[GameResult] = []
        self._digest = Digest()
        for some in games:
            self.add(some)

    def add(self, some: GameResult | FinishedRows) -> None:
        if isinstance(some, FinishedRows):
            self._add_batch(some)
            return
        self.games += 1
        self._digest.add(some)
        self.statuses[some.status] += 1
        self.decisions[some.decisions] += 1
        self.chance_events[some.chance_events] += 1
        if some.status != "finished":
            self.problems.append(some)
            return
        self.winners[some.winners] += 1
        if some.order is not None:
            self.places[tuple(sorted(some.order.index(seat) for seat in some.winners))] += 1
        self._add_groups(some)
        self.grades[some.grade] += 1
        for counted, score in zip(self.scores, some.scores or (), strict=False):
            counted[float(exact(score))] += 1

    def _add_groups(self, game: GameResult) -> None:
        of_players = isinstance(game.by, tuple)
        for seat in range(self.players) if game.by is not None else ():
            key = (game.by[seat], None) if isinstance(game.by, tuple) else (str(game.by), seat)
            n, won = self.groups.get(key, (0, Fraction()))
            if seat in game.winners:
                won += Fraction(1, 1 if of_players else len(game.winners))
            self.groups[key] = n + 1, won

    def _add_batch(self, batch: FinishedRows) -> None:
        rows = batch.rows
        self.games += len(batch)
        self._digest.add_lines(rows.first, rows.count, batch.lines)
        self.statuses["finished"] += rows.count
        self.decisions.update(rows.histogram(DECISIONS))
        self.chance_events.update(rows.histogram(CHANCE_EVENTS))
        self.winners.update(rows.winners())
        self.grades.update(rows.grade_counts())
        for counted, found in zip(self.scores, rows.scores(), strict=True):
            counted.update({float(score): n for score, n in found.items()})

    @property
    def finished(self) -> int:
        return self.statuses["finished"]

    def wins(self, seat: int) -> tuple[int, int, Fraction]:
        """Return the number of games that a seat won alone, of those it won with others, and the sum with
        those divided.
        """
        return _won(self.winners, seat)

    def wins_at(self, place: int) -> tuple[int, int, Fraction]:
        """The wins of the player at a place of the turn order, from 0: alone, with others, and shared wins
        divided.
        """
        return _won(self.places, place)

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()


def _won(winners_of: Counter[tuple[int, ...]], who: int) -> tuple[int, int, Fraction]:
    won = [(len(winners), n) for winners, n in winners_of.items() if who in winners]
    alone = sum(n for several, n in won if several == 1)
    return (
        alone,
        sum(n for _, n in won) - alone,
        sum((Fraction(n, several) for several, n in won), Fraction()),
    )


# ---------------------------------------------------------------- summary
# The summary of a simulation: a value made of its games, and its JSON.
#
# A seat's wins are the finished games that it won alone, its ties those that it won with others.  Its win
# rate is its part of all finished games, a tie divided among those who share it: the rates of all seats and
# the share of the games that nobody won add up to 1.  Games that did not finish are listed with their
# numbers: with the seed of the run, `run --seed S --game N` plays such a game again.
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

    def to_json(self) -> JsonObject:
        return {
            "seat": self.seat,
            "wins": self.wins,
            "ties": self.ties,
            "win_rate": round(self.win_rate, 6),
            "interval": [round(end, 6) for end in self.interval],
            "scores": self.scores.to_json() if self.scores else None,
        }

    def to_turn(self) -> dict[str, object]:
        """Return the wins of the player at a place of the turn order."""
        found = {"place": self.seat, **self.to_json()}
        return {key: value for key, value in found.items() if key not in ("seat", "scores")}


def _summary(seat: int, won: tuple[int, int, Fraction], total: int, scores: Spread | None) -> SeatSummary:
    wins, ties, part = won
    return SeatSummary(
        seat, wins, ties, float(part / total) if total else 0.0, wilson(float(part), total), scores
    )


@dataclass(frozen=True)
class GradeSummary:
    """The finished games that ended with these words of `finish … as`, or without any."""

    grade: str | None
    games: int
    share: float

    def to_json(self) -> JsonObject:
        return {"grade": self.grade, "games": self.games, "share": round(self.share, 6)}


@dataclass(frozen=True)
class GroupSummary:
    """Of the games in which an expression had a value: how many, and the part of them that a seat won.

    Without a seat: of the players for whom it had that value, how many, and which part of them won, alone or
    with others. The interval is Wilson's at 95 %.
    """

    value: str
    seat: int | None
    count: int
    win_rate: float
    interval: tuple[float, float]

    def to_json(self) -> JsonObject:
        interval = [round(end, 6) for end in self.interval]
        return {
            "value": self.value,
            "seat": self.seat,
            "count": self.count,
            "win_rate": round(self.win_rate, 6),
            "interval": interval,
        }


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
            GroupSummary(value, seat, n, float(won / n), wilson(float(won), n))
            for (value, seat), (n, won) in found
        ]

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

    def to_json(self) -> JsonObject:
        """The summary as one JSON object; everything but `timing` follows from the ruleset, the set-up and
        the seed.
        """
        decisions, chance = self.decisions, self.chance_events
        return {
            "ruleset": self.ruleset,
            "hash": self.ruleset_hash,
            "parameters": dict(self.parameters),
            "players": self.players,
            "bots": list(self.bots),
            "seed": self.seed,
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
