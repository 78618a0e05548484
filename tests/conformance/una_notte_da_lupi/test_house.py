"""A house rule on top of a variant: everything that the variants and parameters settle goes together."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import croupier

HOUSE = croupier.load(Path(__file__).parent / "house.yaml")


def played(players: int, settings: dict[str, Any]) -> Any:
    rng, state = random.Random(players), HOUSE.new_initial_state(players, settings)
    while not state.is_terminal():
        assert not state.is_simultaneous_node(), "votes with tokens are committed one after another"
        state.apply_action(rng.choice(state.legal_actions()))
    assert not state.check_invariants()
    return state


@pytest.mark.parametrize("players", [3, 10])
def test_a_variant_of_a_variant(players: int) -> None:
    state = played(players, {})
    told = [event.text for event in state.events(0)]
    assert f"the pitchfork of player {players} points at " in " ".join(told)
    talk = [text for text in told if ": " in text and text.startswith("player ")]
    assert talk[0].startswith(f"player {players}: "), "the speaker's left is the other way round here"
    assert state.observation(None)["zones"]["discard"] == []


def test_what_the_seer_may_look_at_goes_with_it() -> None:
    state = HOUSE.new_initial_state(
        3, {"role_set": "explicit", "roles": {"werewolf": 2, "seer": 1, "villager": 2}}
    )
    for tile in ("Seer", "Werewolf", "Villager", "Villager", "Werewolf"):
        if state.is_chance_node():
            state.apply_action(state.string_to_action(-1, tile))
    assert [state.action_to_string(0, a) for a in state.legal_actions()][-3:] == [
        "look at both centre tiles",
        "look at centre tile 1",
        "look at centre tile 2",
    ]
