"""Whole game trees and random games, through the public interface only."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any


def perft(state: Any, depth: int) -> int:
    """The number of action sequences of exactly this length; a finished game adds nothing to longer ones."""
    if depth == 0:
        return 1
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = state.clone()
        after.apply_action(action)
        total += perft(after, depth - 1)
    return total


@dataclass
class Tree:
    """What a whole tree consists of: all nodes, their kinds, the information sets of each seat, the value
    when everybody plays at random.
    """

    histories: int = 0
    terminals: int = 0
    chances: int = 0
    decisions: int = 0
    sets: list[set[str]] = field(default_factory=list)
    value: tuple[Fraction, ...] = ()

    @property
    def counts(self) -> tuple[int, int, int, int]:
        return self.histories, self.terminals, self.chances, self.decisions


def whole_tree(state: Any) -> Tree:
    """Every node below a state, chance included.

    Who decides at once is asked seat by seat, the later ones blind.
    """
    tree = Tree(sets=[set() for _ in range(state.players)])
    tree.value = _walk(state, tree)
    return tree


def _walk(state: Any, tree: Tree) -> tuple[Fraction, ...]:
    tree.histories += 1
    if state.is_terminal():
        tree.terminals += 1
        assert state.outcome()["status"] == "finished", state.outcome()
        return tuple(Fraction(n) for n in state.returns())
    if state.is_chance_node():
        tree.chances += 1
        branches = state.chance_outcomes()
        assert sum(weight for _, weight in branches) == 1
    else:
        tree.decisions += 1
        seat = state.pending_seats()[0]
        tree.sets[seat].add(state.information_state(seat))
        actions = state.legal_actions()
        branches = [(action, Fraction(1, len(actions))) for action in actions]
    total = [Fraction(0)] * state.players
    for action, weight in branches:
        after = state.clone()
        after.apply_action(action, None if state.is_chance_node() else state.pending_seats()[0])
        for seat, n in enumerate(_walk(after, tree)):
            total[seat] += weight * n
    return tuple(total)


def random_game(state: Any, rng: random.Random) -> Any:
    """Play a state to its end at random, invariants checked after every action; gives the state."""
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            for seat in list(state.pending_seats()):
                state.apply_action(rng.choice(state.legal_actions(seat)), seat)
        assert not state.check_invariants(), state.check_invariants()
    return state
