"""One step of a game at random, for tests that look at the positions in between."""

from __future__ import annotations

import random

import croupier


def step(state: croupier.State, rng: random.Random) -> None:
    """One random choice of everybody who must act, or one chance event; nothing where the options cannot be
    worked out.
    """
    if state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
        return
    for seat in state.pending_seats():
        options = state.legal_actions(seat)
        if not options:
            return
        state.apply_action(rng.choice(options), seat)
