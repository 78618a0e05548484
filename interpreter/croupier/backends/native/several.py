"""Choices of several things in native code: one pick an action, and `done` where what is picked is a whole. By a player, or by chance.

The frame holds the places that were picked. On offer is what leaves a way to a valid whole; where that is nothing, the choice is over.
"""

from __future__ import annotations

from croupier.backends.native import plan as p
from croupier.backends.native.sets import TIMES, Before, Sets
from croupier.backends.sites import Site
from croupier.ir.suspensions import Suspend


class Several(Sets):
    """Waits for several things."""

    def w_choose_set(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        seat = self.asked(site.query("chooser"))
        self.set_offered(site, end, labels)
        self.waits(seat)

    def w_chance_set(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        f, c = self.fn, self.printer.sites.choice(site)
        self.set_offered(site, end, labels)
        with f.when(f.test("gt", self.get(p.COUNT), "1")):
            self.falls(True)
        self.put(p.CHOSEN, "0")
        if c.optional:
            way = f.load(f.at(self.offer_at("0"), 1))
            with f.when(f.test("ne", way, "0")):
                self.declined(site, labels)
        f.jump(self.picks(site))

    # ------------------------------------------------------------ what comes next
    def set_offered(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        """Put on offer what may be picked next; goes on only where something may be."""
        f, c, chance = self.fn, self.printer.sites.choice(site), end.kind == "chance_set"
        b, fuel = self.before(site), self.get(p.FUEL)
        begun = f.test("gt", b.taken, "0")
        none = f.label()
        with f.when(f.test("gt", b.low, b.high)):
            f.jump(none)
        first = f.add(self.last_rank(b, b.taken), "1")
        self.no_offers()
        with f.counting("0", f.add(f.sub(b.size, first), "1")) as k:
            self.offer_next(site, b, f.test("eq", k, "0"), f.sub(f.add(first, k), "1"), first, chance)
        self.ordered()
        self.pay(f.mul(f.sub(fuel, self.get(p.FUEL)), str(TIMES - 1)))
        ends = f.load(f.at(self.offer_at("0"), 0))
        some = f.test("gt", self.get(p.COUNT), "0")
        ending = f.both(some, f.test("eq", ends, "0"))
        more, over = f.label(), f.label()
        f.branch(f.test("gt", f.sub(self.get(p.COUNT), f.wide(ending)), "0"), more, over)
        f.place(over)
        with f.when(begun if c.optional else f.either(begun, ending)):
            f.store(b.taken, b.whole)
            self.chosen_set(site, b.whole, labels)
        f.place(none)
        self.blocked(end, labels)
        f.place(more)

    def offer_next(self, site: Site, b: Before, itself: str, rank: str, first: str, chance: bool) -> None:
        """Offer a rank that leaves a way to a whole; or (`itself`, an i1) that nothing more is picked."""
        f, c, q = self.fn, self.printer.sites.choice(site), site.query("such_that")
        skip = f.label()
        with f.when(self.not_(itself)):
            with f.when(f.test("ge", b.taken, b.high)):
                f.jump(skip)
            if b.kinds is not None:
                with f.when(f.test("gt", rank, first)), f.when(self.is_like(b, rank)):
                    f.jump(skip)
            self.put_rank(b, b.taken, rank)
        nothing = f.both(itself, f.test("eq", b.taken, "0")) if c.optional else "false"
        if q is None and not chance:
            reached = f.choose(itself, b.taken, f.sub(f.add(b.taken, b.size), rank))
            weight = f.wide(f.either(nothing, f.test("ge", reached, b.low)))
        elif chance:
            weight = self.wholes(b, q, c.cursor, all_of_them=True, only=itself)
        else:
            place, known = self.fresh(["1"])[0], f.label()
            with f.when(nothing):
                f.jump(known)
            f.store(self.wholes(b, q, c.cursor, all_of_them=False, only=itself), place)
            f.place(known)
            weight = f.load(place)
        with f.when(f.test("gt", weight, "0")):
            place_of = f.choose(itself, "0", rank)
            action = f.choose(itself, "0", f.add(self.place_of(b, place_of), "1"))
            way = f.choose(nothing, str(self.way(site.end, "declined")), "0") if c.optional else "0"
            self.put_offer(action, way, [], weight)
        f.store(b.taken, b.whole)
        f.place(skip)

    # ------------------------------------------------------------ going on
    def picks(self, site: Site) -> str:
        """The label where what was picked counts."""
        return self.labels.setdefault(site.number, self.fn.label())

    def r_choose_set(self, site: Site, name: str, labels: dict[int, str]) -> None:
        """One more was picked, or it is done."""
        f, c = self.fn, self.printer.sites.choice(site)
        self.pay(str(self.printer.waiting(site)))
        if name == "declined":
            self.declined(site, labels)
            return
        f.place(self.picks(site))
        action, chosen = f.load(self.offer_at(self.get(p.CHOSEN))), f.pointer(self.one(c.picked))
        with f.when(f.test("eq", action, "0")):
            self.chosen_set(site, self.picked_values(site), labels)
        n = self.length(chosen)
        made = self.new_list(f.add(n, "1"), 1)
        f.copy(made, chosen, f.add(n, "1"))
        self.write_element(made, n, [f.sub(action, "1")])
        f.store(f.add(n, "1"), made)
        self.assign(c.picked, [f.address(made)])
        self.keep_slot(c.picked)
        f.jump(self.asks[site.number])

    r_chance_set = r_choose_set

    def picked_values(self, site: Site) -> str:
        """The address of a list of what was picked."""
        f, c = self.fn, self.printer.sites.choice(site)
        items, places = f.pointer(self.asked(site.query("source"))), f.pointer(self.one(c.picked))
        n, width = self.length(places), self.words.width(c.base)
        made = self.new_list(n, width)
        f.store(n, made)
        with f.counting("0", n) as k:
            self.write_element(made, k, self.read_element(items, self.read_element(places, k, 1)[0], width))
        return made

    def chosen_set(self, site: Site, values: str, labels: dict[int, str]) -> None:
        """It is over: what was picked is the value, and the rules go on."""
        way = site.way("chosen")
        self.pay(str(self.printer.cost(self.routine, way.target)))
        for s in way.assigns:
            self.assign(s, [self.fn.address(values)])
        self.fn.jump(labels[way.target])

    def declined(self, site: Site, labels: dict[int, str]) -> None:
        way = site.way("declined")
        self.pay(str(self.printer.cost(self.routine, way.target)))
        self.fn.jump(labels[way.target])
