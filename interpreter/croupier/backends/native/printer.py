"""A module of the lowered form as one module of assembly: which functions there are, and what each may ask about the others."""

from __future__ import annotations

from collections.abc import Callable

from croupier.backends.depth import tallest_chain
from croupier.backends.foresight import looks_ahead
from croupier.backends.native import plan as p
from croupier.backends.native.around import around_function
from croupier.backends.native.cells import Cells
from croupier.backends.native.claims import claim_function
from croupier.backends.native.constants import Constants
from croupier.backends.native.foreseeing import Foreseeing
from croupier.backends.native.hooks import Hooked
from croupier.backends.native.moving import ZoneWriter
from croupier.backends.native.paying import Paying
from croupier.backends.native.plain import attempt_function, plain_function
from croupier.backends.native.plan import AroundPlan, FramePlan, Plan
from croupier.backends.native.runs import run_function
from croupier.backends.native.sayings import Sayings
from croupier.backends.native.shapes import Shapes
from croupier.backends.native.watching import Watching
from croupier.backends.reach import come_to
from croupier.backends.sites import Site, Sites
from croupier.backends.unsupported import Refused
from croupier.ir.module import Module
from croupier.ir.routines import Block, Routine
from croupier.ir.terminators import Foresee
from croupier.limits import MAX_CALL_DEPTH
from croupier.runtime.game import Game

AROUND = -2  # calls with hooks are numbered from here down


class Printer(Paying):
    """Writes the functions that the rules may come to."""

    def __init__(self, game: Game, module: Module) -> None:
        self.chain = tallest_chain(game)
        if self.chain > MAX_CALL_DEPTH:
            raise Refused("definitions that stand so deep in each other", None)
        super().__init__(game, module)
        self.plan = Plan(self.facts, self.words)
        self.constants, self.sites = Constants(self.words), Sites(module)
        self.zones = ZoneWriter(game, self.plan, self.constants)
        self.texts: list[str] = []
        self.looks_ahead = looks_ahead(module)
        self.shapes, self.hooks = Shapes(self), Hooked(self)
        self.refuse_texts()
        self.runs: list[int] = []  # routines that may wait, in the order of their functions; `AROUND` less a routine: calls with the hooks on it
        self.trying: dict[int, tuple[Routine, dict[int, Foresee]]] = {}  # look-aheads that may wait, by the identity of a routine
        self._written: set[str] = set()
        self._deep: list[int] = []
        self._claims: dict[str, bool] = {}  # by the name of its function, has a claim a condition?
        self._cases: dict[int, dict[int, int]] = {}
        self.cells, self.sayings = Cells(self), Sayings(self)

    def refuse_texts(self) -> None:
        """Raises `Refused` for texts that decide what happens: most are made nowhere here."""
        for v in self.game.variables:
            if self.words.holds_text(v.type):
                raise Refused("texts in the state", v.span)
        for w in self.game.program.watchers:
            if self.words.holds_text(w.value.type):
                raise Refused("a watcher of texts", w.value.span)

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
        self.texts += Watching(self).functions()
        self.texts += Foreseeing(self).functions() if self.looks_ahead else []


__all__ = ["AROUND", "Printer"]
