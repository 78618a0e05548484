"""Look-ahead (`so that`): a depth-first search that tells whether a block can still end as its condition
demands.

The search copies the position for each action that it tries, in the order of the legal actions, without a
table of positions seen. It tries only the actions of the seat that chose first; it fails at a chance event or
a decision of another seat, unless that decision belongs to a look-ahead nested in this one. Positions and
decisions are limited; beyond the limits the search, and with it the action, fails. Used by compiled Python
and by the core interpreter of the tests; `printers/llvm_lookahead.py` prints the same algorithm.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, Self

from croupier.core import operations as op
from croupier.limits import MAX_LOOKAHEAD_DECISIONS, MAX_POSITIONS

REACHED, OVER, FAILED, WAITS = "reached", "over", "failed", "waits"


class SearchFailed(Exception):
    """The search fails, and with it the action. `out_of_fuel`: because it used up the fuel."""

    def __init__(self, out_of_fuel: bool = False) -> None:
        super().__init__(out_of_fuel)
        self.out_of_fuel = out_of_fuel


class Searchable(Protocol):
    """A position from which the search can start."""

    search: tuple[int, int] | None  # frame and block whose end is searched for; None outside a search
    fuel: int

    @property
    def examined(self) -> list[int]:
        """Positions examined in this action, and the fuel left for its searches: one pair shared by all
        copies.
        """

    @property
    def seat(self) -> int:
        """The seat to act, `CHANCE` or `SEVERAL`."""

    def copy(self) -> Self: ...

    def active_blocks(self) -> Iterable[tuple[int, op.Explore]]:
        """The blocks that control is inside of, outermost first, with their frames, counted from 1."""

    def resume(self, state: int | None, chosen: int) -> str:
        """Run until the next wait, from a state or with a chosen action; return how that ended."""

    def depth(self) -> int:
        """The number of frames."""

    def offered_actions(self, seat: int) -> Sequence[int]:
        """The actions on offer to a seat, before the search filters them."""


def can_reach_end(p: Searchable, number: int, depth_limit: int, state: int) -> bool:
    """Return whether the block with this number can reach its end from a state of the top frame.

    Raises `SearchFailed`.
    """
    trial = _copy_for_trial(p)
    trial.search = (p.depth(), number)
    found = _search(
        trial, trial.resume(state, 0), None, depth_limit or MAX_LOOKAHEAD_DECISIONS, not depth_limit
    )
    _charge_fuel(p, trial)
    return found


def filter_options(p: Searchable, options: Sequence[int], seat: int) -> list[int]:
    """The options after which the outermost block that leaves any can still reach its end.

    Raises `SearchFailed`.
    """
    for depth, block in p.active_blocks():
        left, fail_at_limit = (block.within or MAX_LOOKAHEAD_DECISIONS) - 1, not block.within
        if kept := [
            a for a in options if _reaches_end(p, (depth, block.number), seat, a, left, fail_at_limit)
        ]:
            return kept
    return list(options)


def _copy_for_trial(p: Searchable) -> Searchable:
    p.examined[0] += 1
    if p.examined[0] > MAX_POSITIONS:
        raise SearchFailed
    trial = p.copy()
    if p.search is None:
        trial.fuel = p.examined[1]
    return trial


def _charge_fuel(p: Searchable, trial: Searchable) -> None:
    """Charge the fuel of a trial to the position it was copied from, for the trials that follow."""
    if p.search is None:
        p.examined[1] = trial.fuel
    else:
        p.fuel = trial.fuel


def _search(p: Searchable, ended: str, seat: int | None, left: int, fail_at_limit: bool) -> bool:
    if ended != WAITS:
        if ended == FAILED:
            raise SearchFailed(p.fuel < 0)
        return ended == REACHED
    chooser = p.seat
    if chooser == op.CHANCE:
        raise SearchFailed
    if seat is not None and chooser != seat:
        if _in_nested_lookahead(p):
            return True
        raise SearchFailed
    if left == 0:
        if fail_at_limit:
            raise SearchFailed
        return False
    assert p.search is not None
    return any(
        _reaches_end(p, p.search, chooser, a, left - 1, fail_at_limit) for a in p.offered_actions(chooser)
    )


def _reaches_end(
    p: Searchable, search: tuple[int, int], seat: int, action: int, left: int, fail_at_limit: bool
) -> bool:
    trial = _copy_for_trial(p)
    trial.search = search
    found = _search(trial, trial.resume(None, action), seat, left, fail_at_limit)
    _charge_fuel(p, trial)
    return found


def _in_nested_lookahead(p: Searchable) -> bool:
    """Return whether control is in a look-ahead nested in the one that is searched."""
    assert p.search is not None
    frame, around = p.search
    return any(
        depth > frame or depth == frame and block.number < around for depth, block in p.active_blocks()
    )
