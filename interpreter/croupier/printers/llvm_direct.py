"""Direct-style code for playouts: functions that wait, not cut into states.

A wait draws an action in place, so locals stay in registers and loops that wait stay loops: faster than the
state machine of `llvm.py`. A function that waits takes `%S`, the position, and `%R`, the run record
(`llvm_playouts.py`), and is called as others are. Programs that look ahead have no direct style: their
playouts run by steps.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core import operations as op
from croupier.core.operations import SEVERAL, Body, Const, Statement
from croupier.core.types import CoreProgram, Function
from croupier.core.walk import arrays, bodies, statements
from croupier.passes.liveness import NOTHING, live
from croupier.printers import llvm_calls as calls
from croupier.printers import llvm_memos as memos
from croupier.printers import llvm_offers as offers
from croupier.printers.function_effects import BodyEffects, return_type
from croupier.printers.llvm_builder import FunctionBuilder
from croupier.printers.llvm_expressions import TranslationUnit
from croupier.printers.llvm_layout import Header, Status, begin_action
from croupier.printers.llvm_statements import StatementPrinter

OFFERS = (op.Offer, op.OfferBits, op.OfferTop)


def all_effects(program: CoreProgram, effects: dict[str, BodyEffects]) -> dict[str, BodyEffects]:
    """The effects of all functions; those that wait may do anything."""
    return effects | {
        f.name: BodyEffects(True, True, True, True) for f in program.functions.values() if f.waits
    }


# ------------------------------------------------------------ offers
def has_weights(body: Body) -> bool:
    """Return whether a body has offers with weights other than 1."""
    return any(isinstance(s, op.Offer) and s.weight != Const(1) for s in statements(body))


def offer_facts(body: Body) -> dict[int, tuple[bool, bool, bool]]:
    """Return facts of statements that offer, by identity: three truth values each.

    They say whether the actions up to the next wait have weights, whether the statement makes all of them,
    and whether several seats choose.
    """
    found: dict[int, tuple[bool, bool, bool]] = {}
    _collect_facts(body, found)
    complete = all(id(s) in found for s in statements(body) if isinstance(s, OFFERS))
    if complete:
        return found
    weighted = has_weights(body)
    return {
        id(s): (weighted, False, False) for s in statements(body) if isinstance(s, (*OFFERS, op.NoOffers))
    }


def _collect_facts(body: Body, found: dict[int, tuple[bool, bool, bool]]) -> None:
    for i, s in enumerate(body):
        if isinstance(s, op.NoOffers):
            offers: list[tuple[Statement, bool]] = []
            wait = _offers_until_wait(body[i + 1 :], offers, False)
            weighted = has_weights(tuple(o for o, _ in offers))
            single = len(offers) == 1 and not offers[0][1]
            simultaneous = isinstance(wait, op.Wait) and wait.seat == Const(SEVERAL)
            for o in (s, *(o for o, _ in offers)):
                found[id(o)] = weighted, single, simultaneous
        for inner in bodies(s):
            _collect_facts(inner, found)


def _offers_until_wait(body: Body, offers: list[tuple[Statement, bool]], in_loop: bool) -> Statement | None:
    """Collect the statements that offer before the next wait, each with whether it is in a loop; return the
    wait.
    """
    for s in body:
        if isinstance(s, (op.Wait, op.NoOffers, op.Enter)):
            return s
        if isinstance(s, OFFERS):
            offers.append((s, in_loop))
        for inner in bodies(s):
            found = _offers_until_wait(inner, offers, in_loop or isinstance(s, (op.Loop, op.For, op.Each)))
            if found is not None:
                return found
    return None


# ------------------------------------------------------------ functions
class DirectPrinter(StatementPrinter):
    """Emits a function that waits in direct style."""

    facts: dict[int, tuple[bool, bool, bool]]

    def statement(self, s: Statement) -> None:
        if id(s) in self.facts:
            self.weighted, self.single_offer, self.simultaneous = self.facts[id(s)]
        super().statement(s)

    def suspension(self, s: Statement) -> None:
        f = self.fn
        match s:
            case op.Memo():
                memos.emit_memo(self, s)
            case op.Wait(seat):
                f.store_at(self.value(seat), "%S", Header.SEAT)
                offers.spill_offers(self)
                self.return_unless_ok(f.call("run.draw", "%S", "%R"))
                calls.reload_fuel(self)
            case op.Enter(function, arguments, results, names):
                callee = self.unit.program.functions[function]
                given = iter(arguments)
                passed, back = ["ptr %S", "ptr %R"], []
                for p in callee.parameters:
                    if p.gives:
                        assert p.size is not None
                        room = f.alloca(p.size)
                        f.clear(room, 8 * p.size)
                        passed.append(f"ptr {room}")
                        back.append((room, p.size))
                    else:
                        passed.append(self.argument(next(given)))
                offers.spill_offers(self)
                calls.spill_fuel(self)
                status, *words = calls.call_function(self.unit, f, function, passed, "w")
                self.return_unless_ok(status)
                calls.reload_fuel(self)
                for name, word in zip(results, words, strict=True):
                    f.store(word, self.local_slot(name))
                for name, (room, size) in zip(names, back, strict=True):
                    f.memmove(self.word_address(name, Const(0)), room, size)
            case _:
                raise AssertionError(s)

    def return_unless_ok(self, status: str) -> None:
        """Emit a return of a status unless it is OK."""
        f = self.fn
        on, wrong = f.new_labels(2)
        f.terminate(f"br i1 {f.icmp('eq', status, Status.OK)}, label %{on}, label %{wrong}, !prof !1")
        f.start_block(wrong)
        self.return_status_of(status)
        f.start_block(on)


def print_direct_function(unit: TranslationUnit, f: Function, entered: Mapping[str, int]) -> str:
    """Print a function that waits; `entered`: the number of sites that enter each function."""
    fn = FunctionBuilder(f"w.{f.name}", calls.signature_of("*S *R", f), return_type(f, unit.effects[f.name]))
    if entered.get(f.name) == 1 and f.name not in unit.recursive:
        fn.always_inline()
    printer = DirectPrinter(unit, fn, f, None)
    printer.facts = offer_facts(f.body)
    unset = live(f.body, NOTHING, {}, NOTHING, NOTHING) - {p.name for p in f.parameters}
    for name in sorted(unset):
        fn.store(op.NONE, printer.local_slot(name))
    for p in f.parameters:
        if p.size is None:
            fn.store(f"%P.{p.name}", printer.local_slot(p.name))
        elif p.gives:
            printer.arrays[p.name] = f"%P.{p.name}"
        else:  # a copy: whoever gave it may write to it while this function waits
            printer.arrays[p.name] = fn.named_alloca(f"A.{p.name}", p.size)
            fn.memmove(printer.arrays[p.name], f"%P.{p.name}", p.size)
    mentioned = arrays(f.body)
    for m in f.memories:
        if m.name in mentioned and not m.name.partition("_")[2]:
            fn.clear(printer.array_base(m.name)[0], 8 * m.size)
    calls.open_registers(printer, bool(printer.facts), f.body)
    calls.guard_recursion(printer, f.name in unit.recursive)
    printer.body(f.body)
    if not fn.terminated:
        printer.emit_return(Status.OK)
    return fn.text()


def play_game(unit: TranslationUnit) -> str:
    """`play.game(S, R)`: play one game from the start; return its last status."""
    program, layout = unit.program, unit.layout
    f = FunctionBuilder("play.game", "*S *R")
    f.memmove("%S", "@initial", len(layout.initial))
    begin_action(f, layout, f.load("@fuel"))
    calls.emit_start_call(unit, f, f.ret)
    status = f.emit_value(f"call i64 @w.{program.main}(ptr %S, ptr %R)")
    f.ret(f.select(f.icmp("eq", status, Status.OK), Status.FAILED, status))
    return f.text()
