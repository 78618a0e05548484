"""Every value of every parameter in the rulebook's table: each is a parameter of the ruleset or a variant
beside it, and its games finish.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import croupier
from croupier.authoring.matrix import tried_values
from croupier.resources import shipped
from croupier.ruleset import Ruleset

NAME = "wednesday_hyde"
RING = ["woods", "jericho", "crypt", "painting_shed", "pilgrim_world"]
CHOICES = ["seat_order", "random", "explicit"]
SYMBOLS = ["siren", "werewolf", "bee", "medusa", "bat", "eye"]
TABLE: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "WH-P1": [
        (NAME, {"deck_profile": profile}) for profile in ([3, 2, 2, 2, 1], [2, 2, 2, 2, 2], [1, 0, 4, 2, 1])
    ],
    "WH-P2": [
        (NAME, {"six_symbol": symbol, "outcast_choice": "explicit", "outcasts": ["wednesday", "bianca"]})
        for symbol in [None, *SYMBOLS]
    ],
    "WH-P3": [
        (NAME, {"level": level, "level_table": list(range(1, 16))})
        for level in ("beginner", "expert", "table")
    ],
    "WH-P4": [
        (NAME, {"outcast_choice": choice, "bianca_allowed": bianca})
        for choice in CHOICES
        for bianca in (True, False)
    ],
    "WH-P5": [(NAME, {"starting_player": seat}) for seat in (None, 0, 1)],
    "WH-P6": [(NAME, {"attacked_location": word}) for word in ("enter_no_play", "closed", "play_wasted")],
    "WH-P7": [
        (NAME, {"eugene_from_nevermore": yes, "outcast_choice": "explicit", "outcasts": ["eugene", "enid"]})
        for yes in (True, False)
    ],
    "WH-P8": [
        (NAME, {"discard_visible": yes, "outcast_choice": "explicit", "outcasts": ["yoko", "bianca"]})
        for yes in (True, False)
    ],
    "WH-P9": [(NAME, {"reshuffle_when": when}) for when in ("needed", "at_once")],
    "WH-P10": [(NAME, {"thing_exchange_window": word}) for word in ("step4", "any_time_in_turn")],
    "WH-P11": [(NAME, {"bonus_before_zero": yes}) for yes in (False, True)],
    "WH-P12": [
        (NAME, {"wednesday_source": s, "wednesday_match": m})
        for s in ("hand", "hand_or_thing")
        for m in ("printed", "counted")
    ],
    "WH-P13": [(NAME, {"losses_allowed": losses}) for losses in (2, 3)],
    "WH-P14": [(NAME, {"comm_mode": mode}) for mode in ("off", "seed", "extended")],
    "WH-P15": [(NAME, {"comm_windows": when}) for when in ("none", "before", "after", "both")],
    "WH-P17": [(NAME, {"layout": layout, "ring_order": RING}) for layout in ("random", "explicit")],
    "WH-P18": [
        (NAME, {"yoko_when": when, "outcast_choice": "explicit", "outcasts": ["yoko", "enid"]})
        for when in ("step3", "turn_end")
    ],
}


@cache
def rules(name: str) -> Ruleset:
    return croupier.load(name)


def finished(name: str, settings: dict[str, Any], seed: int) -> Any:
    """The outcome of a random game of two, with the invariants checked after every action."""
    rng = random.Random(seed)
    state = rules(name).new_initial_state(2, settings)
    while not state.is_terminal():
        options = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(rng.choice(options))
        assert not state.check_invariants(), state.check_invariants()
    return state.outcome()


@pytest.mark.parametrize("name", TABLE)
def test_a_game_with_each_value_finishes(name: str) -> None:
    for seed, (ruleset, settings) in enumerate(TABLE[name]):
        assert finished(ruleset, settings, seed)["status"] == "finished", f"{ruleset}, {settings}"


def test_every_parameter_is_in_the_table() -> None:
    named = {key for rows in TABLE.values() for _, settings in rows for key in settings}
    assert named | {"target_order"} == set(tried_values(rules(NAME)))


def test_every_variant_is_a_preset_or_switched_on_by_a_parameter() -> None:
    presets = {f"{NAME}/expert", f"{NAME}/first_game", f"{NAME}/gentle"}
    switched = {
        f"{NAME}/{variant}"
        for variant in ("closed", "play_wasted", "thing_any_time", "bonus_first", "counted_values")
    }
    assert switched | presets | {NAME} == {
        name for name in shipped() if name == NAME or name.startswith(f"{NAME}/")
    }


@pytest.mark.parametrize("preset", ["expert", "first_game", "gentle"])
def test_presets_finish(preset: str) -> None:
    assert finished(f"{NAME}/{preset}", {}, 1)["status"] == "finished"
