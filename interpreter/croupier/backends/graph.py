"""The blocks of a routine that are reached from one place, as a graph to work on: jumps whose outcome is known are taken, the rest is ordered.

The blocks (`ends.py`) may be changed here without touching the routine. Order, dominators and loops are worked out on what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from croupier.backends.ends import Elsewhere, Node, accumulates, retargeted, steps
from croupier.backends.facts import MAY_FAIL
from croupier.backends.order import dominators, postorder
from croupier.ir.instructions import Instruction
from croupier.ir.operations import OPERATIONS
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Branch, Foresee, Jump, Terminator

Known = dict[int, Any]
NUMBERS = frozenset({"const", "copy", "narrow", "max", "min", "add", "sub", "eq", "ne", "lt", "le", "gt", "ge", "not"})
"""Operations whose values are followed through the blocks: truth values and numbers."""


class Graph:
    """What is reached from `root` without a wait. `folds` gives the value of an instruction whose operands are known, if it has one; `known` are
    slots that hold one value wherever they are read; `cuts` are blocks that run elsewhere, with what is live there. `replaced` are terminators
    that have another meaning here than in their routine."""

    def __init__(
        self, routine: Routine, root: int, folds: Callable[[Instruction, list[Any]], tuple[Any, ...] | None],
        known: Known | None = None, cuts: Mapping[int, tuple[int, ...]] | None = None, replaced: Mapping[int, Terminator] | None = None,
    ) -> None:
        self.routine, self.root, self.folds = routine, root, folds
        self.nodes: dict[int, Node] = {}
        todo = [root]
        while todo:
            number = todo.pop()
            if number not in self.nodes:
                block = routine.blocks[number]
                if number != root and cuts and number in cuts:
                    self.nodes[number] = Node(number, [], Elsewhere(block.end.span, cuts[number]))
                    continue
                self.nodes[number] = Node(number, list(block.code), (replaced or {}).get(number, block.end))
                todo += self.nodes[number].next()
        self.known: Known = dict(known or {})
        self.find_known()
        blocks = {n: (node.code, node.end) for n, node in self.nodes.items()}
        try:
            self.simplify(NUMBERS)
        except Tangled:  # loops are entered where they are entered in the routine
            self.nodes = {n: Node(n, code, end) for n, (code, end) in blocks.items()}
            self.simplify({"const"})

    def simplify(self, followed: Collection[str]) -> None:
        """Leave out what is never come to or read, then order the rest. What the operations `followed` give is known on the way. Raises `Tangled`."""
        self.followed = followed
        self.thread()
        while self.find_known():
            self.thread()
        self.sweep()
        self.arrange()

    # ------------------------------------------------------------ values that are known
    def definitions(self) -> dict[int, list[tuple[Node, Instruction | None]]]:
        """Where each slot is written; none for what a walk or a suspension writes."""
        found: dict[int, list[tuple[Node, Instruction | None]]] = {}
        for node in self.nodes.values():
            for i in node.code:
                for slot in i.into:
                    found.setdefault(slot, []).append((node, i))
            for edge in node.end.edges():
                for slot in edge.assigns:
                    found.setdefault(slot, []).append((node, None))
        return found

    def find_known(self) -> bool:
        """Temporaries that are written once, with a value that is known. Were there any?"""
        written, before = self.definitions(), len(self.known)
        changed = True
        while changed:
            changed = False
            for slot, places in written.items():
                if slot in self.known or len(places) != 1 or self.routine.slots[slot].role != "temp":
                    continue
                i = places[0][1]
                if i is None or len(i.into) != 1 or (i.op != "call" and (OPERATIONS[i.op].acts or any(a not in self.known for a in i.args))):
                    continue
                value = self.folds(i, [] if i.op == "call" else [self.known[a] for a in i.args])
                if value is not None:
                    self.known[slot], changed = value[0], True
        return len(self.known) > before

    # ------------------------------------------------------------ jumps whose outcome is known
    def thread(self) -> None:
        """Branches on values known on the way to them are decided there."""
        changed = True
        while changed:
            self.prune()
            known = self.known_at_start()
            self.readers = self.read_where()
            changed = False
            for node in self.nodes.values():
                if node.number not in known:
                    continue  # a branch before it goes elsewhere
                having = self.after(known[node.number], node.code)
                if isinstance(node.end, Branch):
                    value = self.known.get(node.end.test, having.get(node.end.test))
                    if value is not None:
                        node.end, changed = Jump(node.end.span, node.end.then if value else node.end.other), True
                        continue
                changed = self.redirect(node, having) or changed

    def redirect(self, node: Node, having: Known) -> bool:
        """Send ways that lead to an empty block on to where that block surely goes."""
        moved = {}
        for target, assigned in steps(node):
            block = self.nodes[target]
            if block is node or (isinstance(node.end, Foresee) and target == node.end.body):
                continue  # what is tried ends where it ends in the routine, even if it does nothing
            if isinstance(block.end, Jump) and not block.code and block.end.target != target:
                moved[target] = block.end.target
            elif isinstance(block.end, Branch) and not isinstance(node.end, Suspend) and self.only_tests(block):
                there = self.after({s: v for s, v in having.items() if s not in assigned}, block.code)
                if block.end.test in there:
                    moved[target] = block.end.then if there[block.end.test] else block.end.other
        if moved:
            node.end = retargeted(node.end, moved)
        return bool(moved)

    def only_tests(self, block: Node) -> bool:
        """Does a block work out nothing but what its own end reads?"""
        return all(
            i.op in self.followed and all(self.routine.slots[s].role == "temp" and self.readers.get(s, set()) <= {block.number} for s in i.into)
            for i in block.code
        )

    def read_where(self) -> dict[int, set[int]]:
        """The blocks that read each slot."""
        found: dict[int, set[int]] = {}
        for node in self.nodes.values():
            kept = node.end.keeps if isinstance(node.end, Suspend) else ()
            for slot in [a for i in node.code for a in i.args] + list(node.end.reads()) + list(kept):
                found.setdefault(slot, set()).add(node.number)
        return found

    def after(self, known: Known, code: Iterable[Instruction]) -> Known:
        """Truth values and numbers known after some instructions."""
        out = dict(known)
        for i in code:
            value = self.worked_out(i, out) if i.op in self.followed and i.into[0] not in self.known else None
            for slot in i.into:
                out.pop(slot, None)
            if value is not None:
                out[i.into[0]] = value[0]
        return out

    def worked_out(self, i: Instruction, having: Known) -> tuple[Any, ...] | None:
        args = [having.get(a, self.known.get(a)) for a in i.args]
        if any(type(a) not in (bool, int) for a in args):
            return None
        value = self.folds(i, args)
        return value if value is not None and type(value[0]) in (bool, int) else None

    def prune(self) -> None:
        """Leave out blocks that are not reached any more."""
        seen, todo = set(), [self.root]
        while todo:
            number = todo.pop()
            if number not in seen:
                seen.add(number)
                todo += self.nodes[number].next()
        self.nodes = {n: node for n, node in self.nodes.items() if n in seen}

    def known_at_start(self) -> dict[int, Known]:
        """Truth values and numbers known at the beginning of each block that is come to, whichever way that is."""
        found: dict[int, Known] = {self.root: {}}
        todo = [self.root]
        while todo:
            node = self.nodes[todo.pop()]
            having = self.after(found[node.number], node.code)
            taken = None
            if isinstance(node.end, Branch):
                test = self.known.get(node.end.test, having.get(node.end.test))
                taken = None if test is None else node.end.then if test else node.end.other
            for edge_target, assigned in steps(node):
                if taken is not None and edge_target != taken:
                    continue
                now = {s: v for s, v in having.items() if s not in assigned}
                before = found.get(edge_target)
                if before is not None:
                    now = {s: v for s, v in before.items() if s in now and now[s] == v and type(now[s]) is type(v)}
                if now != before:
                    found[edge_target] = now
                    todo.append(edge_target)
        return found

    def sweep(self) -> None:
        """Leave out what works out a temporary that nobody reads."""
        while True:
            read = self.reads()
            gone = 0
            for node in self.nodes.values():
                kept = [i for i in node.code if self.acts(i) or any(s in read for s in i.into) or self.may_fail(i)]
                gone += len(node.code) - len(kept)
                node.dropped += [i for i in node.code if i.op == "call" and i not in kept]
                node.code = kept
            if not gone:
                return

    def acts(self, i: Instruction) -> bool:
        return OPERATIONS[i.op].acts and not (i.op == "call" and len(i.into) == 1 and i.into[0] in self.known)

    def may_fail(self, i: Instruction) -> bool:
        return i.op in MAY_FAIL and not all(s in self.known for s in i.into)

    def reads(self) -> dict[int, int]:
        """How often each slot is read: locals count as read, for a frame may keep them."""
        count: dict[int, int] = {s.number: 1 for s in self.routine.slots if s.role != "temp"}
        for node in self.nodes.values():
            kept = node.end.keeps if isinstance(node.end, Suspend) else ()
            read = [a for i in node.code for a in i.args if self.may_fail(i) or not accumulates(i, a)]
            for slot in [*read, *node.end.reads(), *kept]:
                count[slot] = count.get(slot, 0) + 1
        return count

    # ------------------------------------------------------------ order, dominators, loops
    def arrange(self) -> None:
        """Order the blocks, find who dominates whom, and the loops."""
        self.order = postorder(self.root, lambda n: self.nodes[n].next())[::-1]
        self.rank = {n: i for i, n in enumerate(self.order)}
        self.before: dict[int, list[int]] = {n: [] for n in self.order}
        for n in self.order:
            for target in self.nodes[n].next():
                self.before[target].append(n)
        self.dominator = dominators(self.root, self.order, self.rank, self.before)
        self.children: dict[int, list[int]] = {n: [] for n in self.order}
        for n in self.order[1:]:
            self.children[self.dominator[n]].append(n)
        self.loops = self.find_loops()

    def dominates(self, a: int, b: int) -> bool:
        while self.rank[b] > self.rank[a]:
            b = self.dominator[b]
        return a == b

    def find_loops(self) -> dict[int, set[int]]:
        """The blocks of each loop by its head. Raises `Tangled` for a loop that is entered at several places."""
        loops: dict[int, set[int]] = {}
        for n in self.order:
            for head in self.nodes[n].next():
                if self.rank[head] > self.rank[n]:
                    continue
                if not self.dominates(head, n):
                    raise Tangled(head)
                body, todo = loops.setdefault(head, {head}), [n]
                while todo:
                    at = todo.pop()
                    if at not in body:
                        body.add(at)
                        todo += self.before[at]
        return loops


class Tangled(Exception):
    """A loop is entered at more than one place: `head` is one of them."""

    def __init__(self, head: int) -> None:
        super().__init__(head)
        self.head = head
