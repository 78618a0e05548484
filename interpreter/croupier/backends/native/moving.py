"""Zones in native code: functions that move components."""

from __future__ import annotations

from collections.abc import Callable

from croupier.backends.native import plan as p
from croupier.backends.native.copying import insert, shift_down, shift_up
from croupier.backends.native.emit import Fn
from croupier.backends.native.zonekinds import FIRST, KNOWN, MORE, Among, ZoneKinds

Once = Callable[[str, Callable[[], str]], str]  # writes a function when it is asked for first, and gives its name


class ZoneWriter(ZoneKinds):
    """Writes the functions for the zones of a game, those that are asked for."""

    def mover(self, once: Once, among: Among = None, top: str = "%top") -> str:
        """The function that moves a component to one of some zones, to the top or the bottom of it, as far as both are known."""
        if among is not None and all(self.sorted[k] == "1" for k in among):
            top = "1"  # there is no other
        name = "zone.move" if among is None else f"zone.move.{among[0]}.{top}"  # zones of one name, and no others, begin with the same
        apart = once("zone.take", self.taker) if self.many_targets else None
        return once(name, lambda: self.move(name, among, "%top" if among is None else top, apart))

    def move(self, name: str, among: Among, top: str, taker: str | None) -> str:
        """`zone.move(S, piece, zone, top)`"""
        f = Fn(name, [("S", "ptr"), ("piece", "i64"), ("zone", "i64"), ("top", "i64")])
        pieces_of = len(self.game.pieces)
        if any("0" in self.fits[k * pieces_of : (k + 1) * pieces_of] for k in among or range(len(self.game.places))):
            at = f.add(f.mul("%zone", str(pieces_of)), "%piece")
            self.unless(f, f.test("eq", self.constants.lookup(f, self.fits, at), "0"))
        where = self.where(f, "%piece")
        source = f.load(where)
        with f.when(f.test("ge", source, "0")):
            if taker is None:
                self.take(f, source)
            else:
                self.unless(f, f.test("ne", f.call(taker, ["ptr %S", "i64 %piece", f"i64 {source}"]), str(p.OK)))
        base, pieces, tags = self.parts(f, "%zone", among)
        n, room = f.load(base), self.capacity(f, "%zone", among)
        self.unless(f, f.test("ge", n, room))
        in_order, parted, done = self.marked(f, self.sorted, "%zone", among), self.parted(f, "%zone", among), f.label()
        with f.when(in_order):
            with f.when(parted):
                self.put(f, pieces, tags, n, self.first_above(f, pieces, n), parted)
                f.jump(done)
            insert(f, pieces, "%piece", n, room)
            f.jump(done)
        if not f.ended:  # a zone that is not always in order
            self.put(f, pieces, tags, n, {"0": "0", "1": n}.get(top) or f.choose(f.test("ne", top, "0"), n, "0"), parted)
        f.place(done)
        f.store(f.add(n, "1"), base)
        f.store("%zone", where)
        with f.when(f.test("ge", source, "0")):
            self.noticed(f, source)
        with f.when(f.test("ne", source, "%zone")):
            self.noticed(f, "%zone", among)
        f.give(str(p.OK))
        return f.text()

    def put(self, f: Fn, pieces: str, tags: str, n: str, at: str, parted: str) -> None:
        """Put `%piece` at a place among n others."""
        if at != n:
            shift_up(f, pieces, at, n)
        f.store("%piece", f.at(pieces, at))
        with f.when(parted):
            if at != n:
                shift_up(f, tags, at, n)
            f.store(str(KNOWN), f.at(tags, at))

    def first_above(self, f: Fn, pieces: str, n: str) -> str:
        """The first place of a component that is not below `%piece`."""
        place, head, body, more, out = f.slot(), f.label(), f.label(), f.label(), f.label()
        f.store("0", place)
        f.place(head)
        at = f.load(place)
        f.branch(f.test("lt", at, n), body, out)
        f.place(body)
        f.branch(f.test("lt", f.load(f.at(pieces, at)), "%piece"), more, out)
        f.place(more)
        f.store(f.add(at, "1"), place)
        f.jump(head)
        f.place(out)
        return f.load(place)

    def taker(self) -> str:
        """`zone.take(S, piece, zone)`"""
        f = Fn("zone.take", [("S", "ptr"), ("piece", "i64"), ("zone", "i64")])
        self.take(f, "%zone")
        f.give(str(p.OK))
        return f.text()

    def take(self, f: Fn, z: str) -> None:
        """Take `%piece` out of the zone it lies in; an unordered part of one is known."""
        base, pieces, tags = self.parts(f, z)
        n = f.load(base)
        place, found, many, head, search = f.slot(), f.label(), f.label(), f.label(), f.label()
        f.store("0", place)
        f.branch(f.test("eq", n, "1"), found, many)
        f.place(many)
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
        at, room = f.load(place), self.capacity(f, z)
        shift_down(f, pieces, at, n, room)
        with f.when(self.parted(f, z)):
            one_part, done = self.marked(f, self.one_part, z), f.label()
            with f.when(one_part):
                with f.when(f.test("eq", n, "2")):
                    f.store(str(KNOWN), tags)
                f.jump(done)
            self.take_tag(f, tags, at, n, room)
            f.place(done)
        f.store(f.sub(n, "1"), base)

    def take_tag(self, f: Fn, tags: str, at: str, n: str, room: str) -> None:
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
        shift_down(f, tags, at, n, room)

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

    def move_all(self, once: Once) -> str:
        """`zone.all(S, source, zone, top)`"""
        move = self.mover(once)
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
                status = f.call(move, ["ptr %S", f"i64 {f.load(f.at(pieces, at))}", "i64 %zone", "i64 %top"])
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
