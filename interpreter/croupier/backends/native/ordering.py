"""Instructions that put lists in order, or change them: sets and bags as what they are, sorting, elements added and taken away."""

from __future__ import annotations

from croupier.backends.native.finding import Finding
from croupier.backends.native.places import Leaves
from croupier.backends.unsupported import Refused
from croupier.ir.instructions import Instruction
from croupier.semantics import types as t


class Ordering(Finding):
    """Instructions that keep sets and bags in order, and sort."""

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
