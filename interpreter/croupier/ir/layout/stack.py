"""How much room the frames of a position may need.

Frames stand one on another along calls. Calls form no circle but through routines with a `nested` bound, so that a stack is a way through the
graph of calls on which such a routine stands at most one time more than its bound, and every other one once between two of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from croupier.ir.module import Module
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend

Node = tuple[str, int]  # ("routine", index) or ("around", target): what runs the hooks on a call


@dataclass(frozen=True, slots=True)
class Calls:
    """Which frames may stand on which."""

    module: Module

    def nodes(self) -> list[Node]:
        waiting = [r.index for r in self.module.routines if r.live]
        targets = [self.module.routines[t.target] for t in self.module.tables]
        hooked = [r.index for r in targets if r.colour == "suspends" and r.kind != "window"]
        return [*(("routine", i) for i in waiting), *(("around", i) for i in hooked)]

    def above(self, node: Node) -> Iterator[Node]:
        kind, index = node
        if kind == "around":
            yield from self.waiting(row.routine for row in self.module.table(index).rows())
            yield from self.waiting([index])
            return
        routine = self.module.routines[index]
        for _, end in routine.suspensions():
            yield from self.from_suspension(routine, end)

    def from_suspension(self, routine: Routine, end: Suspend) -> Iterator[Node]:
        module = self.module
        match end.kind:
            case "call":
                op, target = end.data
                hooked = any(t.target == target for t in module.tables)
                if op == "original" or not hooked:
                    yield from self.waiting([target])
                if op == "original":
                    yield from self.waiting(row.routine for row in module.table(target).instead)
                elif hooked:
                    yield ("around", target)
            case "open":
                yield from self.waiting([end.data])
            case "ask":
                yield from self.waiting(row.routine for row in module.table(routine.index).reaction)
            case "menu" if end.data is not None:
                yield from self.waiting(row.routine for row in module.table(end.data).reaction)

    def waiting(self, routines: object) -> Iterator[Node]:
        assert isinstance(routines, (list, Iterator))
        for i in routines:
            if self.module.routines[i].live:
                yield ("routine", i)


def stack_room(module: Module, size: Callable[[Node], int]) -> int:
    """The most places that the frames of a position can take."""
    calls = Calls(module)
    nodes = calls.nodes()
    nested = {n: (module.routines[n[1]].nested or 0) + 1 for n in nodes if n[0] == "routine" and module.routines[n[1]].nested is not None}
    plain = {n: [m for m in calls.above(n) if m not in nested] for n in nodes if n not in nested}
    longest: dict[Node, int] = {}
    for n in _bottom_up(plain):
        longest[n] = size(n) + max((longest[m] for m in plain[n] if m in longest), default=0)
    stretch = max(longest.values(), default=0)
    bounded = sum(times * (size(n) + stretch) for n, times in nested.items())
    return stretch + bounded


def _bottom_up(graph: dict[Node, list[Node]]) -> Iterator[Node]:
    """The nodes of a graph without circles, each after those that it leads to."""
    seen: set[Node] = set()
    for start in graph:
        todo = [(start, False)]
        while todo:
            node, done = todo.pop()
            if done:
                yield node
            elif node not in seen:
                seen.add(node)
                todo.append((node, True))
                todo += [(m, False) for m in graph[node] if m not in seen]
