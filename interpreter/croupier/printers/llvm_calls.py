"""Calls of functions, copies of arrays; and what others look at in the header of a position, kept in slots of a function meanwhile: fuel, offers."""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.operations import NONE, Body, Const, Expression
from croupier.core.walk import statements
from croupier.printers import llvm_layout as l
from croupier.printers.assembly import Fn
from croupier.printers.llvm_effects import returned
from croupier.printers.llvm_values import Unit, ValuePrinter

SHORT = 4  # words that are copied one by one
ROOM_FOR_CALLS = 1 << 20  # bytes of the stack for functions that call themselves


def count_nesting(p: ValuePrinter, recursive: bool) -> None:
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


def copy(p: ValuePrinter, target: str, at: Expression, source: str, begin: Expression, count: Expression) -> None:
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


def clear(p: ValuePrinter, memory: str, low: Expression, high: Expression) -> None:
    """The words of an array from one place to another are 0; none if that is no further."""
    f = p.fn
    if isinstance(low, Const) and isinstance(high, Const):
        words = str(max(0, high.value - low.value))
    else:
        count = f.sub(p.x(high), p.x(low))
        words = f.choose(f.test("lt", count, "0"), "0", count)
    f.line(f"call void @llvm.memset.p0.i64(ptr align 8 {p.place(memory, low)}, i8 0, i64 {f.mul(words, '8')}, i1 false)")


def call(p: ValuePrinter, s: op.Call) -> None:
    """A call of a function that does not wait; where it does not end well, so does this one."""
    f, callee, effects = p.fn, p.unit.program.functions[s.function], p.unit.effects[s.function]
    given = ", ".join(["ptr %S", *map(p.argument, s.arguments)])
    if effects.offers:
        flush_offers(p)
    if effects.pays:
        flush_fuel(p)
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
        take_fuel(p)
    if effects.offers and p.offers:
        f.store(f.load(p.head(l.COUNT)), "%O.n")
        f.store(f.load(p.head(l.MESSY)), "%O.messy")
    for name, word in zip(s.results, words, strict=True):
        f.store(word, p.local(name))


def call_start(unit: Unit, f: Fn, give: Callable[[str], None]) -> None:
    """The call of the function that runs before everything, if there is one; `give` ends the game with its status where that is not well."""
    program = unit.program
    if program.start is None:
        return
    effects = unit.effects[program.start]
    text = f"call {returned(program.functions[program.start], effects)} @f.{program.start}(ptr %S)"
    if not effects.fails:
        f.line(text)
        return
    status = f.value(text)
    with f.when(f.test("ne", status, str(l.OK))):
        give(status)


# ------------------------------------------------------------ slots for what is in the header
def open_registers(p: ValuePrinter, offers: bool, body: Body) -> None:
    """What others look at in the header lies in slots of the function meanwhile."""
    if offers:
        open_offers(p)
    if any(isinstance(s, op.Pay) for s in statements(body)):
        p.fuel = p.fn.named_slot("fuel")
        take_fuel(p)

    def leave() -> None:
        flush_offers(p)
        flush_fuel(p)

    p.leave = leave


def take_fuel(p: ValuePrinter) -> None:
    """Fuel is what the header says."""
    if p.fuel:
        p.fn.store(p.fn.load(p.head(l.FUEL)), p.fuel)


def flush_fuel(p: ValuePrinter) -> None:
    """And back to the header."""
    if p.fuel:
        p.fn.store(p.fn.load(p.fuel), p.head(l.FUEL))


def open_offers(p: ValuePrinter) -> None:
    """What is on offer so far, in slots of the function."""
    p.offers = p.fn.fresh()
    for name, word in (("n", l.COUNT), ("messy", l.MESSY)):
        slot = p.fn.named_slot(f"O.{name}")
        p.fn.store(p.fn.load(p.head(word)), slot)
    for name in ("last", "whose"):
        p.fn.store(str(NONE), p.fn.named_slot(f"O.{name}"))


def flush_offers(p: ValuePrinter) -> None:
    """And back to where others look."""
    if p.offers:
        p.fn.store(p.fn.load("%O.n"), p.head(l.COUNT))
        p.fn.store(p.fn.load("%O.messy"), p.head(l.MESSY))


def no_offers(p: ValuePrinter) -> None:
    """Nothing is on offer any more."""
    f = p.fn
    f.store("0", "%O.n")
    f.store("0", "%O.messy")
    f.store(str(NONE), "%O.last")
    f.store(str(int(p.weighed)), p.head(l.WEIGHED))
    f.store(str(l.LISTED), p.head(l.FORM))


def offer(p: ValuePrinter, action: str, weight: str | None) -> None:
    """One more action, with its weight where they have some."""
    f = p.fn
    n = f.load("%O.n")
    p.fail_if(f.test("ge", n, str(l.MOST_OFFERS)))
    f.store(action, f.at(f.before(-2 * l.MOST_OFFERS), n))
    if weight is not None:
        f.store(weight, f.at(f.before(-l.MOST_OFFERS), n))
    f.store(f.add(n, "1"), "%O.n")
    disorder = f.test("le", action, f.load("%O.last"))
    if p.several and weight is not None:  # of each seat they are in order
        disorder = f.both(disorder, f.test("eq", weight, f.load("%O.whose")))
        f.store(weight, "%O.whose")
    wrong = f.wide(disorder)
    f.store(f.binary("or", f.load("%O.messy"), wrong), "%O.messy")
    f.store(action, "%O.last")


def offer_bits(p: ValuePrinter, word: str, more: str) -> None:
    """Actions by the places of bits; alone on offer they stay bits."""
    f = p.fn
    if p.alone:
        for i, value in enumerate((word, more)):
            f.store(value, f.before(-2 * l.MOST_OFFERS + i))
        f.store(f.value(f"call i64 @llvm.ctpop.i64(i64 {word})"), "%O.n")
        f.store(str(l.BITS), p.head(l.FORM))
        return
    left, head, go, after = f.slot(), f.label(), f.label(), f.label()
    f.store(word, left)
    f.place(head)
    bits = f.load(left)
    f.branch(f.test("eq", bits, "0"), after, go)
    f.place(go)
    place = f.value(f"call i64 @llvm.cttz.i64(i64 {bits}, i1 true)")
    f.store(f.binary("and", bits, f.sub(bits, "1")), left)
    offer(p, f.add(place, more), "1" if p.weighed else None)
    f.jump(head)
    f.place(after)


def offer_top(p: ValuePrinter, zone: Expression) -> None:
    """The components of the unordered part on top; alone on offer they stay where they lie."""
    f = p.fn
    n, first = f.load(p.length_at(zone)), p.begins(zone)
    begin = f.call("zone.part", ["ptr %S", f"i64 {first}", f"i64 {n}"])
    if p.alone:
        f.store(f.add(first, begin), f.before(-2 * l.MOST_OFFERS))
        f.store(f.sub(n, begin), "%O.n")
        f.store(str(l.PART), p.head(l.FORM))
        return
    with f.counting(begin, n) as i:
        offer(p, p.element(zone, i), "1" if p.weighed else None)
