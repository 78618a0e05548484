"""Frames in native code: what a routine that may wait keeps while it waits, and who alone sees what it does.

A routine that may wait is one function (`runs.py`); the frame it works on is the top one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.places import Leaves
from croupier.backends.native.plain import Asking
from croupier.backends.sites import Site
from croupier.ir.instructions import Instruction
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer


class Framed(Asking):
    """A function over the top frame."""

    def __init__(self, printer: Printer, routine: Routine, fn: Fn) -> None:
        super().__init__(printer, routine, fn)
        self.frame_plan = printer.frame(routine)
        self.at_frame = fn.slot()
        self.asks: dict[int, str] = {}  # by site, where it is asked what is on offer

    def frame(self, index: int) -> str:
        """The address of a word of the frame."""
        return self.fn.at(self.word(self.fn.load(self.at_frame)), index)

    def load_slots(self, slots: Sequence[int]) -> None:
        for s in slots:
            at = "" if s in self.known else self.frame(self.frame_plan.slots[s])
            if at and self.stays(s):
                self.assign(s, [self.fn.address(at)])
            elif at:
                self.assign(s, self.fetch(at, self.kind(s)))

    def stays(self, slot: int) -> bool:
        """Is a slot a list that only a loop walks? It is walked where it lies in the frame."""
        kind = self.kind(slot)
        if not isinstance(kind, (t.Collection, t.Endless)) or not self.words.is_scalar(self.words.base(kind)):
            return False
        return self.routine.slots[slot].role == "items" and not any(slot in i.args for b in self.routine.blocks for i in b.code)

    def keep_slot(self, slot: int) -> None:
        """Write a slot down in the frame."""
        f, at = self.fn, self.frame(self.frame_plan.slots[slot])
        if self.stays(slot):
            with f.when(f.test("ne", self.one(slot), f.address(at))):
                self.keep(at, self.kind(slot), self.leaves(slot), self.frame_plan.longest[slot])
            return
        self.keep(at, self.kind(slot), self.leaves(slot), self.frame_plan.longest[slot])

    def keep_live(self, site: Site) -> None:
        """Write down what is used while it waits, and after."""
        for s in site.live:
            if s not in self.known:
                self.keep_slot(s)

    def way(self, end: Suspend, name: str) -> int:
        """Which of the ways on has this name."""
        return next(k for k, r in enumerate(end.resumes) if r.name == name)

    def waits(self, seat: str) -> None:
        self.put(p.SEAT, seat)
        self.put(p.EVERY, "0")
        self.fn.give(str(p.WAITS))

    def blocked(self, end: Suspend, labels: dict[int, str]) -> None:
        if end.blocked is None:
            self.deviates()
        else:
            self.fn.jump(labels[end.blocked])

    # ------------------------------------------------------------ who sees it
    def o_viewer(self, i: Instruction) -> Leaves:
        return [self.fn.load(self.frame(2))]

    def o_hush(self, i: Instruction) -> None:
        f, bits = self.fn, self.fresh(["0"])[0]
        items, n, _ = self.list_of(i.args[0])
        with f.counting("0", n) as k:
            f.store(f.binary("or", f.load(bits), f.binary("shl", "1", self.read_element(items, k, 1)[0])), bits)
        f.store(f.load(bits), self.frame(2))

    def o_unhush(self, i: Instruction) -> None:
        self.fn.store(self.arg(i), self.frame(2))
