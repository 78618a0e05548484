"""Zones in native code: functions that move components.

A zone is its length, its components from the bottom up, and a tag for each: `KNOWN`, or `FIRST` or `MORE` of an unordered part, whose components
stand in ascending order.
"""

from __future__ import annotations

from croupier.backends.native import plan as p
from croupier.backends.native.constants import Constants
from croupier.backends.native.emit import Fn
from croupier.backends.native.plan import Plan
from croupier.runtime.game import Game

KNOWN, FIRST, MORE = range(3)


class ZoneWriter:
    """Writes the functions for the zones of a game."""

    def __init__(self, game: Game, plan: Plan, constants: Constants) -> None:
        self.game, self.plan, self.constants = game, plan, constants
        self.sorted = [str(int(x.order in ("set", "bag"))) for x in game.places]
        fresh = self.never_put_into()
        self.one_part = [str(int(x.zone in fresh)) for x in game.places]
        code = game.code
        self.fits = [str(int(piece.kind in code.holds[place.number])) for place in game.places for piece in game.pieces]

    def never_put_into(self) -> set[str]:
        """Zones that nothing is ever put into: what is left in one, once it was shuffled, is one unordered part from the bottom to the top."""
        facts, found = self.plan.words.facts, {x.zone for x in self.game.places if x.order != "bag"}
        for routine in facts.module.every_routine():
            for b in routine.blocks:
                for i in b.code:
                    if i.op in ("move", "move_all"):
                        found -= facts.zones_of(routine, i.args[1])
                    elif i.op in ("swap", "swap_zones"):
                        found.clear()
        started = {x.zone for x in self.game.places if any(isinstance(item, tuple) for item in self.game.start_zones[x.number])}
        return found - started

    def functions(self) -> list[str]:
        return [self.move(), self.shuffle(), self.move_all()] if self.game.places and self.game.pieces else []

    def parts(self, f: Fn, z: str) -> tuple[str, str, str]:
        """Addresses of the length, the components and the tags of a zone."""
        base = f.at("%S", self.constants.lookup(f, [str(a) for a in self.plan.zones], z))
        pieces = f.at(base, 1)
        return base, pieces, f.at(pieces, self.capacity(f, z))

    def capacity(self, f: Fn, z: str) -> str:
        return self.constants.lookup(f, [str(c) for c in self.plan.capacity], z)

    def where(self, f: Fn, piece: str) -> str:
        return f.at("%S", f.add(piece, str(self.plan.where)))

    def noticed(self, f: Fn, z: str) -> None:
        """Watchers look at a zone that was written."""
        rows = [str(sum(1 << w for w in found)) for found in self.game.code.watch_zones]
        if any(row != "0" for row in rows):
            watching = self.constants.lookup(f, rows, z)
            with f.when(f.test("ne", watching, "0")):
                status = f.call("notice", ["ptr %S", f"i64 {watching}"])
                with f.when(f.test("ne", status, str(p.OK))):
                    f.give(status)

    def unless(self, f: Fn, failing: str) -> None:
        with f.when(failing):
            f.give(str(p.DEVIATES))

    def move(self) -> str:
        """`zone.move(S, piece, zone, top)`"""
        f = Fn("zone.move", [("S", "ptr"), ("piece", "i64"), ("zone", "i64"), ("top", "i64")])
        if "0" in self.fits:
            at = f.add(f.mul("%zone", str(len(self.game.pieces))), "%piece")
            self.unless(f, f.test("eq", self.constants.lookup(f, self.fits, at), "0"))
        where = self.where(f, "%piece")
        source = f.load(where)
        with f.when(f.test("ge", source, "0")):
            self.take(f, source)
        base, pieces, tags = self.parts(f, "%zone")
        n = f.load(base)
        self.unless(f, f.test("ge", n, self.capacity(f, "%zone")))
        place = f.slot()
        f.store(f.choose(f.test("ne", "%top", "0"), n, "0"), place)
        with f.when(f.test("ne", self.constants.lookup(f, self.sorted, "%zone"), "0")):
            f.store("0", place)
            head, body, out = f.label(), f.label(), f.label()
            f.place(head)
            at = f.load(place)
            f.branch(f.test("lt", at, n), body, out)
            f.place(body)
            more = f.test("lt", f.load(f.at(pieces, at)), "%piece")
            with f.when(more):
                f.store(f.add(at, "1"), place)
                f.jump(head)
            f.place(out)
        at = f.load(place)
        shift_up(f, pieces, at, n)
        f.store("%piece", f.at(pieces, at))
        with f.when(self.parted(f, "%zone")):
            shift_up(f, tags, at, n)
            f.store(str(KNOWN), f.at(tags, at))
        f.store(f.add(n, "1"), base)
        f.store("%zone", where)
        with f.when(f.test("ge", source, "0")):
            self.noticed(f, source)
        with f.when(f.test("ne", source, "%zone")):
            self.noticed(f, "%zone")
        f.give(str(p.OK))
        return f.text()

    def take(self, f: Fn, z: str) -> None:
        """Take `%piece` out of the zone it lies in; an unordered part of one is known."""
        base, pieces, tags = self.parts(f, z)
        n = f.load(base)
        place, found, head, search = f.slot(), f.label(), f.label(), f.label()
        chosen = f.load(f.at("%S", p.CHOSEN))  # what was chosen often lies at its place among what was on offer
        f.store(chosen, place)
        f.branch(f.value(f"icmp ult i64 {chosen}, {n}"), head, search)
        f.place(head)
        f.branch(f.test("eq", f.load(f.at(pieces, chosen)), "%piece"), found, search)
        f.place(search)
        f.store(n, place)
        again = f.label()
        f.place(again)
        at = f.sub(f.load(place), "1")
        self.unless(f, f.test("lt", at, "0"))
        f.store(at, place)
        f.branch(f.test("ne", f.load(f.at(pieces, at)), "%piece"), again, found)
        f.place(found)
        at = f.load(place)
        shift_down(f, pieces, at, n)
        with f.when(self.parted(f, z)):
            one_part, done = f.test("eq", self.constants.lookup(f, self.one_part, z), "1"), f.label()
            with f.when(one_part):
                with f.when(f.test("eq", n, "2")):
                    f.store(str(KNOWN), tags)
                f.jump(done)
            self.take_tag(f, tags, at, n)
            f.place(done)
        f.store(f.sub(n, "1"), base)

    def take_tag(self, f: Fn, tags: str, at: str, n: str) -> None:
        """Take the tag of a component away; one that is left alone of an unordered part is known."""
        tag = f.load(f.at(tags, at))

        def tag_at(k: str) -> str:
            """The tag at a place, `KNOWN` past the end."""
            inside = f.test("lt", k, n)
            return f.choose(inside, f.load(f.at(tags, f.choose(inside, k, "0"))), str(KNOWN))

        one, two = f.add(at, "1"), f.add(at, "2")
        with f.when(f.test("eq", tag, str(FIRST))):
            alone = f.test("ne", tag_at(two), str(MORE))
            f.store(f.choose(alone, str(KNOWN), str(FIRST)), f.at(tags, one))
        with f.when(f.test("eq", tag, str(MORE))):
            before = f.at(tags, f.sub(at, "1"))
            alone = f.both(f.test("eq", f.load(before), str(FIRST)), f.test("ne", tag_at(one), str(MORE)))
            with f.when(alone):
                f.store(str(KNOWN), before)
        shift_down(f, tags, at, n)

    def parted(self, f: Fn, z: str) -> str:
        """May a zone have unordered parts? An i1. Tags of all others are `KNOWN` from the beginning."""
        rows = [str(int(place.zone in self.plan.unordered)) for place in self.game.places]
        return "true" if "0" not in rows else "false" if "1" not in rows else f.test("ne", self.constants.lookup(f, rows, z), "0")

    def shuffle(self) -> str:
        """`zone.shuffle(S, zone)`"""
        f = Fn("zone.shuffle", [("S", "ptr"), ("zone", "i64")])
        base, pieces, tags = self.parts(f, "%zone")
        n = f.load(base)
        self.ascending(f, pieces, n)
        with f.counting("0", n) as k:
            f.store(f.choose(f.test("eq", k, "0"), str(FIRST), str(MORE)), f.at(tags, k))
        with f.when(f.test("eq", n, "1")):
            f.store(str(KNOWN), tags)
        self.noticed(f, "%zone")
        f.give(str(p.OK))
        return f.text()

    def ascending(self, f: Fn, pieces: str, n: str) -> None:
        """Put components in order."""
        with f.counting("1", n) as k:
            value, place = f.load(f.at(pieces, k)), f.slot()
            f.store(k, place)
            head, body, out = f.label(), f.label(), f.label()
            f.place(head)
            at = f.load(place)
            f.branch(f.test("gt", at, "0"), body, out)
            f.place(body)
            before = f.load(f.at(pieces, f.sub(at, "1")))
            with f.when(f.test("gt", before, value)):
                f.store(before, f.at(pieces, at))
                f.store(f.sub(at, "1"), place)
                f.jump(head)
            f.place(out)
            f.store(value, f.at(pieces, f.load(place)))

    def move_all(self) -> str:
        """`zone.all(S, source, zone, top)`"""
        f = Fn("zone.all", [("S", "ptr"), ("source", "i64"), ("zone", "i64"), ("top", "i64")])
        with f.when(f.test("eq", "%source", "%zone")):
            f.give(str(p.OK))
        base, pieces, tags = self.parts(f, "%source")
        n = f.load(base)
        parted = f.slot()
        f.store("0", parted)
        with f.counting("0", n) as k:
            f.store(f.binary("or", f.load(parted), f.load(f.at(tags, k))), parted)
        in_order = f.test("ne", self.constants.lookup(f, self.sorted, "%zone"), "0")
        one_by_one = f.either(in_order, f.test("eq", f.load(parted), "0"))
        upward = f.either(f.test("ne", "%top", "0"), in_order)
        with f.when(one_by_one):
            with f.counting("0", n):
                at = f.choose(upward, "0", f.sub(f.load(base), "1"))
                status = f.call("zone.move", ["ptr %S", f"i64 {f.load(f.at(pieces, at))}", "i64 %zone", "i64 %top"])
                with f.when(f.test("ne", status, str(p.OK))):
                    f.give(status)
            f.give(str(p.OK))
        to, to_pieces, to_tags = self.parts(f, "%zone")
        m = f.load(to)
        self.unless(f, f.test("gt", f.add(n, m), self.capacity(f, "%zone")))
        if "0" in self.fits:
            with f.counting("0", n) as k:
                at = f.add(f.mul("%zone", str(len(self.game.pieces))), f.load(f.at(pieces, k)))
                self.unless(f, f.test("eq", self.constants.lookup(f, self.fits, at), "0"))
        for here, there in ((pieces, to_pieces), (tags, to_tags)):
            with f.when(f.test("eq", "%top", "0")):
                f.copy(f.at(there, n), there, m)
            f.copy(f.at(there, f.choose(f.test("ne", "%top", "0"), m, "0")), here, n)
        with f.counting("0", n) as k:
            f.store("%zone", self.where(f, f.load(f.at(pieces, k))))
        f.store(f.add(n, m), to)
        f.store("0", base)
        self.noticed(f, "%source")
        self.noticed(f, "%zone")
        f.give(str(p.OK))
        return f.text()


FEW = 8  # words that a loop moves sooner than a copy of memory


def shift_down(f: Fn, array: str, at: str, n: str) -> None:
    """The words of an array after a place, of `n` in all, move one place down."""
    one = f.add(at, "1")
    left, done, many = f.sub(n, one), f.label(), f.label()
    few = f.label()
    f.branch(f.test("lt", left, str(FEW)), few, many)
    f.place(few)
    with f.counting(one, n) as k:
        f.store(f.load(f.at(array, k)), f.at(array, f.sub(k, "1")))
    f.jump(done)
    f.place(many)
    f.copy(f.at(array, at), f.at(array, one), left)
    f.place(done)


def shift_up(f: Fn, array: str, at: str, n: str) -> None:
    """The words of an array from a place on, of `n` in all, move one place up."""
    left, done, many = f.sub(n, at), f.label(), f.label()
    few = f.label()
    f.branch(f.test("lt", left, str(FEW)), few, many)
    f.place(few)
    with f.counting("0", left) as k:
        above = f.sub(n, k)
        f.store(f.load(f.at(array, f.sub(above, "1"))), f.at(array, above))
    f.jump(done)
    f.place(many)
    f.copy(f.at(array, f.add(at, "1")), f.at(array, at), left)
    f.place(done)
