"""`so that` around what never waits, in native code: a function of its own tries the block and asks the condition, then all is as it was before.

If the condition held, the block runs in place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.backends.foresight import waits
from croupier.backends.native import plan as p
from croupier.backends.native.body import Body
from croupier.backends.unsupported import Refused
from croupier.ir.routines import Routine
from croupier.ir.terminators import Foresee, Settle

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer


def waiting_slots(printer: Printer, routine: Routine) -> dict[int, Foresee]:
    """The look-aheads of a routine that may wait, by their slots; worked out once."""
    known = printer.trying.get(id(routine))
    if known is None:
        ends = (b.end for b in routine.blocks)
        found = {end.slot: end for end in ends if isinstance(end, Foresee) and waits(routine, end)}
        known = printer.trying[id(routine)] = routine, found
    return known[1]


def begins_with(printer: Printer, routine: Routine, end: Foresee) -> tuple[int, ...]:
    """The slots that the block of a look-ahead begins with."""
    known = printer.known(routine)
    return tuple(s for s in printer.live_in(routine, end.body) if s != end.slot and s not in known)


class Attempting(Body):
    """Looks ahead at blocks that never wait."""

    def suspended(self, end: Any, labels: dict[int, str]) -> None:
        match end:
            case Foresee() if end.slot not in waiting_slots(self.printer, self.routine):
                self.attempted(end, labels)
            case Settle() if end.slot not in waiting_slots(self.printer, self.routine):
                self.fn.jump(labels[end.target])
            case _:
                raise Refused("looking ahead", end.span)

    def attempted(self, end: Foresee, labels: dict[int, str]) -> None:
        f, out = self.fn, self.fn.slot()
        args = [f"i64 {v}" for s in begins_with(self.printer, self.routine, end) for v in self.leaves(s)]
        name = self.printer.attempt(self.routine, end)
        kept = f.call("search.keep", ["ptr %S"])
        self.test(f.test("eq", kept, "0"))
        f.store("0", out)
        status = f.call(name, ["ptr %S", *args, f"ptr {out}"])
        f.call("search.back", ["ptr %S", f"i64 {kept}"])
        self.test(f.test("eq", status, str(p.DEVIATES)))
        held = f.both(f.test("eq", status, str(p.OK)), f.test("ne", f.load(out), "0"))
        f.branch(held, labels[end.body], labels[end.other])
