"""The counts of the games of a run, which come in in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from croupier.execution.rows import CHANCE_EVENTS, DECISIONS
from croupier.play.clusters import GameSums
from croupier.play.digest import Digest
from croupier.play.plain import exact
from croupier.play.results import FinishedRows, GameResult


class Tally:
    """Counts, and the games that did not finish.

    Winners, scores and grades are those of finished games, scores by seat.
    """

    def __init__(self, players: int, games: Iterable[GameResult | FinishedRows] = ()) -> None:
        self.players, self.games = players, 0
        self.statuses, self.winners = Counter[str](), Counter[tuple[int, ...]]()
        # the winners by their place in the turn order, where games tell it
        self.places = Counter[tuple[int, ...]]()
        # by a value and a seat (none: its players): how many, and how many won; of players also by game
        self.groups: dict[tuple[str, int | None], tuple[int, Fraction]] = {}
        self.groups_by_game: dict[str, GameSums] = {}
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
        values = game.by if isinstance(game.by, tuple) else ()
        for value in dict.fromkeys(values):
            having = [seat for seat, other in enumerate(values) if other == value]
            sums = self.groups_by_game.setdefault(value, GameSums())
            sums.add(len(having), sum(seat in game.winners for seat in having))

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
        return won_by(self.winners, seat)

    def wins_at(self, place: int) -> tuple[int, int, Fraction]:
        """The wins of the player at a place of the turn order, from 0: alone, with others, and shared wins
        divided.
        """
        return won_by(self.places, place)

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()


def won_by(winners_of: Counter[tuple[int, ...]], who: int) -> tuple[int, int, Fraction]:
    """Return the number of games that a seat won alone, of those it won with others, and the sum with those
    divided; `winners_of` counts games by their winners.
    """
    won = [(len(winners), n) for winners, n in winners_of.items() if who in winners]
    alone = sum(n for several, n in won if several == 1)
    return (
        alone,
        sum(n for _, n in won) - alone,
        sum((Fraction(n, several) for several, n in won), Fraction()),
    )
