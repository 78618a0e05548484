"""Labels that name changeable attributes say what is so at the moment."""

from __future__ import annotations

import croupier
from cases import LANGUAGE, act


def test_a_label_changes_with_what_it_names() -> None:
    state = croupier.load(LANGUAGE / "baron_voodoo_groups.yaml").new_initial_state(2)
    act(state, "gold-OFF")
    act(state, "blue-OFF")
    act(state, "red-OFF")
    while state.is_chance_node():
        state.apply_action(1)
    assert state.observation(None)["zones"]["captured"]["player 1"] == ["gold-VP", "blue-VP", "red-VP"]
    seat = state.current_player()
    texts = [state.action_to_string(seat, a) for a in state.legal_actions()]
    assert texts == ["no", "group: gold-VP", "group: blue-VP"]
    assert {"choose": "g", "item": "blue-VP"} in [
        state.action_to_struct(seat, a) for a in state.legal_actions()
    ]


def test_what_changed_is_called_as_it_was() -> None:
    state = croupier.load(LANGUAGE / "baron_voodoo_groups.yaml").new_initial_state(2)
    for text in ("gold-OFF", "blue-OFF", "red-OFF"):
        act(state, text)
    state.apply_action(1)
    state.apply_action(0)
    told = [e.text for e in state.events() if e.kind == "state"]
    assert told[-2:] == ["gold-OFF shows VP", "blue-OFF shows OFF"]


def test_each_component_has_a_name_of_its_own_in_observations() -> None:
    state = croupier.load(LANGUAGE / "baron_voodoo_groups.yaml").new_initial_state(2)
    assert len(state.observation(0)["state"]["Die.icon"]) == 48


def test_saying_no_has_words_of_its_own_and_no_is_understood() -> None:
    state = croupier.load(LANGUAGE / "saying_no.yaml").new_initial_state(2)
    assert state.action_to_string(0, 0) == "take nothing"
    assert state.string_to_action(0, "no") == state.string_to_action(0, "take nothing") == 0
    act(state, "no")
    assert [e.text for e in state.events() if e.kind == "decision"] == ["player 1: take nothing"]


def test_nothing_of_any_number_has_words_of_its_own_and_done_is_understood() -> None:
    state = croupier.load(LANGUAGE / "saying_no.yaml").new_initial_state(2, {"phases_played": "all"})
    for text in ("no", "no"):
        act(state, text)
    assert state.string_to_action(0, "done") == state.string_to_action(0, "take nothing") == 0
    act(state, "done")
    assert [e.text for e in state.events() if e.kind == "decision"][-1] == "player 1: take nothing"
    for text in ("take card 1", "take card 2"):
        act(state, text)
    assert state.action_to_string(0, state.string_to_action(0, "done")) == "done"
