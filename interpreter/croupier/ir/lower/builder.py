"""Making a routine: slots, blocks that are filled one after another, and the blocks that nobody can come to left out in the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.ir.instructions import Instruction
from croupier.ir.rewire import renumbered, targets
from croupier.ir.routines import Block
from croupier.ir.slots import Slot
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Branch, Give, Jump, Query, Terminator
from croupier.semantics.program import Program
from croupier.semantics.tree import Proc
from croupier.semantics.types import Type


class Builder:
    """Builds one routine. Instructions go into the block that was begun last; after a terminator a new one must begin."""

    def __init__(self, program: Program, proc: Proc, slots: list[Slot]) -> None:
        self.program, self.proc, self.slots = program, proc, slots
        self.filled: dict[int, tuple[list[Instruction], Terminator]] = {}
        self.order: list[int] = []
        self.labels = 0
        self.at: int | None = None
        self.code: list[Instruction] = []
        self.span = proc.span

    # ------------------------------------------------------------ slots and instructions
    def temp(self, kind: Type) -> int:
        self.slots.append(Slot(len(self.slots), "", kind, "temp"))
        return len(self.slots) - 1

    def emit(self, op: str, into: tuple[int, ...], args: tuple[int, ...] = (), data: Any = None) -> None:
        if self.at is None:
            self.begin(self.label())
        self.code.append(Instruction(op, into, args, data, self.span))

    def make(self, op: str, kind: Type, args: tuple[int, ...] = (), data: Any = None) -> int:
        """An instruction whose result goes into a new temporary."""
        slot = self.temp(kind)
        self.emit(op, (slot,), args, data)
        return slot

    # ------------------------------------------------------------ blocks
    def label(self) -> int:
        self.labels += 1
        return self.labels - 1

    def begin(self, label: int) -> None:
        """Begin the block of a label; the block before, if it is open, runs on into it."""
        if self.at is not None:
            self.end(Jump(self.span, label))
        self.at, self.code = label, []
        self.order.append(label)

    def end(self, terminator: Terminator) -> None:
        if self.at is None:
            self.begin(self.label())
        assert self.at is not None
        self.filled[self.at] = (self.code, terminator)
        self.at, self.code = None, []

    def jump(self, label: int) -> None:
        self.end(Jump(self.span, label))

    def fork(self, test: int) -> tuple[int, int]:
        """Branch on a truth value; gives the labels of yes and no."""
        yes, no = self.label(), self.label()
        self.end_if(test, yes, no)
        return yes, no

    def end_if(self, test: int, yes: int, no: int) -> None:
        self.end(Branch(self.span, test, yes, no))

    # ------------------------------------------------------------ queries
    def query(self, name: str, takes: tuple[int, ...], answer: Any) -> Query:
        """A query: blocks apart from the others; `answer` emits them and gives the slot of the answer, or none."""
        held, self.at, self.code = (self.at, self.code), None, []
        entry = self.label()
        self.begin(entry)
        slot = answer()
        self.end(Give(self.span, slot))
        self.at, self.code = held
        return Query(name, entry, takes)

    # ------------------------------------------------------------ the end
    def finished(self, entry: int | None, queries: tuple[Query, ...]) -> tuple[tuple[Block, ...], int | None, tuple[Query, ...]]:
        """The blocks that can be come to, or that wait, numbered from 0 in the order they were begun; entry and queries renumbered alike.

        Blocks that only jump are left out.
        """
        begins = {label: self.landing(label) for label in self.filled}
        roots = [begins[q.entry] for q in queries] + ([] if entry is None else [begins[entry]])
        roots += [label for label, (_, end) in self.filled.items() if isinstance(end, Suspend)]
        kept = set(self.reached(roots, begins))
        order = [label for label in self.order if label in kept]
        places = {label: i for i, label in enumerate(order)}
        numbers = {label: places[landing] for label, landing in begins.items() if landing in places}
        blocks = tuple(Block(places[x], tuple(self.filled[x][0]), renumbered(self.filled[x][1], numbers)) for x in order)
        return blocks, None if entry is None else numbers[entry], tuple(Query(q.name, numbers[q.entry], q.takes) for q in queries)

    def landing(self, label: int) -> int:
        """Where a jump to a label comes to in the end."""
        seen: set[int] = set()
        while label not in seen:
            seen.add(label)
            code, end = self.filled[label]
            if code or not isinstance(end, Jump):
                break
            label = end.target
        return label

    def reached(self, roots: list[int], begins: dict[int, int]) -> Iterator[int]:
        seen: set[int] = set()
        todo = list(roots)
        while todo:
            label = todo.pop()
            if label not in seen:
                seen.add(label)
                yield label
                todo.extend(begins[x] for x in targets(self.filled[label][1]))
