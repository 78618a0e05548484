"""`so that` around what waits, in native code. The block begins from the frame, on copies of the position (`foreseeing.py`) and then in earnest.

The slot of a look-ahead is 1 in the frame while its block runs. Where the block is left, whoever searches asks the condition.
"""

from __future__ import annotations

from typing import Any

from croupier.backends.native import plan as p
from croupier.backends.native.attempts import begins_with, waiting_slots
from croupier.backends.native.windows import Windows
from croupier.ir.routines import Block
from croupier.ir.terminators import Foresee, Settle
from croupier.limits import MAX_LOOKAHEAD_DECISIONS


class Ahead(Windows):
    """Looks ahead at blocks that wait."""

    def so_slots(self) -> list[int]:
        return list(waiting_slots(self.printer, self.routine))

    def set_so(self, slot: int, value: str) -> None:
        """A block is entered, or left."""
        self.assign(slot, [value])
        self.fn.store(value, self.frame(self.frame_plan.slots[slot]))

    def block_of(self, end: Foresee) -> Block:
        return next(b for b in self.routine.blocks if b.end is end)

    def aheads(self) -> list[tuple[int, Foresee]]:
        """The look-aheads that wait, each with the case of the function at which its block begins."""
        found = [b for b in self.routine.blocks if isinstance(b.end, Foresee) and b.end.slot in waiting_slots(self.printer, self.routine)]
        return [(self.printer.ahead_case(self.routine, b), b.end) for b in found if isinstance(b.end, Foresee)]

    def suspended(self, end: Any, labels: dict[int, str]) -> None:
        match end:
            case Foresee() if end.slot in waiting_slots(self.printer, self.routine):
                self.foresee(end, labels)
            case Settle() if end.slot in waiting_slots(self.printer, self.routine):
                self.settle(end, labels)
            case _:
                super().suspended(end, labels)

    def foresee(self, end: Foresee, labels: dict[int, str]) -> None:
        f = self.fn
        for s in begins_with(self.printer, self.routine, end):
            self.keep_slot(s)
        where = str(self.printer.entry(self.routine) + self.printer.ahead_case(self.routine, self.block_of(end)))
        f.store(where, self.frame(1))
        left, strict = (MAX_LOOKAHEAD_DECISIONS, 1) if end.within is None else (end.within, 0)
        found = f.call("search.ahead", ["ptr %S", f"i64 {where}", f"i64 {end.slot}", f"i64 {left}", f"i64 {strict}"])
        self.test(f.test("eq", found, str(p.DEVIATES)))
        no = f.label()
        yes = f.label()
        f.branch(f.test("ne", found, "0"), yes, no)
        f.place(yes)
        self.set_so(end.slot, "1")
        f.jump(labels[end.body])
        f.place(no)
        f.jump(labels[end.other])

    def settle(self, end: Settle, labels: dict[int, str]) -> None:
        f = self.fn
        self.set_so(end.slot, "0")
        with f.when(f.test("ne", self.get(p.SEARCH), "0")):
            held = self.asked(end.condition)
            with f.when(f.test("eq", held, "0")):
                f.give(str(p.DEAD))
            mine = f.both(f.test("eq", self.get(p.SEARCH), f.load(self.at_frame)), f.test("eq", self.get(p.SOUGHT), str(end.slot)))
            with f.when(mine):
                f.give(str(p.REACHED))
        f.jump(labels[end.target])
