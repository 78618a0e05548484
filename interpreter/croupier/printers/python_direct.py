"""The core as Python that plays whole games between random players: functions that wait are functions like any others.

Nothing is cut at waits. Where somebody would be asked, the action is drawn from the stream of the seat, or of chance, on the spot; so locals stay
locals, and loops that wait stay loops. What is drawn is what `runtime/streams.py` says: `uniform` over the options in ascending order, `weighted`
over the outcomes. The text runs in a copy of the space of that of `python.py`: functions and tables are its own, positions are not.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.operations import CHANCE, SEVERAL, Body, Const, Expression
from croupier.core.types import CoreProgram, Function, Memory
from croupier.core.walk import arrays, expressions, statements
from croupier.passes.lists import growing_lists
from croupier.passes.liveness import NOTHING, live
from croupier.passes.offers import ANY, Order, offer_orders
from croupier.printers.python import plain_function, tables
from croupier.printers.python_code import STEP, Lines, PythonCode
from croupier.printers.python_iteration import Constants
from croupier.runtime.streams import WORD

LOW = (1 << WORD) - 1
HEAD = """\
def whole(S, seats, chance, decisions, chances):
    S.streams, S.chance, S.left, S.rolls = seats, chance, decisions, chances
"""


class NotWhole(Exception):
    """A program whose whole games are played step by step."""


def whole_source(program: CoreProgram) -> str:
    """The functions of a program that wait, before it is cut. Raises `NotWhole` where they look ahead."""
    waiting = [f for f in program.functions.values() if f.waits]
    if any(isinstance(s, (op.Ahead, op.DeadEnd, op.Reached)) for f in waiting for s in statements(f.body)):
        raise NotWhole
    chosen = all(_own_choice(f.body, False)[0] for f in waiting)
    pays = any(isinstance(s, op.Pay) for f in program.functions.values() for s in statements(f.body))
    out = [HEAD + (f"{STEP}f_{program.start}(S)\n" if program.start is not None else "") + f"{STEP}w_{program.main}(S)"]
    constants = Constants("W")
    out += tables(program)
    for f in program.functions.values():
        if not f.waits:
            out += plain_function(program, f, constants)
    for f in waiting:
        out += _Waiting(program, f, chosen, pays, constants).printed()
    out += constants.lines()
    return "\n".join(out) + "\n"


class _Waiting:
    """Prints one function that waits. `chosen`: whoever asks what was chosen stands in the function that waited."""

    def __init__(self, program: CoreProgram, f: Function, chosen: bool, pays: bool, constants: Constants) -> None:
        self.program, self.f, self.chosen, self.pays = program, f, chosen, pays
        taken = tuple(Memory(p.name, p.size) for p in f.parameters if p.size is not None)
        lists = growing_lists(program, f.body, f.memories)
        before = tuple(p.name for p in f.parameters)
        where = "chosen" if chosen else "S.chosen"
        self.code = PythonCode(program, f.body, self.control, constants, where, before, (*f.memories, *taken), True, lists)
        self.orders: dict[int, Order] = offer_orders(f.body)

    def printed(self) -> Lines:
        f = self.f
        given = [p for p in f.parameters if not p.gives]
        out = [f"def w_{f.name}({', '.join(['S', *(p.name for p in given)])}):"]
        out += [f"{STEP}{p.name} = [0] * {p.size}" for p in f.parameters if p.gives]
        mentioned = arrays(f.body)
        out += [self.code.made(m) for m in f.memories if m.name in mentioned]
        unset = live(f.body, NOTHING, {}, NOTHING, NOTHING) - {p.name for p in f.parameters}
        out += [f"{STEP}{name} = NONE" for name in sorted(unset)]
        if any(isinstance(s, op.Wait) for s in statements(f.body)):
            out.append(f"{STEP}U, C = S.streams, S.chance")
        return [*out, *self.code.memories(f.body), *self.code.block(f.body, 1)]

    def control(self, s: op.Statement, depth: int) -> Lines:
        i, x = STEP * depth, self.code.x
        match s:
            case op.Return(values):
                return self.code.returned((*map(x, values), *(p.name for p in self.f.parameters if p.gives)), depth)
            case op.Enter(function, arguments, results, names):
                called = self.program.functions[function]
                taken = [p for p in called.parameters if not p.gives]
                given = ", ".join(["S", *(self.argument(a, p.size) for a, p in zip(arguments, taken, strict=True))])
                to = ", ".join((*results, *(f"{name}[:]" for name in names)))
                return [f"{i}{to + ' = ' if to else ''}w_{function}({given})"]
            case op.Wait(seat):
                return self.wait(s, seat, i)
        raise AssertionError(s)

    def argument(self, a: Expression | op.Array, size: int | None) -> str:
        return f"{a.memory}[{self.code.part(a.at, Const(size or 0))}]" if isinstance(a, op.Array) else self.code.x(a)

    def wait(self, s: op.Wait, seat: Expression, i: str) -> Lines:
        """Somebody draws an action."""
        to = self.code.chosen
        out = [f"{i}S.fuel = FUEL"] if self.pays else []
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
        counter, other, stream = ("rolls", "left", "C") if seat == Const(CHANCE) else ("left", "rolls", f"U[{self.code.x(seat)}]")
        out += [f"{i}n = S.{counter} = S.{counter} - 1", f"{i}if n < 0 or S.{other} < 1: raise Failed"]
        out += self.code.in_order(s, order, i)
        if seat == Const(CHANCE) and id(s) in self.code.weighed:
            return [*out, f"{i}{to} = O[WEIGHTED(C, K)]"]
        draw = "(C.words or C.refill())" if stream == "C" else "(w.words or w.refill())"
        out += [] if stream == "C" else [f"{i}w = {stream}"]
        source = "C" if stream == "C" else "w"
        return [
            *out,
            f"{i}n = len(O)",
            f"{i}if n > 1:",
            f"{i}{STEP}N = {draw}.pop() * n",
            f"{i}{STEP}{to} = O[(N if N & {LOW} >= n else {source}.redraw(N, n)) >> {WORD}]",
            f"{i}else: {to} = O[0]",
        ]


def _own_choice(body: Body, fresh: bool) -> tuple[bool, bool]:
    """Is what was chosen only asked for behind a wait of the same function? And is it so behind the body?"""
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
                    fine, after = _own_choice(inner, held)
                    if not fine:
                        return False, False
                    fresh = fresh and (after or _gone(inner))
            case op.Switch(_, cases, otherwise):
                held, fresh = fresh, True
                for inner in (*(case.body for case in cases), otherwise):
                    fine, after = _own_choice(inner, held)
                    if not fine:
                        return False, False
                    fresh = fresh and after
            case op.Loop(inner) | op.For(body=inner) | op.Each(body=inner):
                fine, _ = _own_choice(inner, fresh and not any(isinstance(t, op.Enter) for t in statements(inner)))
                if not fine:
                    return False, False
                fresh = False
    return True, fresh


def _gone(body: Body) -> bool:
    """Does control surely not come out behind?"""
    return bool(body) and isinstance(body[-1], (op.Return, op.Finish, op.Fail, op.Break, op.Continue))


__all__ = ["NotWhole", "whole_source"]
