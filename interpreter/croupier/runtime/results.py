"""The result of a game: who won, and a number for every seat."""

from __future__ import annotations

from croupier.records import dataclass
from croupier.runtime.game import Value


def _won_or_lost(winners: tuple[int, ...], players: int) -> tuple[int, ...]:
    """Return 1 for each winner and -1 for everybody else, by seat."""
    return tuple(1 if p in winners else -1 for p in range(players))


def _score(entry: Value) -> int:
    """Return the number that a seat is ranked by: the first of several keys; 0 for a seat without a rank."""
    match entry:
        case None | ():
            return 0
        case tuple():
            return int(entry[0])
        case _:
            return int(entry)


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game.

    `winners` are seats from 0; `returns` one number per seat: a payment, or 1 for winners and -1 for the
    others (0 for a draw of all); `scores` what a ranking or payment was made by (the first key of a ranking).
    """

    kind: str
    winners: tuple[int, ...]
    returns: tuple[int, ...]
    scores: tuple[int, ...] | None
    grade: str | None

    @property
    def is_tie_broken(self) -> bool:
        """True if somebody who has not won has as much as the winners: the next key of a ranking decides."""
        scores = self.scores if self.kind == "rank" else None
        return bool(
            scores
            and self.winners
            and any(scores[p] == scores[self.winners[0]] for p in range(len(scores)) if p not in self.winners)
        )

    @staticmethod
    def of(kind: str, value: Value, players: int, grade: str | None) -> Result:
        everybody = tuple(range(players))
        if kind == "win":
            winners = tuple(sorted(set(value)))
            return Result(kind, winners, _won_or_lost(winners, players), None, grade)
        if kind == "rank":
            ranked = [v for v in value if v is not None]
            winners = tuple(p for p in everybody if ranked and value[p] == max(ranked))
            nobody: tuple[int, ...] = (0,) * players
            is_shared = len(winners) == players > 1
            returns = nobody if is_shared else _won_or_lost(winners, players)
            scores = tuple(_score(v) for v in value) if value else nobody
            return Result(kind, winners, returns, scores, grade)
        if kind == "pay":
            pay: tuple[int, ...] = (0,) * players
            if value:
                pay = tuple(0 if v is None else v for v in value)
            best = max(pay)
            winners = tuple(p for p in everybody if pay[p] == best) if best > min(pay) else ()
            return Result(kind, winners, pay, pay, grade)
        if kind == "lose":
            return Result(kind, (), (-1,) * players, None, grade)
        return Result("draw", (), (0,) * players, None, grade)
