"""Runs in a row: may an action come round to the same run again without a wait? Then, and if there is much to run, each run pays for itself."""

from __future__ import annotations

from croupier.backends.fuel import Fuel
from croupier.backends.lengths import Graphs
from croupier.backends.sites import Sites
from croupier.ir.module import Module
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Return


class Runs:
    """The runs of a module, and whether they can follow each other without an end to what they cost."""

    def __init__(self, module: Module, sites: Sites, fuel: Fuel, graph: Graphs) -> None:
        self.module, self.sites, self.fuel, self.graph = module, sites, fuel, graph

    def paying(self, cut: bool) -> tuple[bool, int]:
        """May an action take more than its limit by runs that pay nothing? Not if all of them together, once each, stay within it.

        Gives that, and what all take once; `cut` if loops are runs of their own.
        """
        roots = [(r, r.entry) for r in self.module.routines if r.colour == "suspends" and r.entry is not None]
        roots += [(s.routine, resume.target) for s in self.sites.all for resume in s.end.resumes]
        total = sum(self.fuel.cost(self.graph(r, root)).total for r, root in roots)
        must = total > self.module.program.limits["fuel"] or bool(self.module.tables) or cut or self.comes_round()
        return must, total

    def comes_round(self) -> bool:
        """May runs follow each other in a circle without a wait?"""
        entry = {r.index: ("e", r.index) for r in self.module.routines}
        after: dict[int, list[tuple[str, int]]] = {}
        for s in self.sites.all:
            if s.end.kind == "call":
                after.setdefault(s.end.data[1], []).append(("r", s.number))
        follows: dict[tuple[str, int], set[tuple[str, int]]] = {}
        for r in self.module.routines:
            if r.colour == "suspends" and r.entry is not None:
                follows[entry[r.index]] = self.following(r, [r.entry], entry, after)
        for s in self.sites.all:
            targets = [resume.target for resume in s.end.resumes]
            follows[("r", s.number)] = self.following(s.routine, targets, entry, after)
        seen: dict[tuple[str, int], int] = {}

        def circle(at: tuple[str, int]) -> bool:
            seen[at] = 1
            for n in follows.get(at, ()):
                if seen.get(n) == 1 or (n not in seen and circle(n)):
                    return True
            seen[at] = 2
            return False

        return any(circle(n) for n in follows if n not in seen)

    def following(
        self, routine: Routine, roots: list[int], entry: dict[int, tuple[str, int]], after: dict[int, list[tuple[str, int]]]
    ) -> set[tuple[str, int]]:
        """The runs that may come after those that begin at some blocks of a routine, without a wait."""
        found: set[tuple[str, int]] = set()
        for root in roots:
            for node in self.graph(routine, root).nodes.values():
                if isinstance(node.end, Suspend) and node.end.kind == "call":
                    found.add(entry[node.end.data[1]])
                elif isinstance(node.end, Return):
                    found.update(after.get(routine.index, ()))
        return found
