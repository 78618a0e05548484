"""Choices of several players at the same time, in native code. They commit in secret, in any order; then all is revealed.

While they wait, the frame holds what each of them has chosen. On offer is what one of them may choose from: at first the first of them by seat;
whoever wants to know what another may choose asks for it (`game.ask`), and the routine works out again what is on offer.
"""

from __future__ import annotations

from croupier.backends.native import plan as p
from croupier.backends.native.chance import Chance
from croupier.backends.native.places import NONE_TEXT
from croupier.backends.sites import Site
from croupier.ir.suspensions import Suspend
from croupier.semantics import types as t


class Every(Chance):
    """Waits for several players."""

    def picked(self, site: Site) -> tuple[int, str, int]:
        """The slot of what was chosen so far, the address of the values in it, and the words of each."""
        slot = site.end.keeps[0]
        kind = self.kind(slot)
        assert isinstance(kind, t.Map)
        return slot, self.fn.pointer(self.one(slot)), self.words.width(kind.value)

    def pending(self, site: Site) -> str:
        """Those who have not chosen yet, as bits."""
        f, bits = self.fn, self.fresh(["0"])[0]
        _, values, width = self.picked(site)
        asked = f.pointer(self.asked(site.query("choosers")))
        with f.counting("0", self.length(asked)) as k:
            seat = self.read_element(asked, k, 1)[0]
            with f.when(f.test("eq", f.load(f.at(values, f.mul(seat, str(width)))), NONE_TEXT)):
                f.store(f.binary("or", f.load(bits), f.binary("shl", "1", seat)), bits)
        return f.load(bits)

    def w_choose_every(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        """All who are to be asked must have something to choose; they are asked from the last to the first, whose offers stay."""
        f, c, players = self.fn, self.printer.sites.choice(site), self.game.players
        assert c.every is not None
        asked = self.get(p.ASKED)
        self.put(p.ASKED, "-1")
        pending = self.pending(site)
        with f.when(f.test("eq", pending, "0")):
            self.revealed(site, labels)
        bits = f.choose(f.test("lt", asked, "0"), pending, f.binary("shl", "1", asked))
        place = self.fresh(["0"])[0]
        with f.counting("0", str(players)) as k:
            seat = f.sub(str(players - 1), k)
            with f.when(f.test("ne", f.binary("and", f.binary("lshr", bits, seat), "1"), "0")):
                f.store(seat, place)
                self.one_by_one(site, end, {c.every: [seat]})
                self.test(f.test("eq", self.get(p.COUNT), "0"))
        self.put(p.EVERY, pending)
        self.put(p.SEAT, f.load(place))
        f.give(str(p.WAITS))

    def r_choose_every(self, site: Site, name: str, labels: dict[int, str]) -> None:
        """One of them has chosen."""
        f, c = self.fn, self.printer.sites.choice(site)
        assert c.every is not None
        self.pay(str(self.printer.waiting(site)))
        slot, values, width = self.picked(site)
        if self.is_short([c.base], site.query("merged")):
            chosen = f.at(self.offer_at(self.get(p.CHOSEN)), p.HEAD)
            leaves = [f.load(f.at(chosen, k)) for k in range(width)]
        else:
            leaves = self.worked_out(site, name, [width], {c.every: [self.get(p.SEAT)]})[0]
        self.entry_written(values, self.get(p.SEAT), leaves, width)
        self.keep_slot(slot)
        pending = self.pending(site)
        with f.when(f.test("eq", pending, "0")):
            self.revealed(site, labels)
        self.put(p.ASKED, f.value(f"call i64 @llvm.cttz.i64(i64 {pending}, i1 true)"))
        f.jump(self.asks[site.number])

    def revealed(self, site: Site, labels: dict[int, str]) -> None:
        """All have chosen: what they chose is the value, and the rules go on."""
        way = site.way("revealed")
        self.pay(str(self.printer.cost(self.routine, way.target)))
        for s in way.assigns:
            self.assign(s, self.leaves(site.end.keeps[0]))
        self.fn.jump(labels[way.target])
