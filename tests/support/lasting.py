"""A random game that is saved, loaded and copied at every node: the copies are equal, go on alike and are
independent.
"""

from __future__ import annotations

import random
from typing import Any

FEW = 5  # nodes between two looks at the structures of all options
EVERY = 60  # nodes between two looks at what each seat knows: it is worked out from the start of the game


def lasting_game(ruleset: Any, players: int, parameters: dict[str, Any], seed: int) -> Any:
    """Play it to its end, and return the state.

    Raises `AssertionError` where a copy differs from what was copied.
    """
    rng = random.Random(f"{ruleset.name} {players} {seed}")
    state = ruleset.new_initial_state(players, parameters)
    nodes = 0
    while not state.is_terminal():
        before = state.position()
        again, twin = ruleset.deserialize(state.serialize(), replay=False), state.clone()
        assert again == state and again.hash() == state.hash() and again.history == state.history
        assert (
            again.current_player() == state.current_player()
            and again.pending_seats() == state.pending_seats()
        )
        if nodes % EVERY == 0:
            assert [again.information_state(p) for p in range(players)] == [
                state.information_state(p) for p in range(players)
            ]
            assert [again.observation(p) for p in range(players)] == [
                state.observation(p) for p in range(players)
            ]
        if nodes % FEW == 0:
            assert_structures_name_actions(state)
        for seat, action in choices(state, rng):
            seat_now = seat if seat >= 0 else -1
            assert (
                again.legal_actions() == state.legal_actions()
                if seat < 0
                else again.legal_actions(seat) == state.legal_actions(seat)
            )
            assert again.action_to_string(seat_now, action) == state.action_to_string(seat_now, action)
            assert again.action_to_struct(seat_now, action) == state.action_to_struct(seat_now, action)
            for one in (again, twin):
                one.apply_action(action, None if seat < 0 else seat)
            assert state.position() == before, "a copy is not independent of what it was copied from"
            state.apply_action(action, None if seat < 0 else seat)
            assert again.position() == state.position() and twin.position() == state.position(), (
                "a copy goes on in another way"
            )
            before = state.position()
        nodes += 1
    found = state.check_invariants()
    assert not found, found[0].message
    return state


def choices(state: Any, rng: random.Random) -> list[tuple[int, int]]:
    """A random action for everybody who must act now, or an outcome of chance."""
    if state.is_chance_node():
        return [(-1, rng.choice(state.chance_outcomes())[0])]
    return [(seat, rng.choice(state.legal_actions(seat))) for seat in state.pending_seats()]


def assert_structures_name_actions(state: Any) -> None:
    """The structure of an option of anybody who must choose leads back to it, or to one of the same words
    (two cards that are alike).
    """
    for seat in [] if state.is_chance_node() else state.pending_seats():
        for action in state.legal_actions(seat)[:12]:
            found = state.struct_to_action(seat, state.action_to_struct(seat, action))
            assert state.action_to_string(seat, found) == state.action_to_string(seat, action)


def step(state: Any, rng: random.Random) -> None:
    """A random action of somebody who must act, or an outcome of chance."""
    if state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    else:
        seat = rng.choice(state.pending_seats())
        state.apply_action(rng.choice(state.legal_actions(seat)), seat)
