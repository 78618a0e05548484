"""A routine as a function of assembly: blocks as blocks. Blocks of questions are emitted where they are asked, with slots of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from croupier.backends.native import plan as p
from croupier.backends.native.places import Places
from croupier.backends.reach import sure
from croupier.ir.instructions import Instruction
from croupier.ir.terminators import Branch, Finish, Give, Jump, Return, Stuck, Terminator, Walk
from croupier.semantics import types as t


class Body(Places, ABC):
    """The part of a function's writer that emits blocks."""

    # ------------------------------------------------------------ blocks
    def blocks(self, numbers: Sequence[int], labels: dict[int, str]) -> None:
        """Emit blocks under their labels."""
        for n in numbers:
            block = self.routine.blocks[n]
            self.fn.place(labels[n])
            steps = self.printer.rounds(self.routine).get(n, 0)
            if steps:
                self.pay(str(steps))
            for i in block.code:
                if self.is_spared(i):
                    continue
                self.instruction(i)
            self.terminator(block.end, labels)

    def is_spared(self, i: Instruction) -> bool:
        """Is all known that an instruction gives, and nothing else comes of it?"""
        known = bool(i.into) and all(s in self.known for s in i.into)
        return known and (i.op not in ("call", "original") or (i.op == "call" and self.facts.given(i.data) is not None))

    @abstractmethod
    def instruction(self, i: Instruction) -> None:
        """Emit an instruction."""

    def terminator(self, end: Terminator, labels: dict[int, str]) -> None:
        f = self.fn
        match end:
            case Jump():
                f.jump(labels[end.target])
            case Branch():
                only = sure(end, self.known)
                if only is not None:
                    f.jump(labels[only])
                else:
                    f.branch(f.test("ne", self.one(end.test), "0"), labels[end.then], labels[end.other])
            case Walk():
                self.walk(end, labels)
            case Stuck():
                self.stuck()
            case Return():
                self.returned(end)
            case Finish():
                self.finished(end)
            case Give():
                self.gave(end)
            case _:
                self.suspended(end, labels)

    def stuck(self) -> None:
        """Nothing can be chosen: who looks ahead goes on elsewhere."""
        if self.printer.looks_ahead:
            with self.fn.when(self.fn.test("ne", self.get(p.SEARCH), "0")):
                self.fn.give(str(p.DEAD))
        self.deviates()

    def walk(self, end: Walk, labels: dict[int, str]) -> None:
        if self.printer.cells.walk(self, end, labels):
            return
        f, width = self.fn, self.width(end.item)
        items, at = f.pointer(self.rows_with(end) or self.one(end.items)), self.one(end.at)
        n = self.length(items)
        more = f.test("lt", at, n)
        if end.done is None:
            self.test(f.test("le", n, "0"))
            at = f.choose(more, at, "0")
        else:
            body = f.label()
            f.branch(more, body, labels[end.done])
            f.place(body)
        self.assign(end.item, self.read_element(items, at, width))
        self.assign(end.at, [f.add(at, "1")])
        f.jump(labels[end.body])

    def rows_with(self, end: Walk) -> str | None:
        """A walk over known lists that goes on at once unless a cell lies in the list, as a walk over the lists in which it lies: a table by cell."""
        body = self.routine.blocks[end.body]
        rows = self.known.get(end.items)
        if not rows or end.done is None or self.routine.slots[end.at].role != "temp":
            return None
        if len(body.code) != 1 or body.code[0].op != "in" or not isinstance(body.end, Branch):
            return None
        cell, row = body.code[0].args
        kind, head = self.kind(cell), self.head_of(end)
        fits = isinstance(kind, t.Cell) and row == end.item and body.end.test == body.code[0].into[0] and body.end.other == head
        if not fits or head is None or cell in self.known or self.written_from(end.body, head, cell):
            return None
        assert isinstance(kind, t.Cell)
        outer = self.kind(end.items)
        narrowed = [tuple(r for r in rows if c in r) for c in range(self.game.boards[kind.board].size)]
        pointers = [self.printer.constants.leaves(found, outer)[0] for found in narrowed]
        return self.printer.constants.lookup(self.fn, pointers, self.one(cell))

    def head_of(self, end: Walk) -> int | None:
        """The block that holds nothing but this walk."""
        return next((b.number for b in self.routine.blocks if b.end is end and not b.code), None)

    def written_from(self, start: int, head: int, slot: int) -> bool:
        """May a slot be written after a block, before control comes to another or waits?"""
        seen, todo = {head}, [start]
        while todo:
            n = todo.pop()
            if n in seen:
                continue
            seen.add(n)
            block = self.routine.blocks[n]
            ways = [e for e in block.end.edges() if not e.waited]
            if any(slot in i.into for i in block.code) or any(slot in e.assigns for e in block.end.edges()):
                return True
            todo += [e.target for e in ways]
        return False

    @abstractmethod
    def suspended(self, end: Any, labels: dict[int, str]) -> None:
        """The end of a block that waits."""

    @abstractmethod
    def returned(self, end: Return) -> None:
        """The end of a routine."""

    @abstractmethod
    def gave(self, end: Give) -> None:
        """The end of a question."""

    @abstractmethod
    def finished(self, end: Finish) -> None:
        """The end of the game."""
