"""Random games on two back ends at once: who acts, what is legal, chance, words, observations, positions and
results must be the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import croupier
from croupier.runtime.state import IllegalAction, State


class Differs(AssertionError):
    """Two back ends disagree."""


def same(what: str, a: Any, b: Any, state: State) -> None:
    if a != b:
        raise Differs(f"{what} after {state.history}: {a!r} is {b!r}")


def compare(a: State, b: State, rng: random.Random) -> None:
    """Everything that can be asked; what takes long now and then."""
    same("hash", a.hash(), b.hash(), a)
    same("who acts", a.current_player(), b.current_player(), a)
    same("the end", a.is_terminal(), b.is_terminal(), a)
    same("pending seats", a.pending_seats(), b.pending_seats(), a)
    same("chance", a.chance_outcomes(), b.chance_outcomes(), a)
    for seat in (None, *range(a.players)):
        same(f"legal actions of {seat}", a.legal_actions(seat), b.legal_actions(seat), a)
    if rng.random() < 0.05:
        for seat in range(a.players):
            same("observation", a.observation(seat), b.observation(seat), a)
        for seat in a.pending_seats():
            for action in a.legal_actions(seat):
                same("words", a.action_to_string(seat, action), b.action_to_string(seat, action), a)
            wrong = max(a.legal_actions(seat), default=0) + 1
            same("what is refused", refused(a, wrong, seat), refused(b, wrong, seat), a)


def refused(state: State, action: int, seat: int) -> str:
    """The words for an action that is not legal; it changes nothing."""
    try:
        state.clone().apply_action(action, seat)
    except IllegalAction as e:
        return str(e)
    return "nothing"


def play(a: State, b: State, rng: random.Random, most: int = 10**9) -> int:
    """Play to the end, or for so many steps; the number of steps."""
    steps = 0
    while True:
        compare(a, b, rng)
        if a.is_terminal() or steps == most:
            break
        if a.is_chance_node():
            action = rng.choice(a.chance_outcomes())[0]
            a.apply_action(action)
            b.apply_action(action)
        else:
            seat = rng.choice(a.pending_seats())
            legal = a.legal_actions(seat)
            if not legal:
                break
            action = rng.choice(legal)
            a.apply_action(action, seat)
            b.apply_action(action, seat)
        if rng.random() < 0.05:
            b = b.clone()
        elif rng.random() < 0.03:
            b = b.ruleset.deserialize(b.serialize(), backend=b.backend)
        steps += 1
    same("outcome", a.outcome(), b.outcome(), a)
    same("returns", a.returns(), b.returns(), a)
    same("history", a.history, b.history, a)
    if rng.random() < 0.2 or steps < 12:
        for seat in (None, *range(a.players)):
            same(f"events for {seat}", a.events(seat), b.events(seat), a)
        for seat in range(a.players):
            same(f"what {seat} knows", a.information_state(seat), b.information_state(seat), a)
    return steps


def lock_step(
    ruleset: croupier.Ruleset,
    backend: str,
    games: int,
    counts: Sequence[int] = (),
    seed: int = 0,
    most: int = 10**9,
) -> Iterator[tuple[int, int]]:
    """Games for every number of players (or those of `counts`), with the defaults of the parameters: players
    and steps of each. Raises `Differs`.

    Raises `RulesetError` where the back end refuses the ruleset.
    """
    for players in counts or ruleset.players:
        for game in range(games):
            rng = random.Random(f"{seed} {players} {game}")
            a = ruleset.new_initial_state(players)
            b = ruleset.new_initial_state(players, backend=backend)
            yield players, play(a, b, rng, most)
