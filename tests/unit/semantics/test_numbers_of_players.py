"""The numbers of players by the value of a parameter."""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import RulesetError

RULESET = """\
croupier: 1
ruleset: company
title: Company
players: PLAYERS
parameters:
  pairs: {type: bool, default: false}
  kind: {one_of: [small, large]}
  n: {type: 0..9, default: 1}
phases:
  play: |
    finish draw
"""


def checked(folder: Path, players: str) -> croupier.CheckResult:
    path = folder / "company.yaml"
    path.write_text(RULESET.replace("PLAYERS", players), encoding="utf-8")
    return croupier.check(path)


def test_the_value_of_the_parameter_decides(tmp_path: Path) -> None:
    rules = checked(tmp_path, "{by: pairs, false: 3..5, true: [2, 4]}").ruleset
    assert rules is not None and rules.players == (3, 4, 5)
    assert len(rules.new_initial_state().returns()) == 3
    for given in (True, "true"):
        assert len(rules.new_initial_state(None, {"pairs": given}).returns()) == 2
        with pytest.raises(RulesetError, match="is for 2, 4 players, not 3"):
            rules.new_initial_state(3, {"pairs": given})
    with pytest.raises(RulesetError) as refused:
        rules.new_initial_state(2)
    assert refused.value.diagnostics[0].notes == ("that is so with `pairs` = false",)
    with pytest.raises(RulesetError) as refused:
        rules.new_initial_state(7)
    assert refused.value.diagnostics[0].notes == ()


def test_a_word_decides(tmp_path: Path) -> None:
    rules = checked(tmp_path, "{by: kind, small: 2, large: 3..8}").ruleset
    assert rules is not None and rules.players == (2,)
    assert len(rules.new_initial_state(8, {"kind": "large"}).returns()) == 8


def test_a_variant_that_sets_it_is_for_other_numbers(tmp_path: Path) -> None:
    checked(tmp_path, "{by: kind, small: 2, large: 3..8}")
    (tmp_path / "large.yaml").write_text(
        "croupier: 1\nextends: company.yaml\nset: {kind: large}\n", encoding="utf-8"
    )
    assert croupier.load(tmp_path / "large.yaml").players == (3, 4, 5, 6, 7, 8)


@pytest.mark.parametrize(
    ("players", "codes"),
    [
        ("{by: nothing, small: 2, large: 3}", ["N001"]),
        ("{by: n, small: 2, large: 3}", ["N001"]),
        ("{by: kind, small: 2}", ["F005"]),
        ("{by: kind, small: 2, large: 3, huge: 9}", ["N001"]),
        ("{by: kind, smal: 2, large: 3}", ["N001"]),
        ("{by: kind}", ["D006"]),
        ("{small: 2, large: 3}", ["D006"]),
        ("{by: kind, small: {by: pairs}, large: 3}", ["D003"]),
        ("{by: kind, small: 0, large: 3}", ["D105"]),
    ],
)
def test_mistakes(tmp_path: Path, players: str, codes: list[str]) -> None:
    assert [d.code for d in checked(tmp_path, players).diagnostics if d.severity == "error"] == codes
