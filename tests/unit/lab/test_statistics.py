"""Estimates: known values."""

from __future__ import annotations

from math import inf

import pytest

from croupier.lab.statistics import Moments, mean, share


def test_shares_and_means() -> None:
    found = share(8, 10)  # R: prop.test(8, 10, correct = FALSE)
    assert (round(found.low, 4), round(found.high, 4), found.method) == (0.4902, 0.9433, "Wilson")
    found = mean(range(1, 41))  # R: t.test(1:40)
    assert found.value == 20.5 and found.high - found.value == pytest.approx(3.7388, rel=1e-3)
    assert found.value - found.low == pytest.approx(found.high - found.value)
    skewed = mean([1] * 60 + [2] * 20 + [3] * 6 + [4] * 2)
    assert skewed.high - skewed.value > skewed.value - skewed.low, "a tail pulls"
    assert mean([7]).low == -inf and mean([]).n == 0


def test_moments_are_those_of_the_numbers() -> None:
    found = Moments()
    for value in (2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0):
        found.add(value)
    assert found.mean == 5 and found.variance == pytest.approx(32 / 7)
