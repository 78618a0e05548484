"""Merging of fuel payments: a recursive bound over structured code.

This pass runs last, since a later one must not add steps.

Lowering emits a payment wherever the reference takes steps. A body pays the bound of all it may take when it
begins, as long as that is little. A loop that may take more pays in each iteration; a branch that may take
much more than the others pays for itself, and so does a function. What is paid is never less than the steps
taken, and more only by what branches differ in. An action that runs out fails, and the reference repeats it.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.core import operations as op
from croupier.core.builder import FALSE, select, sub
from croupier.core.builder import times as times_
from croupier.core.operations import Body, Const, Expression, Statement
from croupier.core.types import CodeState, CoreProgram, Function
from croupier.core.walk import kinds
from croupier.passes.states import WAITING, contains_wait

MUCH = 64  # the most steps that are paid ahead though they may not be taken
UNLIKE = 16  # the most by which the bounds of branches may differ if they are paid together
LEAVING = WAITING | {op.Break, op.Return, op.Finish}


def merge_payments(program: CoreProgram, at_once: bool = False) -> CoreProgram:
    """The program with merged payments.

    `at_once`: a counted loop pays for all its iterations before it begins, however many there are.
    """
    fuel = _Fuel(program, at_once)
    out = replace(program)
    out.functions = {name: fuel.function(name) for name in program.functions}
    out.states = {n: CodeState(n, s.function, fuel.whole(s.body)) for n, s in program.states.items()}
    return out


class _Fuel:
    """Merges the payments of one program."""

    def __init__(self, program: CoreProgram, at_once: bool) -> None:
        self.program, self.at_once = program, at_once
        self.functions: dict[str, Function] = {}
        self.owed: dict[str, int] = {}  # by function: what its callers pay for a call of it
        self.begun: set[str] = set()

    def function(self, name: str) -> Function:
        """A function with merged payments; `owed` holds its bound afterwards."""
        if name not in self.functions:
            f = self.program.functions[name]
            self.begun.add(name)
            steps, body = self.body(f.body)
            # recursive, expensive, or entered on a frame of its own
            if name in self.owed or steps > MUCH or f.waits:
                steps, body = 0, with_payment(steps, body)
            self.owed[name] = steps
            self.functions[name] = replace(f, body=body)
        return self.functions[name]

    def called(self, name: str) -> int:
        """Return the steps that a caller pays for a call."""
        if name not in self.functions:
            if name in self.begun:
                self.owed[name] = 0  # recursive: it pays for itself
            else:
                self.function(name)
        return self.owed[name]

    def whole(self, body: Body) -> Body:
        """A body that pays for all it takes."""
        steps, body = self.body(body)
        return with_payment(steps, body)

    def body(self, body: Body) -> tuple[int, Body]:
        """Return the steps to pay before a body begins, and the body without these payments.

        A wait begins a new action.
        """
        first: int | None = None  # what the part up to the first wait pays, once there is another part
        whole: list[Statement] = []
        part: list[Statement] = []
        total = 0
        for s in body:
            steps, found = self.statement(s)
            total += steps
            part += found
            if contains_wait(s):
                whole += part if first is None else with_payment(total, tuple(part))
                first = total if first is None else first
                total, part = 0, []
        if first is None:
            return total, tuple(part)
        return first, (*whole, *with_payment(total, tuple(part)))

    def statement(self, s: Statement) -> tuple[int, Body]:
        match s:
            case op.Pay(Const(steps)):
                return steps, ()
            case op.If(test, then, otherwise):
                total, (one, two) = self.branches([then, otherwise])
                return total, (op.If(test, one, two),)
            case op.Switch(value, cases, otherwise):
                total, bodies = self.branches([*(case.body for case in cases), otherwise])
                made = tuple(op.Case(case.values, body) for case, body in zip(cases, bodies, strict=False))
                return total, (op.Switch(value, made, bodies[-1]),)
            case op.Loop(inner):
                return 0, (op.Loop(self.whole(inner)),)
            case op.For(name, low, high, inner) if (
                self.at_once and not isinstance(high, Const) and not _may_leave(inner)
            ):
                steps, inner = self.body(inner)
                rounds = sub(high, low)
                rounds = (
                    rounds if self.is_never_negative(rounds) else select(op.Lt(FALSE, rounds), rounds, FALSE)
                )
                pay = (op.Pay(times_(rounds, Const(steps))),) if steps else ()
                return 0, (*pay, op.For(name, low, high, inner))
            case op.Each(name, zone, inner) if self.at_once and not _may_leave(inner):
                steps, inner = self.body(inner)
                pay = (op.Pay(times_(op.Length(zone), Const(steps))),) if steps else ()
                return 0, (*pay, op.Each(name, zone, inner))
            case op.For(name, low, high, inner):
                times = high.value - low.value if isinstance(low, Const) and isinstance(high, Const) else None
                total, inner = self.rounds(inner, times)
                return total, (op.For(name, low, high, inner),)
            case op.Each(name, zone, inner):
                capacities = self.program.zones.capacities
                most = capacities[zone.value] if isinstance(zone, Const) else max(capacities, default=0)
                total, inner = self.rounds(inner, most)
                return total, (op.Each(name, zone, inner),)
            case op.Try() | op.Ahead():
                return 0, (replace(s, body=self.whole(s.body)),)
            case op.Call(name):
                return self.called(name), (s,)
        return 0, (s,)

    def is_never_negative(self, rounds: Expression) -> bool:
        """Return whether the number of iterations of a loop is certainly not negative.

        That is known of the length of a zone, and of a list in a constant table.
        """
        if isinstance(rounds, op.Load):
            table = self.program.memories.get(rounds.memory)
            return table is not None and table.constant and min(table.initial, default=0) >= 0
        return isinstance(rounds, op.Length)

    def branches(self, bodies: list[Body]) -> tuple[int, list[Body]]:
        """Return the steps to pay before one of several bodies runs, and the bodies."""
        if any(contains_wait(s) for body in bodies for s in body):
            return 0, [self.whole(body) for body in bodies]
        found = [self.body(body) for body in bodies]
        costs = [steps for steps, _ in found]
        if max(costs) - min(costs) <= UNLIKE:
            return max(costs), [body for _, body in found]
        least = min(costs)
        return least, [with_payment(steps - least, body) for steps, body in found]

    def rounds(self, body: Body, times: int | None) -> tuple[int, Body]:
        """Return the steps to pay before a loop of at most `times` iterations (`None`: no bound), and its
        body.
        """
        steps, body = self.body(body)
        if times is not None and not any(map(contains_wait, body)) and steps * max(times, 0) <= MUCH:
            return steps * max(times, 0), body
        return 0, with_payment(steps, body)


def _may_leave(body: Body) -> bool:
    """Return whether a loop may end early, or wait."""
    return any(not LEAVING.isdisjoint(kinds(s)) for s in body)


def with_payment(steps: int, body: Body) -> Body:
    """A body that pays when it begins."""
    return (op.Pay(Const(steps)), *body) if steps else body
