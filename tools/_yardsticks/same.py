"""A comparison of a hand-written class with the ruleset of its game, decision by decision: who acts, what is
on offer, in which order, what chance may do, and the result; of games with secrets also what each player was
told.
"""

from __future__ import annotations

import random
from typing import Any

from _yardsticks import YARDSTICKS, Yardstick, play_out
from _yardsticks.una_notte_da_lupi import ROLES

MEMORY = {
    "una_notte_da_lupi": ("dealt", "recognised", "looked_at", "saw", "exchanged", "robbed", "became", "tally")
}
OF_ROLES = ("dealt", "saw", "became")  # there roles are numbers, in the rules names


class Differs(Exception):
    """The point at which two games of one name differ."""


def same_game(ruleset: Any, players: int, seed: int, backend: str = "python") -> int:
    """Play one random game on both sides; the number of steps. Raises `Differs`."""
    rng = random.Random(f"{ruleset.name} {players} {seed}")
    state, game = ruleset.new_initial_state(players, backend=backend), YARDSTICKS[ruleset.name](players)
    steps = 0
    while True:
        pending = state.pending_seats()
        expect("who acts", game.current_player, pending[0] if pending else state.current_player(), state)
        if state.is_terminal():
            break
        legal = state.legal_actions(pending[0] if pending else None)
        expect("what is on offer", game.legal_actions(), legal, state)
        if not pending:
            expect("chance", len({share for _, share in state.chance_outcomes()}), 1, state)
        action = rng.choice(legal)
        state.apply_action(action, pending[0] if pending else None)
        game.apply_action(action)
        steps += 1
    expect("returns", game.returns, state.returns(), state)
    for name in MEMORY.get(ruleset.name, ()):
        expect(name, memory(game, name), state.evaluate(name), state)
    return steps


def random_game(name: str, players: int, seed: int) -> Yardstick:
    """A class at the end of a random game."""
    game = YARDSTICKS[name](players)
    play_out(game, random.Random(seed))
    return game


def expect(what: str, by_hand: object, by_rules: object, state: Any) -> None:
    if by_hand != by_rules:
        raise Differs(f"{what}: by hand {by_hand}, by the rules {by_rules}, after {state.history}")


def memory(game: Yardstick, name: str) -> dict[str, Any]:
    """A list by seat as the rules show a map over players: seats without a value left out."""
    out = {str(seat): value for seat, value in enumerate(getattr(game, name)) if value is not None}
    if name in OF_ROLES:
        return {
            seat: [ROLES[r] for r in value] if isinstance(value, list) else ROLES[value]
            for seat, value in out.items()
        }
    return out
