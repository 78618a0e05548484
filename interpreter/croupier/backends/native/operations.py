"""Instructions as assembly. A method gives the words of its result; tests that fail deviate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.backends.facts import REACH
from croupier.backends.native import plan as p
from croupier.backends.native.conversion import Conversion
from croupier.backends.native.places import NONE_TEXT, Leaves
from croupier.backends.unsupported import Refused, refused_operation
from croupier.ir.instructions import Instruction
from croupier.semantics import types as t

IGNORED = {"burn", "show", "tell", "announce"}


class Operations(Conversion):
    """Instructions on numbers, records and what may be missing."""

    def instruction(self, i: Instruction) -> None:
        if i.op in IGNORED:
            return
        if self.printer.paid_by_length(self.routine, i):
            for a in i.args:
                if isinstance(self.kind(a), t.Collection):
                    self.pay(self.fn.add(self.fn.mul(self.list_of(a)[1], "2"), "3"))
        if i.op == "offer":
            if self.offering is None:
                raise Refused("an offer outside of a question", i.span)
            self.offering(i)
            return
        rule: Callable[[Instruction], Leaves | None] | None = getattr(self, "o_" + i.op, None)
        folded = None if rule is not None or i.args else self.facts.fold(i, [], self.routine)
        if folded is not None:
            self.assign(i.into[0], self.constant(folded[0], self.kind(i.into[0])))
            return
        if rule is None:
            raise refused_operation(i.op, i.span)
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
        found, name = self.leaves(slot), None if t.within(self.kind(slot), kind) else self.printer.shapes.test(kind)
        found = self.converted(found, self.kind(slot), kind)
        if name is not None:
            status = self.fn.call(name, [f"i64 {v}" for v in (found if len(found) == self.words.width(kind) else self.widened(slot, kind))])
            self.test(self.fn.test("ne", status, str(p.OK)))
        return found

    def widened(self, slot: int, kind: t.Type) -> Leaves:
        found, width = self.leaves(slot), self.words.width(kind)
        return found if len(found) == width else [NONE_TEXT] * width

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
        return self.alike(self.leaves(a), self.leaves(b), t.join(self.kind(a), self.kind(b)) or self.kind(a))

    def alike(self, a: Leaves, b: Leaves, kind: t.Type) -> str:
        """Are two values of a type equal, lists by what is in them? An i1."""
        if self.words.holds_text(kind):
            raise Refused("comparing texts", None)
        if self.words.is_scalar(kind) or isinstance(kind, t.Nothing) or len(a) != len(b):
            return self.same(a, b)
        args = [f"i64 {v}" for v in (*a, *b)]
        return self.fn.test("eq", self.fn.call(self.printer.shapes.order(kind), args), "0")

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
