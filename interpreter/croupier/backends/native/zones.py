"""Zones in native code: functions that move components, and the operations that read zones.

A zone is its length, its components from the bottom up, and a tag for each: `KNOWN`, or `FIRST` or `MORE` of an unordered part, whose components
stand in ascending order.
"""

from __future__ import annotations

from croupier.backends.native import plan as p
from croupier.backends.native.body import NONE_TEXT, Leaves
from croupier.backends.native.constants import Constants
from croupier.backends.native.emit import Fn
from croupier.backends.native.operations import Operations
from croupier.backends.native.plan import Plan
from croupier.backends.unsupported import Refused
from croupier.ir.instructions import Instruction
from croupier.runtime.game import Game

KNOWN, FIRST, MORE = range(3)


class ZoneWriter:
    """Writes the functions for the zones of a game."""

    def __init__(self, game: Game, plan: Plan, constants: Constants) -> None:
        self.game, self.plan, self.constants = game, plan, constants
        self.sorted = [str(int(x.order in ("set", "bag"))) for x in game.places]
        code = game.code
        self.fits = [str(int(piece.kind in code.holds[place.number])) for place in game.places for piece in game.pieces]

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
        for array in (pieces, tags):
            f.copy(f.at(array, f.add(at, "1")), f.at(array, at), f.sub(n, at))
        f.store("%piece", f.at(pieces, at))
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
        place, found = f.slot(), f.label()
        f.store(f.sub(n, "1"), place)
        head = f.label()
        f.place(head)
        at = f.load(place)
        self.unless(f, f.test("lt", at, "0"))
        other = f.test("ne", f.load(f.at(pieces, at)), "%piece")
        with f.when(other):
            f.store(f.sub(at, "1"), place)
            f.jump(head)
        f.place(found)
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
        for array in (pieces, tags):
            f.copy(f.at(array, at), f.at(array, one), f.sub(n, one))
        f.store(f.sub(n, "1"), base)

    def shuffle(self) -> str:
        """`zone.shuffle(S, zone)`"""
        f = Fn("zone.shuffle", [("S", "ptr"), ("zone", "i64")])
        base, pieces, tags = self.parts(f, "%zone")
        n = f.load(base)
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
        with f.counting("0", n) as k:
            f.store(f.choose(f.test("eq", k, "0"), str(FIRST), str(MORE)), f.at(tags, k))
        with f.when(f.test("eq", n, "1")):
            f.store(str(KNOWN), tags)
        self.noticed(f, "%zone")
        f.give(str(p.OK))
        return f.text()

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


