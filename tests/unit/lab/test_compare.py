"""Comparisons: bounds of measures, verdicts that are true, planned numbers of games, plans."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import TypeVar

import pytest

from croupier.lab.bounds import SHARE, Bounds, bounds_of, declared_bounds
from croupier.lab.compare import SAME, Comparison, Line
from croupier.lab.compare import compare_bots as lab_bots
from croupier.lab.compare import compare_rules as lab_rules
from croupier.lab.plan import POWER, pairs_for, pilot, planned_lines
from croupier.lab.planned import mcnemar, mean_test
from croupier.lab.rows import Watch
from croupier.lab.workers import RunConfig
from croupier.play.match import MatchConfig

Found = TypeVar("Found")
compare_bots, compare_rules = partial(lab_bots, jobs=1), partial(lab_rules, jobs=1)
FOLDER = Path(__file__).parent / "skewed"
KUHN = RunConfig("kuhn_poker", MatchConfig(seed=1, backend="auto"))


def last(found: Iterable[Found]) -> Found:
    *_, one = found
    return one


def line(pairs: dict[tuple[float, float], int], bounds: Bounds | None, *, is_share: bool = False) -> Line:
    """A measure with some pairs of values."""
    found = Line("coins", bounds, 0.95, is_share)
    for pair, times in pairs.items():
        for _ in range(times):
            found.add(*pair)
    return found


# ---------------------------------------------------------------- bounds
def test_bounds_are_those_of_the_rules() -> None:
    measures = ("points(me) - 300", "points(me) > 3", "sum(points(p) for p in players)")
    run = RunConfig("witches_of_blackmore", MatchConfig(seed=1), Watch(measures))
    assert bounds_of(run) == {
        "decisions": Bounds(0, 10_000),
        "points(me) - 300": Bounds(-300, -30),
        "points(me) > 3": SHARE,
        "margin": Bounds(0, 270),
    }


def test_margins_and_payments_are_bounded_by_what_players_are_ranked_and_paid_by() -> None:
    assert bounds_of(RunConfig("leduc_poker", MatchConfig(seed=1)))["paid"] == Bounds(-13, 13)
    assert bounds_of(RunConfig("leduc_poker", MatchConfig(seed=1)))["margin"] == Bounds(0, 26)
    assert bounds_of(RunConfig("oware", MatchConfig(seed=1)))["margin"] == Bounds(0, 128)
    assert bounds_of(KUHN) == {"decisions": Bounds(0, 10_000)}  # its type says only that -2 is least


def test_bounds_that_are_declared() -> None:
    assert declared_bounds("decisions = 0..40") == ("decisions", Bounds(0, 40))
    assert declared_bounds("a == b=-3..-1") == ("a == b", Bounds(-3, -1))
    for text in ("decisions", "decisions=3", "=0..4", "decisions=4..4"):
        with pytest.raises(ValueError, match=text):
            declared_bounds(text)


def test_declared_bounds_count_and_are_checked() -> None:
    leduc = replace(KUHN, source="leduc_poker")
    wide, narrow = (
        {row.name: row for row in last(compare_rules(KUHN, leduc, 100, declared=bounds)).lines}["decisions"]
        for bounds in ({}, {"decisions": Bounds(0, 8)})
    )
    assert not wide.is_found and narrow.verdict() == "B has more"
    with pytest.raises(ValueError, match="`decisions` is 5 in game 1, but its bounds are 0..4"):
        last(compare_rules(KUHN, leduc, 100, declared={"decisions": Bounds(0, 4)}))
    with pytest.raises(ValueError, match="no measure `paid` to bound; there are `decisions`, `margin`"):
        last(compare_rules(KUHN, leduc, 100, declared={"paid": Bounds(0, 4)}))
    paid = last(compare_bots(KUHN, "random", "policy:honest", 300, declared={"paid": Bounds(-2, 2)})).lines[0]
    assert paid.verdict() == "B has more" and paid.bounds == Bounds(-2, 2)


# ---------------------------------------------------------------- verdicts
@pytest.mark.parametrize(
    ("pairs", "bounds", "verdict"),
    [
        ({}, None, "too few yet: no pair of games is over"),
        ({(1, 1): 3}, None, SAME),
        ({(1, 2): 5, (2, 1): 4}, None, "too few to say: nothing bounds it"),
        ({(1, 2): 50, (2, 1): 4}, None, "B more often has more; of the mean too few to say"),
        ({(1, 0): 99, (0, 99): 1}, Bounds(-99, 99), "B more often has less; of the mean too few to say"),
        ({(1, 2): 50, (2, 1): 4}, Bounds(-2, 2), "B has more"),
        ({(1, 2): 500, (2, 1): 500}, Bounds(-2, 2), "no difference larger than 0.114 was found"),
        ({(1, 2): 1}, Bounds(-2, 1), "too few to say"),
    ],
)
def test_verdicts(pairs: dict[tuple[float, float], int], bounds: Bounds | None, verdict: str) -> None:
    assert line(pairs, bounds).verdict() == verdict


@pytest.mark.parametrize(
    ("pairs", "verdict"),
    [
        ({(0, 40): 3, (0, 0): 400}, "too few to say: a few pairs of games decide the mean"),
        ({(0, 1): 30}, "too few to say: all differences are equal"),
        ({(0, 0): 30}, SAME),
        ({(0, 1): 30, (1, 0): 28}, "no difference was found"),
        ({(0, 1): 90, (1, 0): 28}, "B has more"),
    ],
)
def test_verdicts_of_a_planned_comparison(pairs: dict[tuple[float, float], int], verdict: str) -> None:
    found = Comparison("rules", 2, [line(pairs, None)], is_planned=True)
    found.lines[0].is_planned = True
    found.test()
    assert found.lines[0].verdict() == verdict and found.lines[0].needed() is None


def test_a_planned_comparison_corrects_for_all_measures_and_comes_when_it_is_over() -> None:
    leduc = replace(KUHN, source="leduc_poker")
    (found,) = compare_rules(KUHN, leduc, 200, planned=True)
    found.test()
    assert found.pairs == 200 and found.to_json()["method"] == "planned"
    verdicts = {row.name: row.verdict() for row in found.lines}
    assert verdicts["decisions"] == verdicts["margin"] == "B has more"
    for row in found.lines:
        assert row.tested is not None and row.tested.probability is not None and row.probability is not None
        assert row.tested.probability <= row.probability <= 1 and row.difference.confidence == 0.99
    (bots,) = compare_bots(KUHN, "random", "policy:honest", 200, planned=True)
    bots.test()
    assert bots.lines[0].verdict() == "B has more" and bots.lines[1].verdict() == "no difference was found"


SKEWED = {
    "skew": ({"mode": "seldom_long"}, {"mode": "always_one_more"}, 0.0, 0.98),
    "rare": ({"bonus": "0"}, {"bonus": "40"}, 40 / 3000, 1 / 3000),
}
"""By ruleset the parameters of both sides, the mean of B - A, and how much more often B has more."""


@pytest.mark.parametrize("name", SKEWED)
def test_nothing_false_is_said_of_skewed_measures(name: str) -> None:
    assert _false_words(name, range(6)) == []


@pytest.mark.parametrize("name", SKEWED)
def test_nothing_false_is_said_of_skewed_measures_on_200_seeds(name: str) -> None:
    assert _false_words(name, range(200)) == []


def _false_words(name: str, seeds: range) -> list[str]:
    """What is said that is not so, at any look at 1,000 pairs, and after as many that were planned."""
    first, second, mean, often = SKEWED[name]
    found = []
    for seed in seeds:
        a, b = (
            RunConfig(str(FOLDER / f"{name}.yaml"), MatchConfig(None, parameters, seed, backend="auto"))
            for parameters in (first, second)
        )
        for look in compare_rules(a, b, 1000):
            found += [f"{seed}: {text}" for row in look.lines for text in _false_of(row, mean, often)]
        (planned,) = compare_rules(a, b, 1000, planned=True)
        planned.test()
        said = {row.name: row.verdict() for row in planned.lines}["decisions"]
        found += [] if said == SAME or said.startswith("too few to say") else [f"{seed}: planned: {said}"]
    return found


def _false_of(row: Line, mean: float, often: float) -> Iterable[str]:
    if row.difference.low >= row.difference.high:
        yield f"{row.name}: an interval without width"
    if row.name != "decisions":
        if row.verdict() != SAME:
            yield f"{row.name}: {row.verdict()}"
        return
    if not row.difference.low <= mean <= row.difference.high or row.is_found:
        yield f"{row.name}: {row.difference}"
    signs = row.more_often
    if signs is None or not signs.low <= often <= signs.high:
        yield f"{row.name}: {signs}"


# ---------------------------------------------------------------- plans
def test_a_plan_has_the_power_that_it_says() -> None:
    rng = random.Random(1)
    n = pairs_for(0.1, 0.5 - 0.1**2, 0.05)
    found = 0
    for _ in range(400):
        signs = Counter(rng.choices((1, -1, 0), (0.3, 0.2, 0.5), k=n))
        pairs = Counter({(0.0, 1.0): signs[1], (1.0, 0.0): signs[-1], (0.0, 0.0): signs[0]})
        found += mcnemar(pairs) < 0.05
    assert POWER - 0.1 < found / 400 < POWER + 0.08
    n, found = pairs_for(1.0, 25.0, 0.05), 0
    for _ in range(100):
        test = mean_test(Counter((0.0, rng.gauss(1, 5)) for _ in range(n)), resamples=499)
        found += (test.probability or 1) < 0.05
    assert POWER - 0.12 < found / 100 < POWER + 0.12


def test_a_plan_of_shares_means_and_what_is_not_known() -> None:
    shares = line({(1, 0): 20, (0, 1): 20, (1, 1): 30, (0, 0): 30}, Bounds(-1, 1), is_share=True)
    numbers = line({(20, 14): 30, (20, 26): 30}, Bounds(-40, 40))
    unbounded, alike = line({(20, 14): 30, (20, 26): 30}, None), line({(4, 4): 50}, Bounds(-9, 9))
    plans = planned_lines(Comparison("rules", 2, [shares, numbers, unbounded, alike], 100), 0.05)
    assert [one.difference for one in plans] == [0.05, 1.0, 1.0, 0.2]
    assert plans[0].planned == pairs_for(0.05, 41 / 102 - 0.05**2, 0.05)
    assert plans[1].planned == pairs_for(1.0, 36 * 60 / 59, 0.05)
    assert plans[0].watched is not None and plans[0].planned is not None
    assert plans[0].planned < plans[0].watched < 3 * plans[0].planned
    assert plans[2].planned == plans[1].planned and plans[2].watched is None
    assert plans[3].planned is None and plans[3].watched is None


def test_a_plan_of_bots_supposes_that_turns_vary_as_those_of_equals() -> None:
    wins = line({(0.5, 1.0): 30}, Bounds(-0.5, 0.5), is_share=True)
    (plan,) = planned_lines(Comparison("bots", 2, [wins]), 0.05)
    assert plan.planned == pytest.approx(pairs_for(0.05, 0.55 * 0.45 / 2, 0.05), abs=2)
    assert plan.watched is not None and plan.watched > 300


def test_the_games_before_a_plan_end_in_time() -> None:
    """The first look does not count: in it compilers and processes start."""
    times = iter([0.0, 5.0, 7.0, 12.0, 12.0])
    looks = (Comparison("rules", 2, [], pairs) for pairs in (4, 8, 18, 40))
    found, seconds = pilot(looks, lambda: next(times))
    assert found is not None and found.pairs == 18 and seconds == (12 - 5) / 14
    times = iter([0.0, 30.0, 30.0])
    assert pilot((Comparison("rules", 2, [], 4) for _ in "1"), lambda: next(times))[1] == 30 / 4
    assert pilot(iter(()))[0] is None


def test_an_interval_that_is_not_known_is_null_in_json() -> None:
    found = line({(1, 2): 5, (2, 1): 4}, None)
    assert found.difference.low == -inf and found.to_json()["difference"]["interval"] == [None, None]
