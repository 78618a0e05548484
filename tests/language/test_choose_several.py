"""Choosing several: each set once, in words that say which; by chance, each set alike."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import croupier

RULESET = croupier.load(Path(__file__).parent / "choose_several.yaml")


def ways(
    state: Any, weight: Fraction = Fraction(1), said: tuple[str, ...] = ()
) -> list[tuple[str, Fraction, tuple[str, ...]]]:
    """What may be taken in the end, how likely it is, and what was said on the way."""
    if state.is_terminal():
        assert state.outcome()["status"] == "finished", state.outcome()
        return [("".join(state.observation(None)["zones"]["taken"]), weight, said)]
    seat = state.current_player()
    branches = (
        state.chance_outcomes()
        if state.is_chance_node()
        else [(a, Fraction(1)) for a in state.legal_actions()]
    )
    found = []
    for action, part in branches:
        words = state.action_to_string(seat, action)
        assert state.string_to_action(seat, words) == action
        after = state.clone()
        after.apply_action(action)
        found += ways(after, weight * part, (*said, words))
    return found


def sets(way: str) -> list[str]:
    return [taken for taken, _, _ in ways(RULESET.new_initial_state(1, {"way": way}))]


@pytest.mark.parametrize(
    ("way", "wanted"),
    [
        ("plain", ["ab", "ac", "ad", "ae", "bc", "bd", "be", "cd", "ce", "de"]),
        ("merged", ["ac", "ab", "ad", "bd"]),
        ("constrained", ["ac", "bc"]),
        ("some", ["abc", "ad", "ae", "bd", "be"]),
        (
            "any",
            [
                "abcde",
                "abce",
                "acde",
                "ace",
                "abcd",
                "abc",
                "acd",
                "ac",
                "abd",
                "ab",
                "ad",
                "a",
                "bd",
                "b",
                "d",
                "",
            ],
        ),
        ("between", ["abce", "abc", "abe", "ace", "bce"]),
        ("optional", ["abcde", "b"]),
    ],
)
def test_each_set_once(way: str, wanted: list[str]) -> None:
    found = sets(way)
    assert len(set(found)) == len(found)
    assert sorted(found) == sorted(wanted)


def test_the_words_of_what_is_alike() -> None:
    said = {taken: words for taken, _, words in ways(RULESET.new_initial_state(1, {"way": "merged"}))}
    assert said["bd"] == ("take a blue one", "take a green one")
    assert said["ac"] == ("take a red one", "take a red one")


def chances(way: str) -> dict[str, Fraction]:
    return {taken: weight for taken, weight, _ in ways(RULESET.new_initial_state(1, {"way": way}))}


def test_each_set_is_as_likely_as_any_other() -> None:
    assert set(chances("chance").values()) == {Fraction(1, 10)} and len(chances("chance")) == 10
    assert chances("chance_merged") == {
        "ab": Fraction(3, 10),
        "ac": Fraction(3, 10),
        "ad": Fraction(3, 10),
        "bd": Fraction(1, 10),
    }
    assert chances("chance_constrained") == dict.fromkeys(["", "a", "b", "ab", "c"], Fraction(1, 5))
