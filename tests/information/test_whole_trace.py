"""Games in pairs: two components that a seat has not perceived so far change places, and nothing that it has
perceived changes.

A random game is played for a while. Two chance events that brought components which occur in no event and no
observation of a seat exchange their outcomes; then every later step is taken again with the same words. What
the seat sees and may do is compared at every step, its events at the end.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import croupier

GAMES = {"witches_of_blackmore": 3, "plain_tricks": 4, "go_fish": 3, "wednesday_hyde": 3, "fish_market": 3}
SEEDS = range(2)


def channels(state: Any, seat: int) -> tuple[Any, ...]:
    options = state.legal_actions(seat) if seat in state.pending_seats() else []
    words = [state.action_to_string(seat, a) for a in options]
    return state.observation(seat), options, words, state.pending_seats(), state.is_chance_node()


def step(state: Any, rng: random.Random) -> tuple[int, str, int]:
    """One random step: who (-1: chance), in which words, which action."""
    if state.is_chance_node():
        action = rng.choice(state.chance_outcomes())[0]
        words = state.action_to_string(-1, action)
        state.apply_action(action)
        return -1, words, action
    seat = state.pending_seats()[0]
    action = rng.choice(state.legal_actions(seat))
    words = state.action_to_string(seat, action)
    state.apply_action(action, seat)
    return seat, words, action


def played(rules: Any, players: int, seed: int) -> tuple[list[tuple[int, str, int]], Any]:
    state, rng, steps = rules.new_initial_state(players), random.Random(seed), []
    while not state.is_terminal():
        steps.append(step(state, rng))
    return steps, state


def perceived(
    rules: Any, players: int, steps: list[tuple[int, str, int]], seat: int
) -> tuple[list[Any], str]:
    """What a seat sees and may do at every step, its events, and all that it ever read in one text."""
    state = rules.new_initial_state(players)
    found = [channels(state, seat)]
    for who, words, action in steps:
        assert state.is_chance_node() == (who < 0)
        if who != seat and who >= 0 and state.action_to_string(who, action) != words:
            action = state.string_to_action(who, words)
        state.apply_action(action, None if who < 0 else who)
        found.append(channels(state, seat))
    events = [e.text for e in state.events(seat)]
    return [*found, events], json.dumps([*(f[0] for f in found), events], ensure_ascii=False)


def hidden_draws(state: Any, steps: list[tuple[int, str, int]], read: str) -> list[int]:
    """Chance steps whose component the seat never read of."""
    names = {state.game.label(component.number, state._m) for component in state.game.components}
    return [i for i, (who, words, _) in enumerate(steps) if who < 0 and words in names and words not in read]


@pytest.mark.parametrize("name", GAMES)
def test_nothing_changes_for_who_has_not_perceived_it(name: str) -> None:
    rules, pairs = croupier.load(name), 0
    for seed in SEEDS:
        whole, _ = played(rules, GAMES[name], seed)
        chances = sum(who < 0 for who, _, _ in whole)
        for seat in range(GAMES[name]):
            steps = whole[: random.Random(f"{seed} {seat}").randrange(chances // 2, len(whole))]
            before, read = perceived(rules, GAMES[name], steps, seat)
            hidden = hidden_draws(rules.new_initial_state(GAMES[name]), steps, read)
            for i, j in [
                (i, j) for i, j in zip(hidden, hidden[1:], strict=False) if steps[i][1] != steps[j][1]
            ][:1]:
                other = list(steps)
                other[i], other[j] = steps[j], steps[i]
                try:
                    after, _ = perceived(rules, GAMES[name], other, seat)
                except (croupier.IllegalAction, AssertionError):
                    continue  # somebody else could not do the same with the other component
                pairs += 1
                for number, (x, y) in enumerate(zip(before, after, strict=True)):
                    assert x == y, f"seed {seed}, seat {seat}, step {number}"
    assert pairs, "no pair was tried"
