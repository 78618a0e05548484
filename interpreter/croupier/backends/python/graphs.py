"""What the functions of a module are printed from: graphs of blocks, values that are known, what questions are asked with."""

from __future__ import annotations

from typing import Any

from croupier.backends.ends import Picked
from croupier.backends.facts import Facts
from croupier.backends.foresight import Foresight, begun_with, looks_ahead
from croupier.backends.fuel import Fuel
from croupier.backends.given import Given
from croupier.backends.graph import Graph, Tangled
from croupier.backends.python.picking import Whole, is_picked, needs_no_frame
from croupier.backends.sites import Sites
from croupier.backends.unsupported import Refused
from croupier.ir.module import Module
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Foresee, Query, Terminator
from croupier.runtime.game import Game


class Graphs(Given):
    """Of one game and its module, each worked out once."""

    def __init__(self, game: Game, module: Module, whole: Whole | None = None) -> None:
        self.game, self.module, self.whole = game, module, whole
        self.facts, self.sites = Facts(game, module), Sites(module)
        self.facts.given = self.given
        self.looks_ahead = looks_ahead(module)
        self.cuts: dict[int, dict[int, tuple[int, ...]]] = {}  # heads of loops that are runs of their own, with what is live there, by routine
        self._known: dict[int, dict[int, Any]] = {}
        self._given: dict[int, tuple[Any, ...] | None] = {}
        self._graphs: dict[tuple[int, int, int], Graph] = {}
        self._foresights: dict[int, Foresight] = {}
        self._live: dict[int, list[int]] = {}
        self._direct: dict[int, bool] = {}
        self._picked: dict[int, dict[int, Terminator]] = {}
        self.fuel = Fuel(self.facts, self.graph, by_call=True)

    # ------------------------------------------------------------ facts about routines
    def places(self, routine: Routine) -> int:
        """How many slots a frame of a routine holds."""
        return sum(1 for s in routine.slots if s.role != "temp")

    def needs(self, routine: Routine, query: Query) -> tuple[int, ...]:
        """The slots that a question is asked with."""
        known = self.known(routine)
        return tuple(s for s in self.live_in(routine, query.entry) if s not in known)

    def foresight(self, routine: Routine) -> Foresight:
        if id(routine) not in self._foresights:
            self._foresights[id(routine)] = Foresight(routine, self.live_in, self.needs)
        return self._foresights[id(routine)]

    def graph(self, routine: Routine, root: int, tried: int = -1) -> Graph:
        """What runs from a block without a wait; in the attempt of a look-ahead with the slot `tried`."""
        key = (id(routine), root, tried)
        while key not in self._graphs:
            cuts = self.cuts.setdefault(routine.index, {})
            try:
                replaced = self.foresight(routine).replaced if tried < 0 else self.foresight(routine).attempt(tried)
                replaced = replaced if self.whole is None else {**replaced, **self.picked(routine)}
                self._graphs[key] = Graph(routine, root, lambda i, a: self.facts.fold(i, a, routine), self.known(routine), cuts, replaced)
            except Tangled as tangled:
                live = self.live_in(routine, tangled.head)
                if tangled.head in cuts or routine.colour != "suspends" or any(routine.slots[s].role == "temp" for s in live):
                    raise Refused("a loop that is gone on with at several places", routine.blocks[tangled.head].end.span) from None
                cuts[tangled.head] = live
        return self._graphs[key]

    def is_direct_call(self, end: Suspend) -> bool:
        return end.kind == "call" and end.data[0] == "call" and self.is_direct(end.data[1])

    def is_direct(self, target: int) -> bool:
        """Is a routine that may wait called at once in whole random games, because nobody waits in it then?"""
        if self.whole is None or self.looks_ahead:
            return False
        if target not in self._direct:
            self._direct[target] = False  # in a circle it is not
            routine = self.module.routines[target]
            ends = [end for _, end in routine.suspensions()]
            simple = routine.kind in ("def", "phase") and routine.colour == "suspends" and routine.entry is not None and routine.nested is None
            if simple and not self.module.table(target).rows() and all(needs_no_frame(e) or self.is_direct_call(e) for e in ends):
                self.graph(routine, routine.entry or 0)
                self._direct[target] = not self.cuts.get(target)
        return self._direct[target]

    def picked(self, routine: Routine) -> dict[int, Terminator]:
        """The suspensions of a routine at which a whole random game does not wait, by block."""
        if id(routine) not in self._picked:
            self._picked[id(routine)] = {
                b.number: Picked(end.span, end) for b, end in routine.suspensions() if is_picked(end) or self.is_direct_call(end)
            }
        return self._picked[id(routine)]

    def attempted(self, routine: Routine, end: Foresee) -> tuple[int, ...]:
        """The slots that the block of a look-ahead is tried with."""
        known = self.known(routine)
        return tuple(s for s in begun_with(routine, self.live_in(routine, end.body)) if s not in known)
