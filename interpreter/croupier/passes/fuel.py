"""Payments of fuel put together: a recursive bound over structured code. Last of all passes, since what comes later may not add steps.

Lowering puts a payment wherever the reference takes steps. Here all that a body may take is paid when it begins, as long as that is little; a loop
that may take more pays for each of its rounds, a branch that may take much more than the other pays for itself, and so does a function. So what is
paid is never less than the steps, and more only by what branches differ in. Who runs out fails: the reference repeats the action.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.core import operations as op
from croupier.core.builder import FALSE, select, sub
from croupier.core.builder import times as times_
from croupier.core.operations import Body, Const, Statement
from croupier.core.types import CodeState, CoreProgram, Function
from croupier.core.walk import kinds
from croupier.passes.states import WAITING, waits

MUCH = 64  # steps that are paid ahead though they may not be taken
UNLIKE = 16  # steps that one branch may take more than the other
LEAVING = WAITING | {op.Break, op.Return, op.Finish}


def settled(program: CoreProgram, at_once: bool = False) -> CoreProgram:
    """The program with as few payments as there may be. `at_once`: a loop that only counts pays before it begins, however many rounds it has."""
    fuel = _Fuel(program, at_once)
    out = replace(program)
    out.functions = {name: fuel.function(name) for name in program.functions}
    out.states = {n: CodeState(n, s.function, fuel.whole(s.body)) for n, s in program.states.items()}
    return out


class _Fuel:
    """Puts the payments of one program together."""

    def __init__(self, program: CoreProgram, at_once: bool) -> None:
        self.program, self.at_once = program, at_once
        self.functions: dict[str, Function] = {}
        self.owed: dict[str, int] = {}  # by function: what its callers pay for a call of it
        self.begun: set[str] = set()

    def function(self, name: str) -> Function:
        """A function, whose bound is known afterwards."""
        if name not in self.functions:
            f = self.program.functions[name]
            self.begun.add(name)
            steps, body = self.body(f.body)
            if name in self.owed or steps > MUCH or f.waits:  # it calls itself, takes much, or is entered
                steps, body = 0, paid(steps, body)
            self.owed[name] = steps
            self.functions[name] = replace(f, body=body)
        return self.functions[name]

    def called(self, name: str) -> int:
        """What a caller pays for a call."""
        if name not in self.functions:
            if name in self.begun:
                self.owed[name] = 0  # it pays for itself
            else:
                self.function(name)
        return self.owed[name]

    def whole(self, body: Body) -> Body:
        """A body that pays for all it takes."""
        steps, body = self.body(body)
        return paid(steps, body)

    def body(self, body: Body) -> tuple[int, Body]:
        """A body without its payments, and what has to be paid before it begins; behind a wait there is a new action."""
        parts: list[tuple[int, list[Statement]]] = [(0, [])]
        for s in body:
            steps, found = self.statement(s)
            parts[-1] = parts[-1][0] + steps, [*parts[-1][1], *found]
            if waits(s):
                parts.append((0, []))
        return parts[0][0], tuple(s for i, (steps, part) in enumerate(parts) for s in (paid(steps, tuple(part)) if i else part))

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
            case op.For(name, low, high, inner) if self.at_once and not isinstance(high, Const) and not _may_leave(inner):
                steps, inner = self.body(inner)
                rounds = sub(high, low)
                rounds = rounds if isinstance(rounds, op.Length) else select(op.Lt(FALSE, rounds), rounds, FALSE)
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
                total, inner = self.rounds(inner, capacities[zone.value] if isinstance(zone, Const) else max(capacities, default=0))
                return total, (op.Each(name, zone, inner),)
            case op.Try() | op.Ahead():
                return 0, (replace(s, body=self.whole(s.body)),)
            case op.Call(name):
                return self.called(name), (s,)
        return 0, (s,)

    def branches(self, bodies: list[Body]) -> tuple[int, list[Body]]:
        """Bodies of which one runs."""
        if any(waits(s) for body in bodies for s in body):
            return 0, [self.whole(body) for body in bodies]
        found = [self.body(body) for body in bodies]
        costs = [steps for steps, _ in found]
        if max(costs) - min(costs) <= UNLIKE:
            return max(costs), [body for _, body in found]
        least = min(costs)
        return least, [paid(steps - least, body) for steps, body in found]

    def rounds(self, body: Body, times: int | None) -> tuple[int, Body]:
        """The body of a loop that comes round so often at most; none: nobody knows."""
        steps, body = self.body(body)
        if times is not None and not any(map(waits, body)) and steps * max(times, 0) <= MUCH:
            return steps * max(times, 0), body
        return 0, paid(steps, body)


def _may_leave(body: Body) -> bool:
    """May a loop end before all of its rounds, or wait?"""
    return any(not LEAVING.isdisjoint(kinds(s)) for s in body)


def paid(steps: int, body: Body) -> Body:
    """A body that pays when it begins."""
    return (op.Pay(Const(steps)), *body) if steps else body
