"""The readings that are variants, WH-P6, P10, P11 and P12, any of them together: written as an author would,
each game goes by both.
"""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import croupier
from cases import act, position, words
from combined import combined
from croupier.ruleset import Ruleset

GAME = "wednesday_hyde"
READINGS = [["closed", "play_wasted"], ["thing_any_time"], ["bonus_first"], ["counted_values"]]
PAIRS = [(a, b) for first, second in combinations(READINGS, 2) for a in first for b in second]
ALL = ("play_wasted", "thing_any_time", "bonus_first", "counted_values")
TOWN = ["Nevermore Academy", "Crypt", "Jericho", "Woods", "Painting Shed", "Pilgrim World"]
TURN: dict[str, Any] = {
    "players": 2,
    "parameters": {"comm_mode": "off"},
    "before": "turns",
    "zones": {
        "town": {
            cell: [place]
            for cell, place in zip(
                ["centre", "first", "second", "third", "fourth", "fifth"], TOWN, strict=True
            )
        },
        "tiles": [],
        "outcast": {1: ["Wednesday Addams"], 2: ["Eugene Ottinger"]},
        "hand": {1: ["bee-1", "eye-3", "bat-4"], 2: ["bee-2", "eye-2", "bat-2"]},
        "thing": {1: ["medusa-5"]},
        "bag": [f"Hyde token of {place}" for place in ("Crypt", "Painting Shed", "Pilgrim World", "Woods")],
        "slot": {"Jericho": ["Hyde token of Jericho"]},
    },
    "state": {"thing_holder": 1},
}


def random_game(rules: Ruleset, seed: int) -> str:
    """How a game of random moves ends; the invariants hold after each."""
    rng = random.Random(seed)
    state = rules.new_initial_state(2)
    while not state.is_terminal():
        options = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(rng.choice(options))
        assert not state.check_invariants()
    return str(state.outcome()["status"])


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_two_readings_go_together(tmp_path: Path, first: str, second: str) -> None:
    assert random_game(croupier.load(combined(tmp_path, GAME, first, second)), 1) == "finished"


def test_all_of_them_go_together(tmp_path: Path) -> None:
    assert random_game(croupier.load(combined(tmp_path, GAME, *ALL)), 1) == "finished"


@pytest.mark.parametrize("names", [("closed", "thing_any_time"), ("thing_any_time", "closed")])
def test_thing_is_exchanged_before_a_move_that_no_closed_location_is_among(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    state = position(croupier.load(combined(tmp_path, GAME, *names)), TURN)
    act(state, "exchange Thing's card for bee-1")
    offered = words(state)
    assert "go to Crypt" in offered and "go to Jericho" not in offered
    act(state, "go to Crypt")
    assert set(words(state)) == {
        f"play {card} at Crypt" for card in ("eye-3", "bat-4", "medusa-5", "bee-1 from Thing")
    }


@pytest.mark.parametrize("names", [("play_wasted", "thing_any_time"), ("thing_any_time", "play_wasted")])
def test_thing_is_exchanged_before_a_card_is_wasted(tmp_path: Path, names: tuple[str, str]) -> None:
    state = position(croupier.load(combined(tmp_path, GAME, *names)), TURN)
    act(state, "keep Thing's card")
    act(state, "go to Jericho")
    act(state, "exchange Thing's card for bee-1")
    assert set(words(state)) == {
        f"play {card} at Jericho" for card in ("eye-3", "bat-4", "medusa-5", "bee-1 from Thing")
    }
