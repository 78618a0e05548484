"""Estimates with intervals.

Floating point is used for such figures only: nothing here ever enters a game or a digest.

    share             Wilson's score interval: E. B. Wilson, JASA 22, 1927 (`play/statistics.py`)
    distribution      the Dvoretzky-Kiefer-Wolfowitz band
    mean              the normal interval, corrected for skewness: P. Hall, "On the removal of skewness by
                      transformation", JRSS B 54, 1992; where there are games enough for how skewed they are:
                      n > 25 G^2, with G the skewness (W. G. Cochran, "Sampling Techniques", 1977, 2.15)
    bounded sequence  for numbers from 0 to 1: the predictable plug-in empirical Bernstein confidence
                      sequence, theorem 2 of I. Waudby-Smith and A. Ramdas, "Estimating means of bounded
                      random variables by betting", JRSS B 86, 2024; exact for any number of games
    normal sequence   for any numbers: the asymptotic confidence sequence of I. Waudby-Smith, D. Arbour, R.
                      Sinha, E. H. Kennedy and A. Ramdas, "Time-uniform central limit theory and asymptotic
                      confidence sequences", Annals of Statistics 52, 2024, theorem 2.2; from `FIRST` numbers
                      on

A *confidence sequence* holds at all times at once: the chance that the true mean ever leaves it is at most 5
%. So whoever watches a comparison may stop it whenever they like. An ordinary interval that is watched errs
far more often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import cbrt, ceil, fsum, inf, log, sqrt
from typing import Protocol

from croupier.diagnostics import JsonObject
from croupier.play.statistics import CONFIDENCE, student, wilson

FIRST = 100  # pairs before a normal sequence says anything
TIGHTEST = 1_000  # pairs at which it is tightest
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


class ConfidenceSequence(Protocol):
    """An interval for a mean that holds at all times at once."""

    def add(self, value: float) -> None: ...
    def estimate(self) -> Estimate: ...


class BoundedSequence:
    """A confidence sequence for the mean of numbers from `low` to `high`."""

    def __init__(self, low: float, high: float, confidence: float = CONFIDENCE) -> None:
        self._low, self._width, self._confidence = low, high - low, confidence
        self._log = log(2 / (1 - confidence))
        self._n, self._sum, self._squares = 0, 0.0, 0.0
        self._bets = self._betted = self._paid = 0.0
        self._raw = 0.0

    def add(self, value: float) -> None:
        """Add one number. Raises ValueError for one outside of the bounds."""
        x = (value - self._low) / self._width
        if not 0 <= x <= 1:
            raise ValueError(f"{value} is not from {self._low} to {self._low + self._width}")
        centre, variance = (0.5 + self._sum) / (self._n + 1), (0.25 + self._squares) / (self._n + 1)
        self._n += 1
        bet = min(0.5, sqrt(2 * self._log / (variance * self._n * log(1 + self._n))))
        self._bets += bet
        self._betted += bet * x
        self._paid += 4 * (x - centre) ** 2 * (-log(1 - bet) - bet) / 4
        self._sum += x
        self._squares += (x - (0.5 + self._sum) / (self._n + 1)) ** 2
        self._raw += value

    @property
    def says_nothing(self) -> bool:
        """Return whether everything is still possible."""
        found = self.estimate()
        return found.low == self._low and found.high == self._low + self._width

    def estimate(self) -> Estimate:
        """The mean so far with its interval; all that is possible before the first."""
        low, high = self._low, self._low + self._width
        if not self._n:
            return Estimate(0.0, low, high, 0, "empirical Bernstein sequence", self._confidence)
        centre, half = self._betted / self._bets, (self._log + self._paid) / self._bets
        ends = (max(low, low + self._width * (centre - half)), min(high, low + self._width * (centre + half)))
        return Estimate(self._raw / self._n, *ends, self._n, "empirical Bernstein sequence", self._confidence)


class NormalSequence:
    """A confidence sequence for the mean of any numbers of finite variance."""

    def __init__(self, confidence: float = CONFIDENCE) -> None:
        self._confidence, self._moments = confidence, Moments()

    def add(self, value: float) -> None:
        """Add one number."""
        self._moments.add(value)

    def estimate(self) -> Estimate:
        """The mean so far with its interval; before `FIRST` nothing is known, but where all are equal."""
        found = self._moments
        if found.n < FIRST:
            ends = (float("-inf"), float("inf"))
        else:
            half = sqrt(found.variance) * _half(found.n, self._confidence)
            ends = (found.mean - half, found.mean + half)
        return Estimate(found.mean, *ends, found.n, "asymptotic confidence sequence", self._confidence)

    @property
    def deviation(self) -> float:
        """The standard deviation so far."""
        return sqrt(self._moments.variance)

    def needed(self, difference: float) -> int | None:
        """Return how many more values are needed, by the variance so far, until a mean of this size stands
        out.

        `None` if the mean is 0, nothing is known, or the number is beyond 10 to the 12th.
        """
        if self._moments.n < 2 or not difference:
            return None
        deviation, n = sqrt(self._moments.variance), max(FIRST, self._moments.n)
        while deviation * _half(n, self._confidence) >= abs(difference):
            n = ceil(n * 1.1)
            if n > 10**12:
                return None
        return n - self._moments.n


def _half(n: int, confidence: float) -> float:
    """Half the width of a normal sequence for a deviation of 1."""
    error = 1 - confidence
    rho = sqrt((-2 * log(error) + log(-2 * log(error) + 1)) / TIGHTEST)
    grown = n * rho * rho + 1
    return sqrt(2 * grown / (n * n * rho * rho) * log(sqrt(grown) / error))


__all__ = [
    "BoundedSequence",
    "Estimate",
    "Moments",
    "NormalSequence",
    "ConfidenceSequence",
    "mean",
    "share",
    "student",
]
