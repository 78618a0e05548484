"""Routines that may wait, as functions.

Each is one function. It begins with a switch: at its entry, or at a way on from one of its suspensions, whose slots it reads
from its frame; where it waits it writes them there. Calls of routines that may wait go through the driver (`program.py`): a function that calls
pushes a frame, says where control goes on, and gives back `GOES`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.body import Leaves
from croupier.backends.native.emit import Fn
from croupier.backends.native.moving import FIRST
from croupier.backends.native.plain import Asking
from croupier.backends.sites import Site
from croupier.backends.unsupported import Refused, refused_wait
from croupier.ir.dataflow import reached
from croupier.ir.instructions import Instruction
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Query, Return
from croupier.runtime.menus import MOST_ROWS
from croupier.semantics import types as t
from croupier.semantics.tree import MenuData

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

NEVER = str(-(2**62))


class Run(Asking):
    """A routine that may wait: `f7(S, case)`."""

    def __init__(self, printer: Printer, routine: Routine, fn: Fn) -> None:
        super().__init__(printer, routine, fn)
        self.frame_plan = printer.frame(routine)
        self.at_frame = fn.slot()
        self.count, self.last, self.unsorted = fn.slot(), fn.slot(), fn.slot()  # what is on offer so far

    def frame(self, index: int) -> str:
        """The address of a word of the frame."""
        return self.fn.at(self.word(self.fn.load(self.at_frame)), index)

    def load_slots(self, slots: Sequence[int]) -> None:
        for s in slots:
            if s not in self.known:
                self.assign(s, self.fetch(self.frame(self.frame_plan.slots[s]), self.kind(s)))

    def emit(self) -> None:
        """The whole function."""
        f, routine, printer = self.fn, self.routine, self.printer
        assert routine.entry is not None
        sites = printer.sites_of(routine)
        roots = [routine.entry, *(r.target for s in sites for r in s.end.resumes)]
        numbers = sorted(reached(routine, roots, False))
        labels = {n: f.label() for n in numbers}
        self.asks = {s.number: f.label() for s in sites}
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
        self.load_slots(routine.takes)
        self.pay(str(printer.cost(routine, routine.entry)))
        f.jump(labels[routine.entry])
        for s in sites:
            first = printer.case(s)
            for k, r in enumerate(s.end.resumes):
                begin(first + k)
                self.pay(str(printer.cost(routine, r.target)))
                needed = set(printer.live_in(routine, r.target)) - set(r.assigns)
                self.load_slots([x for x in s.live if x in needed])
                self.resumed(r.name, r.assigns)
                f.jump(labels[r.target])
            begin(first + len(s.end.resumes))
            self.load_slots(s.live)
            f.jump(self.asks[s.number])
        f.lines.insert(switch, f"  switch i64 %case, label %{nowhere} [{' '.join(f'i64 {c}, label %{b}' for c, b in cases)}]")
        self.blocks(numbers, labels)
        f.lines.append(f"{nowhere}:")
        f.ended = False
        f.give(str(p.DEVIATES))
        self.close()

    def resumed(self, name: str, assigns: Sequence[int]) -> None:
        """Fill in slots from what was chosen, or from what a call handed back."""
        if name == "returned":
            at = self.word(p.RET)
        else:
            at = self.fn.at(self.offer_at(self.get(p.CHOSEN)), 2)
        for s in assigns:
            self.assign(s, [self.fn.load(self.fn.at(at, k)) for k in range(self.width(s))])
            at = self.fn.at(at, self.width(s))

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
        site = self.printer.sites.of(self.routine, end)
        rule: Callable[[Site, Suspend, dict[int, str]], None] | None = getattr(self, f"w_{end.kind}", None)
        if rule is None:
            raise refused_wait(end.kind, end.span)
        if site.query("merged") is not None or site.query("weight") is not None:
            raise Refused("choosing with `merging` or `weighing`", end.span)
        for s in site.live:
            if s not in self.known:
                self.keep(self.frame(self.frame_plan.slots[s]), self.kind(s), self.leaves(s), self.frame_plan.longest[s])
        self.fn.store(str(self.printer.where(site)), self.frame(1))
        self.fn.place(self.asks[site.number])
        rule(site, end, labels)

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

    # ------------------------------------------------------------ offers
    def offer_at(self, index: str) -> str:
        return self.word(self.fn.add(self.fn.mul(index, str(p.STRIDE)), str(p.OFFERS)))

    def no_offers(self) -> None:
        self.fn.store("0", self.count)
        self.fn.store(NEVER, self.last)
        self.fn.store("0", self.unsorted)

    def put_offer(self, action: str, way: int, leaves: Sequence[str]) -> None:
        if len(leaves) > p.WIDEST:
            raise Refused("choosing from values so wide", None)
        f = self.fn
        n = f.load(self.count)
        self.test(f.test("ge", n, str(p.MOST_OFFERS)))
        at = self.offer_at(n)
        for k, v in enumerate([action, str(way), *leaves]):
            f.store(v, f.at(at, k))
        wrong = f.wide(f.test("le", action, f.load(self.last)))
        f.store(f.binary("or", f.load(self.unsorted), wrong), self.unsorted)
        f.store(action, self.last)
        f.store(f.add(n, "1"), self.count)

    def offers(self, q: Query, offering: Callable[[Instruction], None]) -> None:
        before, self.offering = self.offering, offering
        self.ask(q)
        self.offering = before

    def ordered(self) -> None:
        """All is on offer: in ascending order of actions, each action once."""
        self.put(p.COUNT, self.fn.load(self.count))
        with self.fn.when(self.fn.test("ne", self.fn.load(self.unsorted), "0")):
            self.fn.call("offers.sort", ["ptr %S"])

    def way(self, end: Suspend, name: str) -> int:
        return next(k for k, r in enumerate(end.resumes) if r.name == name)

    def offered(self, slot: int) -> Leaves:
        """The words of something on offer."""
        if not self.words.is_scalar(self.kind(slot)):
            raise Refused("choosing from lists", None)
        return self.leaves(slot)

    def one_by_one(self, site: Site, end: Suspend) -> int:
        """Put on offer what one value may be chosen from; gives the number of offers that are always there."""
        c = self.printer.choice(site)
        finite = self.game.is_finite(c.base)
        by = int(c.optional) - (self.game.domain(c.base)[0] if finite else 1)
        way = self.way(end, "chosen")

        def offering(i: Instruction) -> None:
            action = self.fn.add(self.one(i.args[0] if finite else i.args[1]), str(by))
            self.put_offer(action, way, self.offered(i.args[0]))

        self.no_offers()
        if c.optional:
            self.put_offer("0", self.way(end, "declined"), [])
        self.offers(site.query("options"), offering)
        self.ordered()
        return int(c.optional)

    def waits(self, seat: str) -> None:
        self.put(p.SEAT, seat)
        self.fn.give(str(p.WAITS))

    # ------------------------------------------------------------ suspensions
    def w_choose(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        seat = self.asked(site.query("chooser"))
        always = self.one_by_one(site, end)
        with self.fn.when(self.fn.test("gt", self.get(p.COUNT), str(always))):
            self.waits(seat)
        self.blocked(end, labels)

    def w_chance(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        f = self.fn
        if self.one_by_one(site, end):
            raise Refused("a choice of chance that may be declined", end.span)
        n = self.get(p.COUNT)
        with f.when(f.test("gt", n, "1")):
            self.waits(str(p.CHANCE))
        with f.when(f.test("eq", n, "1")):
            way = site.way("chosen")
            self.put(p.CHOSEN, "0")
            self.resumed("chosen", way.assigns)
            f.jump(labels[way.target])
        self.blocked(end, labels)

    def w_menu(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        data = self.printer.statement(site).data
        assert isinstance(data, MenuData)
        if end.data is not None:
            raise Refused("reactions in a menu", end.span)
        seat = self.asked(site.query("chooser"))
        self.no_offers()
        first = 0
        for k, o in enumerate(data.options):
            kinds = [x.type.base if isinstance(x.type, t.Collection) else t.UNKNOWN for x in o.sources]
            binders = [(*self.game.domain(b), True) if self.game.is_finite(b) else (0, MOST_ROWS, False) for b in kinds]
            self.offers(site.query(f"options {k}"), self.row(first, self.way(end, f"taken {k}"), binders))
            size = 1
            for _, n, _ in binders:
                size *= max(1, n)
            first += size
        self.ordered()
        with self.fn.when(self.fn.test("gt", self.get(p.COUNT), "0")):
            self.waits(seat)
        self.blocked(end, labels)

    def row(self, first: int, way: int, binders: list[tuple[int, int, bool]]) -> Callable[[Instruction], None]:
        """What takes the offers of one option of a menu."""

        def offering(i: Instruction) -> None:
            f, at, n, leaves = self.fn, "0", len(binders), []
            for k, (low, count, finite) in enumerate(binders):
                if finite:
                    place = f.sub(self.one(i.args[k]), str(low))
                else:
                    place = f.sub(self.one(i.args[n + k]), "1")
                    self.test(f.test("ge", place, str(MOST_ROWS)))
                at = f.add(f.mul(at, str(max(1, count))), place)
                leaves += self.offered(i.args[k])
            self.put_offer(f.add(at, str(first)), way, leaves)

        return offering

    def w_roll(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        kind = self.facts.program.vars[end.data].type
        assert isinstance(kind, t.Map)
        values = self.game.values(kind.value.base if isinstance(kind.value, t.Optional) else kind.value)
        way = site.way("rolled")
        if not values:
            self.deviates()
            return
        if len(values) == 1:
            for s in way.assigns:
                self.assign(s, [str(int(values[0]))])
            self.fn.jump(labels[way.target])
            return
        self.no_offers()
        for k, v in enumerate(values):
            self.put_offer(str(k), self.way(end, "rolled"), [str(int(v))])
        self.ordered()
        self.waits(str(p.CHANCE))

    def w_draw(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        f, q, way = self.fn, site.query("source"), site.way("drawn")
        z = self.asked(q)
        base, pieces, tags = self.zone(z)
        n = f.load(base)
        some = f.label()
        empty = f.label()
        f.branch(f.test("gt", n, "0"), some, empty)
        f.place(empty)
        self.blocked(end, labels)
        f.place(some)
        bag = f.test("ne", self.printer.constants.lookup(f, [str(int(x.order == "bag")) for x in self.game.places], z), "0")
        top = f.sub(n, "1")
        parted = f.test("ne", f.load(f.at(tags, top)), "0")
        several = f.either(f.both(bag, f.test("gt", n, "1")), parted)
        with f.when(several):
            start = self.fresh([top])[0]
            head, more, out = f.label(), f.label(), f.label()
            f.place(head)
            at = f.load(start)
            done = f.choose(bag, f.wide(f.test("eq", at, "0")), f.wide(f.test("eq", f.load(f.at(tags, at)), str(FIRST))))
            f.branch(f.test("ne", done, "0"), out, more)
            f.place(more)
            f.store(f.sub(at, "1"), start)
            f.jump(head)
            f.place(out)
            self.no_offers()
            with f.counting(f.load(start), n) as k:
                piece = f.load(f.at(pieces, k))
                self.put_offer(piece, self.way(end, "drawn"), [piece])
            self.ordered()
            self.waits(str(p.CHANCE))
        for s in way.assigns:
            self.assign(s, [f.load(f.at(pieces, f.choose(bag, "0", top)))])
        f.jump(labels[way.target])

    def w_call(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        f, (op, target) = self.fn, end.data
        self.printer.unhooked(target, end.span)
        callee = self.facts.module.routines[target]
        if op == "original" or callee.nested is not None or self.way(end, "returned") != 0:
            raise Refused("this call", end.span)
        plan = self.printer.frame(callee)
        below = f.load(self.at_frame)
        top = f.add(below, str(self.frame_plan.size))
        here = self.word(top)
        f.store(below, here)
        f.store(f.load(self.frame(2)), f.at(here, 2))
        known = self.printer.known(callee)
        for a, q in zip(end.args, self.facts.program.procs[target].params, strict=True):
            if q.slot in plan.slots and q.slot not in known:
                kind = callee.slots[q.slot].type
                self.keep(f.at(here, plan.slots[q.slot]), kind, self.widened(a, kind), plan.longest[q.slot])
        self.put(p.FRAME, top)
        self.put(p.WHERE, str(self.printer.entry(callee)))
        f.give(str(p.GOES))


def run_function(printer: Printer, routine: Routine, name: str) -> str:
    fn = Fn(name, [("S", "ptr"), ("case", "i64")])
    Run(printer, routine, fn).emit()
    return fn.text()
