"""Looking ahead in native code: the search of `runtime/lookahead.py`, in the same order, over copies of the position.

Copies lie in the arena, and the search goes down in the memory of the game itself. Beyond what the evaluator examines, and wherever it finds a fault,
games deviate. What is tried takes fuel of its own (`runtime/trial.py`): the position is put back without what it had.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.attempts import waiting_slots
from croupier.backends.native.emit import Fn
from croupier.runtime.lookahead import MAX_DECISIONS
from croupier.runtime.trial import MAX_POSITIONS

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

NOBODY = "-1"
AROUND = -2  # see `printer.py`
HEAD = 5  # what lies before a copy
DEPTH_WORDS = p.SEARCH - p.DEPTHS  # counters that lie before what the search knows


class Foreseeing:
    """Writes the functions of the search."""

    def __init__(self, printer: Printer) -> None:
        self.printer, self.plan = printer, printer.plan
        frames, arounds = printer.plan.frames, printer.plan.arounds
        self.sizes = [str(frames[k].size if k >= 0 else arounds[AROUND - k].frame.size) for k in printer.runs]

    def end(self, f: Fn) -> str:
        """Where the position ends: after its top frame."""
        frame = self.get(f, p.FRAME)
        run = f.binary("lshr", f.load(self.word(f, f.add(frame, "1"))), str(p.CASES))
        return f.add(frame, self.printer.constants.lookup(f, self.sizes, run))

    def functions(self) -> list[str]:
        return [self.take(), self.keep(), self.back(), self.resume(), self.explore(), self.ahead(), self.inside(), self.active(), self.allowed()]

    # ------------------------------------------------------------ copies
    def word(self, f: Fn, index: int | str) -> str:
        return f.at("%S", index)

    def get(self, f: Fn, index: int) -> str:
        return f.load(self.word(f, index))

    def put(self, f: Fn, index: int, value: str) -> None:
        f.store(value, self.word(f, index))

    def take(self) -> str:
        """`search.take(S, words)`: the address of room in the arena, 0 if there is none."""
        f = Fn("search.take", [("S", "ptr"), ("words", "i64")])
        top = self.get(f, p.TOP)
        after = f.add(top, "%words")
        with f.when(f.test("gt", after, str(p.OFFERS))):
            f.give("0")
        self.put(f, p.TOP, after)
        f.give(f.address(self.word(f, top)))
        return f.text()

    def keep(self) -> str:
        """`search.keep(S)`: one position more is examined. The address of a copy of it, or 0; first lie the top of the arena, fuel, whose block is
        sought, where it ends, and the depths of calls."""
        f = Fn("search.keep", [("S", "ptr")])
        self.one_more(f, "0")
        top = self.get(f, p.TOP)
        end = self.end(f)
        at = f.call("search.take", ["ptr %S", f"i64 {f.add(end, str(HEAD + DEPTH_WORDS))}"])
        with f.when(f.test("eq", at, "0")):
            f.give("0")
        to, search, fuel = f.pointer(at), self.get(f, p.SEARCH), self.get(f, p.FUEL)
        for k, v in enumerate((top, fuel, search, self.get(f, p.SOUGHT), end)):
            f.store(v, f.at(to, k))
        f.copy(f.at(to, HEAD), self.word(f, p.DEPTHS), str(DEPTH_WORDS))
        f.copy(f.at(to, HEAD + DEPTH_WORDS), "%S", end)
        with f.when(f.test("eq", search, "0")):
            self.put(f, p.FUEL, self.get(f, p.TRIED))
            self.put(f, p.SEARCH, "-1")
            self.put(f, p.SOUGHT, "-1")
        self.put(f, p.WATCHING, "0")
        self.put(f, p.DIRTY, "0")
        f.give(at)
        return f.text()

    def back(self) -> str:
        """`search.back(S, kept)`: what was tried is over; the fuel it took is gone for whatever is tried next."""
        f = Fn("search.back", [("S", "ptr"), ("kept", "i64")])
        at, left = f.pointer("%kept"), self.get(f, p.FUEL)
        top, fuel, search, sought, end = (f.load(f.at(at, k)) for k in range(HEAD))
        f.copy(self.word(f, p.DEPTHS), f.at(at, HEAD), str(DEPTH_WORDS))
        f.copy("%S", f.at(at, HEAD + DEPTH_WORDS), end)
        self.put(f, p.TOP, top)
        self.put(f, p.SEARCH, search)
        self.put(f, p.SOUGHT, sought)
        outermost = f.test("eq", search, "0")
        with f.when(outermost):
            self.put(f, p.TRIED, left)
        self.put(f, p.FUEL, f.choose(outermost, fuel, left))
        f.give(str(p.OK))
        return f.text()

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

    def one_more(self, f: Fn, too_many: str) -> None:
        """One position more is examined."""
        count = f.add(self.get(f, p.EXAMINED), "1")
        self.put(f, p.EXAMINED, count)
        with f.when(f.test("gt", count, str(MAX_POSITIONS))):
            f.give(too_many)

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

    # ------------------------------------------------------------ blocks that are entered
    def slots(self) -> list[tuple[int, int, int, int | None]]:
        """All look-aheads that wait: the number of the function, the slot, its place in the frame, how far it looks; those around others first."""
        found = []
        for k, index in enumerate(self.printer.runs):
            if index >= 0:
                routine = self.printer.module.routines[index]
                there = waiting_slots(routine)
                for slot, within in self.printer.game.code.procs[index].so_slots.items():
                    if slot in there:
                        found.append((k, slot, self.plan.frames[index].slots[slot], within))
        return found

    def inside(self) -> str:
        """`search.inside(S)`: does the search stand in a look-ahead that began inside the one that is sought? In one body these have lower slots."""
        f = Fn("search.inside", [("S", "ptr")])
        at, search, sought = f.slot(), self.get(f, p.SEARCH), self.get(f, p.SOUGHT)
        f.store(self.get(f, p.FRAME), at)
        head, body, done = f.label(), f.label(), f.label()
        f.place(head)
        frame = f.load(at)
        f.branch(f.test("ne", frame, "0"), body, done)
        f.place(body)
        here, last = self.word(f, frame), f.test("eq", frame, search)
        run = f.binary("lshr", f.load(f.at(here, 1)), str(p.CASES))
        for k, slot, place, _ in self.slots():
            with f.when(f.test("eq", run, str(k))):
                entered = f.test("ne", f.load(f.at(here, place)), "0")
                with f.when(f.both(entered, f.either(f.test("ne", frame, search), f.test("gt", sought, str(slot))))):
                    f.give("1")
        with f.when(last):
            f.give("0")
        f.store(f.load(here), at)
        f.jump(head)
        f.place(done)
        f.give("0")
        return f.text()

    def active(self) -> str:
        """`search.active(S, out)`: the outermost look-ahead whose block is entered: its frame (0: none), slot, how far it looks, is that strict?"""
        f = Fn("search.active", [("S", "ptr"), ("out", "ptr")])
        at = f.slot()
        f.store("0", "%out")
        f.store(self.get(f, p.FRAME), at)
        head, body, done = f.label(), f.label(), f.label()
        f.place(head)
        frame = f.load(at)
        f.branch(f.test("ne", frame, "0"), body, done)
        f.place(body)
        here = self.word(f, frame)
        run = f.binary("lshr", f.load(f.at(here, 1)), str(p.CASES))
        for k, slot, place, within in reversed(self.slots()):
            with f.when(f.test("eq", run, str(k))), f.when(f.test("ne", f.load(f.at(here, place)), "0")):
                left, strict = (MAX_DECISIONS, 1) if within is None else (within, 0)
                for n, v in enumerate((frame, str(slot), str(left), str(strict))):
                    f.store(v, f.at("%out", n))
        f.store(f.load(here), at)
        f.jump(head)
        f.place(done)
        f.give(f.load("%out"))
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
