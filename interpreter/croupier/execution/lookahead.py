"""Looking ahead: can a block still end as it must?

A depth-first search over copies of a position, in the order of the offers, without memory of positions seen. The options of whoever chose first are
tried; chance and other players are no part of it, unless they decide in a look-ahead of their own inside. Positions and decisions are limited;
past that the action fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from croupier.core import operations as op
from croupier.core.types import CoreProgram
from croupier.core.walk import statements
from croupier.limits import MAX_LOOKAHEAD_DECISIONS, MAX_POSITIONS

REACHED, OVER, FAILED, WAITS = "reached", "over", "failed", "waits"


class TooFar(Exception):
    """The search fails, and with it the action. `out_of_fuel`: because there was no more fuel."""

    def __init__(self, out_of_fuel: bool = False) -> None:
        super().__init__(out_of_fuel)
        self.out_of_fuel = out_of_fuel


@dataclass(frozen=True, slots=True)
class Block:
    """A block that is looked ahead in: its number in its function, the local that is 1 inside, how many decisions it looks ahead."""

    number: int
    active: str
    within: int


def blocks_of(program: CoreProgram) -> dict[str, tuple[Block, ...]]:
    """The blocks of each function that are looked ahead in, the outer before the inner."""
    found: dict[str, dict[int, Block]] = {}
    for state in program.states.values():
        for s in statements(state.body):
            if isinstance(s, op.Explore):
                found.setdefault(state.function, {})[s.number] = Block(s.number, s.active, s.within)
    return {name: tuple(sorted(blocks.values(), key=lambda b: -b.number)) for name, blocks in found.items()}


class Searchable(Protocol):
    """A position that can be searched from."""

    search: tuple[int, int] | None  # the number of the frame and of the block whose end is looked for
    fuel: int  # steps that are left

    @property
    def examined(self) -> list[int]:
        """Positions that were examined in this action, and the steps that are left for it: one pair for all copies."""

    def copy(self) -> Self: ...

    def active(self) -> Iterable[tuple[int, Block]]:
        """The blocks that control is in, outermost first, with the numbers of their frames from 1."""

    def go_on(self, state: int | None, chosen: int) -> str:
        """Runs on, from a state or with what was chosen; says how that ended."""

    def asked(self) -> int:
        """Who is asked."""

    def depth(self) -> int:
        """How many frames there are."""

    def offered(self, seat: int) -> Sequence[int]:
        """What is on offer, whether it leads anywhere or not."""


def can_end(p: Searchable, number: int, within: int, state: int) -> bool:
    """Is there a way from a state of the frame on top to the end of its block? Raises `TooFar`."""
    trial = _copied(p)
    trial.search = (p.depth(), number)
    found = _explore(trial, trial.go_on(state, 0), None, within or MAX_LOOKAHEAD_DECISIONS, not within)
    _over(p, trial)
    return found


def allowed(p: Searchable, options: Sequence[int], seat: int) -> list[int]:
    """Of some options those after which every block can still end as it must. Raises `TooFar`."""
    found = next(iter(p.active()), None)
    if found is None:
        return list(options)
    depth, block = found
    left, strict = (block.within or MAX_LOOKAHEAD_DECISIONS) - 1, not block.within
    return [a for a in options if _leads(p, (depth, block.number), seat, a, left, strict)]


def _copied(p: Searchable) -> Searchable:
    p.examined[0] += 1
    if p.examined[0] > MAX_POSITIONS:
        raise TooFar
    trial = p.copy()
    if p.search is None:
        trial.fuel = p.examined[1]
    return trial


def _over(p: Searchable, trial: Searchable) -> None:
    """What was tried is over: the fuel it took is gone for whatever is tried next."""
    if p.search is None:
        p.examined[1] = trial.fuel
    else:
        p.fuel = trial.fuel


def _explore(p: Searchable, ended: str, seat: int | None, left: int, strict: bool) -> bool:
    if ended != WAITS:
        if ended == FAILED:
            raise TooFar(p.fuel < 0)
        return ended == REACHED
    chooser = p.asked()
    if chooser == op.CHANCE:
        raise TooFar
    if seat is not None and chooser != seat:
        if _in_another(p):
            return True
        raise TooFar
    if left == 0:
        if strict:
            raise TooFar
        return False
    assert p.search is not None
    return any(_leads(p, p.search, chooser, a, left - 1, strict) for a in p.offered(chooser))


def _leads(p: Searchable, search: tuple[int, int], seat: int, action: int, left: int, strict: bool) -> bool:
    trial = _copied(p)
    trial.search = search
    found = _explore(trial, trial.go_on(None, action), seat, left, strict)
    _over(p, trial)
    return found


def _in_another(p: Searchable) -> bool:
    """Does control stand in a look-ahead that began inside the one whose end is looked for?"""
    assert p.search is not None
    frame, around = p.search
    return any(depth > frame or depth == frame and block.number < around for depth, block in p.active())
