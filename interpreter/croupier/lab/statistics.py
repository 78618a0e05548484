"""Estimates with intervals.

Floating point is used for such figures only: nothing here ever enters a game or a digest.

    share         Wilson's score interval: E. B. Wilson, JASA 22, 1927 (`play/statistics.py`)
    distribution  the Dvoretzky-Kiefer-Wolfowitz band
    mean          the normal interval m +- z s / sqrt(n); honest from some 30 games on, where no few of them
                  make the mean

Intervals that may be watched all the time stand in `sequences.py`, tests for a planned number of games in
`planned.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist

from croupier.diagnostics import JsonObject
from croupier.play.statistics import CONFIDENCE, wilson


@dataclass(frozen=True)
class Estimate:
    """A figure of `n` games, its interval at some confidence, and the method of that interval."""

    value: float
    low: float
    high: float
    n: int
    method: str
    confidence: float = CONFIDENCE

    def to_json(self) -> JsonObject:
        ends = [None if abs(end) == float("inf") else round(end, 6) for end in (self.low, self.high)]
        return {
            "value": round(self.value, 6),
            "interval": ends,
            "n": self.n,
            "method": self.method,
            "confidence": self.confidence,
        }

    @property
    def excludes_zero(self) -> bool:
        """True if the interval lies on one side of zero."""
        return self.low > 0 or self.high < 0


def share(successes: float, trials: int, confidence: float = CONFIDENCE) -> Estimate:
    """A share of games, with Wilson's interval; successes may be fractions, of divided wins."""
    low, high = wilson(successes, trials, confidence)
    return Estimate(successes / trials if trials else 0.0, low, high, trials, "Wilson", confidence)


def mean(values: Iterable[float], confidence: float = CONFIDENCE) -> Estimate:
    """A mean, with the normal interval; without two values nothing is known."""
    found = Moments()
    for value in values:
        found.add(value)
    if found.n < 2:
        return Estimate(found.mean, float("-inf"), float("inf"), found.n, "normal", confidence)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    half = z * sqrt(found.variance / found.n)
    return Estimate(found.mean, found.mean - half, found.mean + half, found.n, "normal", confidence)


def distribution_band(n: int, confidence: float = CONFIDENCE) -> float:
    """Return how far a whole distribution lies from that of `n` games at most, above and below, as a share.

    A. Dvoretzky, J. Kiefer, J. Wolfowitz, Annals of Mathematical Statistics 27, 1956, with the constant of P.
    Massart, Annals of Probability 18, 1990.
    """
    return sqrt(log(2 / (1 - confidence)) / (2 * n))


class Moments:
    """Mean and variance of numbers as they come: B. P. Welford, Technometrics 4, 1962."""

    def __init__(self) -> None:
        self.n, self.mean, self._squares = 0, 0.0, 0.0

    def add(self, value: float) -> None:
        """Add one number."""
        self.n += 1
        before = value - self.mean
        self.mean += before / self.n
        self._squares += before * (value - self.mean)

    @property
    def variance(self) -> float:
        """The sample variance; 0 of fewer than two."""
        return self._squares / (self.n - 1) if self.n > 1 else 0.0


__all__ = ["Estimate", "Moments", "distribution_band", "mean", "share"]
