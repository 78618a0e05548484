"""Which sets there are, in native code: what a choice of several has before it, and the search for wholes that are valid.

The order, the search and what it costs are the evaluator's (`runtime/sets.py`). A value of the source is counted by its rank: where it stands in the
order in which they are offered. A set is its ranks in ascending order; those that may follow come after the last one, and of values that are alike
only the first that comes then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.every import Every
from croupier.backends.sites import Site
from croupier.ir.routines import Routine
from croupier.ir.terminators import Query
from croupier.limits import MAX_COMPLETIONS

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

TIMES = 4  # the evaluator searches when a set is begun, goes on and is asked about: not more than so often what is searched here


@dataclass(frozen=True)
class Before:
    """What a set is chosen from. `order` has the place of each rank and `kinds` what it is like, where values that are alike are merged."""

    items: str  # the address of the source
    width: int
    size: str
    low: str
    high: str
    order: str | None
    kinds: str | None
    path: str  # the ranks of the set that is looked at: a list
    whole: str  # and the set itself
    taken: str  # how many of it are chosen already


class Sets(Every):
    """Searches for sets. `tried` counts those that were looked at."""

    def __init__(self, printer: Printer, routine: Routine, fn: Fn) -> None:
        super().__init__(printer, routine, fn)
        self.tried = fn.slot()
        self.labels: dict[int, str] = {}  # by site, where what was picked counts

    # ------------------------------------------------------------ what is before it
    def before(self, site: Site) -> Before:
        """Work out what a set is chosen from now, and how it begins."""
        f, c = self.fn, self.printer.sites.choice(site)
        width = self.words.width(c.base)
        f.store("0", self.tried)
        items = f.pointer(self.asked(site.query("source")))
        size, low, high = self.length(items), site.query("low"), site.query("high")
        self.pay(f.mul(size, str(TIMES)))
        least = "0" if low is None else self.larger("0", self.asked(low))
        most = size if high is None else self.smaller(size, self.asked(high))
        order = kinds = None
        if site.query("merged") is not None or self.game.alike.among(c.base):
            order, kinds = self.by_kind(site.query("merged"), c.item, items, size, width)
        chosen, room = f.pointer(self.one(c.picked)), f.add(size, "1")
        taken = self.length(chosen)
        b = Before(items, width, size, least, most, order, kinds, self.new_list(room, 1), self.new_list(room, width), taken)
        f.store("0", b.whole)
        with f.counting("0", taken) as k:
            self.put_rank(b, k, self.rank(b, self.read_element(chosen, k, 1)[0]))
        return b

    def larger(self, a: str, b: str) -> str:
        return self.fn.choose(self.fn.test("gt", a, b), a, b)

    def smaller(self, a: str, b: str) -> str:
        return self.fn.choose(self.fn.test("lt", a, b), a, b)

    def by_kind(self, q: Query | None, item: int, items: str, size: str, width: int) -> tuple[str, str]:
        """The places of the source, those that are alike together where the first of them is, and beside each that first one."""
        f, wide = self.fn, 1 if q is None else self.key_width(q)
        keys, first, order, kinds = self.new_list(size, wide), *(self.new_list(size, 1) for _ in range(3))
        f.store("0", order)
        with f.counting("0", size) as k:
            value = self.read_element(items, k, width)
            key = [self.place_of_alike(value[0])] if q is None else self.merging(q, item, value)
            self.write_element(keys, k, key)
            found = f.label()
            with f.counting("0", k) as j, f.when(self.same(self.read_element(keys, j, wide), key)):
                self.write_element(first, k, [j])
                f.jump(found)
            self.write_element(first, k, [k])
            f.place(found)
        with f.counting("0", size) as j, f.when(f.test("eq", self.read_element(first, j, 1)[0], j)):
            with f.counting(j, size) as k, f.when(f.test("eq", self.read_element(first, k, 1)[0], j)):
                m = self.length(order)
                self.write_element(order, m, [k])
                self.write_element(kinds, m, [j])
                f.store(f.add(m, "1"), order)
        return order, kinds

    # ------------------------------------------------------------ ranks
    def place_of(self, b: Before, rank: str) -> str:
        """The place in the source of a rank."""
        return rank if b.order is None else self.read_element(b.order, rank, 1)[0]

    def rank(self, b: Before, place: str) -> str:
        """The rank of a place of the source."""
        f = self.fn
        if b.order is None:
            return place
        found = self.fresh(["0"])[0]
        with f.counting("0", b.size) as k, f.when(f.test("eq", self.read_element(b.order, k, 1)[0], place)):
            f.store(k, found)
        return f.load(found)

    def put_rank(self, b: Before, at: str, rank: str) -> None:
        """The set that is looked at has this rank at a place, and ends there."""
        self.write_element(b.path, at, [rank])
        self.write_element(b.whole, at, self.read_element(b.items, self.place_of(b, rank), b.width))
        self.fn.store(self.fn.add(at, "1"), b.whole)

    def last_rank(self, b: Before, length: str) -> str:
        """The last rank of so many, or -1."""
        f = self.fn
        some = f.test("gt", length, "0")
        at = f.choose(some, f.sub(length, "1"), "0")
        return f.choose(some, self.read_element(b.path, at, 1)[0], "-1")

    def is_like(self, b: Before, rank: str) -> str:
        """Is a rank, but the first, like the one before it? An i1."""
        assert b.kinds is not None
        return self.fn.test("eq", self.read_element(b.kinds, rank, 1)[0], self.read_element(b.kinds, self.fn.sub(rank, "1"), 1)[0])

    # ------------------------------------------------------------ the search
    def is_valid(self, b: Before, q: Query | None, whole: int) -> str:
        """Is the set that is looked at a whole? An i1."""
        f = self.fn
        enough = f.test("ge", self.length(b.whole), b.low)
        if q is None:
            return enough
        place, top = self.fresh(["0"])[0], self.get(p.TOP)
        with f.when(enough):
            self.pay(str(1 if self.printer.blocks_pay else self.printer.cost_of(self.routine, q.entry).total))
            f.store(self.asked(q, {whole: [f.address(b.whole)]}), place)
            self.put(p.TOP, top)
        return f.test("ne", f.load(place), "0")

    def wholes(self, b: Before, q: Query | None, whole: int, *, all_of_them: bool, only: str) -> str:
        """What the valid sets weigh that begin as the one that is looked at: of all of them, or of the first; `only` an i1: nothing but itself.

        Beyond the steps that the evaluator searches, and where they weigh too much, games deviate.
        """
        f = self.fn
        total, begun = self.fresh(["0"])[0], self.length(b.whole)
        visit, back, done = f.label(), f.label(), f.label()
        f.place(visit)
        tried = f.add(f.load(self.tried), "1")
        f.store(tried, self.tried)
        self.test(f.test("gt", tried, str(MAX_COMPLETIONS)))
        self.pay("1")
        with f.when(self.is_valid(b, q, whole)):
            weight = f.add(f.load(total), self.weight(b) if all_of_them else "1")
            f.store(weight, total)
            self.test(f.test("gt", weight, str(p.HEAVIEST)))
            if not all_of_them:
                f.jump(done)
        with f.when(only):
            f.jump(done)
        n = self.length(b.whole)
        following = f.add(self.last_rank(b, n), "1")
        reaches = f.test("ge", f.add(n, f.sub(b.size, following)), b.low)
        with f.when(f.both(f.both(f.test("lt", n, b.high), reaches), f.test("lt", following, b.size))):
            self.put_rank(b, n, following)
            f.jump(visit)
        f.place(back)
        n = self.length(b.whole)
        with f.when(f.test("le", n, begun)):
            f.jump(done)
        top = f.sub(n, "1")
        place = self.fresh([f.add(self.last_rank(b, n), "1")])[0]
        head, look, found = f.label(), f.label(), f.label()
        f.place(head)
        f.branch(f.test("lt", f.load(place), b.size), look, found)
        f.place(look)
        if b.kinds is not None:
            with f.when(self.is_like(b, f.load(place))):
                f.store(f.add(f.load(place), "1"), place)
                f.jump(head)
        self.put_rank(b, top, f.load(place))
        f.jump(visit)
        f.place(found)
        f.store(top, b.whole)
        f.jump(back)
        f.place(done)
        f.store(begun, b.whole)
        return f.load(total)

    def weight(self, b: Before) -> str:
        """How many sets of different values look like the one that is looked at: of each kind as many as are taken, of those there are."""
        f = self.fn
        if b.kinds is None:
            return "1"
        found, taken, there = self.fresh(["1", "0", "0"])
        with f.counting("0", self.length(b.whole)) as k:
            rank = self.read_element(b.path, k, 1)[0]
            kind = self.read_element(b.kinds, rank, 1)[0]
            f.store("0", taken)
            f.store("0", there)
            with f.counting("0", f.add(k, "1")) as j:
                other = self.read_element(b.kinds, self.read_element(b.path, j, 1)[0], 1)[0]
                f.store(f.add(f.load(taken), f.wide(f.test("eq", kind, other))), taken)
            with f.counting("0", b.size) as j:
                f.store(f.add(f.load(there), f.wide(f.test("eq", kind, self.read_element(b.kinds, j, 1)[0]))), there)
            times = f.add(f.sub(f.load(there), f.load(taken)), "1")
            f.store(f.binary("udiv", f.mul(f.load(found), times), f.load(taken)), found)
            self.test(f.test("gt", f.load(found), str(p.HEAVIEST)))
        return f.load(found)
