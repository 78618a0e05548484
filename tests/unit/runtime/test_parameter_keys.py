"""Maps per player as parameters: seats from 0 in JSON, `seat 1` and `player 1` as people count, names in
scenarios.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.diagnostics import RulesetError
from croupier.scenarios import run_scenarios

RULESET = """\
croupier: 1
ruleset: gifts
title: Gifts
players: 2..3
parameters:
  gift: {type: -9..9 per Player, default: {else: 1}}
phases:
  play: |
    choose n from 1..2 by players.first
    finish rank {p: gift[p] for p in players}
"""


@pytest.fixture
def rules(tmp_path: Path) -> Any:
    (tmp_path / "ruleset.yaml").write_text(RULESET, encoding="utf-8")
    return croupier.load(tmp_path)


@pytest.mark.parametrize(
    ("given", "gifts"),
    [
        ({"0": 5, "1": -3, "2": 0}, [5, -3, 0]),
        ({"seat 1": 5, "else": 2}, [5, 2, 2]),
        ({"player 3": 4}, [0, 0, 4]),
        ('{"seat 2": 7, "else": 0}', [0, 7, 0]),
        ([1, 2, 3], [1, 2, 3]),
    ],
)
def test_keys(rules: Any, given: Any, gifts: list[int]) -> None:
    state = rules.new_initial_state(3, {"gift": given})
    assert state.evaluate("[gift[p] for p in players]") == gifts
    again = rules.deserialize(state.serialize())
    assert again.hash() == state.hash() and again.evaluate("[gift[p] for p in players]") == gifts


@pytest.mark.parametrize("given", [{"3": 1}, {"seat 0": 1}, {"seat 4": 1}, {"Anna": 1}, {"-1": 1}, {"0": 99}])
def test_refused(rules: Any, given: Any) -> None:
    with pytest.raises(RulesetError):
        rules.new_initial_state(3, {"gift": given})


def test_names_in_scenarios(rules: Any, tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "gifts.yaml").write_text(
        "croupier: 1\nscenarios:\n  - id: named\n    given:\n      players: [Anna, Brian]\n      "
        "parameters: {gift: {Brian: 4, else: 2}}\n"
        "    then: ['gift[Brian] == 4 and gift[Anna] == 2']\n",
        encoding="utf-8",
    )
    assert [r.passed for r in run_scenarios(tmp_path)] == [True]


def test_defaults_have_a_value_for_every_player_of_the_game(rules: Any) -> None:
    assert rules.defaults(2) == {"gift": {"0": 1, "1": 1}}
    assert rules.defaults(3) == {"gift": {"0": 1, "1": 1, "2": 1}}
    assert rules.new_initial_state(3).parameters == rules.defaults(3)


def test_a_list_of_ten_thousand_is_the_longest(tmp_path: Path) -> None:
    path = tmp_path / "long.yaml"
    path.write_text(
        RULESET.replace(
            "{type: -9..9 per Player, default: {else: 1}}", "{type: list of -9..9, default: [1]}"
        ).replace("rank {p: gift[p] for p in players}", "rank {p: gift.size for p in players}"),
        encoding="utf-8",
    )
    rules = croupier.load(str(path))
    assert rules.new_initial_state(2, {"gift": [1] * 10_000}).evaluate("gift.size") == 10_000
    with pytest.raises(RulesetError):
        rules.new_initial_state(2, {"gift": [1] * 10_001})
