"""A sealed vote: nobody learns anything of a vote before all are in, and nobody may vote for himself."""

from __future__ import annotations

from typing import Any

import croupier
from cases import LANGUAGE


def vote(state: Any, seat: int, word: str) -> None:
    state.apply_action(state.string_to_action(seat, f"vote for: {word}"), seat)


def test_the_others_see_nothing_of_a_vote() -> None:
    ruleset = croupier.load(LANGUAGE / "sealed_vote.yaml")
    one, other = ruleset.new_initial_state(3), ruleset.new_initial_state(3)
    vote(one, 0, "player 2")
    vote(other, 0, "player 3")
    assert one.pending_seats() == [1, 2] and one.current_player() == -2
    for seat in (1, 2):
        assert one.information_state(seat) == other.information_state(seat)
    assert one.information_state(0) != other.information_state(0)
    assert one.hash() != other.hash()


def test_all_are_told_at_once() -> None:
    state = croupier.load(LANGUAGE / "sealed_vote.yaml").new_initial_state(3)
    assert state.is_simultaneous_node()
    words = ["vote for: player 2", "vote for: player 3", "vote for: player 2"]
    state.apply_actions([state.string_to_action(seat, word) for seat, word in enumerate(words)])
    assert state.outcome()["winners"] == [1]
    assert any(e.text == "player 2 voted for player 3" for e in state.events(0))


def test_nobody_votes_for_himself() -> None:
    state = croupier.load(LANGUAGE / "sealed_vote.yaml").new_initial_state(4)
    assert [[state.action_to_string(s, a) for a in state.legal_actions(s)] for s in (0, 3)] == [
        ["vote for: player 2", "vote for: player 3", "vote for: player 4"],
        ["vote for: player 1", "vote for: player 2", "vote for: player 3"],
    ]
