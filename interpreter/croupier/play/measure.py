"""A measure: an expression of the rule language that is a number in every position, for a seat that it calls `me`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.diagnostics import RulesetError, Source, diagnose
from croupier.runtime.faults import Fault
from croupier.semantics import check_expression
from croupier.semantics import types as t
from croupier.source.ruletext import whole

if TYPE_CHECKING:
    from croupier.runtime.game import Game
    from croupier.runtime.state import State

ME = "me"


class Measure:
    """A checked expression of a number, or of true and false, which count 1 and 0. Raises RulesetError for anything else."""

    def __init__(self, game: Game, text: str) -> None:
        self.text = text
        source = Source("measure", text)
        x, proc, found = check_expression(game.program, whole(source), {ME: t.Player()})
        if x is None:
            raise RulesetError(tuple(found))
        if not isinstance(x.type, (t.Int, t.Bool)):
            raise RulesetError((diagnose("T001", x.span, wanted="int", given=str(x.type)),))
        self.tree = x
        self._run, self._slots = game.code.expr(x), len(proc.slots) + 1

    def value(self, state: State, seat: int = 0) -> int:
        """What it is in a position, for a seat from 0. Raises RulesetError where it faults."""
        machine = state._m
        machine.refuel()
        try:
            return int(self._run(machine, [seat, *[None] * (self._slots - 1)]))
        except Fault as fault:
            raise RulesetError((fault.diagnostic,)) from None
