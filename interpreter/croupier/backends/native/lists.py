"""Instructions that make lists, join them and take parts of them."""

from __future__ import annotations

from croupier.backends.facts import SHORT_LIST
from croupier.backends.native.ordering import Ordering
from croupier.backends.native.places import HEADROOM, NONE_TEXT, Leaves
from croupier.ir.instructions import Instruction
from croupier.semantics import types as t


class Lists(Ordering):
    """Instructions that make lists and take them apart."""

    def o_list(self, i: Instruction) -> Leaves | None:
        if self.made_to_move(i.into[0]) is not None:
            return None
        kind = self.kind(i.into[0])
        assert isinstance(kind, t.Collection)
        width = self.words.width(kind.base) if not isinstance(kind.base, t.Never) else 1
        if i.args and self.is_walked_only(i.into[0]):
            made = self.fn.slot(1 + len(i.args) * width)
        else:
            made = self.new_list(str(len(i.args) or HEADROOM), width)
        self.fn.store(str(len(i.args)), made)
        for k, a in enumerate(i.args):
            found = self.leaves(a)
            self.write_element(made, str(k), found if len(found) == width else [NONE_TEXT] * width)
        if kind.kind != "list" and len(i.args) > 1:
            return self.in_order(made, kind)
        return [self.fn.address(made)]

    def o_append(self, i: Instruction) -> Leaves:
        f = self.fn
        items, n, width = self.list_of(i.into[0] if i.into[0] == i.args[0] else i.args[0])
        kind = self.kind(i.into[0])
        limit = self.facts.length(kind) if isinstance(kind, t.Collection) and kind.kind == "list" else SHORT_LIST  # a set still has doubles
        self.test(f.test("ge", n, str(limit)))
        found = self.leaves(i.args[1])
        found = found if len(found) == width else [NONE_TEXT] * width
        own = i.into[0] == i.args[0] and self.routine.slots[i.into[0]].role == "temp"
        place = self.fresh([f.address(items)])[0]
        room = f.load(f.at(items, -1))
        full = f.test("ge", n, room) if own else "true"
        with f.when(full):
            wider = f.add(f.mul(n, "2"), "4") if own else f.add(n, "1")
            made = self.new_list(wider, width)
            f.copy(made, items, f.add(f.mul(n, str(width)), "1"))
            f.store(f.address(made), place)
        items = f.pointer(f.load(place))
        self.write_element(items, n, found)
        f.store(f.add(n, "1"), items)
        return [f.load(place)]

    def o_optional_list(self, i: Instruction) -> Leaves:
        found = self.leaves(i.args[0])
        made = self.fn.slot(1 + len(found)) if self.is_walked_only(i.into[0]) else self.new_list("1", len(found))
        some = self.fn.wide(self.fn.test("ne", found[0], NONE_TEXT))
        self.fn.store(some, made)
        self.write_element(made, "0", found)
        return [self.fn.address(made)]

    def o_range(self, i: Instruction) -> Leaves:
        f, low, high = self.fn, self.arg(i), self.arg(i, 1)
        n = f.add(f.sub(high, low), "1")
        n = f.choose(f.test("lt", n, "0"), "0", n)
        self.test(f.test("gt", n, str(SHORT_LIST)))
        made = self.new_list(n, 1)
        f.store(n, made)
        with f.counting("0", n) as k:
            self.write_element(made, k, [f.add(low, k)])
        return [f.address(made)]

    def o_size(self, i: Instruction) -> Leaves:
        return [self.list_of(i.args[0])[1]]

    def o_empty(self, i: Instruction) -> Leaves:
        return [self.fn.wide(self.fn.test("eq", self.list_of(i.args[0])[1], "0"))]

    def at_end(self, i: Instruction, last: bool) -> Leaves:
        f = self.fn
        items, n, width = self.list_of(i.args[0])
        places = self.fresh([NONE_TEXT] * width)
        with f.when(f.test("gt", n, "0")):
            for place, v in zip(places, self.read_element(items, f.sub(n, "1") if last else "0", width), strict=True):
                f.store(v, place)
        found = [f.load(place) for place in places]
        if not isinstance(self.kind(i.into[0]), t.Optional):
            self.test(f.test("eq", n, "0"))
        return found

    def o_first(self, i: Instruction) -> Leaves:
        return self.at_end(i, False)

    def o_last(self, i: Instruction) -> Leaves:
        return self.at_end(i, True)

    def o_item(self, i: Instruction) -> Leaves:
        items, n, width = self.list_of(i.args[0])
        at = self.fn.sub(self.arg(i, 1), "1")
        self.test(self.fn.value(f"icmp uge i64 {at}, {n}"))
        return self.read_element(items, at, width)

    def part(self, i: Instruction, first: str, n: str) -> Leaves:
        """A copy of some elements in a row."""
        f = self.fn
        items, _, width = self.list_of(i.args[0])
        made = self.new_list(n, width)
        f.store(n, made)
        f.copy(self.element(made, "0", width), self.element(items, first, width), f.mul(n, str(width)))
        return [f.address(made)]

    def o_rest(self, i: Instruction) -> Leaves:
        n = self.list_of(i.args[0])[1]
        less = self.fn.sub(n, "1")
        return self.part(i, "1", self.fn.choose(self.fn.test("lt", less, "0"), "0", less))

    def bounded(self, v: str, n: str) -> str:
        """A number between 0 and n."""
        f = self.fn
        v = f.choose(f.test("lt", v, "0"), "0", v)
        return f.choose(f.test("gt", v, n), n, v)

    def o_take(self, i: Instruction) -> Leaves:
        return self.part(i, "0", self.bounded(self.arg(i, 1), self.list_of(i.args[0])[1]))

    def o_drop(self, i: Instruction) -> Leaves:
        n = self.list_of(i.args[0])[1]
        away = self.bounded(self.arg(i, 1), n)
        return self.part(i, away, self.fn.sub(n, away))

    def o_reversed(self, i: Instruction) -> Leaves:
        f = self.fn
        items, n, width = self.list_of(i.args[0])
        made = self.new_list(n, width)
        f.store(n, made)
        with f.counting("0", n) as k:
            self.write_element(made, k, self.read_element(items, f.sub(f.sub(n, "1"), k), width))
        return [f.address(made)]

    def o_join(self, i: Instruction) -> Leaves:
        f, kind = self.fn, self.kind(i.into[0])
        assert isinstance(kind, t.Collection)
        (a, n, width), (b, m, _) = (self.list_of(x) for x in i.args)
        total = f.add(n, m)
        self.test(f.test("gt", total, str(SHORT_LIST)))
        made = self.new_list(total, width)
        f.store(total, made)
        f.copy(self.element(made, "0", width), self.element(a, "0", width), f.mul(n, str(width)))
        f.copy(self.element(made, n, width), self.element(b, "0", width), f.mul(m, str(width)))
        return [f.address(made)] if kind.kind == "list" else self.in_order(made, kind)

    def o_begin_walk(self, i: Instruction) -> Leaves:
        if self.printer.blocks_pay:
            self.pay(self.list_of(i.args[0])[1])
        return ["0"]
