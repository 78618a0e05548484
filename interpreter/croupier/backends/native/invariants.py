"""What must always hold, in native code: tested after every action where that is asked for. A game in which something does not hold is unusual: the
evaluator plays it again, and says what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.plain import Asking
from croupier.ir.routines import Routine

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

HOLDS = "game.holds"


def invariants(printer: Printer) -> list[str]:
    """`game.holds(S)`: a status, OK if every invariant holds; and a function for each of them. Raises `Refused`."""
    fuel = str(printer.game.program.limits["fuel"])
    f = Fn(HOLDS, [("S", "ptr")])
    place, texts = f.slot(), []
    for number, routine in enumerate(printer.module.invariants):
        texts.append(condition(printer, routine, f"holds{number}"))
        f.store(fuel, f.at("%S", p.FUEL))
        f.store(str(printer.plan.arena), f.at("%S", p.TOP))
        status = f.call(f"holds{number}", ["ptr %S", f"ptr {place}"])
        with f.when(f.either(f.test("ne", status, str(p.OK)), f.test("eq", f.load(place), "0"))):
            f.give(str(p.DEVIATES))
    f.give(str(p.OK))
    return [*texts, f.text()]


def condition(printer: Printer, routine: Routine, name: str) -> str:
    """`holds3(S, out)`: does an invariant hold?"""
    q = routine.queries[0]
    f = Fn(name, [("S", "ptr"), ("out", "ptr")], apart=True)
    body = Asking(printer, routine, f)
    body.pay(str(1 if printer.blocks_pay else 1 + printer.cost_of(routine, q.entry).total))
    f.store(body.asked(q), "%out")
    f.give(str(p.OK))
    body.close()
    return f.text()
