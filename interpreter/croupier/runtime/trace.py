"""Tracing: which statements, conditions and declarations a game has executed or read.

A game is compiled with or without a trace. With one, every statement, named condition, procedure and watcher is given a number when it is
compiled and leaves it behind whenever it runs; without one nothing is added, so that tracing costs nothing where nobody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from croupier.diagnostics import Span
from croupier.semantics.flow import operands
from croupier.semantics.program import Program
from croupier.semantics.tree import S, X

Test = Callable[[Any, list[Any]], Any]


@dataclass(frozen=True, slots=True)
class Spot:
    """Something that can be executed: where it stands, and the rules that it, and the declarations it names, cite."""

    span: Span
    rules: tuple[str, ...]


class Trace:
    """The spots of a game in the order of compilation, and those that were executed since `clear`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.spots: list[Spot] = []
        self.hit: set[int] = set()
        self.always: set[int] = {self.number(Span(program.resolved.sources[0], 0, 0), program.cites)}  # what set-up reads, and the ruleset itself

    def clear(self) -> None:
        self.hit.clear()

    def rules(self) -> frozenset[str]:
        """The ids of the rules that were executed or read."""
        return frozenset(rule for i in self.hit | self.always for rule in self.spots[i].rules)

    def spans(self) -> frozenset[Span]:
        """The places that were executed."""
        return frozenset(self.spots[i].span for i in self.hit)

    # ------------------------------------------------------------ used while compiling
    def number(self, span: Span, cites: Iterable[str], read: Iterable[X] = ()) -> int:
        """The number of a new spot; `read` are the expressions that it evaluates itself."""
        rules = [*cites, *(rule for x in read for y in x.walk() for rule in self.declared(y))]
        self.spots.append(Spot(span, tuple(dict.fromkeys(rules))))
        return len(self.spots) - 1

    def setup(self, x: X) -> None:
        """A set-up expression is worked out."""
        self.always.add(self.number(x.span, (), (x,)))

    def statement(self, s: S) -> int:
        return self.number(s.span, s.cites, operands(s))

    def declared(self, x: X) -> tuple[str, ...]:
        """The rules cited by the declaration that an expression names."""
        p = self.program
        match x.op:
            case "zone" | "zone_at":
                return p.zones[x.data].cites
            case "state" | "mutable":
                return p.vars[x.data].cites
            case "param":
                return p.params[x.data].cites
        return ()

    def test(self, run: Test, number: int) -> Test:
        """A function of a machine and locals that leaves its number behind."""
        add = self.hit.add

        def traced(m: Any, L: list[Any]) -> Any:
            add(number)
            return run(m, L)

        return traced

    def operation(self, op: Any, number: int) -> None:
        """The same for an operation, in place."""
        run, add = op.run, self.hit.add

        def traced(m: Any, fr: Any) -> Any:
            add(number)
            return run(m, fr)

        op.run = traced
