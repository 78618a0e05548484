"""Upper bounds of the fuel that compiled functions take, and the loops whose rounds have to be counted.

Fuel is part of the meaning: an action that takes more than its ruleset's limit faults. Compiled code does not count it exactly. Each function has a
bound here, from the greatest lengths of what it walks; loops without a bound, and those that multiply to more than `COUNTED`, pay for each round when
it begins. If no action can come to the limit by what all functions take once, that is never looked at again; otherwise each run pays when it begins.
Whoever runs out, counted so from above, deviates: then the evaluator counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.backends.ends import Ahead, Judge, Node, waits_at
from croupier.backends.facts import Facts
from croupier.backends.graph import Graph
from croupier.backends.lengths import Graphs, Lengths
from croupier.ir.instructions import Instruction
from croupier.ir.routines import Routine
from croupier.ir.terminators import Foresee, Query, Settle, Walk
from croupier.runtime.contents import GRAIN
from croupier.semantics import types as t

COUNTED = 50_000  # a loop that may take more pays by the round
FINELY = 2_000  # the same where routines pay by call, unless a round takes next to nothing
DEAR = 1_000  # what routines take at most that do not pay for themselves
OF_LISTS = {"canonical", "join", "without", "sort", "add_item", "distinct", "all_different"}  # cost by element


@dataclass
class Cost:
    """Of one function: what it takes at most, but for the loops that pay by the round: their heads, and what a round takes."""

    total: int
    rounds: dict[int, int] = field(default_factory=dict)


class Fuel:
    """`by_call`: watchers pay for themselves when they look, and so do routines that take much when they are called, not who may call them."""

    def __init__(self, facts: Facts, graphs: Graphs, by_call: bool = False) -> None:
        self.facts, self.graphs, game = facts, graphs, facts.game
        self.lengths = Lengths(facts, graphs)
        self.pieces, self.greatest, self.length = len(game.pieces), self.lengths.greatest, self.lengths.of
        self._plain: dict[int, int | None] = {}
        hooks = {row.routine for table in facts.module.tables for row in table.rows()}
        self.recursive: set[int] = hooks  # routines that pay for themselves when they are called: hooks, and what calls itself
        self._costs: dict[int, Cost] = {}
        self.by_call, self._watching = by_call, False
        self.finely = max(FINELY, game.program.limits["fuel"] // 100)
        self._watchers: int | None = None

    # ------------------------------------------------------------ one function
    def cost(self, graph: Graph) -> Cost:
        """What a function takes that runs a graph from its root."""
        if id(graph) not in self._costs:
            self._costs[id(graph)] = self.bounded(graph)
        return self._costs[id(graph)]

    def bounded(self, graph: Graph) -> Cost:
        """The dearest way through a graph, loops as often as they may come round, the inner ones first."""
        weights = {n: self.weight(graph, node) for n, node in graph.nodes.items()}
        rounds: dict[int, int] = {}
        inner: dict[int, int] = {}  # of each block, the head of the greatest loop around it that is done
        for head, body in sorted(graph.loops.items(), key=lambda item: len(item[1])):
            once = dearest(graph, head, body, weights, inner) + 1
            end = graph.nodes[head].end
            times = self.length(graph, end.items) + 1 if isinstance(end, Walk) and end.done is not None else self.counted_down(graph, head)
            if times is None or once * times > (self.finely if self.by_call and once > FINELY // 50 else COUNTED):
                rounds[head] = once
                weights[head] = 0
            else:
                weights[head] = once * times
            inner |= dict.fromkeys(body, head)
        return Cost(dearest(graph, graph.root, set(graph.nodes), weights, inner) + 1, rounds)

    def counted_down(self, graph: Graph, head: int) -> int | None:
        """How often a loop may come round that counts down in every round what is still to be drawn; none if there is no such number, or no bound."""
        body = graph.loops[head]
        back = [n for n in graph.before[head] if n in body]
        for slot in graph.routine.slots:
            if slot.role != "left" or not isinstance(slot.type, t.Int):
                continue
            writers = [(n, i) for n in body for i in graph.nodes[n].code if slot.number in i.into]
            if not writers or not all(i.op == "sub" and i.args[0] == slot.number and graph.known.get(i.args[1]) == 1 for _, i in writers):
                continue
            if not any(all(graph.dominates(n, source) for source in back) for n, _ in writers):
                continue
            begun = [i for b in graph.routine.blocks for i in b.code if slot.number in i.into and i.op != "sub"]
            if all(a in graph.known for i in begun for a in i.args):
                counts = [self.facts.fold(i, [graph.known[a] for a in i.args], graph.routine) for i in begun]
                return max((int(found[0]) + 1 if found is not None else COUNTED for found in counts), default=None)
        return None

    def weight(self, graph: Graph, node: Node) -> int:
        total = sum(self.instruction(graph, i) for i in (*node.code, *node.dropped))
        end = node.end
        wait = waits_at(end)
        if wait is not None:
            total += 4 + self.pieces // GRAIN
            for q in wait.asks:
                if not q.name.startswith("label"):
                    total += self.asked(graph.routine, q) * (self.facts.game.players if wait.kind == "choose_every" else 1)
            if wait.kind in ("choose_set", "chance_set"):
                source = next(q for q in wait.asks if q.name == "source")
                total += self.lengths.handed(self.graphs(graph.routine, source.entry), 0)
        elif isinstance(end, (Foresee, Ahead)):
            total += 4
        elif isinstance(end, (Settle, Judge)):
            total += self.asked(graph.routine, end.condition)
        return total

    def asked(self, routine: Routine, q: Query) -> int:
        """What a question takes."""
        return self.cost(self.graphs(routine, q.entry)).total

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
        return sum(self.asked(routine, q) for q in routine.queries if q.name != "label")

    def pays(self, index: int) -> bool:
        """Does a routine pay for itself when it is called?"""
        self.plain(index)
        return index in self.recursive

    def plain(self, index: int) -> int:
        """What a caller pays for a routine without hooks; 1 if it pays for itself."""
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
        if self.by_call and total > DEAR:
            self.recursive.add(index)
            total = 1
        self._plain[index] = 1 if index in self.recursive else total
        return total

    def watcher(self, index: int) -> int:
        """What a watcher takes that looks once."""
        return self.queries(index) + self.plain(index)

    def watchers(self) -> int:
        """What looking costs whoever writes: all watchers, as often as they may set each other off."""
        if self._watching or self.by_call:
            return 0
        if self._watchers is None:
            self._watching = True
            all_ = self.facts.module.watchers
            self._watchers = sum(self.watcher(w.routine) for w in all_) * (len(all_) + 2)
            self._watching = False
            self._costs.clear()
            self._plain.clear()
        return self._watchers


def dearest(graph: Graph, root: int, within: set[int], weights: dict[int, int], inner: dict[int, int]) -> int:
    """What the dearest way from a block takes that stays within some blocks and does not come back to it; a loop that is done counts as its head."""
    members: dict[int, set[int]] = {}
    for n in within:
        members.setdefault(inner.get(n, n), set()).add(n)
    memo: dict[int, int] = {}

    def best(at: int) -> int:
        if at not in memo:
            memo[at] = 0
            ways = {inner.get(m, m) for n in members[at] for m in graph.nodes[n].next() if m in within and m != root} - {at}
            memo[at] = weights[at] + max((best(m) for m in ways), default=0)
        return memo[at]

    return best(inner.get(root, root))
