"""Instructions as assembly. A method gives the words of its result; tests that fail deviate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from croupier.backends.facts import REACH, SHORT_LIST
from croupier.backends.native.body import HEADROOM, NONE_TEXT, Leaves
from croupier.backends.native.finish import Finishing
from croupier.backends.unsupported import Refused
from croupier.ir.instructions import Instruction
from croupier.runtime.functions import MAX_LOOKED
from croupier.semantics import types as t
from croupier.semantics.program import VarDef

LARGEST = 100  # cells of a board with a table of what lies between two
IGNORED = {"burn", "show", "tell", "announce"}


class Operations(Finishing):
    def instruction(self, i: Instruction) -> None:
        if i.op in IGNORED:
            return
        if i.op == "offer":
            if self.offering is None:
                raise Refused("an offer outside of a question", i.span)
            self.offering(i)
            return
        rule: Callable[[Instruction], Leaves | None] | None = getattr(self, "o_" + i.op, None)
        if rule is None:
            raise Refused(f"the operation `{i.op}`", i.span)
        found = rule(i)
        if found is not None and i.into:
            self.assign(i.into[0], found)

    def arg(self, i: Instruction, k: int = 0) -> str:
        return self.one(i.args[k])

    def list_of(self, slot: int) -> tuple[str, str, int]:
        """A list: the address of its length, its length, the width of its elements."""
        kind = self.kind(slot)
        at = self.fn.pointer(self.one(slot))
        return at, self.length(at), self.words.width(self.words.base(kind))

    def constant(self, value: Any, kind: t.Type) -> Leaves:
        return self.printer.constants.leaves(value, kind)

    def interval(self, slot: int) -> tuple[int | None, int | None]:
        if slot in self.known and isinstance(self.known[slot], int):
            return self.known[slot], self.known[slot]
        return self.facts.bounds(self.kind(slot))

    def inside(self, slot: int, low: int, high: int) -> bool:
        a, b = self.interval(slot)
        return a is not None and b is not None and low <= a and b <= high

    def outside(self, value: str, low: int, high: int) -> None:
        """Deviate unless a number lies between two."""
        far = self.fn.value(f"icmp ugt i64 {self.fn.sub(value, str(low))}, {high - low}")
        self.test(far)

    # ------------------------------------------------------------ values
    def o_const(self, i: Instruction) -> Leaves:
        return self.constant(i.data, self.kind(i.into[0]))

    def o_param(self, i: Instruction) -> Leaves:
        return self.constant(self.game.parameters[i.data], self.kind(i.into[0]))

    def o_text(self, i: Instruction) -> Leaves:
        return [str(self.printer.constants.text("".join(x for x in i.data if x is not None)))] if not i.args else ["-2"]

    def o_copy(self, i: Instruction) -> Leaves:
        return self.leaves(i.args[0])

    o_narrow = o_turns_of = o_copy

    def o_recording(self, i: Instruction) -> Leaves:
        return ["0"]

    def o_viewer(self, i: Instruction) -> Leaves:
        return ["-1"]

    def o_hush(self, i: Instruction) -> None:
        """Nobody is told of what happens in a routine that never waits."""

    o_unhush = o_hush

    def o_record(self, i: Instruction) -> Leaves:
        out: Leaves = []
        for a, kind in zip(i.args, self.facts.program.records[i.data].fields.values(), strict=True):
            found = self.leaves(a) if t.within(self.kind(a), kind) else self.checked(a, kind)
            width = self.words.width(kind)
            out += found if len(found) == width else [NONE_TEXT] * width
        return out

    def o_field(self, i: Instruction) -> Leaves:
        fields = self.facts.program.records[i.data[0]].fields
        at = 0
        for name, kind in fields.items():
            if name == i.data[1]:
                return self.leaves(i.args[0])[at : at + self.words.width(kind)]
            at += self.words.width(kind)
        raise AssertionError(i.data)

    def o_check(self, i: Instruction) -> Leaves:
        return self.checked(i.args[0], self.kind(i.into[0]))

    def checked(self, slot: int, kind: t.Type) -> Leaves:
        if isinstance(kind, t.Int):
            low, high = self.facts.bounds(kind)
            low, high = -REACH if low is None else low, REACH if high is None else high
            value = self.one(slot)
            if not self.inside(slot, low, high):
                self.outside(value, low, high)
            return [value]
        if t.within(self.kind(slot), kind):
            return self.leaves(slot)
        raise Refused(f"testing that a value is `{kind}`", None)

    def o_is_none(self, i: Instruction) -> Leaves:
        return [self.fn.wide(self.fn.test("eq", self.leaves(i.args[0])[0], NONE_TEXT))]

    def o_is_some(self, i: Instruction) -> Leaves:
        return [self.fn.wide(self.fn.test("ne", self.leaves(i.args[0])[0], NONE_TEXT))]

    def o_certain(self, i: Instruction) -> Leaves:
        found = self.leaves(i.args[0])
        self.test(self.fn.test("eq", found[0], NONE_TEXT))
        return found

    def equal(self, a: int, b: int) -> str:
        """Are two values equal? An i1."""
        for slot in (a, b):
            if not self.words.is_scalar(self.kind(slot)) and not isinstance(self.kind(slot), t.Nothing):
                raise Refused("comparing lists or maps", None)
        return self.same(self.leaves(a), self.leaves(b))

    def o_eq(self, i: Instruction) -> Leaves:
        return [self.fn.wide(self.equal(*i.args))]

    def o_ne(self, i: Instruction) -> Leaves:
        return [self.fn.binary("xor", self.fn.wide(self.equal(*i.args)), "1")]

    def o_not(self, i: Instruction) -> Leaves:
        return [self.fn.binary("xor", self.arg(i), "1")]

    def compared(self, i: Instruction) -> Leaves:
        kinds = [self.kind(a) for a in i.args]
        if all(isinstance(k, t.Collection) and isinstance(k.base, (t.Int, t.Bool, t.Enum, t.Never)) for k in kinds):
            return [self.fn.wide(self.above(self.arg(i), self.arg(i, 1), True))]
        if any(self.words.width(k) != 1 or not self.words.is_scalar(k) for k in kinds):
            raise Refused("comparing lists", i.span)
        return [self.fn.wide(self.fn.test("gt" if i.op == "above" else i.op, self.arg(i), self.arg(i, 1)))]

    o_lt = o_le = o_gt = o_ge = o_above = compared

    # ------------------------------------------------------------ numbers
    def arithmetic(self, i: Instruction, op: str) -> Leaves:
        a, b = self.arg(i), self.arg(i, 1)
        kind = self.kind(i.into[0])
        (la, ha), (lb, hb) = (self.interval(x) for x in i.args)
        sure = None not in (la, ha, lb, hb) and max(abs(v) for v in (la, ha, lb, hb) if v is not None) < 2**26
        bounded = isinstance(kind, t.Int) and kind.low is not None and kind.high is not None
        if sure or (bounded and op != "mul"):
            return [self.fn.binary(op, a, b)]
        if op == "mul":
            pair = self.fn.value(f"call {{i64, i1}} @llvm.smul.with.overflow.i64(i64 {a}, i64 {b})")
            self.test(self.fn.value(f"extractvalue {{i64, i1}} {pair}, 1"))
            return [self.small(self.fn.value(f"extractvalue {{i64, i1}} {pair}, 0"))]
        return [self.small(self.fn.binary(op, a, b))]

    def small(self, value: str) -> str:
        self.outside(value, -REACH, REACH)
        return value

    def o_add(self, i: Instruction) -> Leaves:
        return self.arithmetic(i, "add")

    def o_sub(self, i: Instruction) -> Leaves:
        return self.arithmetic(i, "sub")

    def o_mul(self, i: Instruction) -> Leaves:
        return self.arithmetic(i, "mul")

    def o_add_wide(self, i: Instruction) -> Leaves:
        return [self.small(self.fn.add(self.arg(i), self.arg(i, 1)))]

    def o_number(self, i: Instruction) -> Leaves:
        return [self.small(self.arg(i))]

    def o_neg(self, i: Instruction) -> Leaves:
        return [self.fn.sub("0", self.arg(i))]

    def o_abs(self, i: Instruction) -> Leaves:
        a = self.arg(i)
        return [self.fn.choose(self.fn.test("lt", a, "0"), self.fn.sub("0", a), a)]

    def o_max(self, i: Instruction) -> Leaves:
        a, b = self.arg(i), self.arg(i, 1)
        return [self.fn.choose(self.fn.test("gt", a, b), a, b)]

    def o_min(self, i: Instruction) -> Leaves:
        a, b = self.arg(i), self.arg(i, 1)
        return [self.fn.choose(self.fn.test("lt", a, b), a, b)]

    def divided(self, i: Instruction) -> tuple[str, str]:
        """Quotient and remainder, rounded down."""
        f, a, b = self.fn, self.arg(i), self.arg(i, 1)
        self.test(f.test("eq", b, "0"))
        q, r = f.binary("sdiv", a, b), f.binary("srem", a, b)
        wrong = f.both(f.test("ne", r, "0"), f.test("lt", f.binary("xor", r, b), "0"))
        return f.choose(wrong, f.sub(q, "1"), q), f.choose(wrong, f.add(r, b), r)

    def o_div(self, i: Instruction) -> Leaves:
        return [self.divided(i)[0]]

    def o_mod(self, i: Instruction) -> Leaves:
        return [self.divided(i)[1]]

    def o_seat(self, i: Instruction) -> Leaves:
        return [self.fn.add(self.arg(i), "1")]

    o_rank = o_seat

    # ------------------------------------------------------------ lists
    def o_list(self, i: Instruction) -> Leaves:
        kind = self.kind(i.into[0])
        assert isinstance(kind, t.Collection)
        width = self.words.width(kind.base) if not isinstance(kind.base, t.Never) else 1
        if kind.kind != "list" and len(i.args) > 1:
            raise Refused(f"a {kind.kind} of several values", i.span)
        if i.args and self.is_walked_only(i.into[0]):
            made = self.fn.slot(1 + len(i.args) * width)
        else:
            made = self.new_list(str(len(i.args) or HEADROOM), width)
        self.fn.store(str(len(i.args)), made)
        for k, a in enumerate(i.args):
            found = self.leaves(a)
            self.write_element(made, str(k), found if len(found) == width else [NONE_TEXT] * width)
        return [self.fn.address(made)]

    def o_append(self, i: Instruction) -> Leaves:
        f = self.fn
        items, n, width = self.list_of(i.into[0] if i.into[0] == i.args[0] else i.args[0])
        limit = self.facts.length(self.kind(i.into[0]))
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
        if isinstance(kind, t.Collection) and kind.kind != "list":
            raise Refused("joining sets or bags", i.span)
        (a, n, width), (b, m, _) = (self.list_of(x) for x in i.args)
        total = f.add(n, m)
        self.test(f.test("gt", total, str(SHORT_LIST)))
        made = self.new_list(total, width)
        f.store(total, made)
        f.copy(self.element(made, "0", width), self.element(a, "0", width), f.mul(n, str(width)))
        f.copy(self.element(made, n, width), self.element(b, "0", width), f.mul(m, str(width)))
        return [f.address(made)]

    def found_at(self, i: Instruction, needle: int, haystack: int) -> str:
        """Where a value first occurs in a list, from 0; -1 if it does not."""
        f = self.fn
        items, n, width = self.list_of(haystack)
        if not self.words.is_scalar(self.words.base(self.kind(haystack))):
            raise Refused("looking for a list", i.span)
        wanted = self.leaves(needle)
        place = self.fresh(["-1"])[0]
        out = f.label()
        with f.counting("0", n) as k:
            with f.when(self.same(self.read_element(items, k, width), wanted)):
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
        wanted, place = self.leaves(i.args[1]), self.fresh(["0"])[0]
        with f.counting("0", n) as k:
            f.store(f.add(f.load(place), f.wide(self.same(self.read_element(items, k, width), wanted))), place)
        return [f.load(place)]

    def pairs(self, i: Instruction, neighbour_only: bool) -> str:
        """Is some element equal to another (or, of neighbours, different)? An i1, true if so."""
        f = self.fn
        items, n, width = self.list_of(i.args[0])
        place, out = self.fresh(["0"])[0], f.label()
        with f.counting("1", n) as k:
            mine = self.read_element(items, k, width)
            if neighbour_only:
                with f.when(self.not_(self.same(mine, self.read_element(items, "0", width)))):
                    f.store("1", place)
                    f.jump(out)
            else:
                with f.counting("0", k) as j, f.when(self.same(mine, self.read_element(items, j, width))):
                    f.store("1", place)
                    f.jump(out)
        f.place(out)
        return f.load(place)

    def o_all_equal(self, i: Instruction) -> Leaves:
        return [self.fn.binary("xor", self.pairs(i, True), "1")]

    def o_all_different(self, i: Instruction) -> Leaves:
        return [self.fn.binary("xor", self.pairs(i, False), "1")]

    def o_canonical(self, i: Instruction) -> Leaves:
        """Sorted by insertion; of a set each once."""
        f, kind = self.fn, self.kind(i.into[0])
        assert isinstance(kind, t.Collection)
        items, n, width = self.list_of(i.args[0])
        if width != 1 or not self.words.is_scalar(kind.base) or isinstance(kind.base, t.Optional):
            raise Refused(f"putting a {kind} in order", i.span)
        made = self.new_list(n, 1)
        f.store("0", made)
        with f.counting("0", n) as k:
            self.insert(made, self.read_element(items, k, 1)[0], kind.kind == "set")
        return [f.address(made)]

    def insert(self, made: str, value: str, once: bool) -> None:
        """Put a number into a sorted list with room for it."""
        f = self.fn
        n = f.load(made)
        place = self.fresh([n])[0]
        head, body, found, shift, out = (f.label() for _ in range(5))
        f.place(head)
        at = f.load(place)
        f.branch(f.test("gt", at, "0"), body, found)
        f.place(body)
        before = self.read_element(made, f.sub(at, "1"), 1)[0]
        f.store(f.sub(at, "1"), place)
        f.branch(f.test("gt", before, value), head, shift)
        f.place(shift)
        f.store(at, place)
        if once:
            f.branch(f.test("eq", before, value), out, found)
        else:
            f.jump(found)
        f.place(found)
        at = f.load(place)
        f.copy(self.element(made, f.add(at, "1"), 1), self.element(made, at, 1), f.sub(n, at))
        self.write_element(made, at, [value])
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
        value = self.leaves(i.args[1])
        if kind.kind == "list":
            width = self.words.width(kind.base)
            self.write_element(made, n, value if len(value) == width else [NONE_TEXT] * width)
            f.store(f.add(n, "1"), made)
        elif len(value) == 1 and self.words.is_scalar(kind.base) and not isinstance(kind.base, t.Optional):
            self.insert(made, value[0], kind.kind == "set")
        else:
            raise Refused(f"adding to a {kind}", i.span)
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

    def sifted(self, i: Instruction, away: int, once: bool) -> Leaves:
        """The elements of a list that are not in another; or (`once`) each where it first occurs."""
        f = self.fn
        items, n, width = self.list_of(i.args[0])
        if not self.words.is_scalar(self.words.base(self.kind(i.args[0]))):
            raise Refused("looking for a list", i.span)
        made = self.new_list(n, width)
        f.store("0", made)
        with f.counting("0", n) as k:
            value, other = self.read_element(items, k, width), made if once else f.pointer(self.one(away))
            next_one = f.label()
            with f.counting("0", f.load(other)) as j, f.when(self.same(self.read_element(other, j, width), value)):
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

    # ------------------------------------------------------------ maps and state
    def entry_of(self, key: int, kind: t.Map) -> str:
        """The place of a key in a map, from 0."""
        low, count = self.game.domain(kind.key)
        value = self.one(key)
        if isinstance(kind.key, t.Int) and not self.inside(key, low, low + count - 1):
            self.outside(value, low, low + count - 1)
        return value if low == 0 else self.fn.sub(value, str(low))

    def o_index(self, i: Instruction) -> Leaves:
        kind = self.kind(i.args[0])
        assert isinstance(kind, t.Map)
        width = self.words.width(kind.value)
        at = self.fn.at(self.fn.pointer(self.arg(i)), self.fn.mul(self.entry_of(i.args[1], kind), str(width)))
        found = [self.fn.load(self.fn.at(at, k)) for k in range(width)]
        if not isinstance(kind.value, t.Optional):
            self.test(self.fn.test("eq", found[0], NONE_TEXT))
        return found

    def copied_map(self, slot: int, kind: t.Map) -> tuple[str, int]:
        width = self.words.width(kind.value)
        size = str(self.words.entries(kind) * width)
        to = self.allocate(size)
        self.fn.copy(to, self.fn.pointer(self.one(slot)), size)
        return to, width

    def o_put(self, i: Instruction) -> Leaves:
        kind = self.kind(i.args[0])
        assert isinstance(kind, t.Map)
        at, value = self.entry_of(i.args[1], kind), self.leaves(i.args[2])
        to, width = self.copied_map(i.args[0], kind)
        self.entry_written(to, at, value, width)
        return [self.fn.address(to)]

    def entry_written(self, to: str, at: str, value: Leaves, width: int) -> None:
        value = value if len(value) == width else [NONE_TEXT] * width
        start = self.fn.at(to, self.fn.mul(at, str(width)))
        for k, v in enumerate(value):
            self.fn.store(v, self.fn.at(start, k))

    def o_map(self, i: Instruction) -> Leaves:
        kind = self.kind(i.into[0])
        assert isinstance(kind, t.Map)
        if isinstance(kind.key, t.Never):
            raise Refused("a map without a key", i.span)
        width, args = self.words.width(kind.value), list(i.args)
        count = self.words.entries(kind)
        other = self.leaves(args.pop()) if len(args) % 2 else [NONE_TEXT] * width
        other = other if len(other) == width else [NONE_TEXT] * width
        to = self.allocate(str(count * width))
        with self.fn.counting("0", str(count)) as k:
            self.entry_written(to, k, other, width)
        for key, value in zip(args[::2], args[1::2], strict=True):
            self.entry_written(to, self.entry_of(key, kind), self.leaves(value), width)
        return [self.fn.address(to)]

    def o_state(self, i: Instruction) -> Leaves:
        v = self.facts.program.vars[i.data]
        return self.fetch(self.word(self.plan.vars[v.index]), v.type)

    def entry_at(self, name: str, key: int) -> tuple[str, t.Map]:
        v = self.facts.program.vars[name]
        assert isinstance(v.type, t.Map)
        size = self.words.room(v.type.value)
        at = self.entry_of(key, v.type)
        return self.fn.at(self.word(self.plan.vars[v.index]), at if size == 1 else self.fn.mul(at, str(size))), v.type

    def o_entry(self, i: Instruction) -> Leaves:
        at, kind = self.entry_at(i.data, i.args[0])
        found = self.fetch(at, kind.value)
        if i.op == "entry" and i.data in self.facts.gaps and not isinstance(kind.value, t.Optional):
            self.test(self.fn.test("eq", found[0], NONE_TEXT))
        return found

    o_mutable = o_entry

    def o_set_state(self, i: Instruction) -> None:
        v = self.facts.program.vars[i.data]
        self.keep(self.word(self.plan.vars[v.index]), v.type, self.leaves(i.args[0]))
        self.noticed(v)

    def noticed(self, v: VarDef) -> None:
        """Watchers look at what was written."""
        watching = sum(1 << w for w in self.game.code.watch_vars[v.index])
        if watching:
            self.called("notice", [f"i64 {watching}"])

    def o_set_entry(self, i: Instruction) -> None:
        value = self.leaves(i.args[1])
        at, kind = self.entry_at(i.data, i.args[0])
        self.keep(at, kind.value, value)
        self.noticed(self.facts.program.vars[i.data])

    o_set_mutable = o_set_entry

    # ------------------------------------------------------------ tables
    def table(self, i: Instruction, rows: Iterable[Any], k: int = 0, first: int = 0) -> Leaves:
        """A row of a table by a number; rows are values of the type of the result."""
        kind, f = self.kind(i.into[0]), self.fn
        leaves = [self.constant(row, kind) for row in rows]
        index = self.arg(i, k) if not first else f.sub(self.arg(i, k), str(first))
        return [self.printer.constants.lookup(f, [row[n] for row in leaves], index) for n in range(self.words.width(kind))]

    def of_piece(self, i: Instruction, value: Callable[[Any], Any]) -> Leaves:
        return self.table(i, [value(x) for x in self.game.pieces])

    def o_attr(self, i: Instruction) -> Leaves:
        if isinstance(self.kind(i.into[0]), t.Text):
            return ["-2"]
        return self.of_piece(i, lambda x: x.attributes.get(i.data))

    def o_is_kind(self, i: Instruction) -> Leaves:
        return self.of_piece(i, lambda x: x.kind == i.data)

    def o_column(self, i: Instruction) -> Leaves:
        return ["-2"] if isinstance(self.kind(i.into[0]), t.Text) else self.table(i, self.game.columns[i.data])

    def turned(self, i: Instruction, first: int) -> Leaves:
        n = self.game.players
        return self.table(i, [tuple((q + k) % n for k in range(first, n)) for q in range(n)])

    def o_clockwise(self, i: Instruction) -> Leaves:
        return self.turned(i, 0)

    o_turns_from = o_clockwise

    def o_others(self, i: Instruction) -> Leaves:
        return self.turned(i, 1)

    def o_next(self, i: Instruction) -> Leaves:
        n = self.game.players
        return self.table(i, [(q + 1) % n for q in range(n)])

    def o_previous(self, i: Instruction) -> Leaves:
        n = self.game.players
        return self.table(i, [(q - 1) % n for q in range(n)])

    # ------------------------------------------------------------ boards
    def board(self, i: Instruction) -> Any:
        kind = self.kind(i.args[0]) if i.args else None
        return self.game.boards[kind.board if isinstance(kind, t.Cell) else i.data]

    def numbered(self, i: Instruction, rows: Any) -> Leaves:
        if not self.inside(i.args[0], 1, len(rows)):
            self.outside(self.arg(i), 1, len(rows))
        return self.table(i, rows, first=1)

    def o_board_row(self, i: Instruction) -> Leaves:
        return self.numbered(i, self.game.boards[i.data].rows)

    def o_board_column(self, i: Instruction) -> Leaves:
        return self.numbered(i, self.game.boards[i.data].columns)

    def o_board_lines(self, i: Instruction) -> Leaves:
        low, high = self.interval(i.args[0])
        lines = self.game.boards[i.data].lines
        if low is None or low != high or lines(low, MAX_LOOKED) is None:
            raise Refused("lines of a length that is not known before", i.span)
        return self.constant(lines(low, MAX_LOOKED), self.kind(i.into[0]))

    def o_board_at(self, i: Instruction) -> Leaves:
        f, rows = self.fn, self.game.boards[i.data].rows
        row, column = (f.sub(self.arg(i, k), "1") for k in (0, 1))
        inside = f.both(f.value(f"icmp ult i64 {row}, {len(rows)}"), f.value(f"icmp ult i64 {column}, {len(rows[0])}"))
        at = f.choose(inside, f.add(f.mul(row, str(len(rows[0]))), column), "0")
        return [f.choose(inside, self.printer.constants.lookup(f, [str(c) for r in rows for c in r], at), NONE_TEXT)]

    def o_board_between(self, i: Instruction) -> Leaves:
        board = self.board(i)
        if board.size > LARGEST:
            raise Refused("the cells between two of so large a board", i.span)
        kind, cells = self.kind(i.into[0]), range(board.size)
        rows = [self.constant(tuple(board.between(a, b)), kind)[0] for a in cells for b in cells]
        at = self.fn.add(self.fn.mul(self.arg(i), str(board.size)), self.arg(i, 1))
        return [self.printer.constants.lookup(self.fn, rows, at)]

    def o_cell_row(self, i: Instruction) -> Leaves:
        return self.table(i, self.board(i).row_of)

    def o_cell_column(self, i: Instruction) -> Leaves:
        return self.table(i, self.board(i).column_of)

    def o_cell_adjacent(self, i: Instruction) -> Leaves:
        return self.table(i, self.board(i).adjacent)

    def by_direction(self, i: Instruction, entry: Callable[[Any, int, int], Any]) -> Leaves:
        board, n, kind = self.board(i), len(t.DIRECTIONS), self.kind(i.into[0])
        rows = [self.constant(entry(board, c, d), kind)[0] for c in range(board.size) for d in range(n)]
        at = self.fn.add(self.fn.mul(self.arg(i), str(n)), self.arg(i, 1))
        return [self.printer.constants.lookup(self.fn, rows, at)]

    def o_cell_step(self, i: Instruction) -> Leaves:
        return self.by_direction(i, lambda board, c, d: board.steps[c].get(d))

    def o_cell_ray(self, i: Instruction) -> Leaves:
        return self.by_direction(i, lambda board, c, d: board.ray(c, d))

    # ------------------------------------------------------------ calls
    def o_call(self, i: Instruction) -> None:
        target = i.data
        self.printer.unhooked(target, i.span)
        callee = self.facts.module.routines[target]
        params = [q.slot for q in self.facts.program.procs[target].params]
        args = [f"i64 {v}" for a, s in zip(i.args, params, strict=True) for v in self.widened(a, callee.slots[s].type)]
        widths = [self.width(s) for s in i.into]
        out = self.fn.slot(max(1, sum(widths)))
        self.called(self.printer.plain(callee), [*args, f"ptr {out}"])
        at = 0
        for s, width in zip(i.into, widths, strict=True):
            self.assign(s, [self.fn.load(self.fn.at(out, at + k)) for k in range(width)])
            at += width

    def widened(self, slot: int, kind: t.Type) -> Leaves:
        found, width = self.leaves(slot), self.words.width(kind)
        return found if len(found) == width else [NONE_TEXT] * width


