"""Shares of what a game has several of: the game is the unit, and intervals are as right as they say."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from croupier.lab.clusters import Clusters
from croupier.lab.option_worth import option_uses
from croupier.lab.report import course_estimate, course_words
from croupier.lab.rows import Row
from croupier.lab.statistics import share
from croupier.play.results import GameResult
from croupier.play.statistics import wilson
from croupier.play.tally import Tally


def test_shares_and_ratios() -> None:
    found = Clusters.of([(2, 1), (4, 1), (0, 0), (3, 3)])
    assert (found.games, found.counted, found.value) == (3, 9, 5 / 9)
    residuals = [1 - 10 / 9, 1 - 20 / 9, 3 - 15 / 9]
    assert found.variance == pytest.approx(sum(one**2 for one in residuals) / 81 * 3 / 2)
    assert found.share().n == 9 and found.share().method == "Wilson, clustered by game"


def test_a_game_counts_once_where_all_in_it_is_alike() -> None:
    """Four decisions of a game that are always the same tell as much as one."""
    hits = [4 * (game % 4 == 0) for game in range(200)]
    clustered = Clusters.of((4, hit) for hit in hits).share()
    one = wilson(50, 200)
    assert clustered.low == pytest.approx(one[0], abs=0.003) and clustered.high == pytest.approx(
        one[1], abs=0.003
    )
    alone = share(200, 800)
    assert clustered.high - clustered.low > 1.8 * (alone.high - alone.low)


def test_nothing_is_said_of_no_game() -> None:
    assert not Clusters().share().is_known and not Clusters().ratio().is_known
    assert Clusters().share().to_json()["value"] is None
    never = Clusters.of([(3, 0)] * 20).share()
    assert never.low == 0 and never.high == wilson(0, 20)[1], "twenty games, not sixty players"


def alike(chance: random.Random) -> tuple[int, int]:
    return 3, 3 * (chance.random() < 0.3)


def at_most_one(chance: random.Random) -> tuple[int, int]:
    return 3, int(chance.random() < 0.9)


def uneven(chance: random.Random) -> tuple[int, int]:
    counted, part = chance.randrange(5), chance.betavariate(0.6, 1.4)
    return counted, sum(chance.random() < part for _ in range(counted))


@pytest.mark.parametrize("games", [8, 30, 200])
@pytest.mark.parametrize("game", [alike, at_most_one, uneven])
def test_intervals_are_right_as_often_as_they_say(
    game: Callable[[random.Random], tuple[int, int]], games: int
) -> None:
    """A share of 0.3: of 500 runs at most 7 % are wrong (5 %, and two deviations of 500 runs)."""
    chance, wrong = random.Random(7), 0
    for _ in range(500):
        found = Clusters.of(game(chance) for _ in range(games)).share()
        wrong += not found.low <= 0.3 <= found.high
    assert wrong <= 0.07 * 500


def row(number: int, figures: dict[str, float], options: dict[str, tuple[int, int, float, float]]) -> Row:
    return Row(number, "finished", (0,), None, 9, 0, None, figures=figures, options=options)


def test_players_of_a_game_are_not_independent() -> None:
    """In each of 40 games both players were offered an option; both took it, or neither did."""
    played = [row(at, {}, {"x": (2, 2 * (at % 2), float(at % 2), float(1 - at % 2))}) for at in range(40)]
    [found] = option_uses(played)
    assert (found.offered, found.taken, found.uses.games) == (80, 40, 40)
    assert (found.taken_share.low, found.taken_share.high) == pytest.approx(wilson(20, 40), abs=0.01)


def test_players_with_a_value_are_clustered_by_game() -> None:
    """`simulate --by` with `me`: in each game two players have the value and win together, or lose."""
    games = [
        GameResult(at, "finished", (), (0, 1) if at % 2 else (2,), None, None, 3, 0, None, by=("a", "a", "b"))
        for at in range(1, 61)
    ]
    tally = Tally(3, games)
    assert tally.groups["a", None][0] == 120 and tally.groups_by_game["a"].games == 60
    assert tally.groups_by_game["a"].interval() == pytest.approx(wilson(30, 60), abs=0.01)


def test_kingmaking_and_comebacks_say_what_they_are_counted_over() -> None:
    figures = {"lead changes: v": 4.0, "kingmaking: v": 0.25, "comeback: v": 1.0}
    others = {"lead changes: v": 1.0, "kingmaking: v": 0.0, "comeback: v": 0.0}
    played = [row(at, figures if at < 10 else others, {}) for at in range(40)]
    kings, back = course_estimate(played, "kingmaking", "v"), course_estimate(played, "comeback", "v")
    assert kings is not None and (kings.value, kings.n) == (10 / 70, 70), "of all lead changes, not of games"
    assert back is not None and (back.value, back.method) == (0.25, "Wilson") and back.low > 0.1
    first, second = course_words(played, "v")
    assert first.startswith("A third player brought about 10 of 70 lead changes in 40 games: 14.3% (")
    assert second.startswith("In 10 of 40 games with one winner they did not lead at half-time: 25.0% (")


def test_of_no_game_there_is_no_kingmaking_and_no_comeback() -> None:
    played = [row(1, {"lead changes: v": 0.0, "stall: v": 0.5}, {})]
    assert course_estimate(played, "kingmaking", "v") is None and course_words(played, "v") == []
