"""Statistics of many games.

The interval of a share is Wilson's score interval (E. B. Wilson, Journal of the American Statistical
Association 22, 1927): with k successes in n trials, p = k / n and z the normal quantile of the confidence,

    (p + z^2 / 2n  +-  z * sqrt(p (1 - p) / n + z^2 / 4 n^2))  /  (1 + z^2 / n)

It never leaves 0 to 1 and stays honest for few games and for shares near 0 or 1.  Floating point is used for
such figures only: nothing that is computed here ever enters a game, a hash or a digest.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import sqrt
from statistics import NormalDist

CONFIDENCE = 0.95


def wilson(successes: float, trials: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of a share, from 0 to 1; the whole of it without trials; both numbers may be fractions.

    Raises ValueError for impossible counts.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / trials
    centre = share + z * z / (2 * trials)
    spread = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    low = 0.0 if successes == 0 else (centre - spread) / scale
    high = 1.0 if successes == trials else (centre + spread) / scale
    return low, high


def student(part: float, degrees: int) -> float:
    """Return a quantile of Student's distribution, of 5 degrees of freedom or more.

    M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 26.7.5, to its second term: at 97.5 %
    and 5 degrees 2.547 instead of 2.571.
    """
    z = NormalDist().inv_cdf(part)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + first / degrees + second / degrees**2


@dataclass(frozen=True)
class Spread:
    """The smallest, middle, mean and largest of some numbers."""

    min: float
    median: float
    mean: float
    max: float

    def to_json(self) -> dict[str, float]:
        return {"min": self.min, "median": self.median, "mean": round(self.mean, 6), "max": self.max}


def spread(numbers: Iterable[float] | Mapping[float, int]) -> Spread | None:
    """The spread of some numbers, or of numbers that occurred so often; `None` if there are none."""
    counted = Counter(numbers)
    if not counted:
        return None
    total, values = counted.total(), sorted(counted)
    ends = list(accumulate(counted[value] for value in values))
    low, high = (values[bisect_right(ends, at)] for at in ((total - 1) // 2, total // 2))
    mean = float(sum(Fraction(value) * n for value, n in counted.items()) / total)
    return Spread(values[0], low if total % 2 else (low + high) / 2, mean, values[-1])
