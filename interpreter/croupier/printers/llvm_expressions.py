"""Code generator for expressions of one function: addresses of locals, arrays and zones, values, conditions,
and how the function returns.

Locals are allocas, which LLVM promotes to registers. An expression is emitted as a value (`value`), or as an
i1 where only its truth counts (`condition`); `and`, `or` and `select` branch only where an operand must not
be evaluated early.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from croupier.core import operations as op
from croupier.core.operations import Const, Expression, Local
from croupier.core.types import CoreProgram, Function
from croupier.printers.function_effects import BodyEffects, may_overflow, return_type
from croupier.printers.llvm_builder import FunctionBuilder, Operand
from croupier.printers.llvm_layout import FrameLayout, Header, Layout, Status

ARITHMETIC = {op.Add: "add", op.Sub: "sub", op.Times: "mul", op.Mul: "mul"}
COMPARED = {op.Eq: "eq", op.Lt: "slt", op.Le: "sle"}
BITS = {"and": "and", "or": "or", "xor": "xor", "shl": "shl", "shr": "ashr"}
TESTS = (op.Eq, op.Lt, op.Le, op.And, op.Or, op.Not, op.Searching, op.Holds, op.Offered)


@dataclass(slots=True)
class TranslationUnit:
    """The facts that the functions of one program share."""

    program: CoreProgram
    layout: Layout
    effects: dict[str, BodyEffects]
    inlined: set[str]
    recursive: set[str]
    sorts: set[tuple[int, int]] = field(default_factory=set)
    tables: dict[str, int] = field(default_factory=dict)  # bytes of a word, by constant table


class ExpressionPrinter:
    """Emits expressions and returns of `f` into `fn`.

    `frame`: the layout of the frame `%F`, in a function that waits; otherwise None.
    """

    def __init__(
        self, unit: TranslationUnit, fn: FunctionBuilder, f: Function, frame: FrameLayout | None
    ) -> None:
        self.unit, self.fn, self.f, self.frame = unit, fn, f, frame
        self.locals: dict[str, str] = {}
        self.arrays: dict[str, str] = {}
        self.sizes = f.arrays
        self.loops: list[tuple[str, str]] = []  # labels of `Break` and `Continue`, innermost last
        # Of the offers that are emitted: do they have weights, does one statement make all of them, do
        # several seats choose?
        self.weighted = self.single_offer = self.simultaneous = False
        self.caches_offers = False  # are the offer words of the header cached? see `llvm_offers.py`
        # emits what precedes a return: spills cached header words
        self.before_return: Callable[[], None] = lambda: None
        # the same for a return after a failed call, which has spilled them
        self.after_failed_call: Callable[[], None] = lambda: None
        self.fuel_slot = ""  # the alloca that caches the fuel, in functions that pay

    # ------------------------------------------------------------ addresses
    def local_slot(self, name: str) -> str:
        """The alloca of a local."""
        if name not in self.locals:
            self.locals[name] = self.fn.named_alloca(f"L.{name}")
        return self.locals[name]

    def array_base(self, memory: str) -> tuple[str, int]:
        """The beginning of an array: an address, and an offset in words."""
        if memory in self.arrays:
            return self.arrays[memory], 0
        if self.frame is not None and memory in self.frame.arrays:
            return "%F", self.frame.arrays[memory]
        for p in self.f.parameters:
            if p.name == memory and p.size is not None and self.frame is None:
                return f"%P.{memory}", 0
        if memory in self.sizes:
            self.arrays[memory] = self.fn.named_alloca(f"A.{memory}", self.sizes[memory])
            return self.arrays[memory], 0
        if self.unit.program.memories[memory].constant:
            return f"@{memory}", 0
        at = self.unit.layout.at[memory]
        return ("%S" if at >= 0 else self.fn.scratch(0)), at

    def word_address(self, memory: str, index: Expression) -> str:
        """The address of a word of an array."""
        base, begin = self.array_base(memory)
        if isinstance(index, Const):
            return self.fn.gep(base, begin + index.value)
        match index:
            case op.Add(a, Const(k)):
                index, begin = a, begin + k
            case op.Sub(a, Const(k)):
                index, begin = a, begin - k
        if begin:
            return self.fn.gep(self.fn.gep(base, begin), self.value(index))
        return self.fn.gep(base, self.value(index))

    # ------------------------------------------------------------ zones
    def zone_length_address(self, zone: Expression) -> str:
        """The address of the length of a zone."""
        lengths = self.unit.layout.lengths
        if isinstance(zone, Const):
            return self.fn.gep("%S", lengths + zone.value)
        return self.fn.gep(self.fn.gep("%S", lengths), self.value(zone))

    def may_be_unordered(self, zone: Expression) -> bool:
        """Return whether a zone may have an unordered part."""
        found = self.unit.layout.may_be_unordered
        return zone.value in found if isinstance(zone, Const) else bool(found)

    def zone_offset(self, zone: Expression) -> str:
        """The offset of a zone among the places of all zones."""
        layout = self.unit.layout
        if isinstance(zone, Const):
            return str(layout.zone_at[zone.value])
        z = self.value(zone)
        if layout.stride is not None:
            return self.fn.mul(z, layout.stride)
        return self.fn.load_at("@zone.at", z)

    def component_address(self, zone: Expression, index: str) -> str:
        """The address of a component of a zone (i16)."""
        f = self.fn
        return f.gep(f.gep("%S", self.unit.layout.contents), f.add(self.zone_offset(zone), index), "i16")

    def load_component(self, zone: Expression, index: str) -> str:
        """Emit a load of a component of a zone, as i64."""
        return self.fn.emit_value(
            f"zext i16 {self.fn.load(self.component_address(zone, index), 'i16')} to i64"
        )

    # ------------------------------------------------------------ expressions
    def is_speculatable(self, e: Expression) -> bool:
        """Return whether an expression is speculatable: total, and without effects."""
        match e:
            case Const() | Local() | op.Chosen() | op.ChosenSeat() | op.Searching():
                return True
            case op.Load(_, Const()):
                return True
            case op.Length(Const()):
                return True
            case op.Div(a, b) | op.Mod(a, b):
                return isinstance(b, Const) and b.value > 0 and self.is_speculatable(a)
            case op.Mul(a, b):
                return not may_overflow(e) and self.is_speculatable(a) and self.is_speculatable(b)
            case op.Bits(kind, a, b):
                return kind in ("and", "or", "xor") and self.is_speculatable(a) and self.is_speculatable(b)
            case op.Binary(a, b):
                return self.is_speculatable(a) and self.is_speculatable(b)
            case op.Not(a) | op.CountBits(a):
                return self.is_speculatable(a)
            case op.Select(test, a, b):
                return self.is_speculatable(test) and self.is_speculatable(a) and self.is_speculatable(b)
        return False

    def value(self, e: Expression) -> str:
        """Emit an expression as i64."""
        f = self.fn
        match e:
            case Const(value):
                return str(value)
            case Local(name):
                return f.load(self.local_slot(name))
            case op.Load(memory, index):
                return self.load_element(memory, index)
            case op.Length(zone):
                return f.load(self.zone_length_address(zone))
            case op.Element(zone, index):
                return self.load_component(zone, self.value(index))
            case op.Find(zone, value):
                return f.call("zone.find", "%S", self.value(zone), self.value(value))
            case op.Rank(zone, value):
                return f.call("zone.rank", "%S", self.value(zone), self.value(value))
            case op.Chosen():
                return f.load_at("%S", Header.CHOSEN)
            case op.ChosenSeat():
                return f.load_at("%S", Header.CHOSEN_SEAT)
            case op.Mul(a, b) if may_overflow(e):
                return self.checked_product(self.value(a), self.value(b))
            case op.Add(a, b) | op.Sub(a, b) | op.Times(a, b) | op.Mul(a, b):
                return f.binary(ARITHMETIC[type(e)], self.value(a), self.value(b))
            case op.Div(a, b):
                return self.floor_division(a, b)[0]
            case op.Mod(a, b):
                return self.floor_division(a, b)[1]
            case op.Select(test, a, b):
                return self.select_value(test, a, b)
            case op.Bits(kind, a, b):
                return f.binary(BITS[kind], self.value(a), self.value(b))
            case op.CountBits(a):
                return f.emit_value(f"call i64 @llvm.ctpop.i64(i64 {self.value(a)})")
            case op.LowBit(a):
                return f.emit_value(f"call i64 @llvm.cttz.i64(i64 {self.value(a)}, i1 true)")
        return f.zext(self.condition(e))

    def load_element(self, memory: str, index: Expression) -> str:
        size = self.unit.tables.get(memory, 8)
        if (
            size == 8
            or memory not in self.unit.program.memories
            or self.array_base(memory)[0] != f"@{memory}"
        ):
            return self.fn.load(self.word_address(memory, index))
        kind = f"i{8 * size}"
        found = self.fn.load(self.fn.gep(f"@{memory}", self.value(index), kind), kind)
        return self.fn.emit_value(f"sext {kind} {found} to i64")

    def condition(self, e: Expression) -> str:
        """Emit an expression as an i1 that is true if it is not 0."""
        f = self.fn
        match e:
            case Const(value):
                return "true" if value else "false"
            case op.Eq(a, Const(1)) if isinstance(a, TESTS):
                return self.condition(a)
            case op.Eq(a, b) | op.Lt(a, b) | op.Le(a, b):
                return f.emit_value(f"icmp {COMPARED[type(e)]} i64 {self.value(a)}, {self.value(b)}")
            case op.Not(a):
                return f.not_bool(self.condition(a))
            case op.And(a, b) if self.is_speculatable(b):
                return f.emit_value(f"select i1 {self.condition(a)}, i1 {self.condition(b)}, i1 false")
            case op.Or(a, b) if self.is_speculatable(b):
                return f.emit_value(f"select i1 {self.condition(a)}, i1 true, i1 {self.condition(b)}")
            case op.And() | op.Or():
                slot, yes, no, on = f.alloca(1, "i1"), f.new_label(), f.new_label(), f.new_label()
                self.branch_on(e, yes, no)
                for label, word in ((yes, "true"), (no, "false")):
                    f.start_block(label)
                    f.store(word, slot, "i1")
                    f.jump(on)
                f.start_block(on)
                return f.load(slot, "i1")
            case op.Searching():
                return f.icmp("ne", f.load_at("%S", Header.SEARCH_FRAME), 0)
            case op.Offered():
                return f.icmp("ne", f.load("%O.count"), 0)
            case op.Holds(memory, begin, count, value):
                return self.contains(self.word_address(memory, begin), self.value(count), self.value(value))
            case op.Loose(zone, index):
                if not self.may_be_unordered(zone):
                    return "false"
                at = f.add(self.zone_offset(zone), self.value(index))
                bit = f.load_at(f.gep("%S", self.unit.layout.unordered_bytes), at, "i8")
                return f.emit_value(f"icmp ne i8 {bit}, 0")
        return f.icmp("ne", self.value(e), 0)

    def contains(self, first: str, count: str, value: str) -> str:
        """Emit a linear search as an i1 that is true if a word is among `count` words from an address on."""
        f = self.fn
        found, after = f.alloca(1, "i1"), f.new_label()
        f.store("false", found, "i1")
        with f.for_range(0, count) as i, f.when(f.icmp("eq", f.load_at(first, i), value)):
            f.store("true", found, "i1")
            f.jump(after)
        f.start_block(after)
        return f.load(found, "i1")

    def branch_on(self, e: Expression, yes: str, no: str) -> None:
        """Emit a branch on an expression, with short circuits."""
        match e:
            case op.And(a, b) if not self.is_speculatable(b):
                more = self.fn.new_label()
                self.branch_on(a, more, no)
                self.fn.start_block(more)
                self.branch_on(b, yes, no)
            case op.Or(a, b) if not self.is_speculatable(b):
                more = self.fn.new_label()
                self.branch_on(a, yes, more)
                self.fn.start_block(more)
                self.branch_on(b, yes, no)
            case op.Not(a):
                self.branch_on(a, no, yes)
            case Const(value):
                self.fn.jump(yes if value else no)
            case _:
                self.fn.branch(self.condition(e), yes, no)

    def select_value(self, test: Expression, a: Expression, b: Expression) -> str:
        f = self.fn
        if self.is_speculatable(a) and self.is_speculatable(b):
            return f.select(self.condition(test), self.value(a), self.value(b))
        slot, yes, no, on = f.alloca(), f.new_label(), f.new_label(), f.new_label()
        self.branch_on(test, yes, no)
        for label, value in ((yes, a), (no, b)):
            f.start_block(label)
            f.store(self.value(value), slot)
            f.jump(on)
        f.start_block(on)
        return f.load(slot)

    def checked_product(self, a: str, b: str) -> str:
        f = self.fn
        both = f.emit_value(f"call {{i64, i1}} @llvm.smul.with.overflow.i64(i64 {a}, i64 {b})")
        self.fail_if(f.emit_value(f"extractvalue {{i64, i1}} {both}, 1"))
        return f.emit_value(f"extractvalue {{i64, i1}} {both}, 0")

    def floor_division(self, a: Expression, b: Expression) -> tuple[str, str]:
        """Emit a floor division: quotient and remainder."""
        f = self.fn
        p, q = self.value(a), self.value(b)
        quotient, rest = f.binary("sdiv", p, q), f.binary("srem", p, q)
        crossed = f.and_bool(f.icmp("ne", rest, 0), f.icmp("lt", f.binary("xor", rest, q), 0))
        return f.sub(quotient, f.zext(crossed)), f.select(crossed, f.add(rest, q), rest)

    def argument(self, a: Expression | op.Array) -> str:
        return (
            f"ptr {self.word_address(a.memory, a.at)}" if isinstance(a, op.Array) else f"i64 {self.value(a)}"
        )

    # ------------------------------------------------------------ returns
    def emit_return(self, status: Operand, values: Sequence[str] = ()) -> None:
        """Emit a return of a status, if the function may fail, and words."""
        self.before_return()
        f = self.fn
        if self.frame is not None:
            f.terminate(f"ret i64 {status}")
            return
        kind = return_type(self.f, self.unit.effects[self.f.name])
        words = [
            *([status] if self.unit.effects[self.f.name].fails else []),
            *(values or ["0"] * self.f.results),
        ]
        match words:
            case []:
                f.terminate("ret void")
            case [word]:
                f.terminate(f"ret i64 {word}")
            case _:
                made = "undef"
                for i, word in enumerate(words):
                    made = f.emit_value(f"insertvalue {kind} {made}, i64 {word}, {i}")
                f.terminate(f"ret {kind} {made}")

    def fail_if(self, test: str) -> None:
        f = self.fn
        wrong, on = f.new_labels(2)
        f.terminate(f"br i1 {test}, label %{wrong}, label %{on}, !prof !0")
        f.start_block(wrong)
        self.emit_return(Status.FAILED)
        f.start_block(on)

    def return_status_of(self, status: str) -> None:
        """Emit a return of the status of a failed call, which has spilled fuel and offers already."""
        held, self.before_return = self.before_return, self.after_failed_call
        self.emit_return(status)
        self.before_return = held
