"""Confidence sequences for means of bounded numbers: intervals that may be watched all the time.

The chance that the true mean ever leaves its confidence sequence is at most the error, however often somebody
looks, and whenever they stop. Nothing is supposed but that the numbers are bounded and that each has the same
mean, given all before it; so this holds for any number of games, and for any shape of the numbers.

The method is betting: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by
betting", Journal of the Royal Statistical Society B 86, 2024, theorem 3, with a mixture of constant bets
instead of one that is predicted. Somebody who holds that the mean is `m` offers fair bets on the numbers x
from `low` to `high`. Who stakes the part t of a capital of 1 on "more than m", each time, has after n numbers
the capital

    product of  1 + t (x - m) / (m - low)        0 < t < 1

which, if m is the mean, is on average 1 at all times. By Ville's inequality it ever reaches 2 / error with a
chance of at most error / 2. A capital that is spread over several parts t (`PARTS`, with the weights
`WEIGHTS`) is fair, too. It falls as m rises: the low end is the m at which it is 2 / error. The high end is
that of the numbers mirrored. So the interval never leaves `low` to `high`, always holds the mean of the
numbers, and is never without width.

The capital does not depend on the order of the numbers: how often each occurred is all that is needed. If the
same numbers came over and over, it would grow as it did: so one can tell how many more would be needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, exp, inf, log, log1p, sqrt

from croupier.lab.statistics import Estimate
from croupier.play.statistics import CONFIDENCE

METHOD = "betting confidence sequence"
PARTS = tuple(0.999 * 2 ** (-k / 2) for k in range(25))
"""The parts of the capital that are staked: large ones find large differences soon, small ones small ones."""
WEIGHTS = tuple(1 / (k + 2) / sum(1 / (j + 2) for j in range(25)) for k in range(25))
"""How much of the capital is staked in each of `PARTS`; together 1."""
ROUNDING = 1e-9  # of the room between the bounds: what a number may lie outside
STEPS = 30  # halvings of the interval in which an end is sought
MOST_NEEDED = 10**12  # numbers; what needs more is not told
CAUTION = 1.25  # variances of the mean that are added to its square

Counts = Mapping[float, int]
"""Numbers, and how often each occurred."""


def log_capitals(counts: Counts, low: float, mean: float) -> list[float]:
    """Return the logarithm of the capital for each of `PARTS`, after bets on "more than `mean`"."""
    ratios = [((value - mean) / (mean - low), times) for value, times in counts.items()]
    return [sum(times * log1p(part * ratio) for ratio, times in ratios) for part in PARTS]


def _log_mixed(capitals: list[float], times: float = 1.0) -> float:
    """Return the logarithm of the whole capital; with `times`, if the same numbers came so often."""
    grown = [log(weight) + times * capital for weight, capital in zip(WEIGHTS, capitals, strict=True)]
    largest = max(grown)
    return largest + log(sum(exp(one - largest) for one in grown))


def bounded_mean(counts: Counts, low: float, high: float, confidence: float = CONFIDENCE) -> Estimate:
    """Return the mean of numbers from `low` to `high` with its confidence sequence.

    Without numbers everything from `low` to `high` is possible. Raises ValueError for a number outside.
    """
    n = sum(counts.values())
    if not n:
        return Estimate(0.0, low, high, 0, METHOD, confidence)
    counts = _within(counts, low, high)
    value = sum(number * times for number, times in counts.items()) / n
    least = _low_end(counts, low, value, confidence)
    most = -_low_end(_mirrored(counts), -high, -value, confidence)
    return Estimate(value, least, most, n, METHOD, confidence)


def _low_end(counts: Counts, low: float, mean: float, confidence: float) -> float:
    """Return the least mean at which the capital has not reached 2 / error, or a little less."""
    reached = log(2 / (1 - confidence))
    below, above = low, mean
    for _ in range(STEPS):
        middle = (below + above) / 2
        if not below < middle < above:
            break
        if _log_mixed(log_capitals(counts, low, middle)) >= reached:
            below = middle
        else:
            above = middle
    return below


def _within(counts: Counts, low: float, high: float) -> Counts:
    """Return numbers without what rounding added beyond their bounds."""
    found = Counter[float]()
    for value, times in counts.items():
        inside = min(max(value, low), high)
        if abs(value - inside) > ROUNDING * (high - low):
            raise ValueError(f"{value:g} is not from {low:g} to {high:g}")
        found[inside] += times
    return found


def _mirrored(counts: Counts) -> dict[float, int]:
    return {-value: times for value, times in counts.items()}


def numbers_to_show(counts: Counts, low: float, high: float, confidence: float = CONFIDENCE) -> float | None:
    """Return how many numbers it takes until the sequence leaves 0, if all come like these.

    `None` if their mean is 0, or it takes more than `MOST_NEEDED`.
    """
    n = sum(counts.values())
    total = sum(number * times for number, times in counts.items())
    if not total or not low < 0 < high:
        return None
    capitals = log_capitals(counts, low, 0.0) if total > 0 else log_capitals(_mirrored(counts), -high, 0.0)
    reached = log(2 / (1 - confidence))
    few, enough = 1e-9, MOST_NEEDED / n
    if max(capitals) <= 0 or _log_mixed(capitals, enough) < reached:
        return None
    while enough / few > 1.0001:
        middle = sqrt(few * enough)
        if _log_mixed(capitals, middle) >= reached:
            enough = middle
        else:
            few = middle
    return n * enough


@dataclass(frozen=True)
class Need:
    """How many more numbers would show a mean of `difference`."""

    numbers: int
    difference: float


def needed(counts: Counts, low: float, high: float, confidence: float = CONFIDENCE) -> Need | None:
    """Return how many more numbers would show a mean as large as the one that is seen.

    The mean that is seen has an error. Near 0 the number of those needed, which grows with 1 / mean², has no
    average. So it is told of a mean that is larger by the standard error: of the root of mean² + `CAUTION`
    times the variance of the mean. That is right on average where it takes up to some ten times as many.

    `None` if the sequence has left 0, the mean is 0, or it takes more than `MOST_NEEDED`.
    """
    total = numbers_to_show(counts, low, high, confidence)
    n = sum(counts.values())
    if total is None or n < 2 or total <= n:
        return None
    mean = sum(number * times for number, times in counts.items()) / n
    variance = sum(times * (number - mean) ** 2 for number, times in counts.items()) / (n - 1)
    larger = sqrt(mean * mean + CAUTION * variance / n)
    more = max(1, ceil(total * (mean / larger) ** 2) - n)
    return Need(more, larger if mean > 0 else -larger)


def unbounded_mean(counts: Counts, confidence: float = CONFIDENCE) -> Estimate:
    """Return the mean of numbers that nothing bounds: no interval holds for any such numbers.

    R. R. Bahadur and L. J. Savage, Annals of Mathematical Statistics 27, 1956: however many numbers were
    seen, one that is rare and large enough moves the mean anywhere.
    """
    n = sum(counts.values())
    value = sum(number * times for number, times in counts.items()) / n if n else 0.0
    return Estimate(value, -inf, inf, n, "none: nothing bounds it", confidence)


def signs(counts: Counts) -> dict[float, int]:
    """Return how many numbers are above 0, below it, and 0: as 1, -1 and 0."""
    found = Counter[float]()
    for number, times in counts.items():
        found[float((number > 0) - (number < 0))] += times
    return found


def more_often(counts: Counts, confidence: float = CONFIDENCE) -> Estimate:
    """Return how much more often numbers are above 0 than below it, as a share of all numbers.

    It lies from -1 to 1, whatever the numbers are, so its confidence sequence holds for all.
    """
    return bounded_mean(signs(counts), -1.0, 1.0, confidence)
