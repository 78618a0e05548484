"""Code generator for statements of one function, and for trials (`op.Try`), which run on a copy and are
rolled back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.core import operations as op
from croupier.core.operations import Body, Const, Expression, Local
from croupier.core.walk import sets, statements
from croupier.limits import MAX_POSITIONS
from croupier.printers import llvm_calls as calls
from croupier.printers import llvm_offers as offers
from croupier.printers.function_effects import body_effects
from croupier.printers.llvm_builder import Operand
from croupier.printers.llvm_expressions import ExpressionPrinter
from croupier.printers.llvm_layout import Header, Status


class StatementPrinter(ExpressionPrinter):
    """Emits the statements of one function."""

    def body(self, body: Body) -> None:
        """Emit statements up to the first that certainly ends the block."""
        for s in body:
            if self.fn.terminated:
                return
            self.statement(s)

    def statement(self, s: op.Statement) -> None:
        """Emit a statement."""
        f, value_of = self.fn, self.value
        match s:
            case op.Set(name, value):
                f.store(value_of(value), self.local_slot(name))
            case op.Store(memory, index, value):
                word = value_of(value)
                f.store(word, self.word_address(memory, index))
            case op.Copy(target, at, source, begin, count):
                calls.emit_copy(self, target, at, source, begin, count)
            case op.Sort(memory, at, count, stride, keys):
                self.unit.sorts.add((stride, keys))
                f.run(f"sort.{stride}.{keys}", self.word_address(memory, at), value_of(count))
            case op.Push() | op.Insert() | op.Remove() | op.Truncate() | op.Loosen():
                self.change_zone(s)
            case op.If(test, then, otherwise):
                self.if_statement(test, then, otherwise)
            case op.Loop(body):
                head, after = f.new_labels(2)
                f.start_block(head)
                self.loop_body(body, after, head)
                f.jump(head)
                f.start_block_if_used(after)
            case op.For(name, low, high, (op.Store(memory, Local(index), Const(0)),)) if name == index:
                calls.emit_clear(self, memory, low, high)
            case op.For(name, low, high, body):
                self.counted_loop(
                    value_of(low), value_of(high), body, lambda i: f.store(i, self.local_slot(name))
                )
            case op.Each(name, zone, body):
                self.local_slot(name)
                n = f.load(self.zone_length_address(zone))
                first = f.gep(f.gep("%S", self.unit.layout.contents), self.zone_offset(zone), "i16")
                self.counted_loop(
                    0,
                    n,
                    body,
                    lambda i: f.store(
                        f.emit_value(f"zext i16 {f.load_at(first, i, 'i16')} to i64"), self.local_slot(name)
                    ),
                )
            case op.Break():
                f.jump(self.loops[-1][0])
            case op.Continue():
                f.jump(self.loops[-1][1])
            case op.Switch(value, cases, otherwise):
                self.switch(value_of(value), cases, otherwise)
            case op.Call():
                calls.emit_call(self, s)
            case op.Return(values):
                self.emit_return(Status.OK, [value_of(v) for v in values])
            case op.Guard(test):
                on, wrong = f.new_labels(2)
                self.branch_on(test, on, wrong)
                f.start_block(wrong)
                self.emit_return(Status.FAILED)
                f.start_block(on)
            case op.Pay(steps):
                left = f.sub(f.load(self.fuel_slot), value_of(steps))
                f.store(left, self.fuel_slot)
                self.fail_if(f.icmp("lt", left, 0))
            case op.NoOffers() | op.Offer() | op.OfferBits() | op.OfferTop():
                self.change_offers(s)
            case op.Finish():
                self.emit_return(Status.OVER)
            case op.Fail():
                self.emit_return(Status.FAILED)
            case op.DeadEnd():
                self.emit_return(Status.DEAD_END)
            case op.Reached(number):
                here = f.icmp("eq", f.load_at("%S", Header.SEARCH_FRAME), f.load_at("%S", Header.FRAME_COUNT))
                with f.when(f.and_bool(here, f.icmp("eq", f.load_at("%S", Header.SEARCH_BLOCK), number))):
                    self.emit_return(Status.REACHED)
            case op.Try():
                trial(self, s)
            case _:
                self.suspension(s)

    def change_zone(self, s: op.Push | op.Insert | op.Remove | op.Truncate | op.Loosen) -> None:
        """Emit a change of the contents of a zone."""
        f, value_of = self.fn, self.value
        match s:
            case op.Push(zone, value):
                n, component = self.zone_length_address(zone), value_of(value)
                size = f.load(n)
                f.store(
                    f.emit_value(f"trunc i64 {component} to i16"), self.component_address(zone, size), "i16"
                )
                self.store_unordered(zone, size, 0)
                f.store(f.add(size, 1), n)
            case op.Insert(zone, index, value):
                f.run("zone.insert", "%S", value_of(zone), value_of(index), value_of(value))
            case op.Remove(zone, index):
                f.run("zone.remove", "%S", value_of(zone), value_of(index))
            case op.Truncate(zone, length):
                n = value_of(length)
                f.store(n, self.zone_length_address(zone))
                if self.may_be_unordered(zone):
                    with f.when(f.icmp("lt", 0, n)):
                        self.store_unordered(zone, f.sub(n, 1), 0)
            case op.Loosen(zone, index, value):
                self.store_unordered(zone, value_of(index), value_of(value))

    def change_offers(self, s: op.NoOffers | op.Offer | op.OfferBits | op.OfferTop) -> None:
        """Emit a change of the legal actions."""
        value_of = self.value
        match s:
            case op.NoOffers():
                offers.emit_no_offers(self)
            case op.Offer(action, weight):
                number = value_of(action)
                offers.emit_offer(self, number, value_of(weight) if self.weighted else None)
            case op.OfferBits(word, more):
                offers.emit_bitset(self, value_of(word), value_of(more))
            case op.OfferTop(zone):
                offers.emit_top_part(self, zone)

    def suspension(self, s: op.Statement) -> None:
        """Emit a statement that only functions that wait contain."""
        raise AssertionError(s)

    def loop_body(self, body: Body, after: str, again: str) -> None:
        self.loops.append((after, again))
        self.body(body)
        self.loops.pop()

    def counted_loop(self, low: Operand, high: Operand, body: Body, take: Callable[[str], None]) -> None:
        """Emit a loop from `low` to `high - 1`; `take` emits what binds the counter."""
        f = self.fn
        at = f.variable(low)
        head, inner, again, after = f.new_labels(4)
        f.start_block(head)
        i = f.load(at)
        f.branch(f.icmp("lt", i, high), inner, after)
        f.start_block(inner)
        take(i)
        self.loop_body(body, after, again)
        f.start_block(again)
        f.store(f.add(f.load(at), 1), at)
        f.jump(head)
        f.start_block(after)

    def if_statement(self, test: Expression, then: Body, otherwise: Body) -> None:
        f = self.fn
        yes, on = f.new_labels(2)
        no = f.new_label() if otherwise else on
        self.branch_on(test, yes, no)
        f.start_block(yes)
        self.body(then)
        f.jump(on)
        if otherwise:
            f.start_block(no)
            self.body(otherwise)
            f.jump(on)
        f.start_block_if_used(on)

    def switch(self, value: str, cases: Sequence[op.Case], otherwise: Body) -> None:
        f = self.fn
        labels, other, on = [f.new_label() for _ in cases], f.new_label(), f.new_label()
        ways = " ".join(
            f"i64 {v}, label %{label}" for case, label in zip(cases, labels, strict=True) for v in case.values
        )
        f.terminate(f"switch i64 {value}, label %{other} [{ways}]")
        for label, body in [*zip(labels, (case.body for case in cases), strict=True), (other, otherwise)]:
            f.start_block(label)
            self.body(body)
            f.jump(on)
        f.start_block_if_used(on)

    def store_unordered(self, zone: Expression, index: str, value: Operand) -> None:
        """Store whether a component belongs to one unordered part with the next."""
        f = self.fn
        if self.may_be_unordered(zone):
            at = f.gep(
                f.gep("%S", self.unit.layout.unordered_bytes), f.add(self.zone_offset(zone), index), "i8"
            )
            if isinstance(value, int) or value.isdigit():
                f.store(value, at, "i8")
            else:
                f.store(f.emit_value(f"trunc i64 {value} to i8"), at, "i8")


def trial(p: StatementPrinter, tried: op.Try) -> None:
    """Emit a trial: save what its body writes, run the body, restore."""
    f, unit, name, body = p.fn, p.unit, tried.name, tried.body
    found = body_effects(body, unit.program, unit.effects)
    regions: list[tuple[str, int]] = []
    sizes = {m.name: m.size for m in unit.program.memories.values()} | p.sizes
    for memory in sorted(found.writes - set(tried.keeps)):
        base, begin = p.array_base(memory)
        regions.append((f.gep(base, begin), sizes[memory]))
    if found.zones:
        layout = unit.layout
        regions.append((f.gep("%S", layout.lengths), layout.stack - layout.lengths))
    held = [(at, f.alloca(words), words) for at, words in regions]
    changed = sorted({n for s in statements(body) for n in sets(s)} - {name})
    before = [(p.local_slot(n), f.load(p.local_slot(n))) for n in changed]
    calls.spill_fuel(p)
    fuel = f.load_at("%S", Header.FUEL)
    if tried.counted:
        examined = f.add(f.load_at("%S", Header.EXAMINED), 1)
        f.store_at(examined, "%S", Header.EXAMINED)
        p.fail_if(f.icmp("gt", examined, MAX_POSITIONS))
    for at, to, words in held:
        f.memmove(to, at, words)
    over, on = f.new_labels(2)
    outer, result = (p.emit_return, p.before_return), f.alloca()

    def return_from_trial(status: Operand, values: Sequence[str] = ()) -> None:
        """Emit the end of a trial: if the game is over, its value is 0; if it fails, the action fails."""
        if status == Status.OVER:
            f.store(0, result)
            f.jump(over)
            return
        if isinstance(status, str):
            on_, wrong = f.new_labels(2)
            f.branch(f.icmp("eq", status, Status.OVER), on_, wrong)
            f.start_block(on_)
            f.store(0, result)
            f.jump(over)
            f.start_block(wrong)
        outer[0](status, values)

    p.emit_return = return_from_trial  # type: ignore[method-assign]
    p.body(body)
    f.store(p.value(tried.word), result)
    p.emit_return = outer[0]  # type: ignore[method-assign]
    f.jump(over)
    f.start_block(over)
    for at, to, words in held:
        f.memmove(at, to, words)
    for slot, word in before:
        f.store(word, slot)
    # a trial pays from both budgets; with less than the rules give, the action only bails out earlier
    calls.spill_fuel(p)
    if tried.counted:
        used_up = f.sub(fuel, f.load_at("%S", Header.FUEL))
        f.store_at(f.sub(f.load_at("%S", Header.SEARCH_FUEL), used_up), "%S", Header.SEARCH_FUEL)
    f.start_block(on)
    f.store(f.load(result), p.local_slot(name))
