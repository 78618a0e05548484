"""What is on offer without being written down row by row, because it lies there already.

    bits    cells that a search finds (`searches.py`): the word of bits itself; actions are cells
    list    all elements of a list of records or the like: the list; actions are places in it
    sayings what may be said, as bits (`sayings.py`)
    zone    all components of a zone that is kept in order, or of an unordered part of one: the zone; actions are components

The header says which of them it is, `LEAN`, and where, `SOURCE`. What is chosen is looked up when control goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.offers import Offers
from croupier.backends.native.searches import Search
from croupier.backends.reach import sure
from croupier.backends.sites import Site
from croupier.backends.unsupported import Refused
from croupier.ir.dataflow import reached
from croupier.ir.routines import Block
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Give, Jump, Walk


class Whole(Offers):
    """Offers whole lists."""

    @cached_property
    def leans(self) -> dict[int, int]:
        """Sites, by number, that offer a whole, and in which way."""
        return {s.number: how for s in self.printer.sites_of(self.routine) for how in [self.way_of_offering(s)] if how}

    def way_of_offering(self, site: Site) -> int:
        """`p.BITS`, `p.LIST` or `p.ZONE`; 0 if offers have to be written down: who looks ahead copies them, and leaves some out."""
        if site.end.kind == "draw":
            return 0 if self.draws_alike(site) else p.ZONE
        if site.end.kind != "choose" or self.printer.looks_ahead:
            return 0
        c, walk = self.printer.sites.choice(site), self.only_walk(site)
        apart = site.query("merged") is None and not self.game.alike.among(c.base)
        plain = not c.optional and apart and site.query("weight") is None and self.words.is_scalar(c.base)
        if walk is None or not plain or self.way(site.end, "chosen") != 0:
            return 0
        end = walk.end
        assert isinstance(end, Walk)
        if self.search_of(site) is not None:
            return p.BITS
        if not self.is_offer(self.routine.blocks[end.body], end, walk.number):
            return 0
        if not self.game.is_finite(c.base):
            return p.LIST if self.words.width(c.base) <= p.WIDEST else 0
        return p.ZONE if self.ordered_zone(end.items) else 0

    def draws_alike(self, site: Site) -> bool:
        """Does a site draw from bags that may hold components which are called alike? Raises `Refused` where that depends on what it draws from."""
        ends = [self.routine.blocks[k].end for k in reached(self.routine, [site.query("source").entry], queries=False)]
        names = {name for e in ends if isinstance(e, Give) and e.value is not None for name in self.facts.zones_of(self.routine, e.value)}
        zones = [self.game.program.zones[name] for name in names]
        found = [z.order == "bag" and not self.game.alike.kinds.isdisjoint(z.kinds) for z in zones]
        if any(found) and not all(z.order == "bag" for z in zones):
            raise Refused("drawing from a bag or a pile, whichever it is", site.end.span)
        return any(found)

    def only_walk(self, site: Site) -> Block | None:
        """The block that walks, where a question for options is one walk and nothing else."""
        first = self.routine.blocks[site.query("options").entry]
        if not isinstance(first.end, Jump):
            return None
        walk = self.routine.blocks[first.end.target]
        if not isinstance(walk.end, Walk) or walk.code or walk.end.done is None:
            return None
        last = self.routine.blocks[walk.end.done]
        return walk if isinstance(last.end, Give) and not last.code else None

    def is_offer(self, block: Block, end: Walk, walk: int) -> bool:
        """Does a block offer the element that is walked, and nothing else? Tests that surely hold may come before."""
        while not block.code or all(map(self.is_spared, block.code)):
            only = sure(block.end, self.known)
            if only is None:
                return False
            block = self.routine.blocks[only]
        once = len(block.code) == 1 and block.code[0].op == "offer" and block.code[0].args == (end.item, end.at)
        return once and isinstance(block.end, Jump) and block.end.target == walk

    def search_of(self, site: Site) -> Search | None:
        """The search that finds all that is on offer, if it is that."""
        walk = self.only_walk(site)
        if walk is None or not isinstance(walk.end, Walk):
            return None
        found = self.printer.cells.found.get(id(walk.end))
        fits = found is not None and found.how == "each" and self.is_offer(self.routine.blocks[found.out], walk.end, walk.number)
        return found if fits else None

    def ordered_zone(self, slot: int) -> bool:
        """Does a list hold a zone, and one whose components stand in ascending order?"""
        made = [i for b in self.routine.blocks for i in b.code if slot in i.into]
        if len(made) != 1 or made[0].op != "zone_list" or slot in self.known:
            return False
        zones = self.facts.zones_of(self.routine, made[0].args[0])
        return all(place.order in ("set", "bag") for place in self.game.places if place.zone in zones)

    # ------------------------------------------------------------ offering
    def lean(self, how: int, source: str, count: str, detail: int = 0) -> None:
        """So many things are on offer; `detail` is what whoever reads them has to know besides."""
        self.put(p.LEAN, str(how | detail << p.LEAN_BITS))
        self.put(p.SOURCE, source)
        self.put(p.COUNT, count)

    def w_choose(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        how = self.leans.get(site.number)
        if not how:
            super().w_choose(site, end, labels)
            return
        seat = self.asked(site.query("chooser"))
        f, walk = self.fn, self.only_walk(site)
        assert walk is not None and isinstance(walk.end, Walk)
        base, code = self.printer.sites.choice(site).base, self.routine.blocks[site.query("options").entry].code
        outer, written = self.env, {s for i in code for s in i.into}
        self.env = {s: at for s, at in outer.items() if s not in written}
        for i in code:
            if not (i.into and all(s in self.known for s in i.into)) and (how != p.ZONE or walk.end.items not in (*i.into, *i.args)):
                self.instruction(i)
        if how == p.BITS:
            search = self.search_of(site)
            assert search is not None
            cells = self.printer.cells.matching(self, search)
            count = f.value(f"call i64 @llvm.ctpop.i64(i64 {cells})")
            self.lean(how, cells, count)
        elif how == p.LIST:
            items, width = f.pointer(self.one(walk.end.items)), self.words.width(base)
            count = f.load(items)
            self.test(f.test("gt", count, str(p.MOST_OFFERS)))
            f.copy(self.word(p.OFFERS), f.at(items, 1), f.mul(count, str(width)))
            self.lean(how, str(p.OFFERS), count, width)
        else:
            z = next(i for i in code if walk.end.items in i.into).args[0]
            place, pieces, _ = self.zone(self.one(z))
            count = f.load(place)
            if self.printer.blocks_pay:
                self.pay(count)
            self.lean(how, self.offset(pieces), count, self.game.domain(base)[0])
        self.env |= outer
        with f.when(f.test("gt", count, "0")):
            self.waits(seat)
        self.blocked(end, labels)

    def offset(self, pointer: str) -> str:
        """Where an address in the position lies in it."""
        f = self.fn
        return f.binary("ashr", f.sub(f.address(pointer), f.address("%S")), "3")

    # ------------------------------------------------------------ going on
    def resumed(self, name: str, assigns: Sequence[int], site: Site | None = None) -> None:
        how = self.leans.get(site.number) if site is not None and name in ("chosen", "drawn") else None
        if not how:
            super().resumed(name, assigns, site)
            return
        f, chosen, source = self.fn, self.get(p.CHOSEN), self.get(p.SOURCE)
        for s in assigns:
            if how == p.BITS:
                self.assign(s, [f.call("bits.place", [f"i64 {source}", f"i64 {chosen}"])])
            elif how == p.LIST:
                width = self.width(s)
                at = f.at(self.word(p.OFFERS), f.mul(chosen, str(width)))
                self.assign(s, [f.load(f.at(at, k)) for k in range(width)])
            else:
                self.assign(s, [f.load(self.word(f.add(source, chosen)))])


def finding(deposits: bool) -> list[str]:
    """`bits.place(word, n)`: where the n-th bit of a word is that is set, from 0; `deposits`: by the instruction that some processors have for it."""
    f = Fn("bits.place", [("word", "i64"), ("n", "i64")])
    f.inside()
    if deposits:
        alone = f.value(f"call i64 @llvm.x86.bmi.pdep.64(i64 {f.binary('shl', '1', '%n')}, i64 %word)")
    else:
        rest = f.slot()
        f.store("%word", rest)
        with f.counting("0", "%n"):
            word = f.load(rest)
            f.store(f.binary("and", word, f.sub(word, "1")), rest)
        alone = f.load(rest)
    f.give(f.value(f"call i64 @llvm.cttz.i64(i64 {alone}, i1 true)"))
    declared = ["declare i64 @llvm.ctpop.i64(i64)", *(["declare i64 @llvm.x86.bmi.pdep.64(i64, i64)"] if deposits else [])]
    return [*declared, f.text()]
