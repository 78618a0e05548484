"""Calling convention of functions that do not wait, and copies of arrays.

A function takes `%S`, words and addresses of arrays; it returns its words, behind a status if it may fail
(`function_effects.py`). A caller spills the cached header words that the callee reads, and reloads those that
it may have changed.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.operations import Body, Const, Expression
from croupier.core.types import Function
from croupier.core.walk import statements
from croupier.printers.function_effects import return_type
from croupier.printers.llvm_builder import FunctionBuilder
from croupier.printers.llvm_expressions import ExpressionPrinter, TranslationUnit
from croupier.printers.llvm_layout import Header, Status
from croupier.printers.llvm_offers import COUNT, UNSORTED, cache_offers, spill_offers

MAX_UNROLLED_COPY = 4  # words that are copied without memmove
MAX_CALL_STACK = 1 << 20  # bytes of machine stack for recursive functions


def signature_of(first: str, f: Function) -> str:
    """The signature of a printed function: `first`, then the parameters of the core."""
    given = (f"P.{p.name}" if p.size is None else f"*P.{p.name}" for p in f.parameters)
    return " ".join([first, *given])


def guard_recursion(p: ExpressionPrinter, recursive: bool) -> None:
    """Emit the recursion check of a function that may call itself: it fails before the machine stack
    overflows.
    """
    if not recursive:
        return
    f, spill = p.fn, p.before_return
    depth = f.add(f.load_at("%S", Header.CALL_STACK), f.stack_bytes())
    p.fail_if(f.icmp("gt", depth, MAX_CALL_STACK))
    f.store_at(depth, "%S", Header.CALL_STACK)

    def spill_and_unwind() -> None:
        spill()
        unwind()

    def unwind() -> None:
        f.store_at(f.sub(f.load_at("%S", Header.CALL_STACK), f.stack_bytes()), "%S", Header.CALL_STACK)

    p.before_return, p.after_failed_call = spill_and_unwind, unwind


def emit_copy(
    p: ExpressionPrinter, target: str, at: Expression, source: str, begin: Expression, count: Expression
) -> None:
    """Emit a copy of words between arrays."""
    f = p.fn
    size = p.unit.tables.get(source, 8) if p.array_base(source)[0] == f"@{source}" else 8
    assert size == 8, source
    origin, to = p.word_address(source, begin), p.word_address(target, at)
    if isinstance(count, Const) and count.value <= MAX_UNROLLED_COPY:
        words = [f.load_at(origin, i) for i in range(count.value)]
        for i, word in enumerate(words):
            f.store_at(word, to, i)
    else:
        f.memmove(to, origin, p.value(count))


def emit_clear(p: ExpressionPrinter, memory: str, low: Expression, high: Expression) -> None:
    """Emit a fill with 0 of the words of an array from `low` to `high - 1`."""
    f = p.fn
    if isinstance(low, Const) and isinstance(high, Const):
        words = str(max(0, high.value - low.value))
    else:
        count = f.sub(p.value(high), p.value(low))
        words = f.select(f.icmp("lt", count, 0), 0, count)
    f.clear(p.word_address(memory, low), f.mul(words, 8), aligned=True)


def call_function(
    unit: TranslationUnit, f: FunctionBuilder, name: str, given: list[str], prefix: str = "f"
) -> list[str]:
    """Emit a call of a function of the program; return its status, if it may fail, and then its words."""
    callee, effects = unit.program.functions[name], unit.effects[name]
    kind, count = return_type(callee, effects), callee.results + effects.fails
    text = f"call {kind} @{prefix}.{name}({', '.join(given)})"
    if not count:
        f.emit(text)
        return []
    made = f.emit_value(text)
    if count == 1:
        return [made]
    return [f.emit_value(f"extractvalue {kind} {made}, {i}") for i in range(count)]


def emit_call(p: ExpressionPrinter, s: op.Call) -> None:
    """Emit a call of a function that does not wait; if its status is not OK, the caller returns it."""
    f, effects = p.fn, p.unit.effects[s.function]
    given = ["ptr %S", *map(p.argument, s.arguments)]
    if effects.offers:
        spill_offers(p)
    if effects.pays:
        spill_fuel(p)
    words = call_function(p.unit, f, s.function, given)
    if effects.fails:
        status, *words = words
        wrong, on = f.new_labels(2)
        f.terminate(f"br i1 {f.icmp('eq', status, Status.OK)}, label %{on}, label %{wrong}, !prof !1")
        f.start_block(wrong)
        (p.return_status_of if effects.pays else p.emit_return)(status)
        f.start_block(on)
    if effects.pays:
        reload_fuel(p)
    if effects.offers and p.caches_offers:
        f.store(f.load_at("%S", Header.OFFER_COUNT), COUNT)
        f.store(f.load_at("%S", Header.UNSORTED), UNSORTED)
    for name, word in zip(s.results, words, strict=True):
        f.store(word, p.local_slot(name))


def emit_start_call(unit: TranslationUnit, f: FunctionBuilder, end_game: Callable[[str], None]) -> None:
    """Emit the call of the start function, if there is one; `end_game` emits the end of the game if its
    status is not OK.
    """
    program = unit.program
    if program.start is None:
        return
    for status in call_function(unit, f, program.start, ["ptr %S"]):  # it returns no words
        with f.when(f.icmp("ne", status, Status.OK)):
            end_game(status)


# ------------------------------------------------------------ cached header words
def open_registers(p: ExpressionPrinter, offers: bool, body: Body) -> None:
    """Cache header words in allocas from now on: those about offers if `offers`, the fuel if the body pays.

    Returns spill them.
    """
    if offers:
        cache_offers(p)
    if any(isinstance(s, op.Pay) for s in statements(body)):
        p.fuel_slot = p.fn.named_alloca("fuel")
        reload_fuel(p)

    def spill_and_unwind() -> None:
        spill_offers(p)
        spill_fuel(p)

    p.before_return = spill_and_unwind


def reload_fuel(p: ExpressionPrinter) -> None:
    """Load the fuel from the header into its alloca, if it is cached."""
    if p.fuel_slot:
        p.fn.store(p.fn.load_at("%S", Header.FUEL), p.fuel_slot)


def spill_fuel(p: ExpressionPrinter) -> None:
    """Store the cached fuel to the header, if it is cached."""
    if p.fuel_slot:
        p.fn.store_at(p.fn.load(p.fuel_slot), "%S", Header.FUEL)
