"""Instructions about zones and components."""

from __future__ import annotations

from croupier.backends.native.copying import copy_out
from croupier.backends.native.places import NONE_TEXT, Leaves
from croupier.backends.native.plan import BLOCK
from croupier.backends.native.swapping import exchange, swap
from croupier.backends.native.tables import Tables
from croupier.backends.native.zonekinds import KNOWN, Among
from croupier.ir.dataflow import reached
from croupier.ir.instructions import Instruction
from croupier.runtime.contents import GRAIN

FEW_ZONES = 8  # zones of one name that are listed without a loop


class ZoneOperations(Tables):
    """Instructions about zones and components."""

    def zone(self, z: str) -> tuple[str, str, str]:
        return self.printer.zones.parts(self.fn, z)

    def zone_in(self, slot: int) -> tuple[str, str, str]:
        """The parts of the zone that a slot names."""
        return self.printer.zones.parts(self.fn, self.one(slot), self.printer.zones.among(self.routine, slot))

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
        return [self.fn.load(self.zone_in(i.args[0])[0])]

    def o_zone_empty(self, i: Instruction) -> Leaves:
        return [self.fn.wide(self.fn.test("eq", self.o_zone_size(i)[0], "0"))]

    def o_zone_room(self, i: Instruction) -> Leaves:
        z = self.arg(i)
        room = [str(len(self.game.pieces) if x.capacity is None else x.capacity) for x in self.game.places]
        left = self.fn.sub(self.printer.constants.lookup(self.fn, room, z), self.o_zone_size(i)[0])
        return [self.fn.choose(self.fn.test("lt", left, "0"), "0", left)]

    def o_zone_list(self, i: Instruction) -> Leaves:
        f = self.fn
        base, pieces, _ = self.zone_in(i.args[0])
        if self.is_walked_only(i.into[0]) and self.in_question(i):
            return [f.address(base)]
        n = f.load(base)
        made = self.new_list(f.add(n, str(BLOCK)), 1)
        f.store(n, made)
        copy_out(f, f.at(made, 1), pieces, n, self.room_of(self.printer.zones.among(self.routine, i.args[0])))
        return [f.address(made)]

    def room_of(self, among: Among) -> int | None:
        """How many components some zones have room for, if they all have the same."""
        found = {self.plan.capacity[k] for k in among or range(len(self.plan.capacity))}
        return found.pop() if len(found) == 1 else None

    def in_question(self, i: Instruction) -> bool:
        """Does nothing change while what an instruction gives is looked at?"""
        if self.routine.colour == "pure":
            return True
        asked = reached(self.routine, [q.entry for q, _ in self.routine.every_query()])
        return any(i is other for n in asked for other in self.routine.blocks[n].code)

    def o_zone_above(self, i: Instruction) -> Leaves:
        """What lies above the lowest n; all of it must be known."""
        f = self.fn
        base, pieces, tags = self.zone_in(i.args[0])
        n = f.load(base)
        first = self.bounded(self.arg(i, 1), n)
        left = f.sub(n, first)
        with f.counting(first, n) as k:
            self.test(f.test("ne", f.load(f.at(tags, k)), str(KNOWN)))
        made = self.new_list(left, 1)
        f.store(left, made)
        f.copy(f.at(made, 1), f.at(pieces, first), left)
        return [f.address(made)]

    def o_family_known(self, i: Instruction) -> Leaves:
        """The contents of a family, if the order of all of it is known."""
        f, (first, count) = self.fn, self.game.family[i.data]
        with f.counting(str(first), str(first + count)) as z:
            base, _, tags = self.zone(z)
            with f.counting("0", f.load(base)) as k:
                self.test(f.test("ne", f.load(f.at(tags, k)), str(KNOWN)))
        return self.o_family_list(i)

    def o_family_list(self, i: Instruction) -> Leaves:
        f, (first, count) = self.fn, self.game.family[i.data]
        made, so_far, room = self.new_list(str(len(self.game.pieces) + BLOCK), 1), f.slot(), self.room_of(range(first, first + count))
        f.store("0", so_far)

        def one(z: str) -> None:
            base, pieces, _ = self.printer.zones.parts(f, z, range(first, first + count))
            n, m = f.load(base), f.load(so_far)
            copy_out(f, self.element(made, m, 1), pieces, n, room)
            f.store(f.add(n, m), so_far)

        if count <= FEW_ZONES:
            for k in range(first, first + count):
                one(str(k))
        else:
            with f.counting(str(first), str(first + count)) as z:
                one(z)
        f.store(f.load(so_far), made)
        return [f.address(made)]

    def end_of_zone(self, i: Instruction, top: bool) -> Leaves:
        f = self.fn
        base, pieces, tags = self.zone_in(i.args[0])
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
        base, pieces, tags = self.zone_in(i.args[0])
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
    @property
    def carrying(self) -> int:
        """What it takes at most to move a component, where blocks pay."""
        return 2 * (len(self.game.pieces) // GRAIN + 1) if self.printer.blocks_pay else 0

    def mover(self, i: Instruction) -> str:
        """The function that moves a component to where an instruction says."""
        return self.printer.zones.mover(self.printer.once, self.printer.zones.among(self.routine, i.args[1]), str(int(i.data == "top")))

    def o_move(self, i: Instruction) -> None:
        f, top, alone = self.fn, i.data == "top", self.made_to_move(i.args[0])
        if alone is not None:
            self.pay(str(len(alone.args) * self.carrying))
            for a in alone.args if top else reversed(alone.args):
                self.called(self.mover(i), [f"i64 {self.one(a)}", f"i64 {self.arg(i, 1)}", f"i64 {int(top)}"])
            return
        items, n, _ = self.list_of(i.args[0])
        z = self.arg(i, 1)
        if self.carrying:
            self.pay(f.mul(n, str(self.carrying)))
        with f.counting("0", n) as k:
            at = k if top else f.sub(f.sub(n, "1"), k)
            piece = self.read_element(items, at, 1)[0]
            self.called(self.mover(i), [f"i64 {piece}", f"i64 {z}", f"i64 {int(top)}"])

    def o_move_all(self, i: Instruction) -> None:
        zones, once = self.printer.zones, self.printer.once
        self.called(once("zone.all", lambda: zones.move_all(once)), [f"i64 {self.arg(i)}", f"i64 {self.arg(i, 1)}", f"i64 {int(i.data == 'top')}"])

    def o_shuffle(self, i: Instruction) -> None:
        self.called(self.printer.once("zone.shuffle", self.printer.zones.shuffle), [f"i64 {self.arg(i)}"])

    def o_swap(self, i: Instruction) -> None:
        name = self.printer.once("zone.swap", lambda: swap(self.printer.zones))
        self.called(name, [f"i64 {self.arg(i)}", f"i64 {self.arg(i, 1)}"])

    def o_swap_zones(self, i: Instruction) -> None:
        name = self.printer.once("zone.exchange", lambda: exchange(self.printer.zones))
        self.called(name, [f"i64 {self.arg(i)}", f"i64 {self.arg(i, 1)}"])
