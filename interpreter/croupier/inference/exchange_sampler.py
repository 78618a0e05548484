"""States that a seat cannot tell from the real one, drawn by exchanges of components that it did not see.

The target is that of `resampling.py`: a history counts by the probability that it comes about where
the other seats play at random. The chain is Metropolis' (N. Metropolis et al., J. Chem. Phys. 21, 1953): a
proposal exchanges components many times over (`core/exchanges.py`, symmetric), is played anew, and is
dropped if a step of it is not legal or the seat would have perceived something else; otherwise it is taken by
how much likelier it is. Only how many options others had differs: where that is the same in all histories, as
in games without rules about what may be played, each proposal is taken, and each draw is independent of the
one before.

How many exchanges a proposal has is found by trying on the real history, and then left alone. The real
history is one draw of the target, so the chain begins where it should; it is run on before the first draw,
so that no draw looks like the real one for longer than chance would have it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from croupier.core.exchanges import MODULUS
from croupier.inference.history_table import HistoryTable, NoTable
from croupier.inference.replays import Tables, replayer
from croupier.inference.resampling import Resampler, Sampler

if TYPE_CHECKING:
    from croupier.inference.replays import Start
    from croupier.runtime.state import State, StateSampler
    from croupier.runtime.streams import Stream

TRIALS = 24  # proposals of one size, to find how many are taken
MOST_PROPOSALS = 64  # for a draw
OVER = 1  # so often a draw takes as many exchanges as move everything, where not all proposals are taken
CLOSE = 8  # a draw that may be close to the one before it takes this part of a walk
CHEAP = 90  # exchanges that take as long as playing a history anew
SMALLEST = 4  # exchanges of a proposal
FEW, MANY = 0.2, 0.6  # shares of proposals taken, below and above which the next decision has other sizes


class ExchangeSampler(Sampler):
    """Draws states that a seat cannot tell from a state.

    Raises `NoTable` where exchanges do not reach all of them.
    """

    is_exact = False

    def __init__(self, state: State, seat: int, previous: StateSampler | None = None) -> None:
        known: HistoryTable | None = previous._table if isinstance(previous, ExchangeSampler) else None
        if known is not None and known.seat == seat and known.continues_to(state):
            known.go_on(state._history)
        else:
            known = HistoryTable(state, seat)
        if known.is_sealed:
            raise NoTable("somebody has chosen, and the choice is not revealed yet")
        self._table: HistoryTable = known
        self._state, self._seat = state, seat
        self._real = Tables.of(known)
        self._replay = replayer(state, seat, self._real)
        self._current = self._real.copy()
        self._picks = self._made = self._taken = 0
        self._share = 0.0  # of proposals that are taken, as it was found
        self._has_begun = False
        self._seeds: list[int] = []  # of the next walks, the last one first
        self._drawn: Callable[[], State] | None = None
        if isinstance(previous, ExchangeSampler) and previous._made >= TRIALS:
            self._learn(previous)

    def _learn(self, previous: ExchangeSampler) -> None:
        """Take the size of proposals over from an earlier decision, larger where most were taken, smaller
        where few were.
        """
        self._picks, self._share = previous._picks, max(1, previous._taken) / previous._made
        if self._share > MANY:
            self._picks = min(2 * self._picks, self._whole)
        elif self._share < FEW:
            self._picks = max(SMALLEST, self._picks // 2)

    @property
    def _whole(self) -> int:
        """The exchanges of a proposal that moves everything: some of them find nothing to exchange."""
        return max(SMALLEST, 3 * self._real.hidden)

    def draw(self, stream: Stream) -> State:
        """A possible state, on the back end of the real one."""
        return self._draw(stream, 1)

    def draw_next(self, stream: Stream) -> State:
        """A possible state that may be close to the one before it: quicker, for a search that draws many."""
        return self._draw(stream, CLOSE)

    def _draw(self, stream: Stream, part: int) -> State:
        if len(self._real.free) < 2:
            return self._state.clone()
        if not self._has_begun:
            self._has_begun = True
            self._current.weight = self._replay.begin() or 0
            if not self._picks:
                self._tune(stream)
            self._move(2 * self._proposals, stream)
        self._move(ceil(self._proposals / part), stream)
        return self._state.clone() if self._drawn is None else self._drawn()

    @property
    def _proposals(self) -> int:
        """How many proposals make a draw."""
        if self._share == 1 and self._picks >= self._whole:
            return 1
        return min(MOST_PROPOSALS, ceil(OVER * self._whole / (self._share * self._picks)))

    def _move(self, proposals: int, stream: Stream) -> None:
        """Let the chain take so many steps."""
        self._made += proposals
        self._taken += self._walk(proposals, self._picks, stream)

    def search_rounds(self, tree: memoryview[int], start: Start, rounds: int, stream: Stream) -> bool:
        """Play rounds of a tree search, each in a state that `draw_next` would draw, and write them to the
        tree (`execution/search.py`).

        `False` if native code does not play all of them: the tree is then of no use, and the next draws are
        those that it was to play in.
        """
        search = getattr(self._replay, "search", None)
        if search is None or len(self._real.free) < 2 or not self._has_begun:
            return False
        before, proposals = self._current.copy(), ceil(self._proposals / CLOSE)
        seeds = array("q", [self._seed(stream) for _ in range(rounds)])
        taken = search(self._current, proposals, self._picks, seeds, tree, start)
        if taken is None:
            self._current, self._seeds = before, [*reversed(seeds), *self._seeds]
            return False
        self._made += proposals * rounds
        self._taken += taken
        if taken:
            self._drawn = self._replay.state_of(self._current)
        return True

    def _seed(self, stream: Stream) -> int:
        """The seed of the next walk."""
        return self._seeds.pop() if self._seeds else 1 + stream.uniform(MODULUS - 1)

    def _walk(self, proposals: int, picks: int, stream: Stream) -> int:
        seed = self._seed(stream)
        taken = self._replay.walk(self._current, proposals, picks, seed)
        if taken:
            self._drawn = self._replay.state_of(self._current)
        return taken

    def possible(self) -> list[tuple[State, Fraction]]:
        """Return every possible state with its weight.

        Raises `NoResample` if they are too many.
        """
        return Resampler(self._state, self._seat).possible()

    def _tune(self, stream: Stream) -> None:
        """Find the size of proposals with which the chain moves fastest."""
        best, picks = 0.0, self._whole
        self._picks, self._share = SMALLEST, 1 / TRIALS
        while picks >= SMALLEST:
            share = self._walk(TRIALS, picks, stream) / TRIALS
            speed = share * picks / (1 + picks / CHEAP)
            if speed > best:
                best, self._picks, self._share = speed, picks, share
            if share > MANY:
                break
            picks //= 3


__all__ = ["ExchangeSampler"]
