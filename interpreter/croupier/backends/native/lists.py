"""Instructions about lists, sets and bags. Elements are found, put in order and compared word by word."""

from __future__ import annotations

from croupier.backends.facts import SHORT_LIST
from croupier.backends.native.body import HEADROOM, NONE_TEXT, Leaves
from croupier.backends.native.texts import Texts
from croupier.backends.unsupported import Refused
from croupier.ir.instructions import Instruction
from croupier.semantics import types as t


class Lists(Texts):
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

    def joined(self, needle: int, haystack: int) -> t.Type:
        """The type of the elements of a list and of a value looked for, which may be missing."""
        base = self.words.base(self.kind(haystack))
        return t.join(base, self.kind(needle)) or base

    def found_at(self, i: Instruction, needle: int, haystack: int) -> str:
        """Where a value first occurs in a list, from 0; -1 if it does not."""
        f = self.fn
        items, n, width = self.list_of(haystack)
        wanted, base = self.leaves(needle), self.joined(needle, haystack)
        place = self.fresh(["-1"])[0]
        out = f.label()
        with f.counting("0", n) as k:
            with f.when(self.alike(self.read_element(items, k, width), wanted, base)):
                f.store(k, place)
                f.jump(out)
        f.place(out)
        return f.load(place)

    def o_in(self, i: Instruction) -> Leaves:
        return [self.fn.wide(self.fn.test("ge", self.found_at(i, *i.args), "0"))]

    def o_not_in(self, i: Instruction) -> Leaves:
        return [self.fn.wide(self.fn.test("lt", self.found_at(i, *i.args), "0"))]

    def o_position(self, i: Instruction) -> Leaves:
        at = self.found_at(i, i.args[1], i.args[0])
        return [self.fn.choose(self.fn.test("lt", at, "0"), NONE_TEXT, self.fn.add(at, "1"))]

    def o_times(self, i: Instruction) -> Leaves:
        f = self.fn
        items, n, width = self.list_of(i.args[0])
        wanted, place, base = self.leaves(i.args[1]), self.fresh(["0"])[0], self.joined(i.args[1], i.args[0])
        with f.counting("0", n) as k:
            f.store(f.add(f.load(place), f.wide(self.alike(self.read_element(items, k, width), wanted, base))), place)
        return [f.load(place)]

    def pairs(self, i: Instruction, neighbour_only: bool) -> str:
        """Is some element equal to another (or, of neighbours, different)? An i1, true if so."""
        f = self.fn
        items, n, width = self.list_of(i.args[0])
        place, out, base = self.fresh(["0"])[0], f.label(), self.words.base(self.kind(i.args[0]))
        with f.counting("1", n) as k:
            mine = self.read_element(items, k, width)
            if neighbour_only:
                with f.when(self.not_(self.alike(mine, self.read_element(items, "0", width), base))):
                    f.store("1", place)
                    f.jump(out)
            else:
                with f.counting("0", k) as j, f.when(self.alike(mine, self.read_element(items, j, width), base)):
                    f.store("1", place)
                    f.jump(out)
        f.place(out)
        return f.load(place)

    def o_all_equal(self, i: Instruction) -> Leaves:
        return [self.fn.binary("xor", self.pairs(i, True), "1")]

    def o_all_different(self, i: Instruction) -> Leaves:
        return [self.fn.binary("xor", self.pairs(i, False), "1")]

    def o_canonical(self, i: Instruction) -> Leaves:
        kind = self.kind(i.into[0])
        assert isinstance(kind, t.Collection)
        return self.in_order(self.list_of(i.args[0])[0], kind)

    def in_order(self, items: str, kind: t.Collection) -> Leaves:
        """A copy of a list as a set or bag, sorted by insertion; of a set each element once."""
        f, width = self.fn, self.words.width(kind.base)
        n = f.load(items)
        made = self.new_list(n, width)
        f.store("0", made)
        with f.counting("0", n) as k:
            self.insert(made, self.read_element(items, k, width), kind)
        return [f.address(made)]

    def insert(self, made: str, value: Leaves, kind: t.Collection) -> None:
        """Put a value into a sorted list with room for it."""
        f, width = self.fn, len(value)
        n = f.load(made)
        place = self.fresh([n])[0]
        head, body, found, shift, out = (f.label() for _ in range(5))
        f.place(head)
        at = f.load(place)
        f.branch(f.test("gt", at, "0"), body, found)
        f.place(body)
        before = self.read_element(made, f.sub(at, "1"), width)
        f.store(f.sub(at, "1"), place)
        one_word = width == 1 and self.words.is_scalar(kind.base)
        args = [f"i64 {v}" for v in (*before, *value)]
        compared = "0" if one_word else f.call(self.printer.shapes.order(kind.base), args)
        after, same = (f.test(how, before[0], value[0]) if one_word else f.test(how, compared, "0") for how in ("gt", "eq"))
        f.branch(after, head, shift)
        f.place(shift)
        f.store(at, place)
        if kind.kind == "set":
            f.branch(same, out, found)
        else:
            f.jump(found)
        f.place(found)
        at = f.load(place)
        f.copy(self.element(made, f.add(at, "1"), width), self.element(made, at, width), f.mul(f.sub(n, at), str(width)))
        self.write_element(made, at, value)
        f.store(f.add(n, "1"), made)
        f.place(out)

    def changed_list(self, i: Instruction, more: int) -> tuple[str, str]:
        """A copy of a list with room for some elements more: its address and its length."""
        items, n, width = self.list_of(i.args[0])
        made = self.new_list(self.fn.add(n, str(more)), width)
        self.fn.copy(made, items, self.fn.add(self.fn.mul(n, str(width)), "1"))
        return made, n

    def o_add_item(self, i: Instruction) -> Leaves:
        f, kind = self.fn, self.kind(i.into[0])
        assert isinstance(kind, t.Collection)
        made, n = self.changed_list(i, 1)
        value = self.widened(i.args[1], kind.base)
        if kind.kind == "list":
            self.write_element(made, n, value)
            f.store(f.add(n, "1"), made)
        else:
            self.insert(made, value, kind)
        self.test(f.test("gt", f.load(made), str(self.facts.length(kind))))
        return [f.address(made)]

    def o_remove_item(self, i: Instruction) -> Leaves:
        f = self.fn
        at = self.found_at(i, i.args[1], i.args[0])
        made, n = self.changed_list(i, 0)
        width = self.list_of(i.args[0])[2]
        with f.when(f.test("ge", at, "0")):
            rest = f.sub(f.sub(n, at), "1")
            f.copy(self.element(made, at, width), self.element(made, f.add(at, "1"), width), f.mul(rest, str(width)))
            f.store(f.sub(n, "1"), made)
        return [f.address(made)]

    def o_without(self, i: Instruction) -> Leaves:
        return self.sifted(i, i.args[1], False)

    def o_clockwise_of(self, i: Instruction) -> Leaves:
        f, n = self.fn, self.game.players
        items, count, _ = self.list_of(i.args[1])
        bits, made, start = self.fresh(["0"])[0], self.new_list(str(n), 1), self.arg(i)
        with f.counting("0", count) as k:
            f.store(f.binary("or", f.load(bits), f.binary("shl", "1", self.read_element(items, k, 1)[0])), bits)
        f.store("0", made)
        with f.counting("0", str(n)) as k:
            seat = f.binary("urem", f.add(start, k), str(n))
            with f.when(f.test("ne", f.binary("and", f.binary("lshr", f.load(bits), seat), "1"), "0")):
                m = f.load(made)
                self.write_element(made, m, [seat])
                f.store(f.add(m, "1"), made)
        return [f.address(made)]

    def nearest(self, i: Instruction, by: int) -> Leaves:
        """The next player of a list, one way round or the other; deviates if it is empty."""
        f, n = self.fn, self.game.players
        items, count, _ = self.list_of(i.args[1])
        found, best = self.fresh(["0", str(n + 1)])
        start = self.arg(i)
        with f.counting("0", count) as k:
            seat = self.read_element(items, k, 1)[0]
            away = f.sub(seat, start) if by > 0 else f.sub(start, seat)
            away = f.add(f.binary("urem", f.add(away, str(2 * n - 1)), str(n)), "1")
            with f.when(f.test("lt", away, f.load(best))):
                f.store(away, best)
                f.store(seat, found)
        self.test(f.test("eq", count, "0"))
        return [f.load(found)]

    def o_next_of(self, i: Instruction) -> Leaves:
        return self.nearest(i, 1)

    def o_previous_of(self, i: Instruction) -> Leaves:
        return self.nearest(i, -1)

    def o_put_item(self, i: Instruction) -> Leaves:
        made, n = self.changed_list(i, 0)
        kind = self.kind(i.into[0])
        at = self.fn.sub(self.arg(i, 1), "1")
        self.test(self.fn.value(f"icmp uge i64 {at}, {n}"))
        self.write_element(made, at, self.widened(i.args[2], self.words.base(kind)))
        return [self.fn.address(made)]

    def sifted(self, i: Instruction, away: int, once: bool) -> Leaves:
        """The elements of a list that are not in another; or (`once`) each where it first occurs."""
        f = self.fn
        items, n, width = self.list_of(i.args[0])
        base = self.words.base(self.kind(i.args[0]))
        made = self.new_list(n, width)
        f.store("0", made)
        with f.counting("0", n) as k:
            value, other = self.read_element(items, k, width), made if once else f.pointer(self.one(away))
            next_one = f.label()
            with f.counting("0", f.load(other)) as j, f.when(self.alike(self.read_element(other, j, width), value, base)):
                f.jump(next_one)
            m = f.load(made)
            self.write_element(made, m, value)
            f.store(f.add(m, "1"), made)
            f.place(next_one)
        return [f.address(made)]

    def o_distinct(self, i: Instruction) -> Leaves:
        return self.sifted(i, i.args[0], True)

    def o_sort(self, i: Instruction) -> Leaves:
        """By insertion, from the end; equal keys keep their order."""
        f = self.fn
        items, n, width = self.list_of(i.args[0])
        keys, _, wide = self.list_of(i.args[1])
        kind = self.words.base(self.kind(i.args[1]))
        lists = isinstance(kind, t.Collection)
        inner = kind.base if isinstance(kind, t.Collection) else kind
        if wide != 1 or not isinstance(inner, (t.Int, t.Bool, t.Enum, t.Never)):
            raise Refused(f"sorting by `{kind}`", i.span)
        made, order = self.new_list(n, width), self.new_list(n, 1)
        f.store(n, made)
        with f.counting("0", n) as k:
            value, key = self.read_element(items, k, width), self.read_element(keys, k, 1)[0]
            place, head, body, move, out = self.fresh([k])[0], *(f.label() for _ in range(4))
            f.place(head)
            at = f.load(place)
            f.branch(f.test("gt", at, "0"), body, out)
            f.place(body)
            before = f.sub(at, "1")
            f.branch(self.above(self.read_element(order, before, 1)[0], key, lists), move, out)
            f.place(move)
            self.write_element(order, at, self.read_element(order, before, 1))
            self.write_element(made, at, self.read_element(made, before, width))
            f.store(before, place)
            f.jump(head)
            f.place(out)
            at = f.load(place)
            self.write_element(order, at, [key])
            self.write_element(made, at, value)
        return [f.address(made)]

    def o_begin_walk(self, i: Instruction) -> Leaves:
        if self.printer.blocks_pay:
            self.pay(self.list_of(i.args[0])[1])
        return ["0"]
