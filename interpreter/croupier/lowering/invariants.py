"""What must always hold: a function that whoever plays asks before each action, and when the game is over. What does not hold fails."""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import Writer
from croupier.core.types import Function
from croupier.lowering.context import Body, Context
from croupier.lowering.costs import pay_for
from croupier.lowering.operands import word

NAME = "invariants"


def write(c: Context) -> None:
    """The function of that name."""
    body = Body(Writer(), None)
    with c.function(body):
        for _, test, proc, _ in c.game.program.invariants:
            body.proc, body.env = proc, {}
            pay_for(c, [test], 2)
            body.w.guard(word(c, test))
        body.w.emit(op.Return())
        c.core.functions[NAME] = Function(NAME, (), 0, tuple(body.w.memories.values()), tuple(body.w.out))


__all__ = ["NAME", "write"]
