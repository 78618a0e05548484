"""A bot at a table plays in thought in compiled code, and decides as it would on the evaluator."""

from __future__ import annotations

import pytest

import croupier
from croupier.play.compiled_twin import CompiledTwin
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.session import Session


def test_it_follows_a_game_and_goes_back_with_it() -> None:
    ruleset, twin = croupier.load("connect_four"), CompiledTwin()
    state = ruleset.new_initial_state()
    states = [state.clone()]
    for action in (3, 3, 2, 4):
        state.apply_action(action)
        states.append(state.clone())
    for at in (0, 2, 4, 1, 3):
        found = twin.of(states[at])
        assert found.backend != "reference"
        assert (found.history, found.position()) == (states[at].history, states[at].position())
    other = states[1].clone()
    other.apply_action(6)
    assert twin.of(other).position() == other.position()


def test_what_is_compiled_already_stays() -> None:
    state = croupier.load("kuhn_poker").new_initial_state(backend="python")
    assert CompiledTwin().of(state) is state


def test_bots_of_a_session_decide_as_those_of_a_match() -> None:
    """Decisions, chance and what several choose at once are followed; also after a decision is taken back."""
    for name, bot in (("kuhn_poker", "ismcts:20"), ("goofspiel", "ismcts:4"), ("connect_four", "mcts:20")):
        ruleset = croupier.load(name)
        setup = MatchConfig(2, {}, 5, (bot,))
        match = GameMatch(ruleset, setup)
        match.play()
        session = Session(ruleset, setup, frozenset())
        assert session.advance() is None
        assert [step.choices for step in session.steps] == [step.choices for step in match.steps], name


@pytest.mark.parametrize("bot", ["mcts:20", "ismcts:20", "flat:2"])
def test_a_decision_that_is_taken_back_is_followed(bot: str) -> None:
    session = Session(croupier.load("connect_four"), MatchConfig(2, {}, 5, (bot,)), frozenset([0]))
    assert session.advance() == 0
    session.choose(0, 3)
    assert session.advance() == 0
    once = session.state.position()
    session.undo()
    session.choose(0, 3)
    assert session.advance() == 0
    assert session.state.position() == once


@pytest.mark.parametrize("bot", ["ismcts:4", "flat:1"])
def test_a_person_may_decide_after_a_bot_that_draws_what_is_hidden(bot: str) -> None:
    """What the bot keeps from one decision to the next is copied with it, for the case that the person takes
    theirs back.
    """
    session = Session(croupier.load("go_fish"), MatchConfig(2, {}, 5, (bot,)), frozenset([0]))
    decided = 0
    while decided < 3:
        seat = session.advance()
        assert seat == 0
        session.choose(0, session.state.legal_actions(0)[0])
        decided += 1
    assert any(choice.seat == 1 for step in session.steps for choice in step.choices)
