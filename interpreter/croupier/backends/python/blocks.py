"""Blocks as lines: each instruction printed, each value that is read once put where it is read.

A value that waits to be read is written down at once when something acts that it might see, or when a name in it gets another value.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from croupier.backends.ends import Node, accumulates
from croupier.backends.facts import MAY_FAIL, Facts, reads
from croupier.backends.graph import Graph
from croupier.backends.python.bounds import Bounds
from croupier.backends.python.code import Append, Assign, If, Line, Lines
from croupier.backends.python.constants import Constants
from croupier.ir.instructions import Instruction
from croupier.ir.operations import OPERATIONS
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Jump, Walk
from croupier.semantics import types as t

NAMES = re.compile(r"\b[ltx]\d+\b")
SILENT = ("burn", "show", "tell", "announce")
SIMPLE = re.compile(r"[A-Za-z_]\w*|-?\d+|\(-\d+\)")
D = Line("raise D", True)


@dataclass
class Waiting:
    """A value that is still to be written down."""

    text: str
    names: frozenset[str]
    reads: bool
    lazy: bool


class Blocks(Bounds):
    """Prints the blocks of one function."""

    def __init__(self, facts: Facts, constants: Constants, routine: Routine, graph: Graph) -> None:
        self.facts, self.constants, self.routine, self.graph = facts, constants, routine, graph
        self.out: Lines = []
        self.waiting: dict[int, Waiting] = {}
        self.carried: dict[int, str] = {}
        self.aliases: set[str] = set()
        self.named: set[int] = set()  # slots whose names were read
        self.fresh = 0
        self.count_reads()
        self.find_walks()

    # ------------------------------------------------------------ what is read where
    def read_at_end(self, node: Node) -> Sequence[int]:
        """The slots that the end of a block reads; a subclass adds what a suspension keeps."""
        return node.end.reads()

    def count_reads(self) -> None:
        self.readers: dict[int, list[int]] = {}
        self.writers: dict[int, list[Instruction | None]] = {}
        for node in self.graph.nodes.values():
            for i in node.code:
                for a in i.args:
                    if not accumulates(i, a) and i.op != "begin_walk":
                        self.readers.setdefault(a, []).append(node.number)
                for s in i.into:
                    self.writers.setdefault(s, []).append(i)
            for s in self.read_at_end(node):
                self.readers.setdefault(s, []).append(node.number)
            for edge in node.end.edges():
                if not isinstance(node.end, Suspend) or edge.target in node.next():
                    for s in edge.assigns:
                        self.writers.setdefault(s, []).append(None)
        self.made = {s for s, found in self.writers.items() if self.is_made(s, found)}

    def is_made(self, slot: int, found: list[Instruction | None]) -> bool:
        """Is this a temporary in which a list or map is made, element by element?"""
        if self.routine.slots[slot].role != "temp" or not any(i is not None and i.op != "add_wide" and accumulates(i, slot) for i in found):
            return False
        return all(i is not None and (accumulates(i, slot) or i.op == "list" or (i.op == "map" and not i.args)) for i in found)

    def find_walks(self) -> None:
        """Loops that are a `for` of Python: begun from the first element (and not where control comes in), and nobody else reads their place."""
        self.fors: dict[int, bool] = {}  # head -> is its place read?
        for head, body in self.graph.loops.items():
            node = self.graph.nodes[head]
            if node.code or not isinstance(node.end, Walk) or node.end.done is None:
                continue
            end = node.end
            enters = [n for n in self.graph.before[head] if n not in body]
            begun = head != self.graph.root and all(any(end.at in i.into for i in self.graph.nodes[n].code) for n in enters)
            kept = any(end.at in self.read_at_end(n) for n in self.graph.nodes.values() if n is not node)
            inside = any(end.items in i.into for n in body for i in self.graph.nodes[n].code)
            others = any(end.at in i.args and i.op != "offer" for n in self.graph.nodes.values() for i in n.code)
            if begun and not kept and not inside and not others:
                self.fors[head] = self.reads_places() and any(end.at in i.args for n in self.graph.nodes.values() for i in n.code)
        self.counters = {e.at for h in self.fors if isinstance(e := self.graph.nodes[h].end, Walk)}

    def reads_places(self) -> bool:
        """Does an offer say where in its source a value stands?"""
        return False

    # ------------------------------------------------------------ names
    def name(self, slot: int) -> str:
        return f"{'t' if self.routine.slots[slot].role == 'temp' else 'l'}{slot}"

    def value_of(self, slot: int) -> tuple[Any, ...] | None:
        return (self.graph.known[slot],) if slot in self.graph.known else None

    def text(self, slot: int, iterable: bool = False) -> str:
        if slot in self.graph.known:
            return self.constants.text(self.graph.known[slot])
        found = self.waiting.pop(slot, None)
        if found is not None:
            return f"tuple({found.text})" if found.lazy and not iterable else found.text
        if slot in self.carried:
            return self.carried.pop(slot)
        self.named.add(slot)
        if slot not in self.made:
            return self.name(slot)
        name = f"limited({self.name(slot)})" if self.is_long(slot) else self.name(slot)
        return name if iterable else f"tuple({name})"

    def is_long(self, slot: int) -> bool:
        """May a list that is made here have more elements than lists have?"""
        return False

    def alias(self, name: str) -> str:
        self.aliases.add(name)
        return name

    def test(self, failing: str) -> None:
        self.settle_all_names(failing)
        self.out.append(If(failing, [D], []))

    def settle_all_names(self, text: str) -> None:
        """Nothing to do: a test reads names that are written already."""

    def held(self, text: str) -> str:
        if SIMPLE.fullmatch(text):
            return text
        self.fresh += 1
        name = f"x{self.fresh}"
        self.out.append(Assign(name, text))
        return name

    def waiting_step(self, slot: int) -> Instruction | None:
        found = self.writers.get(slot, [])
        i = found[0] if len(found) == 1 else None
        return i if slot in self.waiting and i is not None and i.op == "cell_step" else None

    # ------------------------------------------------------------ instructions
    def settle(self, acting: bool = False, written: str = "") -> None:
        """Write down waiting values that would see what happens next."""
        for slot, w in list(self.waiting.items()):
            if (acting and w.reads) or (written and written in w.names):
                del self.waiting[slot]
                self.assign(slot, f"tuple({w.text})" if w.lazy else w.text)

    def assign(self, slot: int, text: str) -> None:
        self.settle(written=self.name(slot))
        self.out.append(Assign(self.name(slot), text))

    def instructions(self, node: Node) -> None:
        for i in node.code:
            self.instruction(i, node)
        self.finish_block(node)

    def instruction(self, i: Instruction, node: Node) -> None:
        if i.op in SILENT or (i.op == "call" and len(i.into) == 1 and i.into[0] in self.graph.known):
            return
        if OPERATIONS[i.op].acts and not (i.op == "call" and self.is_pure(i)):
            self.act(i)
            return
        (slot,) = i.into
        if slot in self.graph.known:
            return
        if slot in self.counters and (i.op == "begin_walk" or i.op == "const"):
            return
        if slot in self.made:
            self.make(i, slot)
            return
        if not self.readers.get(slot):
            if i.op in MAY_FAIL and slot not in self.made and not self.counts_down(i):
                self.out.append(Line(self.expression(i)))
            return
        text = self.expression(i)
        uses = [self.waiting_names(text)]
        seen = reads(i.op) or any(f"{z}" in text for z in ("V[", "Z[", "W[", "(S", "F[")) or re.search(r"\bm\d+", text) is not None
        once = len(self.readers[slot]) == 1 and len(self.writers[slot]) == 1
        here = self.readers[slot] == [node.number] or (once and self.is_walked_next(slot, node))
        if once and here:
            self.waiting[slot] = Waiting(text, uses[0], seen, i.op == "range" or text.startswith("range("))
            return
        if text == self.name(slot):
            return
        self.assign(slot, f"tuple({text})" if i.op == "range" or text.startswith("range(") else text)

    def is_pure(self, i: Instruction) -> bool:
        return self.facts.module.routines[i.data].colour == "pure" and len(i.into) == 1 and not self.is_hooked(i.data)

    def is_hooked(self, target: int) -> bool:
        table = self.facts.module.table(target)
        return bool(table.before or table.instead or table.adjust or table.after)

    def waiting_names(self, text: str) -> frozenset[str]:
        return frozenset(NAMES.findall(text))

    def is_walked_next(self, slot: int, node: Node) -> bool:
        """Is a list walked by the loop that comes right after this block, and by nothing else?"""
        end = node.end
        if not isinstance(end, Jump) or end.target not in self.fors:
            return False
        head = self.graph.nodes[end.target]
        enters = [n for n in self.graph.before[head.number] if n not in self.graph.loops[head.number]]
        return isinstance(head.end, Walk) and head.end.items == slot and enters == [node.number]

    def finish_block(self, node: Node) -> None:
        """At the end of a block nothing waits but what its end reads, and a list that is walked next."""
        used = set(self.read_at_end(node))
        for slot, w in list(self.waiting.items()):
            if slot in used:
                continue
            del self.waiting[slot]
            if self.is_walked_next(slot, node):
                self.carried[slot] = w.text
            else:
                self.assign(slot, w.text)

    def make(self, i: Instruction, slot: int) -> None:
        """One step in the making of a list or map."""
        name = self.name(slot)
        if i.op == "append":
            self.out.append(Append(name, self.text(i.args[1])))
        elif i.op == "put":
            kind = self.kind(slot)
            assert isinstance(kind, t.Map)
            value = self.text(i.args[2])
            self.out.append(Line(f"{name}[{self.place(i.args[1], kind.key)}] = {value}"))
        elif i.op == "list":
            self.settle(written=name)
            self.out.append(Assign(name, "[" + ", ".join(self.text(a) for a in i.args) + "]"))
        else:
            kind = self.kind(slot)
            assert isinstance(kind, t.Map)
            count = 0 if isinstance(kind.key, t.Never) else self.facts.game.domain(kind.key)[1]
            self.out.append(Assign(name, f"[None] * {count}"))

    # ------------------------------------------------------------ what acts
    def act(self, i: Instruction) -> None:
        texts = self.acting(i)
        self.settle(acting=True)
        self.out += texts

    @abstractmethod
    def acting(self, i: Instruction) -> Lines:
        """The lines of an instruction that changes the position."""
