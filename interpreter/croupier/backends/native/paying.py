"""What is known about routines, and what running them costs: bounds from above, and where they are paid."""

from __future__ import annotations

from typing import Any

from croupier.backends.facts import Facts
from croupier.backends.fuel import OF_LISTS, Cost, Fuel
from croupier.backends.given import Given
from croupier.backends.graph import Graph, Tangled
from croupier.backends.native.words import Words
from croupier.backends.sites import Site
from croupier.backends.unsupported import Refused
from croupier.ir.instructions import Instruction
from croupier.ir.module import Module
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.runtime.contents import GRAIN
from croupier.runtime.game import Game
from croupier.semantics import types as t

ROUNDS = 250  # loops without a bound pay as much by the round as a round may take, if so many are within the limit
TRUSTED = 20  # a bound on what a run takes is counted as if it were taken, if it is not more than this part of the limit


class Paying(Given):
    """Knows the routines of one game. `blocks_pay`: each block pays for itself, and not each run."""

    def __init__(self, game: Game, module: Module) -> None:
        self.game, self.module = game, module
        self.facts = Facts(game, module)
        self.facts.given = self.given
        self._given: dict[int, tuple[Any, ...] | None] = {}
        self.words = Words(self.facts)
        self._known: dict[int, dict[int, Any]] = {}
        self._live: dict[int, list[int]] = {}
        self._graphs: dict[tuple[int, int], Graph] = {}
        self._cuts: dict[int, dict[int, tuple[int, ...]]] = {}
        self._rounds: dict[int, dict[int, int]] = {}
        self.fuel = Fuel(self.facts, self.graph)
        self.blocks_pay = self.must_pay_by_block()

    # ------------------------------------------------------------ fuel
    def graph(self, routine: Routine, root: int) -> Graph:
        """What runs from a block without a wait; loops that are entered at several places are cut at one of them."""
        key = (id(routine), root)
        while key not in self._graphs:
            cuts = self._cuts.setdefault(routine.index, {})
            try:
                self._graphs[key] = Graph(routine, root, lambda i, a: self.facts.fold(i, a, routine), self.known(routine), cuts)
            except Tangled as tangled:
                if tangled.head in cuts:
                    raise Refused("a loop that is gone on with at several places", routine.blocks[tangled.head].end.span) from None
                cuts[tangled.head] = self.live_in(routine, tangled.head)
        return self._graphs[key]

    def cost_of(self, routine: Routine, root: int) -> Cost:
        return self.fuel.cost(self.graph(routine, root))

    def cost(self, routine: Routine, root: int) -> int:
        """What a run takes at most that begins at a block, but for what is paid by the round; 0 where blocks pay."""
        return 0 if self.blocks_pay else self.cost_of(routine, root).total

    def waiting(self, site: Site) -> int:
        """What asking again takes at most that is on offer at a site; 0 where blocks pay."""
        if self.blocks_pay:
            return 0
        asks = [self.cost_of(site.routine, q.entry).total for q in site.end.asks if not q.name.startswith("label")]
        return 4 + self.game.players * sum(asks)

    def roots(self, routine: Routine) -> list[int]:
        """The blocks that runs and questions of a routine begin at."""
        entry = [] if routine.entry is None else [routine.entry]
        resumes = [r.target for _, s in routine.suspensions() for r in s.resumes]
        return [*entry, *resumes, *(q.entry for q, _ in routine.every_query() if not q.name.startswith(("label", "says")))]

    def must_pay_by_block(self) -> bool:
        """Are the bounds of some runs so high that they say little about what is really taken?"""
        limit = self.game.program.limits["fuel"]
        costs = [self.cost_of(r, root) for r in (*self.module.routines, *self.module.claims) for root in self.roots(r)]
        dear = any(c.total > limit // TRUSTED or any(once > limit // ROUNDS for once in c.rounds.values()) for c in costs)
        return dear or bool(self.fuel.recursive)

    def weights(self, routine: Routine) -> dict[int, int]:
        """What each block takes at most, but for the elements of lists that are walked, and for routines that are called: they pay for themselves."""
        found: dict[int, int] = {}
        for root in self.roots(routine):
            graph = self.graph(routine, root)
            for n, node in graph.nodes.items():
                total = 1 + sum(self.weight(graph, i) for i in node.code) + sum(self.fuel.called(i.data) for i in node.dropped)
                if isinstance(node.end, Suspend):
                    total += 4 + len(self.game.pieces)
                found[n] = max(found.get(n, 0), total)
        return found

    def weight(self, graph: Graph, i: Instruction) -> int:
        """What an instruction takes at most where blocks pay: watchers pay for themselves, and so does what long lists cost (`paid_by_length`)."""
        match i.op:
            case "call" | "original" | "begin_walk" | "move" | "set_state":
                return 1
            case "set_entry" | "set_mutable":
                kind = self.game.program.vars[i.data].type
                return self.words.entries(kind) // GRAIN + 1 if isinstance(kind, t.Map) else 1
            case "move_all" | "shuffle" | "swap" | "swap_zones":
                return 2 * len(self.game.pieces) * (len(self.game.pieces) // GRAIN + 1) + 2
        return 1 if self.paid_by_length(graph.routine, i) else self.fuel.instruction(graph, i)

    def paid_by_length(self, routine: Routine, i: Instruction) -> bool:
        """Is what an instruction takes paid by the lengths that its lists have?"""
        return self.blocks_pay and i.op in OF_LISTS and any(isinstance(routine.slots[a].type, t.Collection) for a in i.args)

    def rounds(self, routine: Routine) -> dict[int, int]:
        """What is paid whenever control comes to a block: by all of them, or by heads of loops without a bound and where loops are cut."""
        if id(routine) not in self._rounds and self.blocks_pay:
            self._rounds[id(routine)] = self.weights(routine)
        if id(routine) not in self._rounds:
            found: dict[int, int] = {}
            for root in self.roots(routine):
                for head, steps in self.cost_of(routine, root).rounds.items():
                    found[head] = max(found.get(head, 0), steps)
            for head in list(self._cuts.get(routine.index, {})):
                found[head] = found.get(head, 0) + self.cost(routine, head)
            self._rounds[id(routine)] = found
        return self._rounds[id(routine)]
