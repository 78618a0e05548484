"""What is known of routines before the game is played, each worked out once: slots with one value, slots that are live, calls with one value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from croupier.backends.facts import Facts
from croupier.backends.graph import Graph
from croupier.ir.dataflow import live_at_start, members
from croupier.ir.module import Module
from croupier.ir.routines import Routine
from croupier.ir.terminators import Jump, Return


class Given(ABC):
    """Finds it. Who inherits from it begins with an empty `_given`, `_known` and `_live`."""

    module: Module
    facts: Facts
    _given: dict[int, tuple[Any, ...] | None]
    _known: dict[int, dict[int, Any]]
    _live: dict[int, list[int]]

    @abstractmethod
    def graph(self, routine: Routine, root: int) -> Graph:
        """What runs from a block of a routine without a wait."""

    def known(self, routine: Routine) -> dict[int, Any]:
        """Slots of a routine that are written once, with a value that is known."""
        if id(routine) not in self._known:
            self._known[id(routine)] = self.facts.constants_of(routine)
        return self._known[id(routine)]

    def live_in(self, routine: Routine, block: int) -> tuple[int, ...]:
        """The slots that are live where a block begins."""
        if id(routine) not in self._live:
            self._live[id(routine)] = live_at_start(routine)
        return members(self._live[id(routine)][block])

    def given(self, target: int) -> tuple[Any, ...] | None:
        """The value that a routine gives, whatever it is called with, if that is known and it does nothing else."""
        if target not in self._given:
            self._given[target] = None  # in a circle nothing is known
            self._given[target] = self.find_given(self.module.routines[target])
        return self._given[target]

    def find_given(self, routine: Routine) -> tuple[Any, ...] | None:
        table = self.module.table(routine.index)
        if routine.colour != "pure" or routine.entry is None or table.rows() or routine.gives or routine.nested is not None:
            return None
        graph = self.graph(routine, routine.entry)
        ends = [n.end for n in graph.nodes.values()]
        told = [i for n in graph.nodes.values() for i in n.code if not i.into or any(s not in graph.known for s in i.into)]
        if any(i.op != "burn" for i in told) or not all(isinstance(e, (Jump, Return)) for e in ends):
            return None
        values = [graph.known.get(e.value, graph) if e.value is not None else graph for e in ends if isinstance(e, Return)]
        return (values[0],) if len(values) == 1 and values[0] is not graph else None
