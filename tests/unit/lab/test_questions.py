"""Rows of games, and the questions that are asked of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import pytest

import croupier
from croupier.diagnostics import RulesetError
from croupier.lab.compare import Comparison, compare_variants
from croupier.lab.compare import compare_bots as lab_bots
from croupier.lab.compare import compare_rules as lab_rules
from croupier.lab.course import counts, course_figures
from croupier.lab.ladder import Ladder, bots_of, climb, fitting_budget, fitting_family
from croupier.lab.option_worth import observe_options, option_worths
from croupier.lab.rows import EVERY_DECISION, Watch, row_from
from croupier.lab.sweep import Sweep, sweep, target_of, values_of
from croupier.lab.tables import flat
from croupier.lab.workers import RunConfig
from croupier.lab.workers import rows as lab_rows
from croupier.play.agents import UnknownAgent
from croupier.play.match import MatchConfig
from croupier.play.simulate import simulate
from croupier.play.tally import Tally

Found = TypeVar("Found")
rows, compare_bots, compare_rules = (
    partial(lab_rows, jobs=1),
    partial(lab_bots, jobs=1),
    partial(lab_rules, jobs=1),
)
KUHN = RunConfig("kuhn_poker", MatchConfig(seed=1, backend="auto"))


def last(found: Iterable[Found]) -> Found:
    *_, one = found
    return one


# ---------------------------------------------------------------- rows


@pytest.mark.parametrize("watch", [Watch(), Watch(steps=True), Watch(("stake[me]",), EVERY_DECISION, True)])
def test_rows_are_of_the_games_of_a_simulation(watch: Watch) -> None:
    ruleset = croupier.load("kuhn_poker")
    digest = Tally(2, simulate(ruleset, "kuhn_poker", KUHN.setup, 12, load=croupier.load)).digest
    found = list(rows(replace(KUHN, watch=watch), range(1, 13)))
    from hashlib import sha256

    assert sha256("".join(row.line for row in found).encode()).hexdigest() == digest
    assert [row.game for row in found] == list(range(1, 13)) and all(
        row_from(row.to_json()) == row for row in found
    )
    assert list(rows(replace(KUHN, watch=watch), range(5, 8))) == found[4:7]


def test_measures_and_options_of_a_game() -> None:
    run = replace(KUHN, watch=Watch(("stake[me]", "sum(stake[p] for p in players)"), EVERY_DECISION, True))
    for row in rows(run, range(1, 15)):
        stakes = [row.figures[f"stake[me] of player {seat}"] for seat in (1, 2)]
        assert row.figures["sum(stake[p] for p in players)"] == sum(stakes) and row.margin == 2 * min(stakes)
        assert (
            row.figures["forced"] == 0
            and row.figures["options"] == 2
            and row.figures["lead changes: stake[me]"] <= 1
        )
        assert sum(taken for _, taken, _, _ in row.options.values()) == row.decisions
        assert flat(row, 2)["wins_seat0"] + flat(row, 2)["wins_seat1"] == 1


def test_a_measure_is_checked() -> None:
    for text in ("stakes[me]", "hand[me]", "players"):
        with pytest.raises(RulesetError):
            list(rows(replace(KUHN, watch=Watch((text,))), range(1, 2)))


def course(
    samples: Sequence[Sequence[int]], winners: Sequence[int], deciders: Sequence[int]
) -> dict[str, float]:
    """The figures of samples, each with the values of all players."""
    return course_figures(counts(samples, winners, deciders), len(samples[0]), len(winners) == 1)


def test_the_course_of_a_game() -> None:
    found = course([[0, 0], [1, 0], [1, 2], [3, 2]], [0], [0, 0, 1, 0])
    assert found == {"lead changes": 2, "stall": 0.0, "comeback": 0.0, "decided": 0.75, "drama": 1.0}
    assert course([[1, 0], [2, 0]], [0], [0, 0]) == {
        "lead changes": 0,
        "stall": 0.0,
        "comeback": 0.0,
        "decided": 0.0,
        "drama": 0.0,
    }
    assert course([[1, 0], [0, 4]], [0], [0, 1])["decided"] == 1.0
    assert course([[1, 0]], [0, 1], [0]) == {"lead changes": 0, "stall": 0.0}
    assert course([[1, 0], [1, 0], [1, 0], [1, 2]], [1], [0, 1, 0, 1])["stall"] == 0.5


def test_who_makes_kings() -> None:
    """The lead changes from 1 to 2 by 3's decision, and from 2 to 3 by 3's own: one of two was kingmaking."""
    samples = [[1, 0, 0], [1, 2, 0], [1, 2, 3]]
    assert (
        course(samples, [2], [0, 2, 2])["kingmaking"] == 0.5
        and course(samples, [2], [0, 1, 2])["kingmaking"] == 0
    )
    assert course(samples, [2], [0, 2, 2])["comeback"] == 1 and "kingmaking" not in course(
        [[1, 0], [1, 2]], [1], [0, 1]
    )


@pytest.mark.soak
def test_any_number_of_processes_gives_the_same_rows() -> None:
    run = replace(KUHN.with_bots(("ismcts:20",)), watch=Watch(steps=True))
    assert list(lab_rows(run, range(1, 30), jobs=2)) == list(rows(run, range(1, 30), jobs=1))


# ---------------------------------------------------------------- comparisons


def test_rules_that_differ_are_told_apart_and_the_same_are_not() -> None:
    larger = replace(KUHN, source="leduc_poker")
    found = last(compare_rules(KUHN, larger, 300))
    verdicts = {line.name: line.verdict() for line in found.lines}
    assert verdicts["decisions"] == "B more often has more; of the mean too few to say"
    assert verdicts["ties and games without a winner"] == "B has more" and found.pairs == 300
    same = last(compare_rules(KUHN, KUHN, 100))
    assert {line.verdict() for line in same.lines} == {"the same in every pair of games"}
    with pytest.raises(ValueError, match="side A has 2 players, side B 3"):
        last(compare_rules(KUHN, replace(KUHN, setup=replace(KUHN.setup, players=3)), 10))


def test_a_better_bot_is_found_in_any_seat() -> None:
    run = RunConfig("tic_tac_toe", MatchConfig(seed=2, backend="auto"))
    line = last(compare_bots(run, "random", "mcts:20", 40)).lines[0]
    assert line.difference.value > 0.25 and line.verdict() == "B has more"
    assert (
        last(compare_bots(run, "random", "random", 20)).lines[0].verdict()
        == "the same in every pair of games"
    )


def test_a_comparison_of_rules_with_themselves_calls_no_difference() -> None:
    wrong = sum(_calls_a_difference(KUHN, seed, 150) for seed in range(12))
    assert wrong <= 1


@pytest.mark.soak
def test_calibration() -> None:
    wrong = sum(_calls_a_difference(KUHN, seed, 1_000) for seed in range(1_000))
    print(f"{wrong} of 1,000 comparisons of a ruleset with itself called a difference")
    assert wrong <= 50


def _calls_a_difference(run: RunConfig, seed: int, games: int) -> bool:
    """Whoever watches all the time: is a difference ever seen between games of the same rules, with other
    random numbers?
    """
    here, there = (replace(run, setup=replace(run.setup, seed=one)) for one in (seed, seed + 10_000))
    looks: Iterable[Comparison] = compare_rules(here, there, games)
    return any(line.difference.excludes_zero for look in looks for line in look.lines)


# ---------------------------------------------------------------- ladder, sweep, ablation


def test_a_ladder() -> None:
    run = RunConfig("tic_tac_toe", MatchConfig(seed=3, backend="auto"))
    assert (
        fitting_family(run) == "mcts"
        and fitting_family(KUHN) == "ismcts"
        and bots_of("flat", 2, 2) == ["random", "flat:2", "flat:4"]
    )
    found: Ladder = last(climb(run, ["random", "mcts:25"], 15, jobs=1))
    assert (
        fitting_budget(run) == 8
        and fitting_budget(KUHN) == 8
        and fitting_budget(replace(KUHN, source="hex")) == 16
    )
    assert found.top == "mcts:25" and found.rungs[0].wins.n == 30
    with pytest.raises(UnknownAgent):
        last(climb(run, ["random", "deep:3"], 1))


@pytest.mark.soak
def test_the_ladder_rises_on_connect_four() -> None:
    run = RunConfig("connect_four", MatchConfig(seed=1, backend="auto"))
    found = last(climb(run, bots_of("mcts", 8, 4), 60))
    assert found.top == "mcts:64"


def test_values_and_targets() -> None:
    assert (
        values_of("2..5") == ["2", "3", "4", "5"]
        and values_of("1..9 by 4") == ["1", "5", "9"]
        and values_of("a, b") == ["a", "b"]
    )
    assert (
        target_of("seat 1 wins 50 %").measure == "wins of player 1" and target_of("decisions 30").value == 30
    )
    for text in ("fair", "5..2"):
        with pytest.raises(ValueError, match=text):
            target_of(text) if text == "fair" else values_of(text)


def test_a_sweep_finds_where_the_target_is_met() -> None:
    run, target = RunConfig("goofspiel", MatchConfig(seed=1, backend="auto")), target_of("decisions 5")
    found: Sweep = last(sweep(run, {"cards": values_of("2..5")}, "decisions", 30, target=target, jobs=1))
    assert [point.estimate.value for point in found.points] == [2, 4, 6, 8]
    [crossing] = found.crossings
    assert found.ends(crossing) == ("3", "4") and not found.is_met, "no whole number of cards gives 5"
    with pytest.raises(ValueError, match="there is no measure `length`"):
        last(sweep(KUHN, {}, "length", 5))


def test_what_an_option_is_worth() -> None:
    offered = {option.words: option for option in observe_options(KUHN, 60, jobs=1)}
    assert set(offered) == {"check", "bet", "call", "fold"} and offered["fold"].wins_taken.value == 0
    found = last(option_worths(KUHN, ["bet"], 60, jobs=1))
    assert found.estimate.value > 0 and found.pairs == 60


def test_a_variant_is_compared_with_its_ruleset() -> None:
    run = RunConfig("witches_of_blackmore", MatchConfig(seed=1, backend="auto"))
    [(name, found)] = compare_variants(run, ["witches_of_blackmore/low_wins"], 10, jobs=1)
    assert name.endswith("low_wins") and found.pairs == 10


def test_the_phase_of_a_position_is_the_same_on_every_back_end() -> None:
    pytest.importorskip("llvmlite")
    ruleset = croupier.load("witches_of_blackmore")
    states = [ruleset.new_initial_state(backend=backend) for backend in ("reference", "python", "native")]
    seen = set()
    for _ in range(120):
        assert len(found := {state.phase() for state in states}) == 1
        seen |= found
        for state in states:
            state.apply_action(
                state.chance_outcomes()[0][0] if state.is_chance_node() else state.legal_actions()[-1]
            )
    assert len(seen) > 1
