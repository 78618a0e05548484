"""Trying something in native code: copies of the position, and the look-aheads whose blocks are entered in it.

Copies lie in the arena. What is tried takes fuel of its own (`runtime/lookahead.py`): the position is put back without what it had.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.attempts import waiting_slots
from croupier.backends.native.emit import Fn
from croupier.limits import MAX_LOOKAHEAD_DECISIONS, MAX_POSITIONS

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

AROUND = -2  # see `printer.py`
HEAD = 5  # what lies before a copy
DEPTH_WORDS = p.SEARCH - p.DEPTHS  # counters that lie before what the search knows


class Trying:
    """Writes the functions that keep a position and put it back, and those that say where look-aheads were begun."""

    def __init__(self, printer: Printer) -> None:
        self.printer, self.plan = printer, printer.plan
        frames, arounds = printer.plan.frames, printer.plan.arounds
        self.sizes = [str(frames[k].size if k >= 0 else arounds[AROUND - k].frame.size) for k in printer.runs]

    def end(self, f: Fn) -> str:
        """Where the position ends: after its top frame."""
        frame = self.get(f, p.FRAME)
        run = f.binary("lshr", f.load(self.word(f, f.add(frame, "1"))), str(p.CASES))
        return f.add(frame, self.printer.constants.lookup(f, self.sizes, run))

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

    def one_more(self, f: Fn, too_many: str) -> None:
        """One position more is examined."""
        count = f.add(self.get(f, p.EXAMINED), "1")
        self.put(f, p.EXAMINED, count)
        with f.when(f.test("gt", count, str(MAX_POSITIONS))):
            f.give(too_many)

    # ------------------------------------------------------------ blocks that are entered
    def slots(self) -> list[tuple[int, int, int, int | None]]:
        """All look-aheads that wait: the number of the function, the slot, its place in the frame, how far it looks; those around others first."""
        found = []
        for k, index in enumerate(self.printer.runs):
            if index >= 0:
                routine = self.printer.module.routines[index]
                there = waiting_slots(self.printer, routine)
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
                left, strict = (MAX_LOOKAHEAD_DECISIONS, 1) if within is None else (within, 0)
                for n, v in enumerate((frame, str(slot), str(left), str(strict))):
                    f.store(v, f.at("%out", n))
        f.store(f.load(here), at)
        f.jump(head)
        f.place(done)
        f.give(f.load("%out"))
        return f.text()
