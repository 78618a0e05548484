"""What can go wrong while rules run: a fault carries a diagnostic at the author's line and ends the game as faulted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from croupier.diagnostics import Diagnostic, Span, diagnose


class Fault(Exception):
    """A rule could not go on."""

    def __init__(self, code: str, span: Span, **args: Any) -> None:
        super().__init__(code)
        self.code, self.span, self.args_ = code, span, args

    @property
    def diagnostic(self) -> Diagnostic:
        """The fault in words, at the author's line."""
        return diagnose(self.code, self.span, **self.args_)


class GameOver(Exception):
    """`finish`: the result is already in the machine; every frame is dropped."""


class Unseen(Exception):
    """A part of a text would tell its readers what they may not see."""


class LookaheadFailed(Exception):
    """Inside a look-ahead: this way does not lead to the condition."""


class LookaheadHolds(Exception):
    """Inside a look-ahead: the condition holds at the end of the block."""


class IllegalAction(ValueError):
    """An action that is not legal in this position; the message says which ones are, the first of them in numbers and words."""


def nothing_to_choose(m: Any, span: Span) -> NoReturn:
    """There is no option: a dead end for who looks ahead, otherwise the game is stuck. Raises `LookaheadFailed` or `Fault`."""
    if m.search is not None:
        raise LookaheadFailed
    raise Fault("R007", span)


# ---------------------------------------------------------------- results
# How a game ended, and a number for every seat.
@dataclass(frozen=True, slots=True)
class Result:
    """`winners` are seats from 0; `returns` one number per seat: a payment, or 1 for winners and -1 for the others (0 for a draw of all);
    `scores` what a ranking or payment was made by (the first key of a ranking)."""

    kind: str
    winners: tuple[int, ...]
    returns: tuple[int, ...]
    scores: tuple[int, ...] | None
    grade: str | None

    @property
    def is_tie_broken(self) -> bool:
        """Has somebody as much as the winners and not won: does the next key of a ranking decide?"""
        scores = self.scores if self.kind == "rank" else None
        return bool(scores and self.winners and any(scores[p] == scores[self.winners[0]] for p in range(len(scores)) if p not in self.winners))

    @staticmethod
    def of(kind: str, value: Any, players: int, grade: str | None) -> Result:
        everybody = tuple(range(players))
        if kind == "win":
            winners = tuple(sorted(set(value)))
            return Result(kind, winners, tuple(1 if p in winners else -1 for p in everybody), None, grade)
        if kind == "rank":
            ranked = [v for v in value if v is not None]
            winners = tuple(p for p in everybody if ranked and value[p] == max(ranked))
            shared = len(winners) == players > 1
            scores = tuple((v[0] if v else 0) if isinstance(v, tuple) else (0 if v is None else v) for v in value) if value else (0,) * players
            return Result(kind, winners, tuple(0 if shared else 1 if p in winners else -1 for p in everybody), scores, grade)
        if kind == "pay":
            pay = tuple((0 if v is None else v) for v in value) if value else (0,) * players
            best = max(pay)
            winners = tuple(p for p in everybody if pay[p] == best) if best > min(pay) else ()
            return Result(kind, winners, pay, pay, grade)
        if kind == "lose":
            return Result(kind, (), (-1,) * players, None, grade)
        return Result("draw", (), (0,) * players, None, grade)
