"""How a game ended, and a number for every seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Result:
    """`winners` are seats from 0; `returns` one number per seat: a payment, or 1 for winners and -1 for the others (0 for a draw of all);
    `scores` what a ranking or payment was made by (the first key of a ranking)."""

    kind: str
    winners: tuple[int, ...]
    returns: tuple[int, ...]
    scores: tuple[int, ...] | None
    grade: str | None

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
