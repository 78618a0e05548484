"""Direct-style Python for playouts: functions that wait are printed as ordinary functions.

A wait draws an action in place, from the stream of its seat or of chance; so locals stay locals, and loops
that wait stay loops. Draws are those of `runtime/streams.py`: uniform over the actions in ascending order,
weighted over outcomes. The text runs in a copy of the namespace of that of `python.py`; it has functions and
tables of its own, but no class of positions.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.operations import CHANCE, SEVERAL, Body, Const, Expression
from croupier.core.types import CoreProgram, Function
from croupier.core.walk import expressions, looks_ahead, statements
from croupier.passes.liveness import NOTHING, live
from croupier.passes.offers import ANY, Order, offer_orders
from croupier.printers.python import print_function, print_tables
from croupier.printers.python_code import INDENT, Lines, PythonBodyPrinter
from croupier.printers.python_iteration import ConstantRows
from croupier.runtime.streams import WORD

LOW = (1 << WORD) - 1
HEAD = """\
def playout(S, seats, chance, decisions, chances):
    S.streams, S.chance, S.left, S.rolls = seats, chance, decisions, chances
"""


class NoDirectStyle(Exception):
    """A program looks ahead, so that its playouts run by steps."""


def playout_source(program: CoreProgram, checked: bool = False) -> str:
    """Print a program that is not cut into states.

    `checked`: `CHECK(S)` tests each position before an action is drawn. Raises `NoDirectStyle`.
    """
    if looks_ahead(program):
        raise NoDirectStyle
    waiting = [f for f in program.functions.values() if f.waits]
    chosen = all(_reads_own_choice(f.body, False)[0] for f in waiting)
    pays = any(isinstance(s, op.Pay) for f in program.functions.values() for s in statements(f.body))
    out = [
        HEAD
        + (f"{INDENT}f_{program.start}(S)\n" if program.start is not None else "")
        + f"{INDENT}w_{program.main}(S)"
    ]
    constants = ConstantRows("W")
    out += print_tables(program)
    for f in program.functions.values():
        if not f.waits:
            out += print_function(program, f, constants)
    for f in waiting:
        out += _DirectFunction(program, f, chosen, pays, checked, constants).text()
    out += constants.lines()
    return "\n".join(out) + "\n"


class _DirectFunction:
    """Prints one function that waits.

    `chosen`: only the function that waited reads what was chosen, so that it is a local.
    """

    def __init__(
        self,
        program: CoreProgram,
        f: Function,
        chosen: bool,
        pays: bool,
        checked: bool,
        constants: ConstantRows,
    ) -> None:
        self.program, self.f, self.chosen, self.pays, self.checked = program, f, chosen, pays, checked
        before = tuple(p.name for p in f.parameters)
        where = "chosen" if chosen else "S.chosen"
        self.code = PythonBodyPrinter(
            program, f, f.body, self.control, constants, before, f.memories, where, True
        )
        self.orders: dict[int, Order] = offer_orders(f.body)

    def text(self) -> Lines:
        f = self.f
        given = [p for p in f.parameters if not p.gives]
        out = [f"def w_{f.name}({', '.join(['S', *(p.name for p in given)])}):"]
        out += [f"{INDENT}{p.name} = [0] * {p.size}" for p in f.parameters if p.gives]
        out += self.code.new_arrays(f.memories, f.body)
        unset = live(f.body, NOTHING, {}, NOTHING, NOTHING) - {p.name for p in f.parameters}
        out += [f"{INDENT}{name} = NONE" for name in sorted(unset)]
        if any(isinstance(s, op.Wait) for s in statements(f.body)):
            out.append(f"{INDENT}U, C = S.streams, S.chance")
        return [*out, *self.code.bind_memory(f.body), *self.code.block(f.body, 1)]

    def control(self, s: op.Statement, depth: int) -> Lines:
        i, x = INDENT * depth, self.code.value
        match s:
            case op.Return(values):
                return self.code.return_statement(
                    (*map(x, values), *(p.name for p in self.f.parameters if p.gives)), depth
                )
            case op.Enter(function, arguments, results, names):
                called = self.program.functions[function]
                taken = [p for p in called.parameters if not p.gives]
                given = ", ".join(
                    ["S", *(self.argument(a, p.size) for a, p in zip(arguments, taken, strict=True))]
                )
                to = ", ".join((*results, *(f"{name}[:]" for name in names)))
                return [f"{i}{to + ' = ' if to else ''}w_{function}({given})"]
            case op.Wait(seat):
                return self.wait(s, seat, i)
        raise AssertionError(s)

    def argument(self, a: Expression | op.Array, size: int | None) -> str:
        if isinstance(a, op.Array):
            return f"{a.memory}[{self.code.slice_bounds(a.at, Const(size or 0))}]"
        return self.code.value(a)

    def wait(self, s: op.Wait, seat: Expression, i: str) -> Lines:
        """Draw an action in place."""
        to = self.code.chosen
        out = [f"{i}CHECK(S)"] if self.checked else []
        out += [f"{i}S.fuel = FUEL"] if self.pays else []
        if seat == Const(SEVERAL):
            return [
                *out,
                f"{i}n = S.left = S.left - 1",
                f"{i}if n < 0 or S.rolls < 1: raise Failed",
                f"{i}n = S.chosen_seat = min(K)",
                f"{i}O = sorted(set(O) if n == K[-1] else {{a for a, k in zip(O, K) if k == n}})",
                f"{i}{to} = O[U[n].uniform(len(O))]",
            ]
        order = self.orders.get(id(s), ANY)
        if seat == Const(CHANCE):
            counter, other, stream = "rolls", "left", "C"
        else:
            counter, other, stream = "left", "rolls", f"U[{self.code.value(seat)}]"
        out += [f"{i}n = S.{counter} = S.{counter} - 1", f"{i}if n < 0 or S.{other} < 1: raise Failed"]
        out += self.code.sort_offers(s, order, i)
        if seat == Const(CHANCE) and id(s) in self.code.weighted:
            return [*out, f"{i}{to} = O[WEIGHTED(C, K)]"]
        draw = "(C.words or C.refill())" if stream == "C" else "(w.words or w.refill())"
        out += [] if stream == "C" else [f"{i}w = {stream}"]
        source = "C" if stream == "C" else "w"
        return [
            *out,
            f"{i}n = len(O)",
            f"{i}if n > 1:",
            f"{i}{INDENT}N = {draw}.pop() * n",
            f"{i}{INDENT}{to} = O[(N if N & {LOW} >= n else {source}.redraw(N, n)) >> {WORD}]",
            f"{i}else: {to} = O[0]",
        ]


def _reads_own_choice(body: Body, fresh: bool) -> tuple[bool, bool]:
    """Return whether a body reads the chosen action only behind a wait of its own, and whether that is so
    behind the body.

    `fresh`: it was so before the body.
    """
    for s in body:
        own = [s.test] if isinstance(s, op.If) else []
        if not fresh and any(isinstance(e, op.Chosen) for e in (*expressions(s), *own)):
            return False, fresh
        match s:
            case op.Wait():
                fresh = True
            case op.Enter():
                fresh = False
            case op.If(_, then, otherwise):
                held, fresh = fresh, True
                for inner in (then, otherwise):
                    fine, after = _reads_own_choice(inner, held)
                    if not fine:
                        return False, False
                    fresh = fresh and (after or _never_falls_through(inner))
            case op.Switch(_, cases, otherwise):
                held, fresh = fresh, True
                for inner in (*(case.body for case in cases), otherwise):
                    fine, after = _reads_own_choice(inner, held)
                    if not fine:
                        return False, False
                    fresh = fresh and after
            case op.Loop(inner) | op.For(body=inner) | op.Each(body=inner):
                enters = any(isinstance(t, op.Enter) for t in statements(inner))
                fine, _ = _reads_own_choice(inner, fresh and not enters)
                if not fine:
                    return False, False
                fresh = False
    return True, fresh


def _never_falls_through(body: Body) -> bool:
    """Return whether control certainly does not reach the end of a body."""
    return bool(body) and isinstance(body[-1], (op.Return, op.Finish, op.Fail, op.Break, op.Continue))


__all__ = ["NoDirectStyle", "playout_source"]
