"""A measure: an expression of the rule language that is a number in every position, for a seat that it calls `me`.

A ruleset may declare measures; they are then called by their names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.diagnostics import RulesetError, Source, diagnose
from croupier.runtime.faults import Fault
from croupier.semantics import check_expression
from croupier.semantics import types as t
from croupier.semantics.policies import ME
from croupier.semantics.tree import Proc, X
from croupier.source.ruletext import whole

if TYPE_CHECKING:
    from croupier.runtime.callables import Run
    from croupier.runtime.game import Game, Value
    from croupier.runtime.state import State


class Measure:
    """A measure of the ruleset by its name, or a checked expression of a number, or of true and false, which count 1 and 0.

    Raises RulesetError for anything else.
    """

    def __init__(self, game: Game, text: str) -> None:
        self.text = text
        declared = game.program.measures.get(text)
        self.tree, proc = (declared.value, declared.frame) if declared is not None else _checked(game, text)
        self._run, self._slots = game.code.expr(self.tree), len(proc.slots)

    def value(self, state: State, seat: int = 0) -> int:
        """What it is in a position, for a seat from 0. Raises RulesetError where it faults."""
        return value_of(state, self._run, self._slots, seat)


def _checked(game: Game, text: str) -> tuple[X, Proc]:
    x, proc, found = check_expression(game.program, whole(Source("measure", text)), {ME: t.Player()})
    if x is None:
        raise RulesetError(tuple(found))
    if not isinstance(x.type, (t.Int, t.Bool)):
        raise RulesetError((diagnose("T001", x.span, wanted="int", given=str(x.type)),))
    return x, proc


def value_of(state: State, run: Run, slots: int, seat: int, values: Sequence[Value] = ()) -> int:
    """The value of an expression in a position, whose frame of some slots begins with a seat and some values. Raises RulesetError where it faults."""
    machine = state._m
    machine.refuel()
    try:
        return int(run(machine, [seat, *values, *[None] * (slots - len(values))]))
    except Fault as fault:
        raise RulesetError((fault.diagnostic,)) from None
