"""Tests for a planned number of games: ordinary ones for paired data, made once, when all games are played.

In come the pairs of values of a measure, one of each side; out comes the difference with an interval, and the
probability of so large a difference if there were none. A planned number of games shows smaller differences
than a confidence sequence, which pays for being watched.

    won or not  McNemar's test, exact: of the pairs that differ, so many for B (a binomial test); Newcombe's
                interval 10 for the difference of paired shares (R. G. Newcombe, Statistics in Medicine 17,
                1998)
    any number  a permutation test that changes the signs of differences; the BCa bootstrap interval of their
                mean (B. Efron, JASA 82, 1987). Beyond `MOST_RESAMPLED` pairs, where they say the same,
                Student's t
    many rows   Holm's correction of the probabilities (S. Holm, Scandinavian Journal of Statistics 6, 1979);
                intervals with the error divided by their number (Bonferroni)

The tests are SciPy's. They hold for means if many pairs make the mean, not a few. So there is none where the
effective number of differences, n / kurtosis, is below `EFFECTIVE`; nor where all differences are equal. What
never happened cannot be judged: an event with a chance below 3 / n may still move the mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from typing import TYPE_CHECKING, TypeAlias

from croupier.lab.statistics import Estimate
from croupier.play.statistics import CONFIDENCE, wilson

if TYPE_CHECKING:
    import numpy as np

Pairs: TypeAlias = Mapping[tuple[float, float], int]
"""Pairs of values, of A and of B, and how often each occurred."""
Array: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.float64]]"

EFFECTIVE = 30  # differences, by their kurtosis, below which a mean is not tested
EFFECTIVE_TURNS = 10  # the same of wins in turns, of which none is far from the others
RESAMPLES = 9_999  # of the bootstrap, and of the permutation test
AT_ONCE = 2_000_000  # numbers that are resampled at once
MOST_RESAMPLED = 2_000  # pairs
_SEED = 1  # of the resampling: the same games give the same figures
ALL_EQUAL = "all differences are equal"
FEW_DECIDE = "a few pairs of games decide the mean"


@dataclass(frozen=True)
class Tested:
    """The difference of a measure; the probability of one so large if there were none, of this row alone.

    Without a test it is `None`, and `reason` says why.
    """

    difference: Estimate
    probability: float | None
    reason: str = ""


def share_test(pairs: Pairs, confidence: float = CONFIDENCE) -> Tested:
    """Return the test of a share of games: of values 1 and 0, or parts of a win that is divided.

    Parts of a win have a permutation test instead of McNemar's. Raises ImportError without SciPy.
    """
    n = sum(pairs.values())
    if not n:
        return _untested(pairs, confidence, "no pair of games is over")
    estimate = newcombe(pairs, confidence)
    if all(value in (0, 1) for pair in pairs for value in pair):
        return Tested(estimate, mcnemar(pairs))
    return Tested(replace(estimate, method=f"{estimate.method}, permutation test"), sign_flips(pairs))


def mean_test(
    pairs: Pairs,
    confidence: float = CONFIDENCE,
    *,
    resamples: int = RESAMPLES,
    least: int = EFFECTIVE,
) -> Tested:
    """Return the test of the mean of any measure, if its effective number of differences is not below
    `least`.

    Raises ImportError without SciPy.
    """
    import numpy as np
    from scipy import stats

    values = _differences(pairs)
    if len(values) < 2:
        return _untested(pairs, confidence, "two pairs of games at least are needed")
    if float(np.ptp(values)) == 0:
        return _untested(pairs, confidence, ALL_EQUAL)
    if effective(values) < least:
        return _untested(pairs, confidence, FEW_DECIDE)
    mean, n = float(values.mean()), len(values)
    if n > MOST_RESAMPLED:
        test = stats.ttest_1samp(values, 0.0)
        ends = test.confidence_interval(confidence)
        estimate = Estimate(mean, float(ends.low), float(ends.high), n, "Student's t", confidence)
        return Tested(estimate, float(test.pvalue))
    ends = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=resamples,
        batch=max(1, AT_ONCE // n),
        confidence_level=confidence,
        method="BCa",
        rng=np.random.default_rng(_SEED),
    ).confidence_interval
    method = "BCa bootstrap, permutation test"
    estimate = Estimate(mean, float(ends.low), float(ends.high), n, method, confidence)
    return Tested(estimate, sign_flips(pairs, resamples=resamples))


def turn_test(
    pairs: Pairs, lowest: float, confidence: float = CONFIDENCE, *, resamples: int = RESAMPLES
) -> Tested:
    """Return the test of the wins of a bot in whole turns, less those of an equal, which are `lowest` at
    worst.

    Where turns are too few or too much alike for the bootstrap, the interval is Wilson's of as many games as
    there were turns: a share of a turn varies less than a win. Raises ImportError without SciPy.
    """
    found = mean_test(pairs, confidence, resamples=resamples, least=EFFECTIVE_TURNS)
    n = sum(pairs.values())
    if not n:
        return found
    if found.probability is not None:
        ends = (max(lowest, found.difference.low), min(1 + lowest, found.difference.high))
        return replace(found, difference=replace(found.difference, low=ends[0], high=ends[1]))
    low, high = wilson(sum(b * times for (_, b), times in pairs.items()), n, confidence)
    value = found.difference.value
    estimate = Estimate(
        value, low + lowest, high + lowest, n, "Wilson of turns, permutation test", confidence
    )
    return Tested(estimate, sign_flips(pairs, resamples=resamples))


def mcnemar(pairs: Pairs) -> float:
    """Return the probability of McNemar's exact test (Q. McNemar, Psychometrika 12, 1947)."""
    from scipy import stats

    more = sum(times for (a, b), times in pairs.items() if b > a)
    less = sum(times for (a, b), times in pairs.items() if b < a)
    return float(stats.binomtest(more, more + less).pvalue) if more + less else 1.0


