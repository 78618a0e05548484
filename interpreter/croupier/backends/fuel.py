"""Upper bounds of the fuel that compiled functions take, and the loops whose rounds have to be counted.

Fuel is part of the meaning: an action that takes more than its ruleset's limit faults. Compiled code does not count it exactly. Each function has a
bound here, from the greatest lengths of what it walks; loops without a bound, and those that multiply to more than `COUNTED`, pay for each round when
it begins. If no action can come to the limit by what all functions take once, that is never looked at again; otherwise each run pays when it begins.
Whoever runs out, counted so from above, deviates: then the evaluator counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from croupier.backends.facts import SHORT_LIST, Facts
from croupier.backends.graph import Graph, Node
from croupier.ir.instructions import Instruction
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Foresee, Return, Walk
from croupier.runtime.evaluate import GRAIN
from croupier.semantics import types as t

COUNTED = 50_000  # a loop that may take more pays by the round
OF_LISTS = {"canonical", "join", "without", "sort", "add_item", "distinct", "all_different"}  # cost by element
Graphs = Callable[[Routine, int], Graph]


@dataclass
class Cost:
    """Of one function: what it takes at most, but for the loops that pay by the round: their heads, and what a round takes."""

    total: int
    rounds: dict[int, int] = field(default_factory=dict)


class Fuel:
    def __init__(self, facts: Facts, graphs: Graphs) -> None:
        self.facts, self.graphs, game = facts, graphs, facts.game
        self.pieces = len(game.pieces)
        sizes = [b.size for b in game.boards.values()] + [len(e.values) for e in game.program.enums.values()]
        maps = [game.domain(v.type.key)[1] for v in game.variables if isinstance(v.type, t.Map)]
        self.greatest = max(SHORT_LIST, self.pieces, *sizes, *maps, 0)
        self._plain: dict[int, int | None] = {}
        hooks = {row.routine for table in facts.module.tables for row in table.rows()}
        self.recursive: set[int] = hooks  # routines that pay for themselves when they are called: hooks, and what calls itself
        self._seen: set[tuple[int, int]] = set()  # slots whose lengths are being found
        self._rays: dict[tuple[str, str], int] = {}
        self._lengths: dict[int, int] = {}
        self._costs: dict[int, Cost] = {}
        self._watching = False
        self._watchers: int | None = None

    # ------------------------------------------------------------ lengths
    def length(self, graph: Graph, slot: int) -> int:
        """The greatest number of elements of a list."""
        key = (id(graph), slot)
        if key in self._seen:
            return self.greatest
        self._seen.add(key)
        try:
            return self.longest(graph, slot)
        finally:
            self._seen.discard(key)

    def longest(self, graph: Graph, slot: int) -> int:
        if slot in graph.known:
            value = graph.known[slot]
            return len(value) if isinstance(value, tuple) else 1
        walks = [n.end for n in graph.nodes.values() if isinstance(n.end, Walk) and n.end.item == slot]
        makers = [i for n in graph.nodes.values() for i in n.code if slot in i.into]
        rows = graph.known.get(walks[0].items) if len(walks) == 1 and not makers else None
        if rows and all(isinstance(r, tuple) for r in rows):
            return max(map(len, rows))
        if any(i.op == "append" for i in makers) and all(i.op in ("append", "list") for i in makers):
            return min(self.greatest, self.made(graph, slot))
        if makers and all(i.op == "copy" for i in makers):
            return max(self.length(graph, i.args[0]) for i in makers)
        if len(makers) == 1:
            i = makers[0]
            if i.op == "call":
                return self.returned(i.data)
            if i.op in ("zone_list", "family_list", "zone_above"):
                return self.pieces
            if i.op == "list":
                return len(i.args)
            if i.op == "optional_list":
                return 1
            if i.op in ("clockwise", "clockwise_of", "others", "players", "turns_from", "turns_of"):
                return self.facts.game.players
            if i.op in ("cell_adjacent", "cell_ray"):
                return self.around(graph.routine.slots[i.args[0]].type, i.op)
            if i.op in ("reversed", "take", "drop", "rest", "distinct", "canonical", "sort", "without", "remove_item"):
                return self.length(graph, i.args[0])
        kind = graph.routine.slots[slot].type
        if isinstance(kind, t.Collection) and kind.capacity is not None:
            return int(self.facts.game.constant(kind.capacity))
        bounded = isinstance(kind, t.Endless) or (isinstance(kind, t.Collection) and kind.kind == "set")
        return self.facts.length(kind) if bounded else self.greatest

    def around(self, kind: t.Type, op: str) -> int:
        """The most cells next to a cell, or in one direction from it."""
        assert isinstance(kind, t.Cell)
        board = self.facts.game.boards[kind.board]
        if op == "cell_adjacent":
            return max(map(len, board.adjacent), default=0)
        if (op, board.name) not in self._rays:
            self._rays[op, board.name] = max((len(board.ray(c, d)) for c in range(board.size) for d in board.steps[c]), default=0)
        return self._rays[op, board.name]

    def returned(self, target: int) -> int:
        """The greatest number of elements of a list that a routine gives."""
        routine, table = self.facts.module.routines[target], self.facts.module.table(target)
        if target in self._lengths or routine.colour == "suspends" or routine.entry is None or table.instead or table.adjust:
            return self._lengths.get(target, self.greatest)
        self._lengths[target] = self.greatest
        graph = self.graphs(routine, routine.entry)
        ends = [n.end.value for n in graph.nodes.values() if isinstance(n.end, Return)]
        self._lengths[target] = max((self.greatest if v is None else self.length(graph, v) for v in ends), default=0)
        return self._lengths[target]

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
                        times *= self.length(graph, end.items) if isinstance(end, Walk) and end.done is not None else SHORT_LIST + 1
                most = max(most, times)
        return most

    # ------------------------------------------------------------ one function
    def cost(self, graph: Graph) -> Cost:
        """What a function takes that runs a graph from its root."""
        if id(graph) not in self._costs:
            self._costs[id(graph)] = self.bounded(graph)
        return self._costs[id(graph)]

    def bounded(self, graph: Graph) -> Cost:
        left = {n: self.weight(graph, node) for n, node in graph.nodes.items()}
        rounds: dict[int, int] = {}
        for head, body in sorted(graph.loops.items(), key=lambda item: len(item[1])):
            once = sum(left[n] for n in body) + 1
            end = graph.nodes[head].end
            times = self.length(graph, end.items) + 1 if isinstance(end, Walk) and end.done is not None else None
            for n in body:
                left[n] = 0
            if times is None or once * times > COUNTED:
                rounds[head] = once
            else:
                left[head] = once * times
        return Cost(sum(left.values()) + 1, rounds)

    def weight(self, graph: Graph, node: Node) -> int:
        total = sum(self.instruction(graph, i) for i in node.code)
        end = node.end
        if isinstance(end, Suspend):
            total += 4 + self.pieces // GRAIN
            for q in end.asks:
                if not q.name.startswith("label"):
                    found = self.graphs(graph.routine, q.entry)
                    times = self.facts.game.players if end.kind == "choose_every" else 1
                    total += self.cost(found).total * times + (self.greatest if end.kind in ("choose_set", "chance_set") else 0)
        elif isinstance(end, Foresee):
            total += 4
        return total

    def instruction(self, graph: Graph, i: Instruction) -> int:
        grain = self.pieces // GRAIN + 1
        match i.op:
            case "burn":
                return 1
            case "begin_walk":
                return self.length(graph, i.args[0])
            case "offer":
                return 2 + len(i.args)
            case "move":
                return self.length(graph, i.args[0]) * (2 * grain + self.watchers())
            case "move_all" | "shuffle" | "swap" | "swap_zones":
                return self.pieces * (2 * grain + self.watchers()) + 2
            case "set_state" | "set_entry" | "set_mutable":
                return self.greatest // GRAIN + 1 + self.watchers()
            case "call" | "original":
                return self.called(i.data) + 1
        kinds = [graph.routine.slots[a] for a in (*i.args, *i.into)]
        lists = [s.number for s in kinds if isinstance(s.type, (t.Collection, t.Map))]
        made = graph.routine.slots[i.into[0]].type if i.into else None
        if i.op in ("join", "add_item") and isinstance(made, t.Collection) and made.kind == "list":
            return self.length(graph, i.into[0]) // GRAIN + 1
        if i.op in OF_LISTS:
            return 2 * max(self.length(graph, s) for s in lists) + 3
        return sum(self.length(graph, s) // GRAIN for s in lists) + (grain if i.op.startswith(("zone", "family")) else 0)

    # ------------------------------------------------------------ calls
    def called(self, target: int) -> int:
        """What a caller pays for a routine that never waits, with the hooks on it."""
        table = self.facts.module.table(target)
        total = self.plain(target)
        for row in (*table.before, *table.instead, *table.adjust, *table.after):
            candidates = max(1, len(self.facts.game.code.hooks.all[row.hook].pieces))
            total += candidates * (self.queries(row.routine) + 3)
        return total

    def queries(self, index: int) -> int:
        routine = self.facts.module.routines[index]
        return sum(self.cost(self.graphs(routine, q.entry)).total for q in routine.queries if q.name != "label")

    def plain(self, index: int) -> int:
        routine = self.facts.module.routines[index]
        if index in self.recursive or routine.entry is None or routine.colour == "suspends":
            return 1
        if index in self._plain:
            found = self._plain[index]
            if found is None:  # it calls itself
                self.recursive.add(index)
                return 1
            return found
        self._plain[index] = None
        total = self.cost(self.graphs(routine, routine.entry)).total
        self._plain[index] = 1 if index in self.recursive else total
        return total

    def watchers(self) -> int:
        """What looking costs whoever writes: all watchers, as often as they may set each other off."""
        if self._watching:
            return 0
        if self._watchers is None:
            self._watching = True
            all_ = self.facts.module.watchers
            once = sum(self.queries(w.routine) + self.plain(w.routine) for w in all_)
            self._watchers = once * (len(all_) + 2)
            self._watching = False
            self._costs.clear()
            self._plain.clear()
        return self._watchers
