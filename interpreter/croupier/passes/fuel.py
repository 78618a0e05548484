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
from croupier.core.types import CodeState, CoreProgram, Function, constant_words
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
            case op.For() | op.Each():
                return self.loop(s)
            case op.Try() | op.Ahead():
                return 0, (replace(s, body=self.whole(s.body)),)
            case op.Call(name):
                return self.called(name), (s,)
        return 0, (s,)

    def loop(self, s: op.For | op.Each) -> tuple[int, Body]:
        rounds, most = self.rounds_of(s)
        is_counted = isinstance(s, op.For) and isinstance(s.high, Const)
        steps, body = self.body(s.body)
        if self.at_once and not is_counted and not _may_leave(s.body):
            pay = (op.Pay(times_(rounds, Const(steps))),) if steps else ()
            return 0, (*pay, replace(s, body=body))
        if most is not None and not any(map(contains_wait, body)) and steps * max(most, 0) <= MUCH:
            return steps * max(most, 0), (replace(s, body=body),)
        return 0, (replace(s, body=with_payment(steps, body)),)

    def rounds_of(self, s: op.For | op.Each) -> tuple[Expression, int | None]:
        """The number of iterations of a loop, and the most that they can be; `None` if nobody knows."""
        if isinstance(s, op.Each):
            most = self.program.zones.capacities
            room = most[s.zone.value] if isinstance(s.zone, Const) else max(most, default=0)
            return op.Length(s.zone), room
        rounds = sub(s.high, s.low)
        if isinstance(s.low, Const) and isinstance(s.high, Const):
            return rounds, s.high.value - s.low.value
        if not self.is_never_negative(rounds):
            rounds = select(op.Lt(FALSE, rounds), rounds, FALSE)
        return rounds, None

    def is_never_negative(self, rounds: Expression) -> bool:
        """Return whether the number of iterations of a loop is certainly not negative.

        That is known of the length of a zone, and of a list in a constant table.
        """
        if isinstance(rounds, op.Load):
            words = constant_words(self.program.memories, rounds.memory)
            return words is not None and min(words, default=0) >= 0
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


def _may_leave(body: Body) -> bool:
    """Return whether a loop may end early, or wait."""
    return any(not LEAVING.isdisjoint(kinds(s)) for s in body)


def with_payment(steps: int, body: Body) -> Body:
    """A body that pays when it begins."""
    return (op.Pay(Const(steps)), *body) if steps else body
