"""Errors of rules at run time, and tests of what callers give.

A `Fault` carries a diagnostic at the author's line and ends the game as faulted.

What comes in by the public calls, actions, seats, seeds and texts, is tested here, once, before anything
happens, on every back end alike. A whole number is whatever `operator.index` takes, so those of NumPy too;
from here on it is an `int`. A float, a text or `None` is no number.
"""

from __future__ import annotations

from operator import index
from typing import Any, NoReturn

from croupier.diagnostics import Diagnostic, Span, diagnose
from croupier.records import dataclass
from croupier.runtime.streams import LARGEST_GAME, LARGEST_SEED


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


class Redacted(Exception):
    """A part of a text would tell its readers what they may not see."""


class LookaheadFailed(Exception):
    """Inside a look-ahead: this way does not lead to the condition."""


class LookaheadHolds(Exception):
    """Inside a look-ahead: the condition holds at the end of the block."""


class IllegalAction(ValueError):
    """An action that is not legal in this position; the message says which ones are, the first of them in
    numbers and words.
    """


def nothing_to_choose(m: Any, span: Span) -> NoReturn:
    """End a decision without options: a dead end in a look-ahead, otherwise the game is stuck.

    Raises `LookaheadFailed` or `Fault` (R007).
    """
    if m.search is not None:
        raise LookaheadFailed
    raise Fault("R007", span)


# ---------------------------------------------------------------- results
# How a game ended, and a number for every seat.
def _won_or_lost(winners: tuple[int, ...], players: int) -> tuple[int, ...]:
    """Return 1 for each winner and -1 for everybody else, by seat."""
    return tuple(1 if p in winners else -1 for p in range(players))


def _score(entry: Any) -> int:
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
    """`winners` are seats from 0; `returns` one number per seat: a payment, or 1 for winners and -1 for the
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
    def of(kind: str, value: Any, players: int, grade: str | None) -> Result:
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


# ------------------------------------------------------------ what callers give
SPECTATOR = -6
"""The view of somebody who sits at no seat; a number that stands for nobody in OpenSpiel."""


def number(value: object) -> int | None:
    """Return a whole number as `int`; `None` for anything else."""
    try:
        return int(index(value))  # type: ignore[arg-type]
    except TypeError:
        return None


def action_of(value: object) -> int:
    """An action. Raises `IllegalAction` for what is no whole number."""
    found = number(value)
    if found is None:
        raise IllegalAction(f"actions are whole numbers, not {shown(value)}")
    return found


def option_of(value: object) -> int:
    """An action that something may be called by: from 0. Raises `IllegalAction`."""
    found = action_of(value)
    if found < 0:
        raise IllegalAction(f"{found} is no action here")
    return found


def seat_of(value: object, players: int, *others: int) -> int:
    """A seat from 0, or one of the `others` that a call takes beside them.

    Raises ValueError for anything else.
    """
    found = number(value)
    if found is None or not (0 <= found < players or found in others):
        seats = f"0 to {players - 1}" if players > 2 else " or ".join(map(str, range(players)))
        raise ValueError(f"seat must be {seats}, got {shown(value)}")
    return found


def viewer_of(value: object, players: int) -> int | None:
    """Return the reader for the recorder and observations: a seat, `None` for the referee, `players` for a
    spectator.

    Raises ValueError.
    """
    if value is None:
        return None
    seat = seat_of(value, players, SPECTATOR)
    return players if seat == SPECTATOR else seat


def keys_of(seed: object, game: object) -> tuple[int, int]:
    """The seed of a run and the number of a game. Raises ValueError for others than there are."""
    found, count = number(seed), number(game)
    if found is None or not 0 <= found <= LARGEST_SEED:
        raise ValueError(f"a seed is a whole number from 0 to {LARGEST_SEED}, not {shown(seed)}")
    if count is None or not 1 <= count <= LARGEST_GAME:
        raise ValueError(f"games are counted from 1 to {LARGEST_GAME}, not {shown(game)}")
    return found, count


def text_of(value: object, what: str) -> str:
    """A text. Raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError(f"{what} is a text, not {shown(value)}")
    return value


def shown(value: object) -> str:
    """A wrong value in a message, cut short."""
    words = repr(value)
    return f"`{words[:60]}…`" if len(words) > 60 else f"`{words}`"


def several(seats: list[int]) -> str:
    """Seats in words: `seat 0`, `seats 0 and 1`, `seats 0, 1 and 2`."""
    *first, last = map(str, seats)
    return f"seats {', '.join(first)} and {last}" if first else f"seat {last}"
