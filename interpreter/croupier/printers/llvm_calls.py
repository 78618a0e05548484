"""Calls of functions, trials on a copy, copies of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.core import operations as op
from croupier.core.operations import Const, Expression
from croupier.core.walk import statements
from croupier.limits import MAX_POSITIONS
from croupier.printers import llvm_layout as l
from croupier.printers import llvm_registers as registers
from croupier.printers.llvm_effects import of_body, returned, sets

if TYPE_CHECKING:
    from croupier.printers.llvm_body import BodyPrinter

SHORT = 4  # words that are copied one by one
ROOM_FOR_CALLS = 1 << 20  # bytes of the stack for functions that call themselves


def count_nesting(p: BodyPrinter, recursive: bool) -> None:
    """A function that may call itself stands in itself only as often as the stack has room for it."""
    if not recursive:
        return
    f, flush = p.fn, p.leave
    deep = f.add(f.load(p.head(l.NESTED)), f.most_bytes())
    p.fail_if(f.test("gt", deep, str(ROOM_FOR_CALLS)))
    f.store(deep, p.head(l.NESTED))

    def leave() -> None:
        flush()
        up()

    def up() -> None:
        f.store(f.sub(f.load(p.head(l.NESTED)), f.most_bytes()), p.head(l.NESTED))

    p.leave, p.after_call = leave, up


def copy(p: BodyPrinter, target: str, at: Expression, source: str, begin: Expression, count: Expression) -> None:
    """Words from one array to another."""
    f = p.fn
    size = p.unit.tables.get(source, 8) if p.base(source)[0] == f"@{source}" else 8
    assert size == 8, source
    origin, to = p.place(source, begin), p.place(target, at)
    if isinstance(count, Const) and count.value <= SHORT:
        words = [f.load(f.at(origin, i)) for i in range(count.value)]
        for i, word in enumerate(words):
            f.store(word, f.at(to, i))
    else:
        f.copy(to, origin, p.x(count))


def clear(p: BodyPrinter, memory: str, low: Expression, high: Expression) -> None:
    """The words of an array from one place to another are 0; none if that is no further."""
    f = p.fn
    if isinstance(low, Const) and isinstance(high, Const):
        words = str(max(0, high.value - low.value))
    else:
        count = f.sub(p.x(high), p.x(low))
        words = f.choose(f.test("lt", count, "0"), "0", count)
    f.line(f"call void @llvm.memset.p0.i64(ptr align 8 {p.place(memory, low)}, i8 0, i64 {f.mul(words, '8')}, i1 false)")


def call(p: BodyPrinter, s: op.Call) -> None:
    """A call of a function that does not wait; where it does not end well, so does this one."""
    f, callee, effects = p.fn, p.unit.program.functions[s.function], p.unit.effects[s.function]
    given = ", ".join(["ptr %S", *map(p.argument, s.arguments)])
    if effects.offers:
        registers.flush_offers(p)
    if effects.pays:
        registers.flush_fuel(p)
    kind = returned(callee, effects)
    text = f"call {kind} @f.{s.function}({given})"
    words = [text]
    if kind == "void":
        f.line(text)
        words = []
    else:
        made = f.value(text)
        count = callee.results + effects.fails
        words = [made] if count == 1 else [f.value(f"extractvalue {kind} {made}, {i}") for i in range(count)]
    if effects.fails:
        status, *words = words
        wrong, on = f.label(), f.label()
        f.end(f"br i1 {f.test('eq', status, str(l.OK))}, label %{on}, label %{wrong}, !prof !1")
        f.place(wrong)
        (p.give_on if effects.pays else p.give)(status)
        f.place(on)
    if effects.pays:
        registers.take_fuel(p)
    if effects.offers and p.offers:
        f.store(f.load(p.head(l.COUNT)), "%O.n")
        f.store(f.load(p.head(l.MESSY)), "%O.messy")
    for name, word in zip(s.results, words, strict=True):
        f.store(word, p.local(name))


def trial(p: BodyPrinter, tried: op.Try) -> None:
    """What the body writes is copied before, and back after it."""
    f, unit, name, body = p.fn, p.unit, tried.name, tried.body
    found = of_body(body, unit.program, unit.effects)
    regions: list[tuple[str, int]] = []
    sizes = {m.name: m.size for m in unit.program.memories.values()}
    sizes |= {m.name: m.size for m in p.f.memories} | {p.name: p.size for p in p.f.parameters if p.size is not None}
    for memory in sorted(found.writes - set(tried.keeps)):
        base, begin = p.base(memory)
        regions.append((f.at(base, begin), sizes[memory]))
    if found.zones:
        layout = unit.layout
        regions.append((f.at("%S", layout.lengths), layout.stack - layout.lengths))
    held = [(at, f.slot(words), words) for at, words in regions]
    changed = sorted({n for s in statements(body) for n in sets(s)} - {name})
    before = [(p.local(n), f.load(p.local(n))) for n in changed]
    registers.flush_fuel(p)
    fuel = f.load(p.head(l.FUEL))
    if tried.counted:
        examined = f.add(f.load(p.head(l.EXAMINED)), "1")
        f.store(examined, p.head(l.EXAMINED))
        p.fail_if(f.test("gt", examined, str(MAX_POSITIONS)))
    for at, to, words in held:
        f.copy(to, at, str(words))
    over, on = f.label(), f.label()
    outer, result = (p.give, p.leave), f.slot()

    def give(status: str, values: Sequence[str] = ()) -> None:
        """A game that is over is no way out; what fails fails outside."""
        if status == str(l.OVER):
            f.store("0", result)
            f.jump(over)
            return
        if not status.isdigit():
            on_, wrong = f.label(), f.label()
            f.branch(f.test("eq", status, str(l.OVER)), on_, wrong)
            f.place(on_)
            f.store("0", result)
            f.jump(over)
            f.place(wrong)
        outer[0](status, values)

    p.give = give  # type: ignore[method-assign]
    p.body(body)
    f.store(p.x(tried.word), result)
    p.give = outer[0]  # type: ignore[method-assign]
    f.jump(over)
    f.place(over)
    for at, to, words in held:
        f.copy(at, to, str(words))
    for slot, word in before:
        f.store(word, slot)
    registers.flush_fuel(p)  # what was tried takes the fuel of both: with less than the rules give, the action is played by the evaluator
    if tried.counted:
        used_up = f.sub(fuel, f.load(p.head(l.FUEL)))
        f.store(f.sub(f.load(p.head(l.TRIED)), used_up), p.head(l.TRIED))
    f.place(on)
    f.store(f.load(result), p.local(name))
