"""States that a seat cannot tell from the real one, drawn by exchanges of components that it did not see.

The target is that of `runtime/resampling.py`: a history counts by the probability that it comes about where
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

from collections.abc import Callable
from fractions import Fraction
from math import ceil, log
from typing import TYPE_CHECKING

from croupier.core.exchanges import MODULUS
from croupier.inference.history_table import HistoryTable, NoTable
from croupier.inference.replays import Tables, replayer
from croupier.runtime.resampling import Resampler

if TYPE_CHECKING:
    from croupier.runtime.state import State, StateSampler
    from croupier.runtime.streams import Stream

ONE = 1 << 16  # of a logarithm
UNIT = 2**53  # of a random number from 0 to 1
TRIALS = 12  # proposals of one size, to find how many are taken
MOST_PROPOSALS = 64  # for a draw
OVER = 3  # so often as many exchanges are taken for a draw as would move each component once


class ExchangeSampler:
    """Draws states that a seat cannot tell from a state.

    Raises `NoTable` where exchanges do not reach all of them.
    """

    is_exact = False

    def __init__(self, state: State, seat: int, previous: StateSampler | None = None) -> None:
        known = previous._table if isinstance(previous, ExchangeSampler) else None
        if known is not None and known.seat == seat and known.continues_to(state):
            known.go_on(state._history)
        else:
            known = HistoryTable(state, seat)
        if known.is_sealed:
            raise NoTable("somebody has chosen, and the choice is not revealed yet")
        self._table, self._state, self._seat = known, state, seat
        self._real = Tables.of(known)
        self._replay = replayer(state, seat, self._real)
        self._current = self._real.copy()
        self._weight = 0  # of the current history: the logarithm of the options that others had, negated
        self._picks = self._proposals = 0
        self._drawn: Callable[[], State] | None = None

    def draw(self, stream: Stream) -> State:
        """A possible state, on the back end of the real one."""
        if len(self._real.free) < 2:
            return self._state.clone()
        if not self._picks:
            self._tune(stream)
            for _ in range(2 * self._proposals):
                self._propose(self._picks, stream)
        for _ in range(self._proposals):
            self._propose(self._picks, stream)
        return self._state.clone() if self._drawn is None else self._drawn()

    def possible(self) -> list[tuple[State, Fraction]]:
        """Return every possible state with its weight.

        Raises `NoResample` if they are too many.
        """
        return Resampler(self._state, self._seat).possible()

    def _tune(self, stream: Stream) -> None:
        """Find the size of proposals with which the chain moves fastest, and how many make a draw."""
        self._weight = self._replay.begin() or 0
        free = len(self._real.free)
        whole = 3 * free  # exchanges that are tried, some of which find nothing to exchange
        best = 0.0
        for picks in dict.fromkeys((whole, max(4, whole // 6), max(4, whole // 24), 4)):
            taken = sum(self._propose(picks, stream) for _ in range(TRIALS)) / TRIALS
            if taken * picks > best:
                best, self._picks = taken * picks, picks
            if taken > 0.7:
                break
        if not self._picks:
            self._picks, best = 4, 4 / TRIALS
        independent = best >= 0.999 * whole
        self._proposals = 1 if independent else min(MOST_PROPOSALS, ceil(OVER * whole / best))

    def _propose(self, picks: int, stream: Stream) -> bool:
        """Let the chain take one step; return whether the proposal was taken."""
        proposal = self._current.copy()
        seed = 1 + stream.uniform(MODULUS - 1)
        self._replay.exchange(proposal, picks, seed)
        played = self._replay.play(proposal)
        if played is None:
            return False
        behind = played - self._weight
        if behind > 0 and log((stream.uniform(UNIT) + 1) / UNIT) >= -behind / ONE:
            return False
        self._current, self._weight = proposal, played
        self._drawn = self._replay.state_of(proposal)
        return True


__all__ = ["ExchangeSampler"]
