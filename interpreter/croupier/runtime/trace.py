"""Numbers for places that are executed, beside the rules that they cite, and counts of their runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.diagnostics import Span
from croupier.kernel.tree import (
    MutableExpr,
    ParamExpr,
    StateExpr,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
)
from croupier.records import dataclass
from croupier.runtime.machine import Frame, Locals, Machine, Op, Run, RunnableRules
from croupier.semantics.program import Program


class Cites(tuple[str, ...]):
    """The rules that a statement cites. `span` is the statement's place, so that an event knows both."""

    span: Span | None

    def __new__(cls, rules: Iterable[str], span: Span | None) -> Cites:
        made = super().__new__(cls, rules)
        made.span = span
        return made


def place_of(cites: tuple[str, ...]) -> Span | None:
    """Return the place of a statement by its citations; `None` if it is not known."""
    return cites.span if isinstance(cites, Cites) else None


# ---------------------------------------------------------------- trace
# Tracing: which statements, conditions, ways and declarations a game has executed or read, and how often.
#
# A game is compiled with or without a trace. With one, every statement, condition, procedure, watcher, option
# and way out of a condition is given a number when it is compiled and counts whenever it runs; without one
# nothing is added, so that tracing costs nothing where nobody asks for it. What is counted in a look-ahead
# counts like everything else.
WAYS = ("branch", "option", "value")
"""Kinds of spots that say how something went: that a rule was executed is said by what they belong to."""


@dataclass(frozen=True, slots=True)
class TracedPlace:
    """A place that can be executed, and the rules that it, and the declarations it names, cite.

    `kind` is set-up, statement, condition (named, of a claim, a guard, a watcher), procedure, power (rule
    text of components), label (of an option), or how something went: branch (`words`: holds, does not hold, a
    case, else, no option), option (of a menu, a claim), value (chosen, of a type with names).
    """

    kind: str
    span: Span
    rules: tuple[str, ...]
    words: str = ""


class Trace:
    """The traced places of a game in the order of compilation, and how often each was executed since
    `clear`.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.traced: RunnableRules | None = None  # what is traced, once it is there
        self.spots: list[TracedPlace] = []
        self.counts: list[int] = []
        # what set-up reads, and the ruleset itself
        self.always = {self.number("set-up", Span(program.resolved.sources[0], 0, 0), program.cites)}

    def clear(self) -> None:
        self.counts[:] = [0] * len(self.counts)

    def executed(self) -> list[TracedPlace]:
        """The places that were executed, those of set-up always."""
        return [
            spot
            for i, (spot, n) in enumerate(zip(self.spots, self.counts, strict=True))
            if n or i in self.always
        ]

    def rules(self) -> frozenset[str]:
        """The ids of the rules that were executed or read."""
        return frozenset(rule for spot in self.executed() if spot.kind not in WAYS for rule in spot.rules)

    def spans(self) -> frozenset[Span]:
        """The spans of what was executed."""
        return frozenset(
            spot.span for spot, n in zip(self.spots, self.counts, strict=True) if n and spot.kind not in WAYS
        )

    # ------------------------------------------------------------ used while compiling
    def number(
        self, kind: str, span: Span, cites: Iterable[str], read: Iterable[TypedExpr] = (), words: str = ""
    ) -> int:
        """The number of a new place; `read` are the expressions that it evaluates itself."""
        rules = [*cites, *(rule for x in read for y in x.walk() for rule in self.declared(y))]
        self.spots.append(TracedPlace(kind, span, tuple(dict.fromkeys(rules)), words))
        self.counts.append(0)
        return len(self.spots) - 1

    def setup(self, x: TypedExpr) -> None:
        """A set-up expression is worked out.

        Where it names nothing that cites a rule there is nothing to remember.
        """
        if any(self.declared(y) for y in x.walk()):
            self.always.add(self.number("set-up", x.span, (), (x,)))

    def statement(self, s: TypedStmt) -> int:
        return self.number("statement", s.span, s.cites, s.reads())

    def declared(self, x: TypedExpr) -> tuple[str, ...]:
        """The rules cited by the declaration that an expression names."""
        p = self.program
        match x:
            case ZoneExpr():
                return p.zones[x.name].cites
            case StateExpr() | MutableExpr():
                return p.vars[x.name].cites
            case ParamExpr():
                return p.params[x.name].cites
        return ()

    def count_runs(self, run: Run, number: int) -> Run:
        """The same function, which counts its calls at a number."""
        counts = self.counts

        def traced(m: Machine, L: Locals) -> object:
            counts[number] += 1
            return run(m, L)

        return traced

    def count_outcomes(self, run: Run, span: Span, cites: tuple[str, ...]) -> Run:
        """The same condition, which counts how often it held and how often it did not."""
        counts = self.counts
        held = self.number("branch", span, cites, words="holds")
        failed = self.number("branch", span, cites, words="does not hold")

        def traced(m: Machine, L: Locals) -> object:
            value = run(m, L)
            counts[held if value else failed] += 1
            return value

        return traced

    def count_operation(self, op: Op, number: int) -> None:
        """Make an operation count how often it runs."""
        run, counts = op.run, self.counts

        def traced(m: Machine, fr: Frame) -> object:
            counts[number] += 1
            return run(m, fr)

        op.run = traced  # type: ignore[method-assign]

    def count_choices(self, op: Op, numbers: Mapping[int, int]) -> None:
        """Make a decision count its choices; `numbers` are those of places, by action."""
        resume, counts = op.resume, self.counts

        def traced(m: Machine, fr: Frame, seat: int, action: int) -> None:
            if action in numbers:
                counts[numbers[action]] += 1
            resume(m, fr, seat, action)

        op.resume = traced  # type: ignore[method-assign]
