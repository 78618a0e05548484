"""The core as LLVM assembly that plays whole games: nothing is cut at waits.

Where somebody would be asked an action is drawn on the spot, so that locals stay where they are, and loops that wait stay loops. A function that
waits takes `%S`, the position, and `%R`, the run (`llvm_games.py`). Programs that look ahead are played step by step instead.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core import operations as op
from croupier.core.operations import SEVERAL, Body, Const, Statement
from croupier.core.types import CoreProgram, Function
from croupier.core.walk import bodies, statements
from croupier.passes.liveness import NOTHING, live
from croupier.printers import llvm_calls as calls
from croupier.printers import llvm_layout as l
from croupier.printers import llvm_memos as memos
from croupier.printers.assembly import Fn
from croupier.printers.llvm_body import BodyPrinter
from croupier.printers.llvm_effects import BodyEffects, returned
from croupier.printers.llvm_games import PLAYED
from croupier.printers.llvm_values import Unit

OFFERS = (op.Offer, op.OfferBits, op.OfferTop)


def plays_whole(program: CoreProgram) -> bool:
    """Can whole games of a program that is not cut be played so?"""
    return not any(isinstance(s, op.Ahead) for f in program.functions.values() for s in statements(f.body))


def with_waiting(program: CoreProgram, effects: dict[str, BodyEffects]) -> dict[str, BodyEffects]:
    """What functions may do, those that wait as well."""
    return effects | {f.name: BodyEffects(True, True, True, True) for f in program.functions.values() if f.waits}


# ------------------------------------------------------------ offers
def segments(body: Body) -> dict[int, tuple[bool, bool, bool]]:
    """Of what offers, by identity: have actions weights up to the next wait, does it offer alone, do several choose."""
    found: dict[int, tuple[bool, bool, bool]] = {}
    _segments(body, found)
    covered = all(id(s) in found for s in statements(body) if isinstance(s, OFFERS))
    if covered:
        return found
    weighed = any(isinstance(s, op.Offer) and s.weight != Const(1) for s in statements(body))
    return {id(s): (weighed, False, False) for s in statements(body) if isinstance(s, (*OFFERS, op.NoOffers))}


def _segments(body: Body, found: dict[int, tuple[bool, bool, bool]]) -> None:
    for i, s in enumerate(body):
        if isinstance(s, op.NoOffers):
            offers: list[tuple[Statement, bool]] = []
            wait = _until_wait(body[i + 1 :], offers, False)
            weighed = any(isinstance(o, op.Offer) and o.weight != Const(1) for o, _ in offers)
            alone = len(offers) == 1 and not offers[0][1]
            several = isinstance(wait, op.Wait) and wait.seat == Const(SEVERAL)
            for o in (s, *(o for o, _ in offers)):
                found[id(o)] = weighed, alone, several
        for inner in bodies(s):
            _segments(inner, found)


def _until_wait(body: Body, offers: list[tuple[Statement, bool]], looped: bool) -> Statement | None:
    """Collects what offers up to the next wait, which it gives, and whether that stands in a loop."""
    for s in body:
        if isinstance(s, (op.Wait, op.NoOffers, op.Enter)):
            return s
        if isinstance(s, OFFERS):
            offers.append((s, looped))
        for inner in bodies(s):
            found = _until_wait(inner, offers, looped or isinstance(s, (op.Loop, op.For, op.Each)))
            if found is not None:
                return found
    return None


# ------------------------------------------------------------ functions
class WholePrinter(BodyPrinter):
    """Prints a function that waits, without cutting it."""

    offered: dict[int, tuple[bool, bool, bool]]

    def statement(self, s: Statement) -> None:
        if id(s) in self.offered:
            self.weighed, self.alone, self.several = self.offered[id(s)]
        super().statement(s)

    def waiting(self, s: Statement) -> None:
        f = self.fn
        match s:
            case op.Memo():
                memos.offer_kept(self, s)
            case op.Wait(seat):
                f.store(self.x(seat), self.head(l.SEAT))
                calls.flush_offers(self)
                self.go_on_if(f.call("run.draw", ["ptr %S", "ptr %R"]))
                calls.take_fuel(self)
            case op.Enter(function, arguments, results, names):
                callee = self.unit.program.functions[function]
                given = iter(arguments)
                passed, back = ["ptr %S", "ptr %R"], []
                for p in callee.parameters:
                    if p.gives:
                        assert p.size is not None
                        room = f.slot(p.size)
                        f.line(f"call void @llvm.memset.p0.i64(ptr {room}, i8 0, i64 {8 * p.size}, i1 false)")
                        passed.append(f"ptr {room}")
                        back.append((room, p.size))
                    else:
                        passed.append(self.argument(next(given)))
                calls.flush_offers(self)
                calls.flush_fuel(self)
                kind = returned(callee, self.unit.effects[function])
                made = f.value(f"call {kind} @w.{function}({', '.join(passed)})")
                words = [made] if callee.results == 0 else [f.value(f"extractvalue {kind} {made}, {i}") for i in range(callee.results + 1)]
                self.go_on_if(words[0])
                calls.take_fuel(self)
                for name, word in zip(results, words[1:], strict=True):
                    f.store(word, self.local(name))
                for name, (room, size) in zip(names, back, strict=True):
                    f.copy(self.place(name, Const(0)), room, str(size))
            case _:
                raise AssertionError(s)

    def go_on_if(self, status: str) -> None:
        """The function ends with a status that is not that all is well."""
        f = self.fn
        on, wrong = f.label(), f.label()
        f.end(f"br i1 {f.test('eq', status, str(l.OK))}, label %{on}, label %{wrong}, !prof !1")
        f.place(wrong)
        self.give_on(status)
        f.place(on)


def whole_function(unit: Unit, f: Function, entered: Mapping[str, int]) -> str:
    """A function that waits; `entered`: in how many places functions are entered."""
    params = [*PLAYED, *((f"P.{p.name}", "i64" if p.size is None else "ptr") for p in f.parameters)]
    fn = Fn(f"w.{f.name}", params, returned(f, unit.effects[f.name]))
    if entered.get(f.name) == 1 and f.name not in unit.recursive:
        fn.inside()
    printer = WholePrinter(unit, fn, f, None)
    printer.offered = segments(f.body)
    unset = live(f.body, NOTHING, {}, NOTHING, NOTHING) - {p.name for p in f.parameters}
    for name in sorted(unset):
        fn.store(str(op.NONE), printer.local(name))
    for p in f.parameters:
        if p.size is None:
            fn.store(f"%P.{p.name}", printer.local(p.name))
        elif p.gives:
            printer.arrays[p.name] = f"%P.{p.name}"
        else:
            fn.copy(printer.base(p.name)[0], f"%P.{p.name}", str(p.size))
    mentioned = l.arrays_of(f.body)
    for m in f.memories:
        if m.name in mentioned and not m.name.partition("_")[2]:
            fn.line(f"call void @llvm.memset.p0.i64(ptr {printer.base(m.name)[0]}, i8 0, i64 {8 * m.size}, i1 false)")
    calls.open_registers(printer, bool(printer.offered), f.body)
    calls.count_nesting(printer, f.name in unit.recursive)
    printer.body(f.body)
    if not fn.ended:
        printer.give(str(l.OK))
    return fn.text()


def playing(unit: Unit) -> str:
    """`play.game(S, R)`: one game from the start; gives the status that it ended with."""
    program, layout = unit.program, unit.layout
    f = Fn("play.game", PLAYED)
    f.copy("%S", "@initial", str(len(layout.initial)))
    l.begin_action(f, layout, f.load("@fuel"))
    calls.call_start(unit, f, f.give)
    status = f.value(f"call i64 @w.{program.main}(ptr %S, ptr %R)")
    f.give(f.choose(f.test("eq", status, str(l.OK)), str(l.FAILED), status))
    return f.text()