class ZoneOperations(Operations):
    """Instructions about zones and components."""

    def zone(self, z: str) -> tuple[str, str, str]:
        return self.printer.zones.parts(self.fn, z)

    def o_zone(self, i: Instruction) -> Leaves:
        return [str(self.game.family[i.data][0])]

    def o_zone_at(self, i: Instruction) -> Leaves:
        key = self.facts.program.zones[i.data].key
        assert key is not None
        (first, count), low = self.game.family[i.data], self.game.domain(key)[0]
        value = self.arg(i)
        if not self.inside(i.args[0], low, low + count - 1):
            self.outside(value, low, low + count - 1)
        return [self.fn.add(value, str(first - low))]

    def o_zone_size(self, i: Instruction) -> Leaves:
        return [self.fn.load(self.zone(self.arg(i))[0])]

    def o_zone_empty(self, i: Instruction) -> Leaves:
        return [self.fn.wide(self.fn.test("eq", self.o_zone_size(i)[0], "0"))]

    def o_zone_room(self, i: Instruction) -> Leaves:
        z = self.arg(i)
        room = [str(len(self.game.pieces) if x.capacity is None else x.capacity) for x in self.game.places]
        left = self.fn.sub(self.printer.constants.lookup(self.fn, room, z), self.o_zone_size(i)[0])
        return [self.fn.choose(self.fn.test("lt", left, "0"), "0", left)]

    def o_zone_list(self, i: Instruction) -> Leaves:
        f = self.fn
        base, pieces, _ = self.zone(self.arg(i))
        n = f.load(base)
        made = self.new_list(n, 1)
        f.store(n, made)
        f.copy(f.at(made, 1), pieces, n)
        return [f.address(made)]

    def o_family_list(self, i: Instruction) -> Leaves:
        f, (first, count) = self.fn, self.game.family[i.data]
        made = self.new_list(str(len(self.game.pieces)), 1)
        f.store("0", made)
        for z in range(first, first + count):
            base, pieces, _ = self.zone(str(z))
            n, m = f.load(base), f.load(made)
            f.copy(self.element(made, m, 1), pieces, n)
            f.store(f.add(n, m), made)
        return [f.address(made)]

    def end_of_zone(self, i: Instruction, top: bool) -> Leaves:
        f = self.fn
        base, pieces, tags = self.zone(self.arg(i))
        n, place = f.load(base), self.fresh([NONE_TEXT])[0]
        with f.when(f.test("gt", n, "0")):
            at = f.sub(n, "1") if top else "0"
            self.test(f.test("ne", f.load(f.at(tags, at)), str(KNOWN)))
            f.store(f.load(f.at(pieces, at)), place)
        return [f.load(place)]

    def o_zone_top(self, i: Instruction) -> Leaves:
        return self.end_of_zone(i, True)

    def o_zone_bottom(self, i: Instruction) -> Leaves:
        return self.end_of_zone(i, False)

    def o_zone_item(self, i: Instruction) -> Leaves:
        f = self.fn
        base, pieces, tags = self.zone(self.arg(i))
        at = f.sub(self.arg(i, 1), "1")
        self.test(f.value(f"icmp uge i64 {at}, {f.load(base)}"))
        self.test(f.test("ne", f.load(f.at(tags, at)), str(KNOWN)))
        return [f.load(f.at(pieces, at))]

    def by_zone_of(self, i: Instruction, rows: list[str]) -> Leaves:
        """A row of a table by the zone that a component lies in; the last row is for none."""
        f = self.fn
        z = f.load(self.printer.zones.where(f, self.arg(i)))
        return [self.printer.constants.lookup(f, [rows[-1], *rows[:-1]], f.add(z, "1"))]

    def o_owner(self, i: Instruction) -> Leaves:
        return self.by_zone_of(i, [*(NONE_TEXT if x.owner is None else str(x.owner) for x in self.game.places), NONE_TEXT])

    def o_key_of(self, i: Instruction) -> Leaves:
        first, count = self.game.family[i.data]
        rows = [str(int(x.key)) if first <= x.number < first + count else NONE_TEXT for x in self.game.places]
        return self.by_zone_of(i, [*rows, NONE_TEXT])

    # ------------------------------------------------------------ moving
    def o_move(self, i: Instruction) -> None:
        f, top = self.fn, i.data == "top"
        items, n, _ = self.list_of(i.args[0])
        z = self.arg(i, 1)
        with f.counting("0", n) as k:
            at = k if top else f.sub(f.sub(n, "1"), k)
            piece = self.read_element(items, at, 1)[0]
            self.called("zone.move", [f"i64 {piece}", f"i64 {z}", f"i64 {int(top)}"])

    def o_move_all(self, i: Instruction) -> None:
        self.called("zone.all", [f"i64 {self.arg(i)}", f"i64 {self.arg(i, 1)}", f"i64 {int(i.data == 'top')}"])

    def o_shuffle(self, i: Instruction) -> None:
        self.called("zone.shuffle", [f"i64 {self.arg(i)}"])

    def o_swap(self, i: Instruction) -> None:
        raise Refused("exchanging components", i.span)

    def o_swap_zones(self, i: Instruction) -> None:
        raise Refused("exchanging the contents of zones", i.span)


__all__ = ["ZoneOperations", "ZoneWriter"]
