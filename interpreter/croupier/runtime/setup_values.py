"""Expressions that are worked out while a game is set up: nothing in them may depend on a position, and their steps are limited."""

from __future__ import annotations

from typing import Any

from croupier.diagnostics import RulesetError, diagnose
from croupier.runtime.compiler import Compiler
from croupier.runtime.faults import Fault
from croupier.runtime.game import Game, Value
from croupier.runtime.parameters import of_things
from croupier.runtime.rows import ROWS
from croupier.semantics import types as t
from croupier.semantics.program import Program
from croupier.semantics.tree import X

SETUP_FUEL = 2_000_000  # steps of all set-up expressions together


class Nowhere:
    """The machine of set-up expressions: it has no position, and fuel for all of them together."""

    recorder = None
    seen = None

    def __init__(self) -> None:
        self.vars: list[Any] = []
        self.zones: list[Any] = []
        self.fuel = SETUP_FUEL

    def spend(self, steps: int, span: Any) -> None:
        self.fuel -= steps
        if self.fuel < 0:
            raise Fault("R010", span, limit=SETUP_FUEL)

    def call(self, target: int, args: list[Any], span: Any) -> Any:
        raise Fault("G020", span)


class Values:
    """A game that is being set up, and the values of its expressions."""

    def __init__(self, program: Program, players: int) -> None:
        self.program = program
        self.game = Game(program, players, {})
        for e in program.enums.values():
            self.game.enum_values[e.name] = {v: i for i, v in enumerate(e.values)}
        self.code: Any = None
        self.nowhere = Nowhere()
        self.game.evaluate = self.value

    def value(self, x: X, *known: Value) -> Value:
        """A set-up expression now; nothing of it may depend on a position. `known` are the values of its first locals."""
        if self.game.trace is not None:
            self.game.trace.setup(x)
        if self.code is None:
            self.early_columns(x)
        frame: list[Value] = [*known, *[None] * (1 + max((i for y in x.walk() for i in y.binds()), default=0))]
        if self.code is None:
            return Compiler(self.game, ROWS).expr(x)(self.nowhere, frame)
        return self.code.expr(x)(self.nowhere, frame)

    def column(self, enum: str, name: str) -> None:
        """A column of an enumeration, value by value."""
        e = self.program.enums[enum]
        self.game.columns[enum, name] = tuple(self.value(e.rows[v][name]) for v in e.values)

    def early_columns(self, whole: X) -> None:
        """The columns that an expression reads before their turn. Raises `RulesetError` for one that holds what is not there yet."""
        for x in (y for y in whole.walk() if y.op == "column" and y.data not in self.game.columns):
            enum, name = x.data
            needed = {y.data for cells in self.program.enums[enum].rows.values() for y in cells[name].walk() if y.op == "param"}
            if of_things(x.type) or needed - self.game.parameters.keys():
                help = "boards, components and parameters that its values name are made later"
                raise RulesetError((diagnose("G024", x.span, name=name, help=help),))
            self.column(enum, name)

    def limit(self, code: str, span: Any, name: str, count: int, limit: int) -> None:
        if count > limit:
            raise RulesetError((diagnose(code, span, name=name, count=count, limit=limit),))

    def least(self, x: X, name: str, least: int) -> int:
        n = self.value(x)
        if n < least:
            raise RulesetError((diagnose("G022", x.span, name=name, count=n, least=least),))
        return int(n)

    def default(self, kind: t.Type) -> Value:
        """What a type begins with when nothing is said."""
        match kind:
            case t.Map():
                return (self.default(kind.value),) * self.game.domain(kind.key)[1]
            case t.Collection():
                return ()
            case t.Bool():
                return False
            case t.Int():
                return 0
        return None
