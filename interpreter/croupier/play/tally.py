"""What is counted of the games of a run, as they come in, in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from croupier.play.digest import Digest
from croupier.play.game import Batch, Game
from croupier.play.plain import exact

_GRADE = 5  # which word of a row of native code is the number of its grade; below 0 there is none


class Tally:
    """Counts, and the games that did not finish.  Winners, scores and grades are those of finished games, scores by seat."""

    def __init__(self, players: int, games: Iterable[Game | Batch] = ()) -> None:
        self.players, self.games = players, 0
        self.statuses, self.winners = Counter[str](), Counter[tuple[int, ...]]()
        self.places = Counter[tuple[int, ...]]()  # the winners by their place in the turn order, where games tell it
        self.decisions, self.chance_events = Counter[int](), Counter[int]()
        self.scores = [Counter[float]() for _ in range(players)]
        self.grades = Counter[str | None]()
        self.problems: list[Game] = []
        self._digest = Digest()
        for some in games:
            self.add(some)

    def add(self, some: Game | Batch) -> None:
        if isinstance(some, Batch):
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
        self.grades[some.grade] += 1
        for counted, score in zip(self.scores, some.scores or (), strict=False):
            counted[float(exact(score))] += 1

    def _add_batch(self, batch: Batch) -> None:
        rows = batch.rows
        self.games += len(batch)
        self._digest.add_lines(rows.first, rows.count, batch.lines)
        self.statuses["finished"] += rows.count
        self.decisions.update(rows.column(1))
        self.chance_events.update(rows.column(2))
        self.winners.update(rows.winners())
        for grade, n in Counter(rows.column(_GRADE)).items():
            self.grades[None if grade < 0 else rows.texts[grade]] += n
        for counted, found in zip(self.scores, rows.scores(), strict=True):
            counted.update({float(score): n for score, n in found.items()})

    @property
    def finished(self) -> int:
        return self.statuses["finished"]

    def wins(self, seat: int) -> tuple[int, int, Fraction]:
        """How many games a seat won alone, how many with others, and how many that makes if those are divided."""
        return _won(self.winners, seat)

    def wins_at(self, place: int) -> tuple[int, int, Fraction]:
        """The same of whoever was at a place of the turn order, from 0."""
        return _won(self.places, place)

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()


def _won(winners_of: Counter[tuple[int, ...]], who: int) -> tuple[int, int, Fraction]:
    won = [(len(winners), n) for winners, n in winners_of.items() if who in winners]
    alone = sum(n for several, n in won if several == 1)
    return alone, sum(n for _, n in won) - alone, sum((Fraction(n, several) for several, n in won), Fraction())
