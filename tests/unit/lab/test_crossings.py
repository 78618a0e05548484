"""Where a curve passes a target: between which values, told only where intervals say so."""

from __future__ import annotations

import random
from math import exp, inf

import pytest

from croupier.lab.crossings import crossings, holds
from croupier.lab.statistics import EQUAL, FEWEST, Estimate, mean, share
from croupier.lab.sweep import Point, Sweep, Target, target_words
from croupier.play.statistics import CONFIDENCE

UNKNOWN = Estimate(5.0, -inf, inf, 10, "normal")
NONE = Estimate(0.0, 0.0, 1.0, 0, "Wilson")


def known(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, low, high, 100, "normal")


def same(value: float, n: int = 100) -> Estimate:
    return Estimate(value, -inf, inf, n, EQUAL)


CASES: list[tuple[str, list[float], list[Estimate], list[tuple[int, int, bool, bool]]]] = [
    ("neighbours on both sides", [1, 2], [known(3, 4), known(6, 7)], [(0, 1, True, True)]),
    (
        "a point in doubt between them",
        [1, 2, 3],
        [known(3, 4), known(4, 6), known(6, 7)],
        [(0, 2, True, True)],
    ),
    ("estimates cross, intervals do not", [1, 2], [known(3, 6), known(4, 7)], []),
    ("a side is not known", [1, 2], [UNKNOWN, known(6, 7)], []),
    ("no games", [1, 2], [NONE, known(6, 7)], []),
    (
        "falls, and rises again",
        [1, 2, 3],
        [known(6, 7), known(3, 4), known(6, 7)],
        [(0, 1, False, True), (1, 2, True, True)],
    ),
    ("values in another order", [9, 1], [known(6, 7), known(3, 4)], [(1, 0, True, True)]),
    ("the same in every game", [1, 2], [same(4), same(6)], [(0, 1, True, False)]),
    ("the same in too few games", [1, 2], [same(4, FEWEST - 1), same(6)], []),
    ("on the target in every game", [1, 2, 3], [same(4), same(5), same(6)], [(0, 2, True, False)]),
]


@pytest.mark.parametrize(
    ("places", "estimates", "found"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_a_crossing_lies_between_sure_sides(
    places: list[float], estimates: list[Estimate], found: list[tuple[int, int, bool, bool]]
) -> None:
    told = crossings(places, estimates, 5)
    assert [(one.first, one.last, one.rises, one.confidence is not None) for one in told] == found


@pytest.mark.parametrize(
    ("estimate", "target", "expected"),
    [
        (known(3, 6), 5, True),
        (known(3, 6), 7, False),
        (UNKNOWN, 5, False),
        (NONE, 0.5, False),
        (same(5), 5, True),
        (same(4), 5, False),
        (same(5, FEWEST - 1), 5, False),
    ],
)
def test_what_is_not_known_meets_nothing(estimate: Estimate, target: float, expected: bool) -> None:
    assert holds(estimate, target) is expected
    found = Sweep(("k",), "decisions", Target("decisions", target), [Point(("1",), estimate, estimate)])
    assert found.is_met is expected


def test_what_a_sweep_says_of_its_target() -> None:
    found = Sweep(("cards",), "decisions", Target("decisions", 5), is_share=False)
    found.points = [
        Point((name,), one, one) for name, one in (("3", known(3, 4)), ("4", known(6, 7)), ("5", UNKNOWN))
    ]
    told = list(target_words(found, "{:g}".format, is_whole=True))
    assert told == [
        "decisions rises above 5 between cards = 3 and 4 (95%, intervals normal, all values at once)",
        "nothing known yet of 5: too few games, or too skewed for so few",
        "no value is known to meet 5: nearest is cards = 5, with 5",
    ]


def test_crossings_are_right_as_often_as_they_say() -> None:
    """Of 400 curves that pass between 4 and 5, at most 5 % are told to do so elsewhere."""
    chance, wrong, told = random.Random(44), 0, 0
    values = range(1, 9)
    for _ in range(400):
        wins = [sum(chance.random() < 0.5 + 0.03 * (value - 4.5) for _ in range(300)) for value in values]
        wide = [share(won, 300, 1 - (1 - CONFIDENCE) / len(values)) for won in wins]
        found = crossings(list(values), wide, 0.5)
        told += bool(found)
        wrong += any(not (one.first <= 3 and one.last >= 4) for one in found)
    assert told > 300 and wrong <= 0.05 * 400


def test_a_mean_has_an_interval_where_games_are_enough_for_it() -> None:
    assert mean([7.0] * 100).method == EQUAL and not mean([7.0] * 100).is_known
    assert not mean([1.0, 2.0] * 14).is_known and mean([1.0, 2.0] * 15).is_known
    assert not mean([0.0] * 299 + [1.0]).is_known, "one rare event is no interval"
    assert mean([]).to_json()["value"] is None and share(0, 0).to_json()["interval"] == [None, None]


@pytest.mark.parametrize(("spread", "games"), [(1.0, 100), (2.0, 400), (1.0, 1000), (0.3, 40)])
def test_intervals_of_skewed_means_are_right_or_not_given(spread: float, games: int) -> None:
    """Lognormal numbers: of 1,000 runs at most 6.5 % are given an interval without the mean in it."""
    chance, wrong = random.Random(45), 0
    for _ in range(1000):
        found = mean(exp(chance.gauss(0, spread)) for _ in range(games))
        wrong += found.is_known and not found.low <= exp(spread * spread / 2) <= found.high
    assert wrong <= 0.065 * 1000
