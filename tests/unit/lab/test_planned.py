"""Tests of a planned number of games: known values, and where nothing is said."""

from __future__ import annotations

from collections import Counter
from math import inf

import pytest

from croupier.lab.planned import holm, mcnemar, mean_test, newcombe, share_test, sign_flips, turn_test

# both win, only A wins, only B wins, nobody wins
PAIRS = Counter({(1.0, 1.0): 36, (1.0, 0.0): 12, (0.0, 1.0): 2, (0.0, 0.0): 0})


def test_mcnemar_is_a_binomial_test_of_the_pairs_that_differ() -> None:
    assert mcnemar(PAIRS) == pytest.approx(0.012939, abs=1e-6)  # R: binom.test(2, 14)
    assert mcnemar(Counter({(1.0, 1.0): 9})) == 1


def test_newcombes_interval() -> None:
    """The example of R. G. Newcombe, Statistics in Medicine 17, 1998, table III: 36, 12, 2, 0."""
    found = newcombe(PAIRS)
    # that of A less B is 0.0569 to 0.3404 there
    assert found.value == pytest.approx(-0.2) and found.n == 50
    assert (-found.high, -found.low) == pytest.approx((0.0569, 0.3404), abs=5e-4)


@pytest.mark.parametrize("pairs", [{(0.0, 0.0): 30}, {(1.0, 1.0): 1}, {(0.0, 1.0): 40}, {(1.0, 0.0): 3}])
def test_shares_never_leave_their_bounds_and_have_a_width(pairs: dict[tuple[float, float], int]) -> None:
    found = share_test(Counter(pairs)).difference
    assert -1 <= found.low <= found.value <= found.high <= 1 and found.high > found.low


def test_parts_of_a_win_have_a_permutation_test() -> None:
    found = share_test(Counter({(0.5, 1.0): 12, (1.0, 1.0): 5}))
    assert found.probability == pytest.approx(2 / 2**12) and "permutation" in found.difference.method


def test_signs_are_flipped() -> None:
    """Three differences alike: of eight ways to sign them, two are as far from 0."""
    assert sign_flips(Counter({(0.0, 2.0): 3, (1.0, 1.0): 9})) == pytest.approx(2 / 8)
    assert sign_flips(Counter({(1.0, 1.0): 9})) == 1


def test_holm() -> None:
    """R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == [] and holm([0.9, 0.8]) == [1, 1]


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ({}, "two pairs of games at least"),
        ({(0.0, 3.0): 1}, "two pairs of games at least"),
        ({(0.0, 3.0): 900}, "all differences are equal"),
        ({(0.0, 0.0): 995, (0.0, 40.0): 5}, "a few pairs of games decide the mean"),
        ({(1.0, 0.0): 990, (1.0, 100.0): 10}, "a few pairs of games decide the mean"),
    ],
)
def test_no_mean_is_tested_that_cannot_be_judged(pairs: dict[tuple[float, float], int], reason: str) -> None:
    found = mean_test(Counter(pairs))
    assert found.probability is None and reason in found.reason
    assert (found.difference.low, found.difference.high) == (-inf, inf)


def test_means_of_few_and_of_many_pairs() -> None:
    few = Counter({(0.0, float(x)): 10 for x in range(-4, 8)})
    many = Counter({pair: 100 * times for pair, times in few.items()})
    one, other = mean_test(few), mean_test(many)
    assert "BCa" in one.difference.method and "Student" in other.difference.method
    assert one.difference.low < 1.5 < one.difference.high and one.difference.excludes_zero
    half = (one.difference.high - one.difference.low) / 2
    assert half == pytest.approx(10 * (other.difference.high - other.difference.low) / 2, rel=0.05)
    assert mean_test(few) == one  # the same games give the same figures


def test_a_bot_that_wins_every_turn_has_an_interval() -> None:
    found = turn_test(Counter({(0.5, 1.0): 20}), -0.5)
    assert found.probability == pytest.approx(2 / 2**20, abs=2e-4)
    assert 0.2 < found.difference.low < found.difference.high == 0.5
    mixed = turn_test(Counter({(0.5, 1.0): 20, (0.5, 0.5): 15, (0.5, 0.0): 5}), -0.5)
    assert "BCa" in mixed.difference.method and 0 < mixed.difference.low < 0.1875 < mixed.difference.high
