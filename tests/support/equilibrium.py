"""The value of a two-player zero-sum game by linear programming over its sequence form.

Source: D. Koller, N. Megiddo, B. von Stengel, "Fast algorithms for finding randomized strategies in game
trees", STOC 1994. A sequence is the last information set and action of a player on the way to a node; a
strategy is a weight for each sequence, the first one 1, those of the actions of an information set adding up
to the weight of the sequence that leads there.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

ROOT = ("", -1)
Sequence = tuple[str, int]


class SequenceForm:
    """Sequences and payoffs (of seat 0) of the tree below a state of two players."""

    def __init__(self, state: Any) -> None:
        # information set -> the sequence before it, its actions
        self.sets: tuple[dict[str, tuple[Sequence, list[int]]], ...] = ({}, {})
        self.payoff: dict[tuple[Sequence, Sequence], Fraction] = {}
        self._walk(state, (ROOT, ROOT), Fraction(1))

    def _walk(self, state: Any, before: tuple[Sequence, Sequence], chance: Fraction) -> None:
        if state.is_terminal():
            self.payoff[before] = self.payoff.get(before, Fraction(0)) + chance * state.returns()[0]
            return
        if state.is_chance_node():
            for action, weight in state.chance_outcomes():
                after = state.clone()
                after.apply_action(action)
                self._walk(after, before, chance * weight)
            return
        seat = state.pending_seats()[0]
        known, actions = state.information_state(seat), state.legal_actions(seat)
        previous, same = self.sets[seat].setdefault(known, (before[seat], actions))
        assert previous == before[seat] and same == actions, "a seat forgets what it did or knew"
        for action in actions:
            after = state.clone()
            after.apply_action(action, seat)
            mine: Sequence = (known, action)
            self._walk(after, (mine, before[1]) if seat == 0 else (before[0], mine), chance)

    def value(self) -> float:
        """What seat 0 gets when both play an equilibrium: max over x of min over y of x A y, by the dual of
        the inner problem.
        """
        from scipy.optimize import linprog
        from scipy.sparse import coo_matrix

        number: list[dict[Sequence, int]] = []
        for sets in self.sets:
            sequences = [
                ROOT,
                *((known, action) for known, (_, actions) in sets.items() for action in actions),
            ]
            number.append({s: i for i, s in enumerate(sequences)})
        # constraint 0: the empty sequence weighs 1
        rows = [{known: i + 1 for i, known in enumerate(sets)} for sets in self.sets]
        xs, duals = len(number[0]), len(rows[1]) + 1
        # variables: x (weights of seat 0), then one dual for each constraint of seat 1; maximise the dual of
        # the empty sequence
        equal = [(0, 0, 1.0)]
        for known, (previous, actions) in self.sets[0].items():
            equal.append((rows[0][known], number[0][previous], -1.0))
            equal += [(rows[0][known], number[0][known, action], 1.0) for action in actions]
        # for every sequence y of seat 1: (its constraint's dual) - (the duals of the sets right behind it) <=
        # expected payoff of x against it
        bound = [(number[1][ROOT], xs, 1.0)]
        for known, (previous, actions) in self.sets[1].items():
            bound += [(number[1][known, action], xs + rows[1][known], 1.0) for action in actions]
            bound.append((number[1][previous], xs + rows[1][known], -1.0))
        bound += [
            (number[1][theirs], number[0][mine], -float(n)) for (mine, theirs), n in self.payoff.items()
        ]

        def matrix(entries: list[tuple[int, int, float]], height: int) -> Any:
            i, j, v = zip(*entries, strict=True)
            return coo_matrix((v, (i, j)), shape=(height, xs + duals)).tocsr()

        goal = [0.0] * (xs + duals)
        goal[xs] = -1.0
        found = linprog(
            goal, matrix(bound, len(number[1])), [0.0] * len(number[1]), matrix(equal, len(rows[0]) + 1),
            [1.0] + [0.0] * len(rows[0]),
            [(0, None)] * xs + [(None, None)] * duals, method="highs",
        )  # fmt: skip
        assert found.success, found.message
        return float(-found.fun)


def best_value(state: Any, known: dict[str, int]) -> int:
    """The value to seat 0 of a game of perfect information without chance, by looking at every position
    once.
    """
    key = state.hash()
    if key not in known:
        if state.is_terminal():
            known[key] = state.returns()[0]
        else:
            values = []
            for action in state.legal_actions():
                after = state.clone()
                after.apply_action(action)
                values.append(best_value(after, known))
            known[key] = max(values) if state.current_player() == 0 else min(values)
    return known[key]
