"""The scores of a finished game: their parts, what broke a tie, who may read them, the rule that decided."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.cli.views.game import standings
from croupier.narration import Names
from croupier.play.measure import Ranking
from croupier.play.score_parts import score_columns
from croupier.play.start_and_end import who_won, why_over
from croupier.runtime.state import State

FAME = ("fame", "part", (4, 5))
FINES = {"2": ("fined 2", "part", (0, 0)), "9": ("fined 2", "part", (-2, 0))}
# after a number of coins and the name of an end: what the referee reads
CASES: dict[tuple[str, str], list[Any]] = {
    ("2", "open"): [FAME, FINES["2"], ("in all", "score", (4, 5))],
    ("9", "open"): [FAME, FINES["9"], ("in all", "score", (2, 5))],
    ("2", "with savings"): [
        FAME,
        FINES["2"],
        ("savings", "part", (1, 0)),
        ("in all", "score", (5, 5)),
        ("coins", "tie", (2, 0)),
    ],
    ("2", "plain"): [("score", "score", (4, 5))],
    ("2", "some"): [("score", "score", (5, 6))],
    ("2", "how many"): [("score", "score", (2, 2))],
    ("2", "those with fame"): [("score", "score", (6, 5))],
    ("2", "as may be"): [
        ("sum of 1", "part", (3, 1)),
        ("savings", "part", (1, 0)),
        ("in all", "score", (4, 1)),
    ],
    ("2", "eight"): [
        FAME,
        *[(str(n), "part", (n, n)) for n in range(1, 7)],
        ("coins", "part", (2, 0)),
        ("in all", "score", (27, 26)),
    ],
    ("2", "nine"): [("score", "score", (34, 33))],
    ("2", "nothing"): [("score", "score", (4, 5))],
}


def ended(*words: str) -> State:
    state = croupier.load(Path(__file__).parent / "scores.yaml").new_initial_state()
    for word in words:
        state.apply_action(state.string_to_action(state.current_player(), word))
    assert state.is_terminal()
    return state


@pytest.mark.parametrize("words", CASES, ids="-".join)
def test_a_score_has_parts(words: tuple[str, ...]) -> None:
    """A definition of a player that only adds up is opened; what needs a local of the rules, or is of some
    players, has no parts, and eight are the most.
    """
    found = [(one.name, one.kind, one.values) for one in score_columns(ended(*words))]
    assert found == CASES[words]


def test_a_seat_reads_only_parts_that_follow_from_what_everybody_sees() -> None:
    state = ended("2", "with savings")
    for seat in range(2):
        assert [one.name for one in score_columns(state, seat)] == ["score", "coins"]
    assert [one.name for one in score_columns(ended("2", "open"), 0)] == ["fame", "fined 2", "in all"]


def test_a_game_without_scores_has_no_columns() -> None:
    state = croupier.load("tic_tac_toe").new_initial_state()
    assert score_columns(state) == ()
    for action in (0, 3, 1, 4, 2):
        state.apply_action(action)
    assert score_columns(state) == () and who_won(state.outcome()) == "player 1 wins"


def test_the_rule_that_decided_is_the_one_that_speaks_of_it() -> None:
    assert why_over(ended("2", "open")) == "S-2: The player with the most points wins."
    assert why_over(ended("2", "with savings")) == "S-3: A tie is broken by coins."
    assert why_over(ended("2", "nothing")) == "S-1: Fines are no fun."
    assert why_over(ended("2", "open"), is_whole=True).count("S-") == 3
    assert why_over(ended("2", "in words")) == "", "the words of the end say it"
    assert who_won(ended("2", "in words").outcome()) == "a draw (nobody cares)"


def test_scores_are_a_table_with_the_names_of_the_players() -> None:
    columns = score_columns(ended("2", "with savings"))
    assert standings(columns, Names(("Ada", "fame"))).plain.splitlines()[1:] == [
        "        fame  fined 2  savings  in all  then coins",
        "  Ada      4        0        1       5           2",
        "  fame     5        0        0       5           0",
    ]


@pytest.mark.parametrize(
    ("winners", "returns", "grade", "words"),
    [
        ([0], [1, -1], None, [0, " wins"]),
        ([0, 2], [1, -1, 1], "a flush", [0, " and ", 2, " win (a flush)"]),
        ([0, 1], [0, 0], None, "everybody wins"),
        ([], [0, 0], None, "a draw"),
        ([], [-1, -1], "too late", "everybody loses (too late)"),
        ([], [3, -3], None, "nobody wins"),
    ],
)
def test_who_won_in_words(winners: list[int], returns: list[int], grade: str | None, words: object) -> None:
    outcome = {"winners": winners, "returns": returns, "grade": grade}
    assert who_won(outcome).with_seats() == words


@pytest.mark.parametrize("keys", ["fame[p]", "[fame[p]]", "[fame[p], 9 - p.seat]"])
def test_the_ranking_before_the_end_is_by_the_first_key(keys: str, tmp_path: Path) -> None:
    rules = (
        "croupier: 1\nruleset: ranked\ntitle: Ranked\nplayers: 2\n"
        "state: {fame: 0..9 per Player seen by everybody}\n"
        "phases:\n  play: |\n    fame[players.first] = 4\n    choose n from 1..2 by players.first\n"
        f"scoring: |\n  finish rank {{p: {keys} for p in players}}\n"
    )
    (tmp_path / "ranked.yaml").write_text(rules, encoding="utf-8")
    state = croupier.load(tmp_path / "ranked.yaml").new_initial_state()
    assert Ranking(state.engine).scores(state) == (4, 0)
