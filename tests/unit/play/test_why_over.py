"""Why a game is over, in words for whoever does not know the rules: no local of the rules stands there
unexplained.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.play.start_and_end import why_over

ALIVE = "alive is each player p for which life of p is more than 0"
CASES = {
    ("storm",): f"The game is over: life of every player p is 0, and alive is empty ({ALIVE}).",
    ("heal",): "The game is over: life of the first player is 9.",
    ("gone",): "The game is over: gone is empty (gone is each player p for which life of p is more than 5).",
    ("hit",): "The game is over: life of p is less than 2 (for one player p).",
    ("count", "1"): "The game is over: n is 1 (n is what was chosen).",
    ("count", "2"): "All phases are over.",
}


@pytest.mark.parametrize("words", CASES, ids="-".join)
def test_the_reason_names_no_local_alone(words: tuple[str, ...]) -> None:
    state = croupier.load(Path(__file__).parent / "ends.yaml").new_initial_state()
    for word in words:
        state.apply_action(state.string_to_action(state.current_player(), word))
    assert why_over(state) == CASES[words]
