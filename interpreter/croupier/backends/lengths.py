"""The greatest lengths of lists: how many elements a slot may hold, wherever the routine got them from.

A length is asked with a depth: 0 is that of the list itself, 1 the greatest of the lists in it. A bound may be too great, never too small: what
is not understood, and what is asked for while it is being worked out, has the greatest length that lists have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from croupier.backends.ends import waits_at
from croupier.backends.facts import SHORT_LIST, Facts
from croupier.backends.graph import Graph
from croupier.ir.instructions import Instruction
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Foresee, Give, Return, Walk
from croupier.semantics import types as t

Graphs = Callable[[Routine, int], Graph]
ALIKE = {"copy", "narrow", "certain", "check", "reversed", "take", "drop", "rest", "distinct", "canonical", "sort", "without", "remove_item"}
"""Operations that give no more elements than their first operand has, and none that it has not."""
PLAYERS = {"clockwise", "clockwise_of", "others", "players", "turns_from", "turns_of", "turns"}


class Lengths:
    """Of one game and its module."""

    def __init__(self, facts: Facts, graphs: Graphs) -> None:
        self.facts, self.graphs, game = facts, graphs, facts.game
        self.pieces = len(game.pieces)
        sizes = [b.size for b in game.boards.values()] + [len(e.values) for e in game.program.enums.values()]
        maps = [game.domain(v.type.key)[1] for v in game.variables if isinstance(v.type, t.Map)]
        self.greatest = max(SHORT_LIST, self.pieces, *sizes, *maps, 0)
        self._found: dict[tuple[object, ...], int] = {}
        self._doing: set[tuple[object, ...]] = set()
        self._rays: dict[tuple[str, str], int] = {}
        self._graphs: dict[int, list[Graph]] = {}
        self._calls: dict[int, list[tuple[Routine, int, Instruction | Suspend]]] | None = None

    # ------------------------------------------------------------ each question once
    def once(self, key: tuple[object, ...], work: Callable[[], int]) -> int:
        """What `work` gives; the greatest length while it is being worked out."""
        if key in self._found:
            return self._found[key]
        if key in self._doing:
            return self.greatest
        self._doing.add(key)
        try:
            self._found[key] = min(work(), self.greatest)
        finally:
            self._doing.discard(key)
        return self._found[key]

    def of(self, graph: Graph, slot: int, depth: int = 0) -> int:
        """The greatest number of elements of a list in a slot, wherever a graph reads it."""
        return self.once(("slot", id(graph), slot, depth), lambda: self.in_graph(graph, slot, depth))

    # ------------------------------------------------------------ slots
    def in_graph(self, graph: Graph, slot: int, depth: int) -> int:
        if slot in graph.known:
            return deep(graph.known[slot], depth)
        if graph.routine.slots[slot].role != "temp":
            return self.local(graph.routine, slot, depth)
        return self.written(graph, slot, depth)

    def written(self, graph: Graph, slot: int, depth: int) -> int:
        """Of what is written into a slot in a graph."""
        walks = [n.end for n in graph.nodes.values() if isinstance(n.end, Walk) and n.end.item == slot]
        makers = [i for n in graph.nodes.values() for i in n.code if slot in i.into]
        by_type = self.by_type(graph.routine.slots[slot].type, depth)
        waits = [wait for n in graph.nodes.values() if (wait := waits_at(n.end)) is not None]
        assigned = any(slot in r.assigns for wait in waits for r in wait.resumes)
        if assigned or not (walks or makers):
            return by_type
        found = [self.of(graph, w.items, depth + 1) for w in walks]
        if depth == 0 and any(i.op == "append" for i in makers):
            begun = [len(i.args) for i in makers if i.op == "list"]
            if walks or not begun or not all(i.op in ("append", "list") for i in makers):
                return by_type
            return min(by_type, max(begun) + self.made(graph, slot))
        return min(by_type, max([*found, *(self.given_by(graph, i, slot, depth) for i in makers)]))

    def local(self, routine: Routine, slot: int, depth: int) -> int:
        """Of what is written into a local anywhere in its routine."""
        return self.once(("local", id(routine), slot, depth), lambda: self.everywhere(routine, slot, depth))

    def everywhere(self, routine: Routine, slot: int, depth: int) -> int:
        by_type = self.by_type(routine.slots[slot].type, depth)
        found = [self.parameter(routine, slot, depth)] if slot in routine.takes else []
        for q, end in routine.every_query():
            if slot in q.takes:
                if not isinstance(end, Suspend) or q.name != "such_that":
                    return by_type
                found.append(self.chosen(routine, end, depth))
        for block in routine.blocks:
            writes = any(slot in i.into for i in block.code) or (isinstance(block.end, Walk) and block.end.item == slot)
            chosen = isinstance(block.end, Suspend) and any(slot in r.assigns for r in block.end.resumes)
            graphs = self.holding(routine, block.number) if writes or chosen else []
            if (writes or chosen) and not graphs:
                return by_type
            for graph in graphs:
                if chosen:
                    found.append(self.chosen(routine, block.end, depth) if isinstance(block.end, Suspend) else by_type)
                if writes:
                    found.append(self.written(graph, slot, depth) if not chosen else by_type)
        return min(by_type, max(found, default=0))

    def chosen(self, routine: Routine, end: Suspend, depth: int) -> int:
        """Of what is chosen where a routine waits."""
        if end.kind in ("choose_set", "chance_set") and depth == 0:
            q = next(q for q in end.asks if q.name == "source")
            return self.handed(self.graphs(routine, q.entry), 0)
        return self.greatest

    def handed(self, graph: Graph, depth: int) -> int:
        """Of what a function gives that is printed from a graph."""
        ends = [n.end.value for n in graph.nodes.values() if isinstance(n.end, (Return, Give))]
        return max((self.greatest if v is None else self.of(graph, v, depth) for v in ends), default=0)

    # ------------------------------------------------------------ where a graph comes from
    def all_graphs(self, routine: Routine) -> list[Graph]:
        """What a routine begins with, goes on with, and asks."""
        if id(routine) not in self._graphs:
            roots = [] if routine.entry is None else [routine.entry]
            roots += [q.entry for q, _ in routine.every_query() if not q.name.startswith(("label", "says"))]
            for block in routine.blocks:
                roots += [e.target for e in block.end.edges() if e.waited] + ([block.end.body] if isinstance(block.end, Foresee) else [])
            self._graphs[id(routine)] = [self.graphs(routine, root) for root in dict.fromkeys(roots)]
        return self._graphs[id(routine)]

    def holding(self, routine: Routine, block: int) -> list[Graph]:
        return [g for g in self.all_graphs(routine) if block in g.nodes]

    # ------------------------------------------------------------ parameters
    def parameter(self, routine: Routine, slot: int, depth: int) -> int:
        """Of what a routine is called with."""
        if routine.kind not in ("def", "phase") or self.facts.module.table(routine.index).rows():
            return self.greatest
        slots = [q.slot for q in self.facts.program.procs[routine.index].params]
        if slot not in slots:
            return self.greatest
        at = slots.index(slot)
        found = []
        for caller, block, call in self.calls().get(routine.index, []):
            graphs = self.holding(caller, block)
            if not graphs:
                return self.greatest
            found += [self.of(g, call.args[at], depth) for g in graphs]
        return max(found, default=0)

    def calls(self) -> dict[int, list[tuple[Routine, int, Instruction | Suspend]]]:
        """Where each routine is called."""
        if self._calls is None:
            self._calls = {}
            for routine in self.facts.module.every_routine():
                for block in routine.blocks:
                    for i in block.code:
                        if i.op in ("call", "original"):
                            self._calls.setdefault(i.data, []).append((routine, block.number, i))
                    if isinstance(block.end, Suspend) and block.end.kind == "call":
                        self._calls.setdefault(block.end.data[1], []).append((routine, block.number, block.end))
        return self._calls

    # ------------------------------------------------------------ what operations give
    def given_by(self, graph: Graph, i: Instruction, slot: int, depth: int) -> int:
        if i.op in ALIKE:
            return self.of(graph, i.args[0], depth)
        if i.op == "call":
            return self.returned(i.data, depth) if i.into[0] == slot else self.greatest
        if i.op == "join":
            a, b = (self.of(graph, x, depth) for x in i.args)
            return a + b if depth == 0 else max(a, b)
        if depth > 0:
            inside = {"list": i.args, "append": i.args[1:]}.get(i.op)
            return self.greatest if inside is None else max((self.of(graph, a, depth - 1) for a in inside), default=0)
        match i.op:
            case "zone_list" | "zone_above":
                return self.contents(graph.routine, i.args[0])
            case "family_list" | "family_known":
                return self.pieces
            case "list":
                return len(i.args)
            case "optional_list":
                return 1
            case "add_item":
                return self.of(graph, i.args[0]) + 1
            case "range":
                return self.numbers(graph, *i.args)
            case "first" | "last" | "item":
                return self.of(graph, i.args[0], 1)
            case "board_row" | "board_column":
                board = self.facts.game.boards[i.data]
                return max(map(len, board.rows if i.op == "board_row" else board.columns), default=0)
            case "cell_adjacent" | "cell_ray":
                return self.around(graph.routine.slots[i.args[0]].type, i.op)
        return self.facts.game.players if i.op in PLAYERS else self.greatest

    def contents(self, routine: Routine, zone: int) -> int:
        """The most components that lie in a zone."""
        code, found = self.facts.game.code, 0
        names = self.facts.zones_of(routine, zone)
        for p in self.facts.game.places:
            if p.zone in names:
                fits = sum(1 for x in self.facts.game.pieces if x.kind in code.holds[p.number])
                found = max(found, fits if p.capacity is None else min(fits, p.capacity))
        return found

    def numbers(self, graph: Graph, low: int, high: int) -> int:
        """How many numbers a range has."""
        least, most = self.bound(graph, low, -1), self.bound(graph, high, 1)
        return self.greatest if least is None or most is None else max(0, most - least + 1)

    def bound(self, graph: Graph, slot: int, sign: int) -> int | None:
        """The greatest value of a number (`sign` 1), or the least (-1), if there is one."""
        if slot in graph.known:
            return int(graph.known[slot])
        makers = [i for n in graph.nodes.values() for i in n.code if slot in i.into]
        role = graph.routine.slots[slot].role
        if role == "temp" and len(makers) == 1 and makers[0].op == "size" and sign > 0:
            return self.of(graph, makers[0].args[0])
        low, high = self.facts.bounds(graph.routine.slots[slot].type)
        return high if sign > 0 else low

    def around(self, kind: t.Type, op: str) -> int:
        """The most cells next to a cell, or in one direction from it."""
        assert isinstance(kind, t.Cell)
        board = self.facts.game.boards[kind.board]
        if op == "cell_adjacent":
            return max(map(len, board.adjacent), default=0)
        if (op, board.name) not in self._rays:
            self._rays[op, board.name] = max((len(board.ray(c, d)) for c in range(board.size) for d in board.steps[c]), default=0)
        return self._rays[op, board.name]

    def returned(self, target: int, depth: int) -> int:
        """Of a list that a routine gives."""
        routine, table = self.facts.module.routines[target], self.facts.module.table(target)
        if routine.colour == "suspends" or routine.entry is None or table.instead or table.adjust:
            return self.greatest
        entry = routine.entry
        return self.once(("returned", target, depth), lambda: self.handed(self.graphs(routine, entry), depth))

    def made(self, graph: Graph, slot: int) -> int:
        """The greatest number of elements that loops can add to a list."""
        most = 1
        for n, node in graph.nodes.items():
            if any(i.op == "append" and i.into == (slot,) for i in node.code):
                times = 1
                for head, body in graph.loops.items():
                    begun = any(slot in i.into and i.op == "list" for b in body for i in graph.nodes[b].code)
                    end = graph.nodes[head].end
                    if n in body and not begun:
                        times *= self.of(graph, end.items) if isinstance(end, Walk) and end.done is not None else SHORT_LIST + 1
                most = max(most, times)
        return most

    # ------------------------------------------------------------ types
    def by_type(self, kind: t.Type, depth: int) -> int:
        """Of any value of a type."""
        for found in inside(kind, depth):
            kind = found
        if isinstance(kind, t.Collection) and kind.capacity is not None:
            return int(self.facts.game.constant(kind.capacity))
        bounded = isinstance(kind, t.Endless) or (isinstance(kind, t.Collection) and kind.kind == "set")
        return self.facts.length(kind) if bounded else self.greatest


def inside(kind: t.Type, depth: int) -> Iterator[t.Type]:
    """A type, and those of what it holds, down to a depth; optional ones as what they are if they are."""
    while True:
        while isinstance(kind, t.Optional):
            kind = kind.base
        yield kind
        if depth == 0 or not isinstance(kind, t.Collection):
            return
        kind, depth = kind.base, depth - 1


def deep(value: object, depth: int) -> int:
    """The length of a known value, or the greatest of those in it."""
    if not isinstance(value, tuple):
        return 1
    return len(value) if depth == 0 else max((deep(v, depth - 1) for v in value), default=0)