def newcombe(pairs: Pairs, confidence: float = CONFIDENCE) -> Estimate:
    """Return the difference of paired shares with Newcombe's interval 10, without continuity correction.

    It joins Wilson's intervals of both shares, which are correlated, so it lies from -1 to 1.
    """
    n = sum(pairs.values())
    a, b, both = (
        sum(value * times for value, times in products)
        for products in (
            [(a, times) for (a, _), times in pairs.items()],
            [(b, times) for (_, b), times in pairs.items()],
            [(a * b, times) for (a, b), times in pairs.items()],
        )
    )
    p, q = a / n, b / n
    spread = sqrt(p * (1 - p) * q * (1 - q))
    correlation = (both / n - p * q) / spread if spread > 0 else 0.0
    (low_p, high_p), (low_q, high_q) = wilson(a, n, confidence), wilson(b, n, confidence)
    below = _joined(q - low_q, high_p - p, correlation)
    above = _joined(high_q - q, p - low_p, correlation)
    return Estimate(q - p, max(-1.0, q - p - below), min(1.0, q - p + above), n, "Newcombe", confidence)


def _joined(one: float, other: float, correlation: float) -> float:
    return sqrt(max(0.0, one * one + other * other - 2 * correlation * one * other))


def sign_flips(pairs: Pairs, *, resamples: int = RESAMPLES) -> float:
    """Return the probability of so large a mean if each difference had either sign, with equal chances.

    R. A. Fisher, The Design of Experiments, 1935, chapter 21. It is exact where the sides can be swapped.
    Of few differences all signs are tried, of others `resamples` at random.
    """
    import numpy as np
    from scipy import stats

    values = _differences(pairs)
    values = values[values != 0]
    if not len(values):
        return 1.0
    if len(values) > MOST_RESAMPLED:
        return float(stats.ttest_1samp(values, 0.0).pvalue)
    if 2 ** len(values) <= resamples:
        return float(stats.permutation_test((values,), np.sum, permutation_type="samples").pvalue)
    rng = np.random.default_rng(_SEED)

    def with_any_signs(size: tuple[int, ...]) -> Array:
        signs = rng.integers(0, 2, size, dtype=np.int8) * np.int8(2) - np.int8(1)
        return np.asarray(signs * values)

    found = stats.monte_carlo_test(
        values,
        with_any_signs,
        np.sum,
        n_resamples=resamples,
        batch=max(1, AT_ONCE // len(values)),
        vectorized=True,
    )
    return float(found.pvalue)


def holm(probabilities: Sequence[float]) -> list[float]:
    """Return probabilities corrected for their number, in the same order.

    The smallest of n counts n times, the next n - 1 times, and none is smaller than one before it.
    """
    order = sorted(range(len(probabilities)), key=probabilities.__getitem__)
    corrected, largest = [0.0] * len(order), 0.0
    for place, row in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - place) * probabilities[row]))
        corrected[row] = largest
    return corrected


def effective(values: Array) -> float:
    """Return how many numbers make the variance of some numbers: their number, divided by the kurtosis."""
    squares = (values - values.mean()) ** 2
    fourth = float((squares**2).sum())
    return float(squares.sum()) ** 2 / fourth if fourth > 0 else 0.0


def _differences(pairs: Pairs) -> Array:
    import numpy as np

    every = sorted(pairs.items())
    differences = np.array([b - a for (a, b), _ in every], dtype=float)
    return np.repeat(differences, [times for _, times in every])


def _untested(pairs: Pairs, confidence: float, reason: str) -> Tested:
    n = sum(pairs.values())
    value = sum((b - a) * times for (a, b), times in pairs.items()) / n if n else 0.0
    return Tested(Estimate(value, -inf, inf, n, "none: too few to say", confidence), None, reason)
