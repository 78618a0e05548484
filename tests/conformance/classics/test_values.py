"""What the classics are worth: in equilibrium, under best play, and how many positions and games there
are.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import croupier
from equilibrium import SequenceForm, best_value

pytest.importorskip("scipy")
EQUILIBRIA = [
    pytest.param("kuhn_poker", {}, -1 / 18, id="kuhn_poker"),
    pytest.param("liars_dice", {"faces": 3}, None, id="liars_dice-3"),
    pytest.param("leduc_poker", {}, -0.0856, id="leduc_poker", marks=pytest.mark.soak),
    pytest.param("liars_dice", {}, -1 / 36, id="liars_dice-6", marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("name", "parameters", "value"), EQUILIBRIA)
def test_equilibrium(name: str, parameters: dict[str, Any], value: float | None) -> None:
    found = SequenceForm(croupier.load(name).new_initial_state(2, parameters)).value()
    assert -1 <= found <= 1 if value is None else abs(found - value) < 1e-3


def count(state: Any, seen: dict[str, tuple[int, Fraction]]) -> tuple[int, Fraction]:
    """The games below a position, and what seat 0 gets of them if everybody plays at random; every position
    once.
    """
    key = state.hash()
    if key not in seen:
        if state.is_terminal():
            seen[key] = (1, Fraction(state.returns()[0]))
        else:
            games, total, actions = 0, Fraction(0), state.legal_actions()
            for action in actions:
                after = state.clone()
                after.apply_action(action)
                n, value = count(after, seen)
                games, total = games + n, total + value
            seen[key] = (games, total / len(actions))
    return seen[key]


def test_tic_tac_toe() -> None:
    """255,168 games over 5,478 positions, a draw under best play, 187/630 for the first player at random."""
    start = croupier.load("tic_tac_toe").new_initial_state()
    seen: dict[str, tuple[int, Fraction]] = {}
    assert count(start, seen) == (255168, Fraction(187, 630))
    assert len(seen) == 5478
    assert best_value(start, {}) == 0


@pytest.mark.soak
def test_connect_four_on_four_by_four_is_a_draw() -> None:
    assert (
        best_value(croupier.load("connect_four").new_initial_state(None, {"rows": 4, "columns": 4}), {}) == 0
    )
