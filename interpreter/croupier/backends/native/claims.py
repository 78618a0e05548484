"""What players say, in native code: every claim with every combination of its fields that its condition lets through. Saying it changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.body import Leaves
from croupier.backends.native.emit import Fn
from croupier.backends.native.plain import Asking
from croupier.backends.native.several import Several
from croupier.backends.sites import Site
from croupier.ir.suspensions import Suspend
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer


class Claims(Several):
    """Waits for somebody to speak."""

    def w_claim(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        f, first = self.fn, 0
        seat = self.asked(site.query("chooser"))
        self.no_offers()
        for number, claim in enumerate(self.facts.program.claims):
            values = [[self.constant(v, kind) for v in self.game.values(kind)] for _, kind in claim.fields]
            count = 1
            for rows in values:
                count *= len(rows)
            if count:
                self.claims_offered(number, seat, values, first)
            first += count
        self.ordered()
        with f.when(f.test("gt", self.get(p.COUNT), "0")):
            self.waits(seat)
        self.blocked(end, labels)

    def claims_offered(self, number: int, seat: str, values: Sequence[Sequence[Leaves]], first: int) -> None:
        """Put on offer what may be said of one claim, whose fields have these values; its first combination has the action `first`."""
        f, at, words = self.fn, "0", [seat]
        tests = self.printer.claim(number)
        with ExitStack() as loops:
            for rows in values:
                k = loops.enter_context(f.counting("0", str(len(rows))))
                at = f.add(f.mul(at, str(len(rows))), k)
                words += [self.printer.constants.lookup(f, list(column), k) for column in zip(*rows, strict=True)]
            if tests is not None:
                place = f.slot()
                self.called(tests, [*(f"i64 {w}" for w in words), f"ptr {place}"])
                loops.enter_context(f.when(f.test("ne", f.load(place), "0")))
            self.put_offer(f.add(at, str(first)), 0, [])


def claim_function(printer: Printer, number: int, name: str) -> str | None:
    """`says3(S, words of the claimant and the fields…, out)`: may a claim be made? None if it always may."""
    routine = printer.module.claims[number]
    q = next((q for q in routine.queries if q.name == "condition"), None)
    if q is None:
        return None
    kinds: list[tuple[int, t.Type]] = [(s, routine.slots[s].type) for s in routine.takes]
    words = [(s, k) for s, kind in kinds for k in range(printer.words.width(kind))]
    fn = Fn(name, [("S", "ptr"), *((f"l{s}.{k}", "i64") for s, k in words), ("out", "ptr")], apart=True)
    body = Asking(printer, routine, fn)
    for s, kind in kinds:
        body.assign(s, [f"%l{s}.{k}" for k in range(printer.words.width(kind))])
    body.pay(str(1 if printer.blocks_pay else 1 + printer.cost_of(routine, q.entry).total))
    fn.store(body.asked(q), "%out")
    fn.give(str(p.OK))
    body.close()
    return fn.text()
