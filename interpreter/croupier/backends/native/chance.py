"""Events of chance in native code: choices by chance, draws and rolls. What can come out one way only is no event."""

from __future__ import annotations

from croupier.backends.native import plan as p
from croupier.backends.native.again import Again
from croupier.backends.native.zonekinds import FIRST
from croupier.backends.sites import Site
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Give, Query
from croupier.semantics import types as t


class Chance(Again):
    """Waits for chance."""

    def falls(self, weighed: bool = False) -> None:
        """Wait for chance; `weighed`: what is on offer has weights of its own."""
        self.put(p.WEIGHED, str(int(weighed)))
        self.waits(str(p.CHANCE))

    def w_chance(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        f = self.fn
        self.one_by_one(site, end)
        n = self.get(p.COUNT)
        with f.when(f.test("gt", n, "1")):
            alike = self.game.alike.among(self.printer.sites.choice(site).base)
            self.falls(alike or site.query("weight") is not None or site.query("merged") is not None)
        with f.when(f.test("eq", n, "1")):
            self.put(p.CHOSEN, "0")
            self.goes_on(site, "chosen", labels)
        self.blocked(end, labels)

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
        self.falls()

    def w_draw(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        f, q, way = self.fn, site.query("source"), site.way("drawn")
        z = self.zone_asked_for(q)
        base, pieces, tags = self.zone(z)
        n = f.load(base)
        if self.draws_alike(site):
            self.draw_alike(site, end, labels, pieces, n)
            return
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
            first = "0" if z.isdigit() and self.printer.zones.one_part[int(z)] == "1" else self.first_of_part(bag, tags, top)
            self.lean(p.ZONE, self.offset(f.at(pieces, first)), f.sub(n, first))
            self.falls()
        for s in way.assigns:
            self.assign(s, [f.load(f.at(pieces, f.choose(bag, "0", top)))])
        f.jump(labels[way.target])

    def draw_alike(self, site: Site, end: Suspend, labels: dict[int, str], pieces: str, n: str) -> None:
        """What may come out of a bag: of those that are called alike the first that lies there, with the weight of all."""
        f, way = self.fn, site.way("drawn")
        with f.when(f.test("eq", n, "0")):
            self.blocked(end, labels)
        self.no_offers()
        firsts = [str(first) for first in self.game.alike.first]
        with f.counting("0", n) as k:
            piece = f.load(f.at(pieces, k))
            self.put_offer(self.printer.constants.lookup(f, firsts, piece), self.way(end, "drawn"), [piece], "1")
        self.put(p.COUNT, f.load(self.count))
        f.call("offers.merge", ["ptr %S", "i64 0", "i64 0", "i64 1"])
        f.call("offers.sort", ["ptr %S"])
        with f.when(f.test("gt", self.get(p.COUNT), "1")):
            self.falls(True)
        for s in way.assigns:
            self.assign(s, [f.load(f.at(self.offer_at("0"), p.HEAD))])
        f.jump(labels[way.target])

    def zone_asked_for(self, q: Query) -> str:
        """The zone that a question names; its number, if that is known."""
        end = self.routine.blocks[q.entry].end
        return str(self.known[end.value]) if isinstance(end, Give) and end.value in self.known else self.asked(q)

    def first_of_part(self, bag: str, tags: str, top: str) -> str:
        """Where the unordered part on top of a zone begins; a bag is one part."""
        f, start = self.fn, self.fresh([top])[0]
        head, more, out = f.label(), f.label(), f.label()
        f.place(head)
        at = f.load(start)
        done = f.choose(bag, f.wide(f.test("eq", at, "0")), f.wide(f.test("eq", f.load(f.at(tags, at)), str(FIRST))))
        f.branch(f.test("ne", done, "0"), out, more)
        f.place(more)
        f.store(f.sub(at, "1"), start)
        f.jump(head)
        f.place(out)
        return f.load(start)
