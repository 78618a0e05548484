"""Sums over games of what a game has several of: players, decisions, changes of the lead.

What one game gives is not independent of the rest of that game: who wins leaves nothing for the others. So
the unit is the game, or a turn of games on one seed. In come, of each game, how many were counted and what of
them hit; out come the share of all hits in all that was counted, its variance between games, and Wilson's
interval with as many trials as would have that variance: the effective sample size of E. L. Korn and B. I.
Graubard, "Confidence intervals for proportions with small expected number of positive counts estimated from
survey data", Survey Methodology 24, 1998. It is at most the number that was counted, less what Student's
distribution takes of few games; of fewer games than `_FEW`, and of a share of 0 or 1, it is the number of
games.

The variance is that of the ratio of two sums over games: W. G. Cochran, "Sampling Techniques", 1977, 2.11 and
6.4. It is the one that a cluster-robust regression gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

from croupier.play.statistics import CONFIDENCE, student, wilson

_FEW = 6  # games before their variance says something


@dataclass
class GameSums:
    """Sums over the games in which something was counted; `unit` is what they are called."""

    unit: str = "game"
    games: int = 0
    counted: float = 0.0
    hits: float = 0.0
    _squares: float = 0.0  # of what was counted
    _hit_squares: float = 0.0
    _products: float = 0.0

    def add(self, counted: float, hits: float) -> None:
        """Add a game: how many were counted, and the hits; nothing if none was counted."""
        if not counted:
            return
        self.games += 1
        self.counted += counted
        self.hits += hits
        self._squares += counted * counted
        self._hit_squares += hits * hits
        self._products += counted * hits

    @property
    def value(self) -> float:
        """The hits of all that was counted; 0 where nothing was."""
        return self.hits / self.counted if self.counted else 0.0

    @property
    def variance(self) -> float:
        """The variance of `value`; 0 of fewer than two games."""
        if self.games < 2:
            return 0.0
        rest = self._hit_squares - 2 * self.value * self._products + self.value**2 * self._squares
        return max(rest, 0.0) / self.counted**2 * self.games / (self.games - 1)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The interval of `value` where it is a share, from 0 to 1."""
        trials = self._trials(confidence)
        return wilson(min(self.value, 1.0) * trials, trials, confidence)

    def _trials(self, confidence: float) -> float:
        """Return as many independent trials as tell as much."""
        binomial, variance = self.value * (1 - self.value), self.variance
        if self.games < _FEW or binomial <= 0:
            return min(self.games, self.counted)
        trials = min(self.counted, binomial / variance) if variance else self.counted
        part = (1 + confidence) / 2
        return trials * (NormalDist().inv_cdf(part) / student(part, self.games - 1)) ** 2


__all__ = ["GameSums"]
