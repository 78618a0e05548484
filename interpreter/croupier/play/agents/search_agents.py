"""Agents that search by playing games to their end with random players (`State.roll_out`).

    flat:N      N roll-outs for each option; the option whose games went best
    mcts:N      N rounds of UCT on the true state, which sees everything: the strongest opponent, and a cheat
                where something is hidden
    ismcts:N    N rounds of UCT on one tree, each round in a state that the seat cannot tell from the true one

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
from math import sqrt
from typing import TYPE_CHECKING

from croupier.core.search_tree import MOST_ROUNDS
from croupier.execution.search import OptionFigures, Standing, figures, new_tree, play_rounds
from croupier.execution.search_start import SearchStart
from croupier.play.measure import Ranking
from croupier.runtime.state import rolled_out

if TYPE_CHECKING:
    from croupier.runtime.state import State, StateSampler
    from croupier.runtime.streams import Stream

AHEAD = 0.5  # which part of what a play-out is worth is how far ahead a player was
HORIZON, LONG = 20, 100  # decisions
MAX_BUDGET = 10_000_000
SEEDS = 2**64


def budget(text: str, most: int = MAX_BUDGET) -> int:
    """The number in `flat:50`. Raises ValueError with words."""
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= most):
        raise ValueError(f"wants a number of roll-outs from 1 to {most}, as in `:100`, not `{text}`")
    return int(text)


class FlatAgent:
    """Plays every option out equally often."""

    _stream: Stream
    _draws: StateSampler | None = None

    def __init__(self, text: str) -> None:
        self._budget = budget(text)

    def name(self) -> str:
        """`flat:N`."""
        return f"flat:{self._budget}"

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """Draws from this stream."""
        self._stream, self._draws = stream, None

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """The option whose roll-outs paid most, the first of equal ones; every option is tried in the same
        states.
        """
        if len(options) == 1:
            return options[0]
        draws = self._draws = state.resampler(seat, self._draws)
        scale, sums = PlayoutScale(), [BranchTotals() for _ in options]
        for number in range(1, self._budget + 1):
            possible, seed = draws.draw(self._stream), self._stream.uniform(SEEDS)
            for at, option in enumerate(options):
                after = possible.clone()
                after.apply_action(option, seat)
                sums[at].add(scale.play_out(after, seed, number)[seat])
        worth = [scale.worth(one, seat) for one in sums]
        return options[worth.index(max(worth))]

    def end(self, state: State, seat: int) -> None:
        """There is nothing to learn."""


class TreeAgent:
    """Searches a tree: of the true state, or of states that its seat cannot tell from it."""

    _stream: Stream
    _draws: StateSampler | None = None

    def __init__(self, text: str, *, is_fair: bool) -> None:
        self._budget, self._is_fair = budget(text, MOST_ROUNDS), is_fair
        # decisions of play-outs in this game: 0 for all, `None` before it was measured
        self._horizon: int | None = None

    def name(self) -> str:
        """`mcts:N` or `ismcts:N`."""
        return f"{'ismcts' if self._is_fair else 'mcts'}:{self._budget}"

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """Draws from this stream."""
        self._stream, self._draws, self._horizon = stream, None, None

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """The option that the search went into most often; of equal ones that which is worth most."""
        if len(options) == 1:
            return options[0]
        found = self.search(state, seat, options)
        return max(found, key=lambda one: (one.visits, one.worth or 0.0)).action

    def search(self, state: State, seat: int, options: Sequence[int]) -> list[OptionFigures]:
        """What a search finds of each option."""
        seed = self._stream.uniform(SEEDS)
        tree = new_tree(self._budget)
        draws = self._draws = state.resampler(seat, self._draws) if self._is_fair else None
        first = state if draws is None else draws.draw(self._stream)
        standing = self._standing(first, seed)
        horizon = self._horizon or 0
        if draws is None:
            tree = play_rounds(state, tree, SearchStart(seat, seed, 1, horizon), self._budget, standing)
            return figures(tree, options, seat, state.players)
        for number in range(1, self._budget + 1):
            possible = first if number == 1 else draws.draw_next(self._stream)
            tree = play_rounds(possible, tree, SearchStart(seat, seed, number, horizon), 1, standing)
        return figures(tree, options, seat, state.players)

    def _standing(self, state: State, seed: int) -> Standing | None:
        """What tells who is how far, if games are long and the rules tell: then play-outs are cut.

        The first search of a game decides.
        """
        ranking = Ranking(state.game)
        if self._horizon is None:
            is_long = ranking.is_there and not state.is_terminal() and state.roll_out(seed).decisions > LONG
            self._horizon = HORIZON if is_long else 0
        return ranking.scores if self._horizon else None

    def end(self, state: State, seat: int) -> None:
        """There is nothing to learn."""


End = tuple[float, float, float]
"""A play-out for a seat: what it paid, how far ahead of the best other one it was, and which part of
its worth that is.
"""


class BranchTotals:
    """Totals of play-outs for one player: their number, the share that counts by the lead, what they paid,
    the sum of the leads.
    """

    __slots__ = ("visits", "share", "paid", "ahead")

    def __init__(self) -> None:
        self.visits, self.share, self.paid, self.ahead = 0, 0.0, 0.0, 0.0

    def add(self, end: End) -> None:
        """Add one play-out."""
        paid, ahead, share = end
        self.visits += 1
        self.share += share
        self.paid += (1 - share) * paid
        self.ahead += share * ahead


class PlayoutScale:
    """The scale of one search: the range of what its play-outs paid and the spread of their scores, by which
    a play-out has a worth.
    """

    def __init__(self) -> None:
        self._lowest, self._highest = float("inf"), float("-inf")
        self._count, self._sums, self._squares = 0, list[float](), 0.0
        self._ranking: Ranking | None = None  # of a game that is cut
        self._is_new = True

    def play_out(self, state: State, seed: int, game: int) -> list[End]:
        """A play-out: random players play the state on, which changes it.

        What it is worth to each seat; nothing where the game does not finish.
        """
        if self._is_new:
            self._is_new = False
            self._measure_length(state, seed, game)
        if self._ranking is not None and not state.is_terminal():
            rolled_out(state, seed, game, HORIZON)
            scores = None if state.is_terminal() else self._ranking.scores(state)
            if scores is not None:
                return [(0.0, gap, 1.0) for gap in self._leads(scores)]
        outcome = state.outcome() if state.is_terminal() else state.roll_out(seed, game).outcome
        paid = [float(value) for value in outcome["returns"]] or [0.0] * state.players
        self._lowest, self._highest = min(self._lowest, *paid), max(self._highest, *paid)
        scores = outcome["scores"] or ()
        if len(scores) < 2 or list(scores) == paid:  # where scores are what is paid, nothing is left to say
            return [(value, 0.0, 0.0) for value in paid]
        return [(value, gap, AHEAD) for value, gap in zip(paid, self._leads(scores), strict=True)]

    def _measure_length(self, state: State, seed: int, game: int) -> None:
        """Decides by one play-out whether the others are cut."""
        ranking = Ranking(state.game)
        if ranking.is_there and not state.is_terminal() and state.roll_out(seed, game).decisions > LONG:
            self._ranking = ranking

    def _leads(self, scores: Sequence[float]) -> list[float]:
        """By how much each seat leads the best other one; negative where it is behind."""
        best, second = sorted(map(float, scores), reverse=True)[:2]
        gaps = [score - (second if score == best else best) for score in scores]
        self._count += 1
        self._sums = [total + gap for total, gap in zip(self._sums or [0.0] * len(gaps), gaps, strict=True)]
        self._squares += sum(gap * gap for gap in gaps)
        return gaps

    def worth(self, found: BranchTotals, seat: int) -> float:
        """Return the mean worth of play-outs to a seat: their returns, from 0 to 1; or how far ahead it was,
        0.5 for the average, 1 a standard deviation more.
        """
        width, counted = self._highest - self._lowest, found.visits - found.share
        worth = (found.paid - self._lowest * counted) / width if width > 0 else counted / 2
        if found.share:
            mean = self._sums[seat] / self._count
            variance = (self._squares - sum(total * total for total in self._sums) / self._count) / (
                self._count * len(self._sums)
            )
            worth += found.share / 2 + (found.ahead - mean * found.share) / (
                2 * sqrt(variance) if variance > 1e-9 else 1.0
            )
        return worth / found.visits


def tree_agent(is_fair: bool) -> Callable[[str], TreeAgent]:
    """Makes agents that search a tree, fairly or not."""
    return lambda text: TreeAgent(text, is_fair=is_fair)
