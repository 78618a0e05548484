"""The hand-written classes of `tools/bench` play the same games as their rulesets, decision by decision: nobody compares different games."""

from __future__ import annotations

import random
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import croupier

PATH = Path(croupier.__file__).resolve().parents[2] / "tools" / "_yardsticks.py"
SPEC = spec_from_file_location("yardsticks", PATH)
assert SPEC is not None and SPEC.loader is not None
YARDSTICKS = module_from_spec(SPEC)
sys.modules["yardsticks"] = YARDSTICKS
SPEC.loader.exec_module(YARDSTICKS)


@pytest.mark.parametrize("name", YARDSTICKS.YARDSTICKS)
def test_same_game(name: str) -> None:
    ruleset = croupier.load(name)
    for k in range(12):
        rng = random.Random(f"{name} {k}")
        state, game = ruleset.new_initial_state(backend="python"), YARDSTICKS.YARDSTICKS[name]()
        while True:
            assert game.current_player == state.current_player(), state.history
            if state.is_terminal():
                break
            legal = state.legal_actions()
            assert game.legal_actions() == legal, state.history
            action = rng.choice(legal)
            state.apply_action(action)
            game.apply_action(action)
        assert game.returns == state.returns()
