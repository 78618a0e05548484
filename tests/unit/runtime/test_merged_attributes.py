"""What makes options alike may be an attribute that changes: whether others see it is asked by the number of
the component in its own class.
"""

from __future__ import annotations

from pathlib import Path

import croupier

DICE = Path(__file__).parents[2] / "data" / "merged_dice.yaml"


def test_others_read_of_a_choice_among_dice_that_look_alike() -> None:
    state = croupier.load(DICE).new_initial_state()
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(0 if 0 in actions and not state.is_chance_node() else actions[0])
    told = [str(event) for event in state.events(1)]
    assert any("a die of 1" in line for line in told), told
