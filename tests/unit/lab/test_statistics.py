"""Estimates and sequences: known values, what they cover, and how often something is found where nothing
is.
"""

from __future__ import annotations

import random
from math import inf

import pytest

from croupier.lab.statistics import FIRST, BoundedSequence, Moments, NormalSequence, mean, share


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


def test_sequences_begin_with_what_is_possible_and_shrink() -> None:
    bounded, normal = BoundedSequence(-1, 1), NormalSequence()
    assert (bounded.estimate().low, bounded.estimate().high) == (-1, 1) and normal.estimate().low == -inf
    chance, widths = random.Random(1), []
    for n in range(1, 2001):
        value = chance.choice((-1, 0, 1))
        bounded.add(value)
        normal.add(value)
        if n == FIRST - 1:
            assert normal.estimate().low == -inf
        if n in (200, 2000):
            widths.append(
                [sequence.estimate().high - sequence.estimate().low for sequence in (bounded, normal)]
            )
    assert widths[1][0] < widths[0][0] / 2 and widths[1][1] < widths[0][1] / 2
    assert 0.1 < widths[1][1] < 0.13 and widths[1][0] < 0.2  # the normal interval is 0.072 wide
    with pytest.raises(ValueError, match="2 is not from"):
        bounded.add(2)


def test_what_is_needed_shrinks_with_the_difference() -> None:
    normal, chance = NormalSequence(), random.Random(2)
    for _ in range(200):
        normal.add(chance.gauss(0, 1))
    small, large = normal.needed(0.01), normal.needed(0.1)
    assert small is not None and large is not None and small > 50 * large and normal.needed(0) is None


@pytest.mark.parametrize("kind", ["bounded", "normal", "skewed"])
def test_watched_all_the_time_nothing_is_found_where_nothing_is(kind: str) -> None:
    chance, wrong, runs = random.Random(3), 0, 150
    for _ in range(runs):
        sequence = BoundedSequence(-1, 1) if kind == "bounded" else NormalSequence()
        for n in range(1, 401):
            a, b = (
                (chance.random() ** 8 for _ in range(2))
                if kind == "skewed"
                else (chance.randrange(2) for _ in range(2))
            )
            sequence.add(b - a)
            if n % 5 == 0 and sequence.estimate().excludes_zero:
                wrong += 1
                break
    assert wrong <= 0.05 * runs


def test_what_is_there_is_found() -> None:
    chance = random.Random(4)
    for sequence in (BoundedSequence(-1, 1), NormalSequence()):
        for _ in range(1500):
            sequence.add((chance.random() < 0.6) - (chance.random() < 0.4))
        assert sequence.estimate().low > 0 and sequence.estimate().low < 0.2 < sequence.estimate().high
