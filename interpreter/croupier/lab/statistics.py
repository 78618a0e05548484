"""Estimates with intervals.

Floating point is used for such figures only: nothing here ever enters a game or a digest.

    share         Wilson's score interval: E. B. Wilson, JASA 22, 1927 (`play/statistics.py`)
    distribution  the Dvoretzky-Kiefer-Wolfowitz band
    mean          the normal interval, corrected for skewness: P. Hall, "On the removal of skewness by
                  transformation", JRSS B 54, 1992; where there are games enough for how skewed they are:
                  n > 25 G^2, with G the skewness (W. G. Cochran, "Sampling Techniques", 1977, 2.15)

Intervals that may be watched all the time stand in `sequences.py`, tests for a planned number of games in
`planned.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import cbrt, fsum, inf, log, sqrt

from croupier.diagnostics import JsonObject
from croupier.play.statistics import CONFIDENCE, student, wilson

FEWEST = 30  # games before a mean has an interval
_SKEWED = 25  # games for a squared skewness of 1
EQUAL = "none: all are equal"
"""The method of a mean of equal numbers: what is rare has not been seen yet, so it has no interval."""


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
        ends = [round(end, 6) if self.is_known and abs(end) < inf else None for end in (self.low, self.high)]
        return {
            "value": round(self.value, 6) if self.n else None,
            "interval": ends,
            "n": self.n,
            "method": self.method,
            "confidence": self.confidence,
        }

    @property
    def is_known(self) -> bool:
        """True if there is an interval: one end at least, of one observation or more."""
        return self.n > 0 and (self.low > -inf or self.high < inf)

    @property
    def is_of_equals(self) -> bool:
        """True if it is the mean of equal numbers."""
        return self.method == EQUAL

    @property
    def excludes_zero(self) -> bool:
        """True if the interval lies on one side of zero."""
        return self.low > 0 or self.high < 0


def share(successes: float, trials: int, confidence: float = CONFIDENCE) -> Estimate:
    """A share of games, with Wilson's interval; successes may be fractions, of divided wins."""
    low, high = wilson(successes, trials, confidence)
    return Estimate(successes / trials if trials else 0.0, low, high, trials, "Wilson", confidence)


def mean(values: Iterable[float] | Mapping[float, int], confidence: float = CONFIDENCE) -> Estimate:
    """A mean of numbers, or of numbers that occurred so often; its interval is normal, corrected for
    skewness.

    There is none of fewer than `FEWEST` values, nor where values are too skewed for how many there are.
    Values that are all the same have none either: of rare ones that differ nothing is known.
    """
    counted, method = Counter(values), "normal, corrected for skewness"
    n = counted.total()
    middle = fsum(value * times for value, times in counted.items()) / n if n else 0.0
    if n > 1 and len(counted) == 1:
        return Estimate(middle, -inf, inf, n, EQUAL, confidence)
    if n < FEWEST:
        return Estimate(middle, -inf, inf, n, method, confidence)
    squares = fsum((value - middle) ** 2 * times for value, times in counted.items())
    cubes = fsum((value - middle) ** 3 * times for value, times in counted.items())
    skewness = cubes / n / sqrt(squares / n) ** 3  # Fisher's G1
    if n <= _SKEWED * skewness**2:
        return Estimate(middle, -inf, inf, n, method, confidence)
    quantile, error = student((1 + confidence) / 2, n - 1), sqrt(squares / (n - 1) / n)
    low = middle - error * _unskewed(quantile, skewness, n)
    high = middle - error * _unskewed(-quantile, skewness, n)
    return Estimate(middle, low, high, n, method, confidence)


def _unskewed(quantile: float, skewness: float, n: int) -> float:
    """Return the quantile of a mean's t of n numbers of this skewness: the inverse of Hall's transformation
    g(t) = t + a G t^2 / sqrt(n) + (a G)^2 t^3 / 3 n + b G / sqrt(n), with a = 1 / 3 and b = 1 / 6.
    """
    root, pull = sqrt(n), skewness / 3
    if abs(pull) < 1e-9:
        return quantile
    return root / pull * (cbrt(1 + 3 * pull * (quantile / root - skewness / (6 * n))) - 1)


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
