"""States that are gone to from one place only become part of the state that goes there."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from croupier.core import operations as op
from croupier.core.operations import Body, Statement
from croupier.core.types import Program, State
from croupier.core.walk import statements


def joined(program: Program) -> Program:
    """The program with fewer states; what is never gone to is left out."""
    gone: Counter[int] = Counter()
    kept = set(program.entries.values())
    for state in program.states.values():
        for s in statements(state.body):
            match s:
                case op.Goto(number):
                    gone[number] += 1
                case op.Wait(next=number) | op.Enter(next=number) | op.Explore(state=number):
                    kept.add(number)
    inside = {n for n, count in gone.items() if count == 1 and n not in kept}
    heads = _heads(program, inside)
    inside -= heads
    joiner = _Joiner(program, inside)
    out = replace(program)
    out.states = {n: State(n, s.function, joiner.body(s.body)) for n, s in program.states.items() if n not in inside and (n in kept or gone[n])}
    return out


def _heads(program: Program, inside: set[int]) -> set[int]:
    """States of a circle of such states: one of each stays, so that joining ends."""
    found: set[int] = set()
    for start in inside:
        seen, at = {start}, start
        while True:
            onward = [s.state for s in statements(program.states[at].body) if isinstance(s, op.Goto) and s.state in inside and s.state not in found]
            if start in onward:
                found.add(start)
                break
            fresh = [n for n in onward if n not in seen]
            if not fresh:
                break
            seen.update(fresh)
            at = fresh[0]
    return found


class _Joiner:
    """Puts states in the place of what goes to them."""

    def __init__(self, program: Program, inside: set[int]) -> None:
        self.program, self.inside = program, inside

    def body(self, body: Body) -> Body:
        out: list[Statement] = []
        for s in body:
            match s:
                case op.Goto(number) if number in self.inside:
                    out.extend(self.body(self.program.states[number].body))
                case op.If(test, then, otherwise):
                    out.append(op.If(test, self.body(then), self.body(otherwise)))
                case op.Switch(value, cases, otherwise):
                    out.append(op.Switch(value, tuple(op.Case(c.values, self.body(c.body)) for c in cases), self.body(otherwise)))
                case _:
                    out.append(s)
        return tuple(out)
