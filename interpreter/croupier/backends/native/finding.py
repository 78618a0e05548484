"""Instructions that look for elements of lists: where a value is, whether elements are alike, who of some players comes next."""

from __future__ import annotations

from croupier.backends.native.places import NONE_TEXT, Leaves
from croupier.backends.native.texts import Texts
from croupier.ir.instructions import Instruction
from croupier.semantics import types as t


class Finding(Texts):
    """Instructions that look for values in lists."""

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
