"""Every value of every parameter in the rulebook's table is one of the ruleset or of a variant; games with it
go on, and random games end.

The table lists what the rules list; where a number may be anything, its default, a small and a large one.
Combinations that make no game are in `test_set_up.py` and in the scenarios.
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

NAME, TEAMS = "baron_voodoo", "baron_voodoo/teams"
SWITCH = [True, False]
BASE: dict[str, list[Any]] = {
    "end_threshold": [{"2": 18, "3": 15, "4": 12}, {"else": 1}, {"else": 99}],
    "first_player": ["oldest", "random", "chosen_seat"],
    "first_seat": [0, 1],
    "dice_per_loa": [10],
    "dice_white": [8],
    "setup_layout": ["random", "balanced", "chaos"],
    "setup_placement": ["automatic", "draft"],
    "offering_start": [3, 0, 5],
    "offering_total": [20, 12, 100],
    "offering_reserve_limited": SWITCH,
    "jump_directions": ["orthogonal", "all_eight"],
    "landing_restriction": ["any", "empty_or_own_colour"],
    "column_max": [3, 1, 2, 48],
    "absent_loa_powers": ["allowed", "forbidden"],
    "mama_wata_mode": ["pack", "rigid_shift"],
    "papa_legba_lines": ["row_only", "row_and_vertical"],
    "papa_legba_clear_path": SWITCH,
    "erzulie_separate": ["alone_on_space", "alone_and_not_adjacent", "no_neighbours", "any_accessible"],
    "late_face_change": SWITCH,
    "extra_turn_chain": SWITCH,
    "extra_turn_timing": ["after_turn", "immediately_after_C4"],
    "extra_turn_cost": [2, 0, 5],
    "steal_destination": ["captured_zone", "spirit_world"],
    "swap_amount": ["one_each", "equal_numbers"],
    "protection_blocks_powers": SWITCH,
    "protection_blocks_swap": SWITCH,
    "protection_blocks_owner": SWITCH,
    "protection_expires_on": ["next_regular_turn", "next_turn_of_any_kind"],
    "group_points": [
        {"2": 1, "3": 3, "4": 5, "else": None},
        {"2": 2, "3": 4, "4": 6, "5": 8, "6": 10},
        {"3": 3, "else": None},
    ],
    "groups_per_turn": ["unlimited", "one"],
    "groups_at_end": [1, 0, 3],
    "all_white_groups": SWITCH,
    "unscored_moves": SWITCH,
    "baron_marker": ["on", "off"],
    "baron_count": ["in_spirit_world_now", "sent_in_total"],
    "baron_powers_per_turn": [1, 4],
    "majority_points": [3, 0, 9],
    "majority_tie_points": [1, 0, 9],
    "majority_white": SWITCH,
    "tie_beyond_left": ["clockwise", "shared"],
    "centre_usable": SWITCH,
    "blocked_extra_turn": ["triggers_end", "forfeit"],
}
OF_TEAMS: dict[str, list[Any]] = {
    "team_pairing": ["gold_red", "gold_blue", "gold_purple"],
    "team_turn_player": ["free", "alternate_partners"],
    "team_partner_power_free": SWITCH,
    "team_protection_theft": ["any_marker", "none", "marker_colour_only"],
    "offering_start": [3, 6],
    "end_threshold": [{"else": 18}],
}
# whole boards: test_set_up.py; teams: TEAMS and below
ELSEWHERE = {"board_map", "balanced_layout", "chaos_layout", "team_variant"}
PRESETS = [
    TEAMS,
    f"{NAME}/balanced",
    f"{NAME}/chaos",
    f"{NAME}/strong_baron",
    f"{NAME}/nine_of_each",
    f"{NAME}/eight_of_each",
]


@cache
def rules(name: str) -> Ruleset:
    return croupier.load(name)


def played(name: str, players: int, settings: dict[str, Any], seed: int, actions: int) -> Any:
    """A random game, or its first actions, with the invariants checked now and then;
    `croupier simulate --invariants` does so after every one.
    """
    rng = random.Random(seed)
    state = rules(name).new_initial_state(players, settings)
    for number in range(actions):
        if state.is_terminal():
            break
        options = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(rng.choice(options))
        assert number % 12 or not state.check_invariants(), state.check_invariants()
    assert state.outcome()["status"] in ("running", "finished"), (settings, state.outcome())
    return state


@pytest.mark.parametrize("name", BASE)
def test_a_game_with_each_value_goes_on(name: str) -> None:
    for seed, value in enumerate(BASE[name]):
        if value != BASE[name][0] or name == "end_threshold":
            quick = {} if name.startswith("setup") else {"setup_layout": "balanced"}  # nothing is rolled
            played(NAME, 2 + seed % 3, {**quick, name: value}, seed, 60 if name.startswith("setup") else 8)


@pytest.mark.parametrize("name", OF_TEAMS)
def test_a_game_of_teams_with_each_value_goes_on(name: str) -> None:
    for seed, value in enumerate(OF_TEAMS[name]):
        played(TEAMS, 4, {"setup_layout": "balanced", name: value}, seed, 8)


def test_a_parameter_makes_teams() -> None:
    switched, named = (
        played(name, 4, settings, 1, 40) for name, settings in ((NAME, {"team_variant": "on"}), (TEAMS, {}))
    )
    assert switched.history == named.history and switched.observation(0) == named.observation(0)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.soak), 2])
def test_random_combinations_end(seed: int) -> None:
    rng = random.Random(seed)
    settings = {
        name: rng.choice(values)
        for name, values in BASE.items()
        if name not in ("setup_placement", "column_max", "centre_usable")
    }
    settings |= {"offering_start": 3, "offering_total": 20, "baron_powers_per_turn": 1}
    assert played(NAME, 2 + seed, settings, seed, 10_000).outcome()["status"] == "finished"


@pytest.mark.parametrize("name", PRESETS)
def test_presets_go_on(name: str) -> None:
    played(name, 4, {}, 1, 50)


def test_every_parameter_is_in_the_table() -> None:
    assert set(BASE) | ELSEWHERE == set(tried_values(rules(NAME)))
    assert set(BASE) | set(OF_TEAMS) | ELSEWHERE == set(tried_values(rules(TEAMS)))


def test_every_variant_is_a_preset() -> None:
    assert {name for name in shipped() if name.startswith(f"{NAME}/")} == set(PRESETS)
