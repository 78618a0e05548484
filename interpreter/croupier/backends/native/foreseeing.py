"""Looking ahead in native code: the search of `runtime/lookahead.py`, in the same order, over copies of the position (`trying.py`).

The search goes down in the memory of the game itself. Beyond what the evaluator examines, and wherever it finds a fault, games deviate.
"""

from __future__ import annotations

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.trying import Trying

NOBODY = "-1"


class Foreseeing(Trying):
    """Writes the functions of the search."""

    def functions(self) -> list[str]:
        return [self.take(), self.keep(), self.back(), self.resume(), self.explore(), self.ahead(), self.inside(), self.active(), self.allowed()]

    # ------------------------------------------------------------ the search
    def resume(self) -> str:
        """`search.resume(S, n)`: takes the n-th thing on offer; a status."""
        f = Fn("search.resume", [("S", "ptr"), ("n", "i64")])
        for k in range(self.printer.depths):
            self.put(f, p.DEPTHS + k, "0")
        self.put(f, p.CHOSEN, "%n")
        way = f.load(self.word(f, f.add(f.mul("%n", str(p.STRIDE)), str(p.OFFERS + 1))))
        site = f.load(self.word(f, f.add(self.get(f, p.FRAME), "1")))
        self.put(f, p.WHERE, f.add(site, way))
        f.give(f.call("go", ["ptr %S"]))
        return f.text()

    def explore(self) -> str:
        """`search.explore(S, status, seat, left, strict)`: can the condition still come true, by so many decisions of who decided last? 1, 0, or
        `DEVIATES`; `strict`: one decision more is a fault."""
        f = Fn("search.explore", [("S", "ptr"), ("status", "i64"), ("seat", "i64"), ("left", "i64"), ("strict", "i64")])
        for status, found in ((p.REACHED, "1"), (p.DEAD, "0"), (p.OVER, "0")):
            with f.when(f.test("eq", "%status", str(status))):
                f.give(found)
        seat = self.get(f, p.SEAT)
        unfit = f.either(f.test("ne", "%status", str(p.WAITS)), f.either(f.test("lt", seat, "0"), f.test("ne", self.get(f, p.EVERY), "0")))
        with f.when(unfit):
            f.give(str(p.DEVIATES))
        with f.when(f.both(f.test("ne", "%seat", NOBODY), f.test("ne", seat, "%seat"))):
            f.give(f.choose(f.test("ne", f.call("search.inside", ["ptr %S"]), "0"), "1", str(p.DEVIATES)))
        with f.when(f.test("eq", "%left", "0")):
            f.give(f.choose(f.test("ne", "%strict", "0"), str(p.DEVIATES), "0"))
        n = self.get(f, p.COUNT)
        words, end = f.mul(n, str(p.STRIDE)), self.end(f)
        at = f.call("search.take", ["ptr %S", f"i64 {f.add(words, end)}"])
        with f.when(f.test("eq", at, "0")):
            f.give(str(p.DEVIATES))
        here = f.pointer(at)
        offers = f.at(here, end)
        f.copy(here, "%S", end)
        f.copy(offers, self.word(f, p.OFFERS), words)
        with f.counting("0", n) as k:
            with f.when(f.test("gt", k, "0")):
                fuel = self.get(f, p.FUEL)
                f.copy("%S", here, end)
                f.copy(self.word(f, p.OFFERS), offers, words)
                self.put(f, p.FUEL, fuel)
            self.one_more(f, str(p.DEVIATES))
            now = f.call("search.resume", ["ptr %S", f"i64 {k}"])
            args = [f"i64 {v}" for v in (now, seat, f.sub("%left", "1"), "%strict")]
            found = f.call("search.explore", ["ptr %S", *args])
            with f.when(f.test("ne", found, "0")):
                f.give(found)
        f.give("0")
        return f.text()

    def ahead(self) -> str:
        """`search.ahead(S, where, slot, left, strict)`: is there a way through the block that begins there, after which its condition holds?"""
        f = Fn("search.ahead", [("S", "ptr"), ("where", "i64"), ("slot", "i64"), ("left", "i64"), ("strict", "i64")])
        kept = f.call("search.keep", ["ptr %S"])
        with f.when(f.test("eq", kept, "0")):
            f.give(str(p.DEVIATES))
        self.put(f, p.SEARCH, self.get(f, p.FRAME))
        self.put(f, p.SOUGHT, "%slot")
        self.put(f, p.WHERE, "%where")
        status = f.call("go", ["ptr %S"])
        found = f.call("search.explore", ["ptr %S", f"i64 {status}", f"i64 {NOBODY}", "i64 %left", "i64 %strict"])
        f.call("search.back", ["ptr %S", f"i64 {kept}"])
        f.give(found)
        return f.text()

    def allowed(self) -> str:
        """`search.allowed(S, status)`: of what is on offer, only that stays after which every look-ahead can still end as it must. A status."""
        f = Fn("search.allowed", [("S", "ptr"), ("status", "i64")])
        target, seat = f.slot(4), self.get(f, p.SEAT)
        idle = f.either(f.test("ne", "%status", str(p.WAITS)), f.test("eq", f.call("search.active", ["ptr %S", f"ptr {target}"]), "0"))
        with f.when(f.either(idle, f.test("lt", seat, "0"))):
            f.give("%status")
        with f.when(f.test("ne", self.get(f, p.EVERY), "0")):
            f.give(str(p.DEVIATES))
        frame, slot, left, strict = (f.load(f.at(target, k)) for k in range(4))
        limit = str(self.printer.game.program.limits["fuel"])
        self.put(f, p.EXAMINED, "0")
        self.put(f, p.TRIED, limit)
        n, kept = self.get(f, p.COUNT), f.slot()
        words = f.mul(n, str(p.STRIDE))
        at = f.call("search.take", ["ptr %S", f"i64 {words}"])
        with f.when(f.test("eq", at, "0")):
            f.give(str(p.DEVIATES))
        offers = f.pointer(at)
        f.copy(offers, self.word(f, p.OFFERS), words)
        f.store("0", kept)
        with f.counting("0", n) as k:
            before = f.call("search.keep", ["ptr %S"])
            with f.when(f.test("eq", before, "0")):
                f.give(str(p.DEVIATES))
            self.put(f, p.SEARCH, frame)
            self.put(f, p.SOUGHT, slot)
            f.copy(self.word(f, p.OFFERS), offers, words)
            status = f.call("search.resume", ["ptr %S", f"i64 {k}"])
            args = [f"i64 {v}" for v in (status, seat, f.sub(left, "1"), strict)]
            found = f.call("search.explore", ["ptr %S", *args])
            f.call("search.back", ["ptr %S", f"i64 {before}"])
            with f.when(f.test("eq", found, str(p.DEVIATES))):
                f.give(found)
            with f.when(f.test("ne", found, "0")):
                m = f.load(kept)
                f.copy(f.at(offers, f.mul(m, str(p.STRIDE))), f.at(offers, f.mul(k, str(p.STRIDE))), str(p.STRIDE))
                f.store(f.add(m, "1"), kept)
        f.copy(self.word(f, p.OFFERS), offers, f.mul(f.load(kept), str(p.STRIDE)))
        self.put(f, p.COUNT, f.load(kept))
        f.give(f.choose(f.test("eq", f.load(kept), "0"), str(p.DEVIATES), str(p.WAITS)))
        return f.text()
