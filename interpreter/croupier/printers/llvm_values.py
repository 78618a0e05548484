"""The core as LLVM assembly: where things lie in one function, expressions, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from croupier.core import operations as op
from croupier.core.operations import Const, Expression, Local
from croupier.core.types import CoreProgram, Function
from croupier.printers import llvm_layout as l
from croupier.printers.assembly import Fn
from croupier.printers.llvm_effects import BodyEffects, overflows, returned
from croupier.printers.llvm_layout import FrameLayout, Layout

COMPARED = {op.Eq: "eq", op.Lt: "slt", op.Le: "sle"}
BITS = {"and": "and", "or": "or", "xor": "xor", "shl": "shl", "shr": "ashr"}
TESTS = (op.Eq, op.Lt, op.Le, op.And, op.Or, op.Not, op.Searching, op.Holds, op.Offered)


@dataclass(slots=True)
class Unit:
    """What the functions of one program have in common."""

    program: CoreProgram
    layout: Layout
    effects: dict[str, BodyEffects]
    inlined: set[str]
    recursive: set[str]
    sorts: set[tuple[int, int]] = field(default_factory=set)
    tables: dict[str, int] = field(default_factory=dict)  # how many bytes the words of a table take


class ValuePrinter:
    """Prints what gives values, and ends, into `fn`. In a function that waits `frame` says where what is kept lies, and `%F` is the frame."""

    def __init__(self, unit: Unit, fn: Fn, f: Function, frame: FrameLayout | None) -> None:
        self.unit, self.fn, self.f, self.frame = unit, fn, f, frame
        self.locals: dict[str, str] = {}
        self.arrays: dict[str, str] = {}
        self.loops: list[tuple[str, str]] = []  # where `Break` and `Continue` go
        self.weighed = self.alone = self.several = False  # have actions weights, does one statement offer all of them, do several choose
        self.offers = ""  # slots of: how many are on offer, the last of them, are they out of order
        self.leave: Callable[[], None] = lambda: None  # what is done before the function ends
        self.after_call: Callable[[], None] = lambda: None  # the same where a call made it end, which has put down offers and fuel
        self.fuel = ""  # a slot of it, in functions that pay

    # ------------------------------------------------------------ where things lie
    def local(self, name: str) -> str:
        """The slot of a local."""
        if name not in self.locals:
            self.locals[name] = self.fn.named_slot(f"L.{name}")
        return self.locals[name]

    def base(self, memory: str) -> tuple[str, int]:
        """Where an array begins: an address, and words from there."""
        if memory in self.arrays:
            return self.arrays[memory], 0
        if self.frame is not None and memory in self.frame.arrays:
            return "%F", self.frame.arrays[memory]
        for p in self.f.parameters:
            if p.name == memory and p.size is not None and self.frame is None:
                return f"%P.{memory}", 0
        sizes = {m.name: m.size for m in self.f.memories} | {p.name: p.size for p in self.f.parameters if p.size is not None}
        if memory in sizes:
            if memory not in self.arrays:
                self.arrays[memory] = self.fn.named_slot(f"A.{memory}", sizes[memory])
            return self.arrays[memory], 0
        if self.unit.program.memories[memory].constant:
            return f"@{memory}", 0
        at = self.unit.layout.at[memory]
        return ("%S" if at >= 0 else self.fn.before(0)), at

    def place(self, memory: str, index: Expression) -> str:
        """The address of a word of an array."""
        base, begin = self.base(memory)
        if isinstance(index, Const):
            return self.fn.at(base, begin + index.value)
        match index:
            case op.Add(a, Const(k)):
                index, begin = a, begin + k
            case op.Sub(a, Const(k)):
                index, begin = a, begin - k
        return self.fn.at(self.fn.at(base, begin), self.x(index)) if begin else self.fn.at(base, self.x(index))

    def head(self, word: int) -> str:
        return self.fn.at("%S", word)

    # ------------------------------------------------------------ zones
    def length_at(self, zone: Expression) -> str:
        lengths = self.unit.layout.lengths
        if isinstance(zone, Const):
            return self.fn.at("%S", lengths + zone.value)
        return self.fn.at(self.fn.at("%S", lengths), self.x(zone))

    def may_loosen(self, zone: Expression) -> bool:
        """May a part of a zone be unordered?"""
        found = self.unit.layout.may_loosen
        return zone.value in found if isinstance(zone, Const) else bool(found)

    def begins(self, zone: Expression) -> str:
        """The place of the first component of a zone, among those of all zones."""
        layout = self.unit.layout
        if isinstance(zone, Const):
            return str(layout.zone_at[zone.value])
        z = self.x(zone)
        if layout.stride is not None:
            return self.fn.mul(z, str(layout.stride))
        return self.fn.load(self.fn.at("@zone.at", z))

    def element_at(self, zone: Expression, index: str) -> str:
        f = self.fn
        return f.at(f.at("%S", self.unit.layout.contents), f.add(self.begins(zone), index), "i16")

    def element(self, zone: Expression, index: str) -> str:
        return self.fn.value(f"zext i16 {self.fn.load(self.element_at(zone, index), 'i16')} to i64")

    # ------------------------------------------------------------ expressions
    def safe(self, e: Expression) -> bool:
        """May an expression be worked out though nobody asks for it?"""
        match e:
            case Const() | Local() | op.Chosen() | op.ChosenSeat() | op.Searching():
                return True
            case op.Load(_, Const()):
                return True
            case op.Length(Const()):
                return True
            case op.Div(a, Const(b)) | op.Mod(a, Const(b)):
                return b > 0 and self.safe(a)
            case op.Times(a, b):
                return self.safe(a) and self.safe(b)
            case op.Mul(a, b):
                return not overflows(e) and self.safe(a) and self.safe(b)
            case op.Bits(kind, a, b):
                return kind in ("and", "or", "xor") and self.safe(a) and self.safe(b)
            case op.Add(a, b) | op.Sub(a, b) | op.Eq(a, b) | op.Lt(a, b) | op.Le(a, b) | op.And(a, b) | op.Or(a, b):
                return self.safe(a) and self.safe(b)
            case op.Not(a) | op.CountBits(a):
                return self.safe(a)
            case op.Select(test, a, b):
                return self.safe(test) and self.safe(a) and self.safe(b)
        return False

    def x(self, e: Expression) -> str:
        """A word."""
        f = self.fn
        match e:
            case Const(value):
                return str(value)
            case Local(name):
                return f.load(self.local(name))
            case op.Load(memory, index):
                return self.load(memory, index)
            case op.Length(zone):
                return f.load(self.length_at(zone))
            case op.Element(zone, index):
                return self.element(zone, self.x(index))
            case op.Find(zone, value):
                return f.call("zone.find", ["ptr %S", f"i64 {self.x(zone)}", f"i64 {self.x(value)}"])
            case op.Rank(zone, value):
                return f.call("zone.rank", ["ptr %S", f"i64 {self.x(zone)}", f"i64 {self.x(value)}"])
            case op.Chosen():
                return f.load(self.head(l.CHOSEN))
            case op.ChosenSeat():
                return f.load(self.head(l.CHOSEN_SEAT))
            case op.Add(a, b):
                return f.add(self.x(a), self.x(b))
            case op.Sub(a, b):
                return f.sub(self.x(a), self.x(b))
            case op.Times(a, b):
                return f.mul(self.x(a), self.x(b))
            case op.Mul(a, b):
                return self.product(self.x(a), self.x(b)) if overflows(e) else f.mul(self.x(a), self.x(b))
            case op.Div(a, b):
                return self.divided(a, b)[0]
            case op.Mod(a, b):
                return self.divided(a, b)[1]
            case op.Select(test, a, b):
                return self.select(test, a, b)
            case op.Bits(kind, a, b):
                return f.binary(BITS[kind], self.x(a), self.x(b))
            case op.CountBits(a):
                return f.value(f"call i64 @llvm.ctpop.i64(i64 {self.x(a)})")
            case op.LowBit(a):
                return f.value(f"call i64 @llvm.cttz.i64(i64 {self.x(a)}, i1 true)")
        return f.wide(self.test(e))

    def load(self, memory: str, index: Expression) -> str:
        size = self.unit.tables.get(memory, 8)
        if size == 8 or memory not in self.unit.program.memories or self.base(memory)[0] != f"@{memory}":
            return self.fn.load(self.place(memory, index))
        kind = f"i{8 * size}"
        found = self.fn.load(self.fn.at(f"@{memory}", self.x(index), kind), kind)
        return self.fn.value(f"sext {kind} {found} to i64")

    def test(self, e: Expression) -> str:
        """A word that is 0 or not, as i1."""
        f = self.fn
        match e:
            case Const(value):
                return "true" if value else "false"
            case op.Eq(a, Const(1)) if isinstance(a, TESTS):
                return self.test(a)
            case op.Eq(a, b) | op.Lt(a, b) | op.Le(a, b):
                return f.value(f"icmp {COMPARED[type(e)]} i64 {self.x(a)}, {self.x(b)}")
            case op.Not(a):
                return f.binary("xor", self.test(a), "true", "i1")
            case op.And(a, b) if self.safe(b):
                return f.value(f"select i1 {self.test(a)}, i1 {self.test(b)}, i1 false")
            case op.Or(a, b) if self.safe(b):
                return f.value(f"select i1 {self.test(a)}, i1 true, i1 {self.test(b)}")
            case op.And() | op.Or():
                slot, yes, no, on = f.slot(1, "i1"), f.label(), f.label(), f.label()
                self.branch(e, yes, no)
                for label, word in ((yes, "true"), (no, "false")):
                    f.place(label)
                    f.store(word, slot, "i1")
                    f.jump(on)
                f.place(on)
                return f.load(slot, "i1")
            case op.Searching():
                return f.test("ne", f.load(self.head(l.SEARCH)), "0")
            case op.Offered():
                return f.test("ne", f.load("%O.n"), "0")
            case op.Holds(memory, begin, count, value):
                return self.holds(self.place(memory, begin), self.x(count), self.x(value))
            case op.Loose(zone, index):
                if not self.may_loosen(zone):
                    return "false"
                at = f.add(self.begins(zone), self.x(index))
                bit = f.load(f.at(f.at("%S", self.unit.layout.bits), at, "i8"), "i8")
                return f.value(f"icmp ne i8 {bit}, 0")
        return f.test("ne", self.x(e), "0")

    def holds(self, first: str, count: str, value: str) -> str:
        """Is a word among so many from an address on? An i1."""
        f = self.fn
        found, after = f.slot(1, "i1"), f.label()
        f.store("false", found, "i1")
        with f.counting("0", count) as i, f.when(f.test("eq", f.load(f.at(first, i)), value)):
            f.store("true", found, "i1")
            f.jump(after)
        f.place(after)
        return f.load(found, "i1")

    def branch(self, e: Expression, yes: str, no: str) -> None:
        """On to one of two labels."""
        match e:
            case op.And(a, b) if not self.safe(b):
                more = self.fn.label()
                self.branch(a, more, no)
                self.fn.place(more)
                self.branch(b, yes, no)
            case op.Or(a, b) if not self.safe(b):
                more = self.fn.label()
                self.branch(a, yes, more)
                self.fn.place(more)
                self.branch(b, yes, no)
            case op.Not(a):
                self.branch(a, no, yes)
            case Const(value):
                self.fn.jump(yes if value else no)
            case _:
                self.fn.branch(self.test(e), yes, no)

    def select(self, test: Expression, a: Expression, b: Expression) -> str:
        f = self.fn
        if self.safe(a) and self.safe(b):
            return f.choose(self.test(test), self.x(a), self.x(b))
        slot, yes, no, on = f.slot(), f.label(), f.label(), f.label()
        self.branch(test, yes, no)
        for label, value in ((yes, a), (no, b)):
            f.place(label)
            f.store(self.x(value), slot)
            f.jump(on)
        f.place(on)
        return f.load(slot)

    def product(self, a: str, b: str) -> str:
        f = self.fn
        both = f.value(f"call {{i64, i1}} @llvm.smul.with.overflow.i64(i64 {a}, i64 {b})")
        self.fail_if(f.value(f"extractvalue {{i64, i1}} {both}, 1"))
        return f.value(f"extractvalue {{i64, i1}} {both}, 0")

    def divided(self, a: Expression, b: Expression) -> tuple[str, str]:
        """Quotient, rounded down, and remainder."""
        f = self.fn
        p, q = self.x(a), self.x(b)
        quotient, rest = f.binary("sdiv", p, q), f.binary("srem", p, q)
        crossed = f.both(f.test("ne", rest, "0"), f.test("lt", f.binary("xor", rest, q), "0"))
        return f.sub(quotient, f.wide(crossed)), f.choose(crossed, f.add(rest, q), rest)

    def argument(self, a: Expression | op.Array) -> str:
        return f"ptr {self.place(a.memory, a.at)}" if isinstance(a, op.Array) else f"i64 {self.x(a)}"

    # ------------------------------------------------------------ ends
    def give(self, status: str, values: Sequence[str] = ()) -> None:
        """The function ends, with a status (if it may fail) and words."""
        self.leave()
        f = self.fn
        if self.frame is not None:
            f.end(f"ret i64 {status}")
            return
        kind = returned(self.f, self.unit.effects[self.f.name])
        words = [*([status] if self.unit.effects[self.f.name].fails else []), *(values or ["0"] * self.f.results)]
        match words:
            case []:
                f.end("ret void")
            case [word]:
                f.end(f"ret i64 {word}")
            case _:
                made = "undef"
                for i, word in enumerate(words):
                    made = f.value(f"insertvalue {kind} {made}, i64 {word}, {i}")
                f.end(f"ret {kind} {made}")

    def fail_if(self, test: str) -> None:
        f = self.fn
        wrong, on = f.label(), f.label()
        f.end(f"br i1 {test}, label %{wrong}, label %{on}, !prof !0")
        f.place(wrong)
        self.give(str(l.FAILED))
        f.place(on)

    def give_on(self, status: str) -> None:
        """The function ends as one did that it called: what is put down already stays as it is."""
        held, self.leave = self.leave, self.after_call
        self.give(status)
        self.leave = held
