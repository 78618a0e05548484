"""Agents that search by playing games to their end with random players (`State.roll_out`).

    flat:N      N roll-outs for each option, in the same N states; the option whose games went best
    mcts:N      N rounds of UCT on the true state, for games that hide nothing
    mcts!:N     the same for games that hide something: it sees everything, so it is the strongest opponent,
                and a cheat
    ismcts:N    N rounds of UCT on one tree, each round in a state that the seat cannot tell from the true one

In place of N stands a time for each decision, as in `mcts:200ms` (`budget.py`).

UCT: L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo planning", ECML 2006. Information sets, with how
often an option was on offer in place of how often its parent was visited: P. Cowling, E. Powley, D.
Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4(2), 2012. What a game pays is stretched
to 0 to 1 between the lowest and the highest that the search has met. Where the rules keep scores, half of
what a game is worth is how far ahead a player was, in deviations from what that player had on average in this
search: a few play-outs say more by how much than who has won. After T. Pepels, M. Tak, M. Lanctot, M.
Winands, "Quality-based rewards for Monte-Carlo tree search simulations", ECAI 2014.

In a long game what random players do after a decision drowns what the decision did. So where a play-out of
the search takes more than LONG decisions, and the rules rank players by what can be read at any time
(`Ranking`), play-outs are cut after HORIZON decisions, and count by how far ahead the player would be if the
game ended there. After R. Lorentz, "Early playout termination in MCTS", Advances in Computer Games 2015.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from croupier.execution.search import (
    OptionFigures,
    Standing,
    figures,
    grown_tree,
    new_tree,
    play_drawn_rounds,
    play_rounds,
)
from croupier.execution.search_start import SearchStart
from croupier.play.agents.budget import Budget, Clock
from croupier.play.agents.possible_states import PossibleStates
from croupier.play.agents.tree_reuse import LOOKED_AT, KeptTree
from croupier.play.agents.tree_settings import TreeSettings
from croupier.play.measure import Ranking

if TYPE_CHECKING:
    from croupier.runtime.state import State, StateSampler
    from croupier.runtime.streams import Stream

HORIZON, LONG = 20, 100  # decisions
SEEDS = 2**64


class Horizon:
    """After how many decisions the play-outs of a game are cut. The first search of a game decides."""

    def __init__(self) -> None:
        self.decisions: int | None = None  # 0: play-outs are whole; `None` before it was measured

    def standing(self, state: State, seed: int) -> Standing | None:
        """What tells who is how far, if games are long and the rules tell: then play-outs are cut."""
        ranking = Ranking(state.engine)
        if self.decisions is None:
            is_long = ranking.is_there and not state.is_terminal() and state.roll_out(seed).decisions > LONG
            self.decisions = HORIZON if is_long else 0
        return ranking.scores if self.decisions else None


class FlatAgent:
    """Plays every option out equally often."""

    _stream: Stream
    _possible: PossibleStates

    def __init__(self, text: str, clock: Clock = monotonic) -> None:
        self._budget, self._clock = Budget.of(text), clock
        self._horizon = Horizon()

    def name(self) -> str:
        """`flat:N` or `flat:TIME`."""
        return f"flat:{self._budget.text}"

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """Draws from this stream."""
        self._stream, self._possible, self._horizon = stream, PossibleStates(stream), Horizon()

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """The option whose roll-outs paid most, the first of equal ones; every option is tried in the same
        states.
        """
        if len(options) == 1:
            return options[0]
        return max(self.search(state, seat, options), key=lambda one: one.worth or 0.0).action

    def search(self, state: State, seat: int, options: Sequence[int]) -> list[OptionFigures]:
        """What its roll-outs say of each option."""
        begun = self._clock()
        seed, each = self._stream.uniform(SEEDS), tuple(options)
        tree = new_tree(len(each))
        self._possible.stand(state, seat)
        first = self._possible.draw()
        standing = self._horizon.standing(first, seed)
        horizon = self._horizon.decisions or 0
        played = 0
        for batch in self._budget.batches(self._clock, begun):
            end = played + batch
            start = SearchStart(seat, seed, played + 1, horizon, each)
            draws = self._possible.sampler
            if draws is None:
                tree = play_rounds(first, tree, start, batch, standing)
            else:
                if not played:
                    tree = play_rounds(first, tree, start, 1, standing)
                    start = replace(start, first=2)
                rest = end - start.first + 1
                tree = play_drawn_rounds(draws, self._stream, tree, start, rest, standing)
            played = end
        return figures(tree, options, seat, state.players)

    def end(self, state: State, seat: int) -> None:
        """There is nothing to learn."""


class TreeAgent:
    """Searches a tree: of the true state, or of states that its seat cannot tell from it."""

    _stream: Stream
    _draws: StateSampler | None = None

    def __init__(self, kind: str, text: str, clock: Clock = monotonic) -> None:
        self._kind, self._settings, self._is_fair = kind, TreeSettings.of(text), kind == "ismcts"
        self._clock, self._kept = clock, KeptTree(self._settings)
        self._horizon = Horizon()

    def name(self) -> str:
        """`mcts:N`, `mcts!:N` or `ismcts:N`, with a time in place of N, and with its settings."""
        return f"{self._kind}:{self._settings.text}"

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """Draws from this stream."""
        self._stream, self._draws, self._horizon = stream, None, Horizon()
        self._kept = KeptTree(self._settings)

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """The option that the search went into most often; of equal ones that which is worth most."""
        if len(options) == 1:
            return options[0]
        found = self.search(state, seat, options)
        return max(found, key=lambda one: (one.visits, one.worth or 0.0)).action

    def search(self, state: State, seat: int, options: Sequence[int]) -> list[OptionFigures]:
        """What a search finds of each option."""
        begun = self._clock()
        seed = self._stream.uniform(SEEDS)
        draws = self._draws = state.resampler(seat, self._draws) if self._is_fair else None
        first = state if draws is None else draws.draw(self._stream)
        standing = self._horizon.standing(first, seed)
        horizon = self._horizon.decisions or 0
        possible_states, played, kept = [first], 0, 0
        if self._settings.reuses:
            if draws is not None:
                more = min(LOOKED_AT, self._settings.budget.rounds) - 1
                possible_states += [draws.draw_next(self._stream) for _ in range(more)]
            tree, kept = self._kept.following(state, seat, possible_states)
        else:
            tree = self._settings.new_tree(1)
        for batch in self._settings.budget.batches(self._clock, begun):
            tree = grown_tree(state, tree, kept + played + batch)
            end = played + batch
            while draws is not None and played < min(end, len(possible_states)):
                start = SearchStart(seat, seed, played + 1, horizon)
                tree = play_rounds(possible_states[played], tree, start, 1, standing)
                played += 1
            if played < end:
                start = SearchStart(seat, seed, played + 1, horizon)
                if draws is None:
                    tree = play_rounds(first, tree, start, end - played, standing)
                else:
                    tree = play_drawn_rounds(draws, self._stream, tree, start, end - played, standing)
            played = end
        if self._settings.reuses:
            self._kept.hold(tree, state, kept + played)
        return figures(tree, options, seat, state.players)

    def end(self, state: State, seat: int) -> None:
        """There is nothing to learn."""


def tree_agent(kind: str) -> Callable[[str], TreeAgent]:
    """Makes agents that search a tree: `mcts`, `mcts!` or `ismcts`."""
    return lambda text: TreeAgent(kind, text)
