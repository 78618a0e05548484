"""Agents that search by playing games to their end with random players (`State.roll_out`).

    flat:N      N roll-outs for each option; the option whose games went best
    mcts:N      N rounds of UCT on the true state, which sees everything: the strongest opponent, and a cheat where something is hidden
    ismcts:N    N rounds of UCT on one tree, each round in a state that the seat cannot tell from the true one

UCT: L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo planning", ECML 2006. Information sets, with how often an option was on offer in place of
how often its parent was visited: P. Cowling, E. Powley, D. Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4(2), 2012. What a
game pays is stretched to 0 to 1 between the lowest and the highest that the search has met. Where the rules keep scores, half of what a game is worth
is how far ahead a player was, measured by its deviation in this search and put through the logistic function: a few play-outs say more by how much
than who has won. After T. Pepels, M. Tak, M. Lanctot, M. Winands, "Quality-based rewards for Monte-Carlo tree search simulations", ECAI 2014.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.runtime.state import State
    from croupier.runtime.streams import Stream

EXPLORATION = 0.7
AHEAD = 0.5  # which part of what a play-out is worth is how far ahead a player was
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
        draws, scale, sums = state.resampler(seat), Scale(), [Sum() for _ in options]
        for number in range(1, self._budget + 1):
            possible, seed = draws.draw(self._stream), self._stream.uniform(SEEDS)
            for at, option in enumerate(options):
                after = possible.clone()
                after.apply_action(option, seat)
                sums[at].add(*scale.ends(after, seed, number)[seat])
        worth = [scale.worth(one) for one in sums]
        return options[worth.index(max(worth))]

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


class Sum:
    """What play-outs paid one player, how far ahead they were (0 to 1), and how many there were."""

    __slots__ = ("visits", "paid", "ahead")

    def __init__(self) -> None:
        self.visits, self.paid, self.ahead = 0, 0.0, 0.0

    def add(self, paid: float, ahead: float) -> None:
        """One more."""
        self.visits += 1
        self.paid += paid
        self.ahead += ahead


class Scale:
    """What play-outs of one search paid and how far scores lay apart, to compare others with."""

    def __init__(self) -> None:
        self._lowest, self._highest = float("inf"), float("-inf")
        self._gaps, self._squares = 0, 0.0

    def ends(self, state: State, seed: int, game: int) -> list[tuple[float, float]]:
        """What each seat is paid, and how far ahead it is, when random players play on; nothing where the game does not finish."""
        outcome = state.outcome() if state.is_terminal() else state.roll_out(seed, game).outcome
        paid = [float(value) for value in outcome["returns"]] or [0.0] * state.players
        self._lowest, self._highest = min(self._lowest, *paid), max(self._highest, *paid)
        scores = [float(value) for value in outcome["scores"] or ()]
        if len(scores) < 2 or scores == paid:  # where scores are what is paid, nothing is left to say
            return [(value, 0.5) for value in paid]
        best, second = sorted(scores, reverse=True)[:2]
        gaps = [score - (second if score == best else best) for score in scores]
        self._gaps += len(gaps)
        self._squares += sum(gap * gap for gap in gaps)
        deviation = sqrt(self._squares / self._gaps) or 1.0
        return [(value, 1 / (1 + exp(-2 * gap / deviation))) for value, gap in zip(paid, gaps, strict=True)]

    def worth(self, found: Sum) -> float:
        """From 0 to 1, on average."""
        width = self._highest - self._lowest
        mean = (found.paid / found.visits - self._lowest) / width if width > 0 else 0.5
        return mean if not self._gaps else (1 - AHEAD) * mean + AHEAD * found.ahead / found.visits


class Branch(Sum):
    """What came of one action in one node of a tree."""

    __slots__ = ("offered", "node")

    def __init__(self) -> None:
        super().__init__()
        self.offered = 0
        self.node: dict[int, Branch] = {}


class Tree:
    """A tree by actions and outcomes; each branch keeps what it was worth to whoever chose it."""

    def __init__(self, stream: Stream) -> None:
        self._stream, self._root, self._scale = stream, dict[int, Branch](), Scale()

    def standing(self, action: int) -> tuple[int, float]:
        """How often an action of the root was tried, and what it was worth on average."""
        branch = self._root.get(action)
        return (0, 0.0) if branch is None or not branch.visits else (branch.visits, self._scale.worth(branch))

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
        ends = self._scale.ends(state, self._stream.uniform(SEEDS), number)
        for branch, chooser in path:
            branch.add(*ends[chooser])

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
        return self._scale.worth(branch) + EXPLORATION * sqrt(log(branch.offered) / branch.visits)


def tree_agent(is_fair: bool) -> Callable[[str], TreeAgent]:
    """Makes agents that search a tree, fairly or not."""
    return lambda text: TreeAgent(text, is_fair=is_fair)
