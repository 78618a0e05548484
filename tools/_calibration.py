"""How often the intervals and tests of `croupier compare` err, by simulation, on differences whose mean is
known.

Each repetition draws a table of five measures that are alike. Of the first one alone, and of all five with
the correction, it is asked whether the truth was ever outside: of a sequence at any of `LOOKS` looks, one
after each pair; of a planned comparison after `PLANNED` pairs. Sequences are computed for all looks at once
here, from the same parts of the capital that `lab/sequences.py` stakes (a test holds the two together).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import erf, exp, log, sqrt
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from _calibration_table import Calibration
from croupier.lab.planned import Tested, holm, mean_test, share_test, turn_test
from croupier.lab.sequences import PARTS, WEIGHTS
from croupier.play.statistics import CONFIDENCE

ROWS = 5  # measures of a table
LOOKS, PLANNED, REPETITIONS = 1_000, 200, 1_000
RESAMPLES = 999
ERROR = 1 - CONFIDENCE
Numbers = NDArray[np.floating]
Draw = Callable[[np.random.Generator, tuple[int, ...]], Numbers]


@dataclass(frozen=True)
class Case:
    """Differences of a kind: their mean, how much more often they are above 0 than below, their bounds.

    `test` is the one that a planned comparison makes of such a measure.
    """

    name: str
    draw: Draw
    mean: float
    signs: float
    bounds: tuple[float, float] | None
    test: str = "mean"


def _lognormal(sigma: float) -> Case:
    above = 1 - _normal(sigma / 2)
    return Case(
        f"lognormal, σ {sigma:g}, less its mean",
        lambda rng, shape: rng.lognormal(0, sigma, shape) - exp(sigma**2 / 2),
        0.0,
        2 * above - 1,
        None,
    )


def _rare(chance: float, size: float) -> Case:
    return Case(
        f"{size:g} in one pair of {round(1 / chance):,}",
        lambda rng, shape: size * (rng.random(shape) < chance),
        size * chance,
        chance,
        (-size, size),
    )


def _signs(name: str, chance: float, test: str) -> Case:
    """Differences of wins: 1 and -1 with equal chances."""
    return Case(
        name,
        lambda rng, shape: rng.choice((-1.0, 0.0, 1.0), p=(chance, 1 - 2 * chance, chance), size=shape),
        0.0,
        0.0,
        (-1.0, 1.0),
        test,
    )


def _normal(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2


CASES = (
    _signs("wins, half of the pairs differ", 0.25, "share"),
    _signs("wins, one pair of 50 differs", 0.01, "share"),
    Case(
        "wins of a bot in turns of two games",
        lambda rng, shape: rng.binomial(2, 0.5, shape) / 2 - 0.5,
        0.0,
        0.0,
        (-0.5, 0.5),
        "turn",
    ),
    Case(
        "wins of a better bot, 19 of 20 games",
        lambda rng, shape: rng.binomial(2, 0.95, shape) / 2 - 0.5,
        0.45,
        0.9025 - 0.0025,
        (-0.5, 0.5),
        "turn",
    ),
    Case("normal", lambda rng, shape: rng.normal(0, 1, shape), 0.0, 0.0, None),
    Case(
        "whole numbers, bounded by ±40",
        lambda rng, shape: np.clip(np.round(rng.normal(0, 5, shape)), -40, 40),
        0.0,
        0.0,
        (-40.0, 40.0),
    ),
    Case(
        "skewed, bounded (beta 0.5, 2, less its mean)",
        lambda rng, shape: rng.beta(0.5, 2, shape) - 0.2,
        0.0,
        2 * float(stats.beta.sf(0.2, 0.5, 2)) - 1,
        (-0.2, 0.8),
    ),
    _lognormal(1),
    _lognormal(1.5),
    _lognormal(2),
    _rare(1 / 200, 40),
    _rare(1 / 3000, 40),
    Case(
        "+1 in 99 pairs of 100, else -99",
        lambda rng, shape: np.where(rng.random(shape) < 0.99, 1.0, -99.0),
        0.0,
        0.98,
        (-99.0, 99.0),
    ),
)


def log_capital(numbers: Numbers, low: float, mean: float) -> Numbers:
    """Return the logarithm of the capital of bets on "more than `mean`", after each number along the last
    axis.
    """
    ratios = (numbers - mean) / (mean - low)
    found = np.full(numbers.shape, -np.inf)
    for part, weight in zip(PARTS, WEIGHTS, strict=True):
        found = np.logaddexp(found, np.cumsum(np.log1p(part * ratios), axis=-1) + log(weight))
    return found


def most_capital(numbers: Numbers, bounds: tuple[float, float], mean: float) -> Numbers:
    """Return the logarithm of the largest capital at any look, of bets on more and on less than a mean."""
    low, high = bounds
    more, less = log_capital(numbers, low, mean), log_capital(-numbers, -high, -mean)
    return np.asarray(np.maximum(more.max(axis=-1), less.max(axis=-1)))


def planned(case: Case, numbers: Numbers, error: float) -> Tested:
    """Return the test of one measure."""
    match case.test:
        case "share":
            return share_test(_wins(numbers), 1 - error)
        case "turn":
            turns = Counter((0.5, 0.5 + float(x)) for x in numbers)
            return turn_test(turns, -0.5, 1 - error, resamples=RESAMPLES)
    return mean_test(Counter((case.mean, float(x)) for x in numbers), 1 - error, resamples=RESAMPLES)


def _wins(differences: Numbers) -> Counter[tuple[float, float]]:
    """Return wins of both sides with such differences; where there is none, neither wins."""
    return Counter((float(x < 0), float(x > 0)) for x in differences)


def _misses(case: Case, found: Tested) -> bool:
    """Return whether an interval does not hold the truth."""
    truth = case.mean if case.test == "turn" else 0.0  # other measures have their mean on side A
    return found.probability is not None and not found.difference.low <= truth <= found.difference.high


def calibrate(case: Case, repetitions: int = REPETITIONS) -> Calibration:
    """Return how often intervals and tests err on differences of a kind; the same at every call."""
    sequences, tests = errors_watched(case, repetitions), errors_planned(case, repetitions)
    known = case.bounds is not None
    return Calibration(
        case.name,
        repetitions,
        sequences["mean"] if known else None,
        sequences["mean_table"] if known else None,
        sequences["signs"],
        sequences["signs_table"],
        tests["told"],
        tests["planned"],
        tests["planned_table"],
        tests["interval"],
        tests["interval_table"],
    )


def errors_watched(case: Case, repetitions: int, looks: int = LOOKS) -> Counter[str]:
    """Return how many tables had an error at any look, by what erred."""
    rng = _stream(case)
    errors = Counter[str]()
    each = 2 if case.bounds is not None and case.test == "mean" else 1
    one, five = log(2 * each / ERROR), log(2 * each * ROWS / ERROR)
    for _ in range(repetitions):
        numbers = case.draw(rng, (ROWS, looks))
        signs = most_capital(np.sign(numbers), (-1.0, 1.0), case.signs)
        errors["signs"] += bool(signs[0] >= one)
        errors["signs_table"] += bool((signs >= five).any())
        if case.bounds is not None:
            means = most_capital(numbers, case.bounds, case.mean)
            errors["mean"] += bool(means[0] >= one)
            errors["mean_table"] += bool((means >= five).any())
    return errors


def errors_planned(case: Case, repetitions: int) -> Counter[str]:
    """Return how many tables had an error after the planned pairs, and how many had a test (`told`)."""
    rng = _stream(case)
    errors = Counter[str]()
    for _ in range(repetitions):
        numbers = case.draw(rng, (ROWS, PLANNED))
        alone = planned(case, numbers[0], ERROR)
        rows = [planned(case, row, ERROR / ROWS) for row in numbers]
        errors["told"] += alone.probability is not None
        errors["interval"] += _misses(case, alone)
        able = [row for row in rows if row.probability is not None]
        errors["interval_table"] += any(_misses(case, row) for row in able)
        if case.test == "turn" and case.mean:
            continue  # there is a difference: to find it is no error
        errors["planned"] += alone.probability is not None and alone.probability < ERROR
        corrected = holm([row.probability or 0.0 for row in able])
        errors["planned_table"] += any(probability < ERROR for probability in corrected)
    return errors


def _stream(case: Case) -> np.random.Generator:
    return np.random.default_rng(crc32(case.name.encode()))


def most_errors(repetitions: int) -> int:
    """Return how many errors a method may make that errs in at most 5 %: more come once in a thousand
    times.
    """
    return int(stats.binom.ppf(0.999, repetitions, ERROR))
