"""A module of the lowered form as one module of assembly: which functions there are, and what each may ask about the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.backends.depth import tallest_chain
from croupier.backends.facts import Facts
from croupier.backends.foresight import looks_ahead
from croupier.backends.fuel import OF_LISTS, Cost, Fuel
from croupier.backends.graph import Graph, Tangled
from croupier.backends.native import plan as p
from croupier.backends.native.around import around_function
from croupier.backends.native.cells import Cells
from croupier.backends.native.claims import claim_function
from croupier.backends.native.constants import Constants
from croupier.backends.native.foreseeing import Foreseeing
from croupier.backends.native.hooks import Hooked
from croupier.backends.native.moving import ZoneWriter
from croupier.backends.native.plain import attempt_function, plain_function
from croupier.backends.native.plan import AroundPlan, FramePlan, Plan
from croupier.backends.native.reach import come_to
from croupier.backends.native.runs import run_function
from croupier.backends.native.sayings import Sayings
from croupier.backends.native.shapes import Shapes
from croupier.backends.native.watching import Watching
from croupier.backends.native.words import Words
from croupier.backends.sites import Site, Sites
from croupier.backends.unsupported import Refused
from croupier.diagnostics import Span
from croupier.ir.dataflow import live_at_start, members
from croupier.ir.instructions import Instruction
from croupier.ir.module import Module
from croupier.ir.routines import Block, Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Foresee
from croupier.runtime.evaluate import GRAIN
from croupier.runtime.game import Game
from croupier.runtime.machine import MAX_HEIGHT
from croupier.semantics import types as t
from croupier.semantics.tree import Choice, S

ROUNDS = 1000  # loops without a bound pay as much by the round as a round may take, if so many are within the limit
TRUSTED = 20  # a bound on what a run takes is counted as if it were taken, if it is not more than this part of the limit
AROUND = -2  # calls with hooks are numbered from here down


class Printer:
    """Writes the functions that the rules may come to."""

    def __init__(self, game: Game, module: Module) -> None:
        self.chain = tallest_chain(game)
        if self.chain > MAX_HEIGHT:
            raise Refused("definitions that stand so deep in each other", None)
        self.game, self.module = game, module
        self.facts = Facts(game, module)
        self.words = Words(self.facts)
        self.plan = Plan(self.facts, self.words)
        self.constants, self.sites = Constants(self.words), Sites(module)
        self.zones = ZoneWriter(game, self.plan, self.constants)
        self.texts: list[str] = []
        self.looks_ahead = looks_ahead(module)
        self.shapes, self.hooks = Shapes(self), Hooked(self)
        self.runs: list[int] = []  # routines that may wait, in the order of their functions; `AROUND` less a routine: calls with the hooks on it
        self._known: dict[int, dict[int, Any]] = {}
        self._live: dict[int, list[int]] = {}
        self._written: set[str] = set()
        self._deep: list[int] = []
        self._claims: dict[str, bool] = {}  # by the name of its function, has a claim a condition?
        self._cases: dict[int, dict[int, int]] = {}
        self._graphs: dict[tuple[int, int], Graph] = {}
        self._cuts: dict[int, dict[int, tuple[int, ...]]] = {}
        self._rounds: dict[int, dict[int, int]] = {}
        self.fuel = Fuel(self.facts, self.graph)
        self.blocks_pay = self.must_pay_by_block()
        self.cells, self.sayings = Cells(self), Sayings(self)
        self.statements: dict[tuple[int, int], S] = {
            (proc.index, s.point): s for proc in game.program.procs for b in proc.body for s in b.walk() if s.point is not None
        }

    # ------------------------------------------------------------ facts about routines
    def known(self, routine: Routine) -> dict[int, Any]:
        """Slots of a routine that are written once, with a value that is known."""
        if id(routine) not in self._known:
            self._known[id(routine)] = self.facts.constants_of(routine)
        return self._known[id(routine)]

    def live_in(self, routine: Routine, block: int) -> tuple[int, ...]:
        if id(routine) not in self._live:
            self._live[id(routine)] = live_at_start(routine)
        return members(self._live[id(routine)][block])

    def unhooked(self, target: int, span: Span) -> None:
        """Raises `Refused` for a routine with hooks on it."""
        if self.module.table(target).rows():
            raise Refused("hooks", span)

    def statement(self, site: Site) -> S:
        return self.statements[site.routine.index, site.point]

    def choice(self, site: Site) -> Choice:
        found = self.statement(site).data[0]
        assert isinstance(found, Choice)
        return found

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
                total = 1 + sum(self.weight(graph, i) for i in node.code)
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

    # ------------------------------------------------------------ places
    def frame(self, routine: Routine) -> FramePlan:
        return self.plan.frame(routine, self.known(routine))

    def sites_of(self, routine: Routine) -> list[Site]:
        """The suspensions of a routine that control may come to."""
        assert routine.entry is not None
        there = come_to(routine, self.known(routine), [routine.entry], False)
        return [s for s in self.sites.all if s.routine is routine and s.block.number in there]

    def sites_come_to(self) -> list[Site]:
        """The suspensions of all routines that have functions."""
        return [s for index in self.runs if index > AROUND for s in self.sites_of(self.module.routines[index])]

    def case(self, site: Site) -> int:
        """The case of a function that the first way on from a site is."""
        routine = site.routine
        if routine.index not in self._cases:
            at, found = 1, {}
            for s in self.sites_of(routine):
                found[s.number] = at
                at += len(s.ways) + 1
            if at >= 1 << p.CASES:
                raise Refused("so many decisions in one definition", routine.span)
            self._cases[routine.index] = found
        return self._cases[routine.index][site.number]

    def ahead_case(self, routine: Routine, block: Block) -> int:
        """The case of a function at which the block of a look-ahead begins."""
        sites = self.sites_of(routine)
        first = 1 if not sites else self.case(sites[-1]) + len(sites[-1].ways) + 1
        at = first + [b.number for b in routine.blocks if isinstance(b.end, Foresee)].index(block.number)
        if at >= 1 << p.CASES:
            raise Refused("so many decisions in one definition", routine.span)
        return at

    def attempt(self, routine: Routine, end: Foresee) -> str:
        """The function that tries a block that never waits."""
        name = f"try.{routine.index}.{end.slot}"
        return self.once(name, lambda: attempt_function(self, routine, end, name))

    def where(self, site: Site) -> int:
        """Where the first way on from a site goes on; the others follow, and asking again is the last."""
        return self.entry(site.routine) + self.case(site)

    def entry(self, routine: Routine) -> int:
        """Where a routine that may wait begins."""
        if routine.index not in self.runs:
            self.runs.append(routine.index)
        return self.runs.index(routine.index) << p.CASES

    def around(self, target: int) -> AroundPlan:
        """The frame of calls with hooks of a routine."""
        most = max(self.hooks.keys.most(self.hooks.rows(target, kind)) for kind in ("before", "instead", "adjust", "after"))
        return self.plan.around(target, self.hooks.kinds(target), most)

    def around_entry(self, target: int) -> int:
        """Where such a call begins; it goes on at the next case."""
        number = AROUND - target
        if number not in self.runs:
            self.runs.append(number)
        return self.runs.index(number) << p.CASES

    def plain(self, routine: Routine) -> str:
        """The name of the function of a routine that never waits."""
        name = f"p{routine.index}"
        return self.once(name, lambda: plain_function(self, routine, name))

    def once(self, name: str, write: Callable[[], str]) -> str:
        """The name of a function, written when it is asked for first."""
        if name not in self._written:
            self._written.add(name)
            self.texts.append(write())
        return name

    @property
    def depths(self) -> int:
        """Words in which it is counted how deep routines stand in themselves."""
        return 1 + len(self._deep) if self._deep else 0

    def depth(self, routine: Routine) -> int:
        """Where it is counted how deep a routine that never waits stands in itself."""
        if routine.index not in self._deep:
            self._deep.append(routine.index)
        if 2 + len(self._deep) > p.SEARCH - p.DEPTHS:
            raise Refused("so many definitions that call themselves", routine.span)
        return p.DEPTHS + 1 + self._deep.index(routine.index)

    def claim(self, number: int) -> str | None:
        """The name of the function that says whether a claim may be made, none if it always may."""
        name = f"says{number}"
        if name not in self._claims:
            found = claim_function(self, number, name)
            self._claims[name] = found is not None
            self.texts += [found] if found is not None else []
        return name if self._claims[name] else None

    # ------------------------------------------------------------ the whole
    def functions(self) -> None:
        """Write every function that the rules may come to. Raises `Refused`."""
        self.entry(self.module.routines[self.module.main])
        done = 0
        while done < len(self.runs):
            index, name = self.runs[done], f"f{done}"
            if index <= AROUND:
                self.texts.append(around_function(self, self.module.routines[AROUND - index], name))
            else:
                self.texts.append(run_function(self, self.module.routines[index], name))
            done += 1
        self.texts += [*self.zones.functions(), *Watching(self).functions()]
        self.texts += Foreseeing(self).functions() if self.looks_ahead else []


__all__ = ["AROUND", "Printer"]
