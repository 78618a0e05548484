"""Bounds of numbers in one function: by their types, by the table they are walked from, by what they are reckoned from."""

from __future__ import annotations

from croupier.backends.graph import Graph
from croupier.backends.python.operations import Operations
from croupier.ir.instructions import Instruction
from croupier.ir.terminators import Walk


class Bounds(Operations):
    """Says between what a number lies. `writers` are the instructions that write each slot, none for what writes it otherwise."""

    graph: Graph
    writers: dict[int, list[Instruction | None]]

    def interval(self, slot: int) -> tuple[int | None, int | None]:
        if slot not in self.graph.known:
            walks = [n.end for n in self.graph.nodes.values() if isinstance(n.end, Walk) and n.end.item == slot]
            known = self.graph.known.get(walks[0].items) if len(walks) == len(self.writers.get(slot, ())) == 1 else None
            if known and all(type(v) is int for v in known):
                return min(known), max(known)
        low, high = super().interval(slot)
        found = self.writers.get(slot, ())
        if len(found) == 1 and found[0] is not None and self.routine.slots[slot].role == "temp":
            least, most = self.reckoned(found[0])
            low = least if low is None else low if least is None else max(low, least)
            high = most if high is None else high if most is None else min(high, most)
        return low, high

    def reckoned(self, i: Instruction) -> tuple[int | None, int | None]:
        """Bounds of a sum, a difference or a remainder, by those of what it is made of."""
        if i.op not in ("add", "sub", "mod", "copy", "narrow"):
            return None, None
        (low, high), *others = (self.interval(a) for a in i.args)
        if not others:
            return low, high
        least, most = others[0]
        if i.op == "mod":
            return (0, most - 1) if least is not None and most is not None and least > 0 else (None, None)
        if i.op == "sub":
            least, most = None if most is None else -most, None if least is None else -least
        return None if low is None or least is None else low + least, None if high is None or most is None else high + most
