"""Agents that search by playing games to their end with random players (`State.roll_out`).

    flat:N      N roll-outs for each option; the option whose games went best
    mcts:N      N rounds of UCT on the true state, which sees everything: the strongest opponent, and a cheat where something is hidden
    ismcts:N    N rounds of UCT on one tree, each round in a state that the seat cannot tell from the true one

UCT: L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo planning", ECML 2006. Information sets, with how often an option was on offer in place of
how often its parent was visited: P. Cowling, E. Powley, D. Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4(2), 2012. What a
game pays is stretched to 0 to 1 between the lowest and the highest that the search has met.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.runtime.state import State
    from croupier.runtime.streams import Stream

EXPLORATION = sqrt(2)
MAX_BUDGET = 10_000_000
SEEDS = 2**64


def budget(text: str) -> int:
    """The number in `flat:50`. Raises ValueError with words."""
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= MAX_BUDGET):
        raise ValueError(f"wants a number of roll-outs from 1, as in `:100`, not `{text}`")
    return int(text)


class FlatAgent:
    """Plays every option out equally often."""

    _stream: Stream

    def __init__(self, text: str) -> None:
        self._budget = budget(text)

    def name(self) -> str:
        """`flat:N`."""
        return f"flat:{self._budget}"

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """Draws from this stream."""
        self._stream = stream

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """The option whose roll-outs paid most, the first of equal ones; every option is tried in the same states."""
        if len(options) == 1:
            return options[0]
        draws, totals = state.resampler(seat), [0.0] * len(options)
        for number in range(1, self._budget + 1):
            possible, seed = draws.draw(self._stream), self._stream.uniform(SEEDS)
            for at, option in enumerate(options):
                after = possible.clone()
                after.apply_action(option, seat)
                totals[at] += _payments(after, seed, number)[seat]
        return options[totals.index(max(totals))]

    def end(self, state: State, seat: int) -> None:
        """There is nothing to learn."""


class TreeAgent:
    """Searches a tree: of the true state, or of states that its seat cannot tell from it."""

    _stream: Stream

    def __init__(self, text: str, *, is_fair: bool) -> None:
        self._budget, self._is_fair = budget(text), is_fair

    def name(self) -> str:
        """`mcts:N` or `ismcts:N`."""
        return f"{'ismcts' if self._is_fair else 'mcts'}:{self._budget}"

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """Draws from this stream."""
        self._stream = stream

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """The option that the search went into most often; of equal ones that which paid most."""
        if len(options) == 1:
            return options[0]
        draws = state.resampler(seat) if self._is_fair else None
        tree = Tree(self._stream)
        for number in range(1, self._budget + 1):
            tree.play(state.clone() if draws is None else draws.draw(self._stream), number, seat, options)
        return max(options, key=tree.standing)

    def end(self, state: State, seat: int) -> None:
        """There is nothing to learn."""


class Branch:
    """What came of one action in one node of a tree."""

    __slots__ = ("visits", "offered", "total", "node")

    def __init__(self) -> None:
        self.visits = self.offered = 0
        self.total = 0.0
        self.node: dict[int, Branch] = {}


class Tree:
    """A tree by actions and outcomes; each branch keeps what it paid to whoever chose it."""

    def __init__(self, stream: Stream) -> None:
        self._stream, self._root = stream, dict[int, Branch]()
        self._lowest, self._highest = float("inf"), float("-inf")

    def standing(self, action: int) -> tuple[int, float]:
        """How often an action of the root was tried, and what it paid on average."""
        branch = self._root.get(action)
        return (0, 0.0) if branch is None or not branch.visits else (branch.visits, branch.total / branch.visits)

    def play(self, state: State, number: int, seat: int, options: Sequence[int]) -> None:
        """One round: down the tree by UCT, one new branch, a roll-out, and what it paid back up. Changes the state; at the root `seat` decides."""
        node, path, chooser, legal = self._root, list[tuple[Branch, int]](), seat, options
        while True:
            branch, action = self._picked(node, legal)
            path.append((branch, chooser))
            state.apply_action(action, chooser)
            if branch.visits == 0 or state.is_terminal():
                break
            node = self._chance(state, branch.node)
            pending = state.pending_seats()
            chooser = pending[0] if pending else chooser
            legal = state.legal_actions(chooser) if pending else []
            if not legal:
                break
        paid = _payments(state, self._stream.uniform(SEEDS), number)
        self._lowest, self._highest = min(self._lowest, *paid), max(self._highest, *paid)
        for branch, chooser in path:
            branch.visits += 1
            branch.total += paid[chooser]

    def _chance(self, state: State, node: dict[int, Branch]) -> dict[int, Branch]:
        """Lets chance fall until somebody decides; the node for what fell."""
        while state.is_chance_node():
            outcomes = state.chance_outcomes()
            if not outcomes:
                break
            action = outcomes[self._stream.weighted([weight for _, weight in outcomes])][0]
            state.apply_action(action)
            node = node.setdefault(action, Branch()).node
        return node

    def _picked(self, node: dict[int, Branch], legal: Sequence[int]) -> tuple[Branch, int]:
        """A branch that was not tried yet, drawn at random, or the most promising one."""
        fresh = [action for action in legal if action not in node or node[action].visits == 0]
        for action in legal:
            node.setdefault(action, Branch()).offered += 1
        action = fresh[self._stream.uniform(len(fresh))] if fresh else max(legal, key=lambda a: self._promise(node[a]))
        return node[action], action

    def _promise(self, branch: Branch) -> float:
        """The upper confidence bound of a branch."""
        width = self._highest - self._lowest
        mean = (branch.total / branch.visits - self._lowest) / width if width > 0 else 0.5
        return mean + EXPLORATION * sqrt(log(branch.offered) / branch.visits)


def _payments(state: State, seed: int, game: int) -> list[float]:
    """What each seat is paid when random players play on; nothing where the game does not finish."""
    outcome = state.outcome() if state.is_terminal() else state.roll_out(seed, game).outcome
    return [float(paid) for paid in outcome["returns"]] or [0.0] * state.players


def tree_agent(is_fair: bool) -> Callable[[str], TreeAgent]:
    """Makes agents that search a tree, fairly or not."""
    return lambda text: TreeAgent(text, is_fair=is_fair)
