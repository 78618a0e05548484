"""Every value worth trying of every parameter: the game is set up, or refused in words, and begins;
invariants hold.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import croupier
from croupier.authoring.matrix import tried_values
from croupier.diagnostics import RulesetError

RULES = croupier.load("vudu")
VALUES = [(name, value) for name, values in tried_values(RULES).items() for value in values]
REFUSED = {
    ("first_player", "seat_4"),  # with three players
    ("first_player", "seat_5"),
    ("first_player", "seat_6"),
    ("victory_points", 5),  # with skulls at 3, 6 and 9
}
STEPS = 40
# What makes things happen soon: everybody has many cards, and lapses.
LIVELY = {"starting_curses": 4, "draw_cost_artefact": 1, "slip_base": {"else": 40}}


def begun(settings: dict[str, Any], seed: str) -> Any:
    rng = random.Random(seed)
    state = RULES.new_initial_state(3, settings)
    for _ in range(STEPS):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    found = state.check_invariants()
    assert not found, found[0].message
    assert state.outcome()["status"] in ("running", "finished"), state.outcome()
    return state


@pytest.mark.parametrize(("name", "value"), VALUES, ids=lambda v: str(v).replace(" ", ""))
def test_a_value(name: str, value: Any) -> None:
    if (name, value) in [r for r in REFUSED if r[0] == name]:
        with pytest.raises(RulesetError) as refused:
            RULES.new_initial_state(3, {name: value})
        assert [d.code for d in refused.value.diagnostics] == ["G013"] and ": " in refused.value.diagnostics[
            0
        ].message
        return
    lively = {k: v for k, v in LIVELY.items() if k != name}
    if name == "starting_two_ingredient" or name == "hand_limit_curses":
        del lively["starting_curses"]
    assert begun(lively | {name: value}, f"{name} {value}").history


def test_every_listed_parameter_is_there() -> None:
    """The table of the digest's section 4, but for the number of players, which is no parameter here."""
    listed = """
    allow_two_players first_player starting_curses starting_two_ingredient victory_points skull_positions skull_retrigger score_floor
    turn_structure voluntary_pass reroll_cost draw_cost_curse draw_cost_artefact star_is_wild target_lock hand_limit_curses
    hand_limit_artefacts artefact_deck_empty compliance_mode slip_base slip_step free_load slip_cap forgetfulness focus_capacity
    continuous_checks conflicts notice_mode attention_base attention_step attention_min attention false_accusation_penalty denounce_by
    denounce_decision denounce_window permanent_denounce artefacts_per_turn gesture_mode fumble_percent fetish_scope refused_curse_scores
    obligations_visible turn_limit
    """.split()  # noqa: E501 the text as it is read
    assert sorted(listed) == sorted(p.name for p in RULES.parameters)
