"""The core as LLVM assembly: statements of one function, and trials on a copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.core import operations as op
from croupier.core.operations import Body, Const, Expression, Local
from croupier.core.walk import sets, statements
from croupier.limits import MAX_POSITIONS
from croupier.printers import llvm_calls as calls
from croupier.printers import llvm_layout as l
from croupier.printers.llvm_effects import of_body
from croupier.printers.llvm_values import ValuePrinter


class BodyPrinter(ValuePrinter):
    """Prints the body of one function."""

    def body(self, body: Body) -> None:
        for s in body:
            if self.fn.ended:
                return
            self.statement(s)

    def statement(self, s: op.Statement) -> None:
        f, x = self.fn, self.x
        match s:
            case op.Set(name, value):
                f.store(x(value), self.local(name))
            case op.Store(memory, index, value):
                word = x(value)
                f.store(word, self.place(memory, index))
            case op.Copy(target, at, source, begin, count):
                calls.copy(self, target, at, source, begin, count)
            case op.Sort(memory, at, count, stride, keys):
                self.unit.sorts.add((stride, keys))
                f.line(f"call void @sort.{stride}.{keys}(ptr {self.place(memory, at)}, i64 {x(count)})")
            case op.Push() | op.Insert() | op.Remove() | op.Truncate() | op.Loosen():
                self.of_zone(s)
            case op.If(test, then, otherwise):
                self.condition(test, then, otherwise)
            case op.Loop(body):
                head, after = f.label(), f.label()
                f.place(head)
                self.looped(body, after, head)
                f.jump(head)
                f.place_if_used(after)
            case op.For(name, low, high, (op.Store(memory, Local(index), Const(0)),)) if name == index:
                calls.clear(self, memory, low, high)
            case op.For(name, low, high, body):
                self.counted(x(low), x(high), body, lambda i: f.store(i, self.local(name)))
            case op.Each(name, zone, body):
                self.local(name)
                n = f.load(self.length_at(zone))
                first = f.at(f.at("%S", self.unit.layout.contents), self.begins(zone), "i16")
                self.counted("0", n, body, lambda i: f.store(f.value(f"zext i16 {f.load(f.at(first, i, 'i16'), 'i16')} to i64"), self.local(name)))
            case op.Break():
                f.jump(self.loops[-1][0])
            case op.Continue():
                f.jump(self.loops[-1][1])
            case op.Switch(value, cases, otherwise):
                self.switch(x(value), cases, otherwise)
            case op.Call():
                calls.call(self, s)
            case op.Return(values):
                self.give(str(l.OK), [x(v) for v in values])
            case op.Guard(test):
                on, wrong = f.label(), f.label()
                self.branch(test, on, wrong)
                f.place(wrong)
                self.give(str(l.FAILED))
                f.place(on)
            case op.Pay(steps):
                left = f.sub(f.load(self.fuel), x(steps))
                f.store(left, self.fuel)
                self.fail_if(f.test("lt", left, "0"))
            case op.NoOffers() | op.Offer() | op.OfferBits() | op.OfferTop():
                self.of_offers(s)
            case op.Finish():
                self.give(str(l.OVER))
            case op.Fail():
                self.give(str(l.FAILED))
            case op.DeadEnd():
                self.give(str(l.DEAD))
            case op.Reached(number):
                here = f.test("eq", f.load(self.head(l.SEARCH)), f.load(self.head(l.DEPTH)))
                with f.when(f.both(here, f.test("eq", f.load(self.head(l.SOUGHT)), str(number)))):
                    self.give(str(l.REACHED))
            case op.Try():
                trial(self, s)
            case _:
                self.waiting(s)

    def of_zone(self, s: op.Push | op.Insert | op.Remove | op.Truncate | op.Loosen) -> None:
        """A change of what a zone holds."""
        f, x = self.fn, self.x
        match s:
            case op.Push(zone, value):
                n, piece = self.length_at(zone), x(value)
                size = f.load(n)
                f.store(f.value(f"trunc i64 {piece} to i16"), self.element_at(zone, size), "i16")
                self.loosen(zone, size, "0")
                f.store(f.add(size, "1"), n)
            case op.Insert(zone, index, value):
                f.line(f"call void @zone.insert(ptr %S, i64 {x(zone)}, i64 {x(index)}, i64 {x(value)})")
            case op.Remove(zone, index):
                f.line(f"call void @zone.remove(ptr %S, i64 {x(zone)}, i64 {x(index)})")
            case op.Truncate(zone, length):
                n = x(length)
                f.store(n, self.length_at(zone))
                if self.may_loosen(zone):
                    with f.when(f.test("lt", "0", n)):
                        self.loosen(zone, f.sub(n, "1"), "0")
            case op.Loosen(zone, index, value):
                self.loosen(zone, x(index), x(value))

    def of_offers(self, s: op.NoOffers | op.Offer | op.OfferBits | op.OfferTop) -> None:
        """A change of the options that are offered."""
        x = self.x
        match s:
            case op.NoOffers():
                calls.no_offers(self)
            case op.Offer(action, weight):
                number = x(action)
                calls.offer(self, number, x(weight) if self.weighed else None)
            case op.OfferBits(word, more):
                calls.offer_bits(self, x(word), x(more))
            case op.OfferTop(zone):
                calls.offer_top(self, zone)

    def waiting(self, s: op.Statement) -> None:
        """What only functions have that wait."""
        raise AssertionError(s)

    def looped(self, body: Body, after: str, again: str) -> None:
        self.loops.append((after, again))
        self.body(body)
        self.loops.pop()

    def counted(self, low: str, high: str, body: Body, take: Callable[[str], None]) -> None:
        f = self.fn
        at, head, inner, again, after = f.slot(), f.label(), f.label(), f.label(), f.label()
        f.store(low, at)
        f.place(head)
        i = f.load(at)
        f.branch(f.test("lt", i, high), inner, after)
        f.place(inner)
        take(i)
        self.looped(body, after, again)
        f.place(again)
        f.store(f.add(f.load(at), "1"), at)
        f.jump(head)
        f.place(after)

    def condition(self, test: Expression, then: Body, otherwise: Body) -> None:
        f = self.fn
        yes, on = f.label(), f.label()
        no = f.label() if otherwise else on
        self.branch(test, yes, no)
        f.place(yes)
        self.body(then)
        f.jump(on)
        if otherwise:
            f.place(no)
            self.body(otherwise)
            f.jump(on)
        f.place_if_used(on)

    def switch(self, value: str, cases: Sequence[op.Case], otherwise: Body) -> None:
        f = self.fn
        labels, other, on = [f.label() for _ in cases], f.label(), f.label()
        ways = " ".join(f"i64 {v}, label %{label}" for case, label in zip(cases, labels, strict=True) for v in case.values)
        f.end(f"switch i64 {value}, label %{other} [{ways}]")
        for label, body in [*zip(labels, (case.body for case in cases), strict=True), (other, otherwise)]:
            f.place(label)
            self.body(body)
            f.jump(on)
        f.place_if_used(on)

    def loosen(self, zone: Expression, index: str, value: str) -> None:
        """Says whether a place of a zone goes on in an unordered part."""
        f = self.fn
        if self.may_loosen(zone):
            at = f.at(f.at("%S", self.unit.layout.bits), f.add(self.begins(zone), index), "i8")
            f.store(value if value.isdigit() else f.value(f"trunc i64 {value} to i8"), at, "i8")


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
    calls.flush_fuel(p)
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
    calls.flush_fuel(p)  # what was tried takes the fuel of both: with less than the rules give, the action is played by the evaluator
    if tried.counted:
        used_up = f.sub(fuel, f.load(p.head(l.FUEL)))
        f.store(f.sub(f.load(p.head(l.TRIED)), used_up), p.head(l.TRIED))
    f.place(on)
    f.store(f.load(result), p.local(name))
