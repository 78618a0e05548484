"""What is told of a history: asked for at every step, of copies too, it is what it is when asked for once."""

from __future__ import annotations

import random
from typing import Any

import pytest

import croupier
from lasting import step
from needs import BACKENDS


def known(state: Any, seat: int | None) -> list[Any]:
    return [*state.events(seat), state.information_state(seat)]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["go_fish", "goofspiel", "witches_of_blackmore"])
def test_what_is_told_bit_by_bit_is_what_is_told_at_once(name: str, backend: str) -> None:
    ruleset, rng = croupier.load(name), random.Random(name)
    state = ruleset.new_initial_state(2, backend=backend)
    branches = []
    for _ in range(40):
        if state.is_terminal():
            break
        known(state, rng.choice([0, 1, None]))
        if rng.random() < 0.2:
            branches.append(state.clone())
        step(state, rng)
    for branch in branches:
        for _ in range(3):
            if not branch.is_terminal():
                step(branch, rng)
        known(branch, 0)
    for one in (state, *branches):
        fresh = ruleset.deserialize(one.serialize())
        assert [known(one, seat) for seat in (0, 1, None)] == [known(fresh, seat) for seat in (0, 1, None)]


def test_what_is_told_belongs_to_the_caller() -> None:
    state = croupier.load("kuhn_poker").new_initial_state()
    state.events(0).clear()
    state.apply_action(0)
    assert [event.kind for event in state.events(0)] == [event.kind for event in state.clone().events(0)] != []
