"""Routines that may wait, as functions.

Each is one function. It begins with a switch: at its entry, or at a way on from one of its suspensions, whose slots it reads
from its frame; where it waits it writes them there. Calls of routines that may wait go through the driver (`program.py`): a function that calls
pushes a frame, says where control goes on, and gives back `GOES`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.ahead import Ahead
from croupier.backends.native.attempts import begins_with
from croupier.backends.native.emit import Fn
from croupier.backends.reach import come_to
from croupier.backends.sites import Site
from croupier.backends.unsupported import Refused, refused_wait
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Return

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer


HANDED_OVER = ("returned", "closed", "reacted")  # ways on that begin with what another routine hands back


class Run(Ahead):
    """A routine that may wait: `f7(S, case)`."""

    def emit(self) -> None:
        """The whole function."""
        f, routine, printer = self.fn, self.routine, self.printer
        assert routine.entry is not None
        sites = printer.sites_of(routine)
        roots = [routine.entry, *(r.target for s in sites for r in s.end.resumes)]
        numbers = sorted(come_to(routine, self.known, roots, False))
        labels = {n: f.label() for n in numbers}
        self.asks |= {s.number: f.label() for s in sites}
        f.store(self.get(p.FRAME), self.at_frame)
        cases: list[tuple[int, str]] = []

        def begin(case: int) -> None:
            cases.append((case, f.label()))
            f.lines.append(f"{cases[-1][1]}:")
            f.ended = False

        nowhere = f.label()
        switch = len(f.lines)
        f.ended = True
        begin(0)
        if printer.looks_ahead:  # who copies the position wants to know where the frame ends
            f.store(str(printer.entry(routine)), self.frame(1))
        self.load_slots(routine.takes)
        for slot in self.so_slots():
            self.set_so(slot, "0")
        self.pay(str(printer.cost(routine, routine.entry)))
        f.jump(labels[routine.entry])
        for case, ahead in self.aheads():
            if ahead.body not in labels:  # nothing comes to it
                continue
            begin(case)
            self.pay(str(printer.cost(routine, ahead.body)))
            self.load_slots(begins_with(printer, routine, ahead))
            self.set_so(ahead.slot, "1")
            f.jump(labels[ahead.body])
        for s in sites:
            first = printer.case(s)
            own: Callable[[Site, str, dict[int, str]], None] | None = getattr(self, f"r_{s.end.kind}", None)
            for k, name in enumerate(s.ways):
                begin(first + k)
                r = s.way(name)
                if self.is_long(s, name):
                    self.load_slots(s.live)
                    self.goes_on_again(s, name, labels)
                    continue
                if own is not None or r is None:
                    self.load_slots(s.live)
                    own(s, name, labels) if own is not None else self.r_react(s)
                    continue
                self.pay(str(printer.cost(routine, r.target)))
                needed = set(printer.live_in(routine, r.target)) - set(r.assigns)
                self.load_slots([x for x in s.live if x in needed])
                self.handed_over(s, r.assigns) if name in HANDED_OVER else self.resumed(name, r.assigns, s)
                f.jump(labels[r.target])
            if s.seats == "every":  # each of them may ask
                begin(first + len(s.ways))
                self.load_slots(s.live)
                f.jump(self.asks[s.number])
        f.lines.insert(switch, f"  switch i64 %case, label %{nowhere} [{' '.join(f'i64 {c}, label %{b}' for c, b in cases)}]")
        self.blocks(numbers, labels)
        f.lines.append(f"{nowhere}:")
        f.ended = False
        f.give(str(p.DEVIATES))
        self.close()

    # ------------------------------------------------------------ the ends
    def returned(self, end: Return) -> None:
        f, at = self.fn, p.RET
        slots = [] if end.value is None else [end.value]
        for k, s in enumerate([*slots, *end.gives]):
            for v in self.widened(s, self.routine.returns if k == 0 and slots else self.kind(s)):
                self.put(at, v)
                at += 1
        if at > p.RET + p.HANDED:
            raise Refused("a value so wide", end.span)
        below = f.load(self.frame(0))
        self.put(p.FRAME, below)
        self.test(f.test("eq", below, "0"))
        self.put(p.WHERE, self.get(f.add(below, "1")))
        f.give(str(p.GOES))

    def suspended(self, end: Suspend, labels: dict[int, str]) -> None:
        if not isinstance(end, Suspend):
            super().suspended(end, labels)
            return
        site = self.printer.sites.of(self.routine, end)
        rule: Callable[[Site, Suspend, dict[int, str]], None] | None = getattr(self, f"w_{end.kind}", None)
        if rule is None:
            raise refused_wait(end.kind, end.span)
        self.keep_live(site)
        self.fn.store(str(self.printer.where(site)), self.frame(1))
        self.fn.place(self.asks[site.number])
        rule(site, end, labels)


def run_function(printer: Printer, routine: Routine, name: str) -> str:
    """The function of a routine that may wait."""
    fn = Fn(name, [("S", "ptr"), ("case", "i64")])
    Run(printer, routine, fn).emit()
    return fn.text()
