"""Whole games on compiled code are the games that a match of random agents plays."""

from __future__ import annotations

import pytest

import croupier
from croupier.play.match import Match
from croupier.play.setup import Setup


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "plain_tricks", "goofspiel", "leduc_poker", "witches_of_blackmore"])
def test_the_same_games(name: str) -> None:
    ruleset = croupier.load(name)
    initial = ruleset.new_initial_state(backend="python")
    for number in (1, 2, 3):
        record = Match(ruleset, Setup(seed=11), number, light=True).play()
        rolled = initial.roll_out(11, number)
        assert rolled is not None
        assert (rolled.final_hash, rolled.decisions, rolled.chance_events) == (record.final_hash, record.decisions, record.chance_events)
        assert rolled.outcome["returns"] == record.outcome["returns"] and rolled.outcome["winners"] == record.outcome["winners"]
