"""What players say, in native code: every claim with every combination of its fields that its condition lets through. Saying it changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from math import prod
from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.places import Leaves
from croupier.backends.native.plain import Asking
from croupier.backends.native.several import Several
from croupier.backends.native.words import WORD
from croupier.backends.sites import Site
from croupier.ir.suspensions import Suspend
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer


class Claims(Several):
    """Waits for somebody to speak."""

    def w_claim(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        seat, kept = self.asked(site.query("chooser")), self.printer.sayings
        if kept.at:
            count = self.what_may_be_said(seat)
        else:
            self.no_offers()
            self.every_claim(seat, lambda action: self.put_offer(action, 0, []))
            self.ordered()
            count = self.get(p.COUNT)
        with self.fn.when(self.fn.test("gt", count, "0")):
            self.waits(seat)
        self.blocked(end, labels)

    def what_may_be_said(self, seat: str) -> str:
        """Put on offer what is kept of what a seat may say, or find it out; gives how much that is."""
        f, kept = self.fn, self.printer.sayings
        place = self.word(f.add(f.mul(seat, str(kept.size)), str(kept.at)))
        bits = f.at(place, 1 + kept.width)
        new, known, done = f.label(), f.label(), f.label()
        f.branch(kept.are_new(f, place), new, known)
        f.place(known)
        self.pay(f.sub(f.load(place), "1"))
        f.jump(done)
        f.place(new)
        kept.note(f, place)
        f.store("0", place)
        for k in range(kept.words):
            f.store("0", f.at(bits, k))
        before = self.get(p.FUEL)

        def may(action: str) -> None:
            word = f.at(bits, f.binary("lshr", action, "6"))
            f.store(f.binary("or", f.load(word), f.binary("shl", "1", f.binary("and", action, str(WORD - 1)))), word)

        self.every_claim(seat, may)
        f.store(f.add(f.sub(before, self.get(p.FUEL)), "1"), place)
        f.place(done)
        total = "0"
        for k in range(kept.words):
            total = f.add(total, f.value(f"call i64 @llvm.ctpop.i64(i64 {f.load(f.at(bits, k))})"))
        self.lean(p.SAYINGS, self.offset(bits), total, kept.words)
        return total

    def every_claim(self, seat: str, offer: Callable[[str], None]) -> None:
        """Offer whatever may be said, by its action."""
        first = 0
        for number, claim in enumerate(self.facts.program.claims):
            values = [[self.constant(v, kind) for v in self.game.values(kind)] for _, kind in claim.fields]
            count = prod(map(len, values))
            if count:
                self.claims_offered(number, seat, values, first, offer)
            first += count

    def claims_offered(self, number: int, seat: str, values: Sequence[Sequence[Leaves]], first: int, offer: Callable[[str], None]) -> None:
        """Put on offer what may be said of one claim, whose fields have these values; its first combination has the action `first`."""
        f, at, words = self.fn, "0", [seat]
        tests = self.printer.claim(number)
        if tests is not None:
            routine = self.printer.module.claims[number]
            q = next(q for q in routine.queries if q.name == "condition")
            each = 1 if self.printer.blocks_pay else 1 + self.printer.cost_of(routine, q.entry).total
            self.pay(str(each * prod(map(len, values))))
        with ExitStack() as loops:
            for rows in values:
                k = loops.enter_context(f.counting("0", str(len(rows))))
                at = f.add(f.mul(at, str(len(rows))), k)
                words += [self.printer.constants.lookup(f, list(column), k) for column in zip(*rows, strict=True)]
            if tests is not None:
                place = f.slot()
                self.called(tests, [*(f"i64 {w}" for w in words), f"ptr {place}"])
                loops.enter_context(f.when(f.test("ne", f.load(place), "0")))
            offer(f.add(at, str(first)))


def claim_function(printer: Printer, number: int, name: str) -> str | None:
    """`says3(S, words of the claimant and the fields…, out)`: may a claim be made? None if it always may."""
    routine = printer.module.claims[number]
    q = next((q for q in routine.queries if q.name == "condition"), None)
    if q is None:
        return None
    kinds: list[tuple[int, t.Type]] = [(s, routine.slots[s].type) for s in routine.takes]
    words = [(s, k) for s, kind in kinds for k in range(printer.words.width(kind))]
    fn = Fn(name, [("S", "ptr"), *((f"l{s}.{k}", "i64") for s, k in words), ("out", "ptr")])
    if sum(site.end.kind == "claim" for site in printer.sites.all) == 1:
        fn.inside()
    body = Asking(printer, routine, fn)
    for s, kind in kinds:
        body.assign(s, [f"%l{s}.{k}" for k in range(printer.words.width(kind))])
    fn.store(body.asked(q), "%out")
    fn.give(str(p.OK))
    body.close()
    return fn.text()
