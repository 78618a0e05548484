"""Confidence sequences: their ends, what they find, what they cover, and how many numbers more they need."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from math import inf, isclose, log

import pytest

from croupier.lab.sequences import (
    PARTS,
    WEIGHTS,
    bounded_mean,
    log_capitals,
    more_often,
    needed,
    numbers_to_show,
    unbounded_mean,
)


def test_the_capital_is_fair_and_all_of_it_is_staked() -> None:
    assert isclose(sum(WEIGHTS), 1) and all(0 < part < 1 for part in PARTS)
    # of a number that is 1 or -1 with equal chances, the capital is 1 on average
    for up, down in zip(log_capitals({1.0: 1}, -1, 0.0), log_capitals({-1.0: 1}, -1, 0.0), strict=True):
        assert isclose((2.718281828459045**up + 2.718281828459045**down) / 2, 1, rel_tol=1e-12)


def test_without_numbers_everything_is_possible() -> None:
    found = bounded_mean({}, -1, 1)
    assert (found.low, found.high, found.n) == (-1, 1, 0)


def test_the_ends_are_where_the_capital_is_twice_the_inverse_of_the_error() -> None:
    """20 ones: the capital on "more than m" is the sum of w (1 + t (1 - m) / (m + 1)) ** 20."""
    found = bounded_mean({1.0: 20}, -1, 1, 0.95)
    at = sum(
        weight * (1 + part * (1 - found.low) / (found.low + 1)) ** 20
        for part, weight in zip(PARTS, WEIGHTS, strict=True)
    )
    assert isclose(log(at), log(40), abs_tol=1e-5) and found.high == 1


@pytest.mark.parametrize(
    "counts",
    [{0.0: 1}, {0.0: 100_000}, {1.0: 1}, {1.0: 5_000}, {-1.0: 3, 0.0: 10**6}, {0.5: 7, -0.25: 9}],
)
def test_an_interval_holds_the_mean_stays_within_its_bounds_and_has_a_width(counts: dict[float, int]) -> None:
    found = bounded_mean(counts, -1, 1)
    assert -1 <= found.low <= found.value <= found.high <= 1 and found.high - found.low > 1e-5


def test_numbers_mirrored_have_the_interval_mirrored() -> None:
    counts = {3.0: 10, -1.0: 20, 0.0: 5}
    one = bounded_mean(counts, -2, 5)
    other = bounded_mean({-value: times for value, times in counts.items()}, -5, 2)
    assert isclose(one.low, -other.high) and isclose(one.high, -other.low)


def test_numbers_outside_are_refused_but_for_rounding() -> None:
    with pytest.raises(ValueError, match="2 is not from -1 to 1"):
        bounded_mean({2.0: 1}, -1, 1)
    assert bounded_mean({1 + 1e-12: 3}, -1, 1).high == 1


def test_nothing_is_said_of_a_mean_that_nothing_bounds() -> None:
    found = unbounded_mean({1.0: 1000})
    assert (found.value, found.low, found.high) == (1, -inf, inf)


def test_how_often_needs_no_bounds() -> None:
    found = more_often({1e9: 60, -1.0: 20, 0.0: 20})
    assert found.value == 0.4 and 0 < found.low < 0.4 < found.high < 1


def test_what_is_there_is_found_sooner_than_before() -> None:
    """The sequence that this one replaced (empirical Bernstein) took 461, 481 and 1,096 pairs (medians)."""
    for counts, most in (
        ({1.0: 6, -1.0: 4}, 400),
        ({1.0: 1, 0.0: 19}, 250),
        ({1.0: 3, -1.0: 2, 0.0: 5}, 800),
    ):
        total = numbers_to_show(counts, -1, 1, 1 - 0.05 / 4)
        assert total is not None and total < most
        many = {value: round(times * (total * 1.01 + 20) / 10) for value, times in counts.items()}
        assert bounded_mean(many, -1, 1, 1 - 0.05 / 4).excludes_zero


def test_what_is_needed_is_told_only_where_something_is_missing() -> None:
    assert needed({0.0: 50}, -1, 1) is None and needed({}, -1, 1) is None
    assert needed({1.0: 500}, -1, 1) is None  # it shows
    small, large = needed({1.0: 52, -1.0: 48}, -1, 1), needed({1.0: 60, -1.0: 40}, -1, 1)
    assert small is not None and large is not None and small.numbers > large.numbers > 0
    down = needed({1.0: 40, -1.0: 60}, -1, 1)
    assert down is not None and isclose(down.difference, -large.difference)


Draw = Callable[[random.Random], float]
DRAWS: dict[str, tuple[Draw, float, float, int]] = {
    "one pair of 20 is won": (lambda rng: float(rng.random() < 0.05), -1, 1, 100),
    "wins, all pairs differ": (lambda rng: 1.0 if rng.random() < 0.6 else -1.0, -1, 1, 100),
    "wins, half of the pairs differ": (lambda rng: rng.choice((-1, -1, 0, 0, 0, 0, 0, 1, 1, 1)), -1, 1, 200),
    "turns": (lambda rng: sum(rng.random() < 0.58 for _ in "12") / 2 - 0.5, -0.5, 0.5, 100),
    "whole numbers": (lambda rng: float(max(-60, min(60, round(rng.gauss(1, 5))))), -60, 60, 200),
}


@pytest.mark.parametrize("name", DRAWS)
def test_what_is_needed_is_right_on_average(name: str) -> None:
    """The pairs that are told, with those that were played, against those that it took: means of many runs
    differ by 30 % at most.
    """
    draw, low, high, told_at = DRAWS[name]
    confidence, told, took = 1 - 0.05 / 4, 0.0, 0.0
    for seed in range(120):
        rng = random.Random(seed)
        counts = Counter(draw(rng) for _ in range(told_at))
        need = needed(counts, low, high, confidence)
        if need is None:
            continue
        told += told_at + need.numbers
        n = told_at
        while not _shows(counts, low, high, confidence):
            counts.update(draw(rng) for _ in range(10))
            n += 10
        took += n
    assert 0.7 < told / took < 1.3, (told, took)


def _shows(counts: Counter[float], low: float, high: float, confidence: float) -> bool:
    total = numbers_to_show(counts, low, high, confidence)
    return total is not None and total <= counts.total()
