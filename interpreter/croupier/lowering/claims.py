"""Claims: public statements without effect. Each combination of a claim's fields is an action."""

from __future__ import annotations

from math import prod

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, const, eq, mul
from croupier.core.operations import Expression, Local
from croupier.kernel.tree import TypedStmt
from croupier.lowering.context import Context, Operand
from croupier.lowering.costs import pay_for
from croupier.lowering.operands import word
from croupier.lowering.shapes import WORD
from croupier.lowering.statements import rule, wait
from croupier.semantics.program import ClaimDef


@rule("claim")
def _claim(c: Context, s: TypedStmt) -> None:
    w, first = c.w, 0
    some = w.fresh()
    w.emit(op.NoOffers())
    w.set(some, FALSE)
    seat = w.temp(word(c, s.args[0]))
    for claim in c.game.program.claims:
        _offers(c, claim, seat, first, some)
        first += prod(len(c.game.values(kind)) for _, kind in claim.fields)
    w.when(eq(Local(some), TRUE), lambda: wait(c, seat, s.suspension_point))


def _offers(c: Context, claim: ClaimDef, seat: Expression, first: int, some: str) -> None:
    w = c.w
    domains = [tuple(int(v) for v in c.game.values(kind)) for _, kind in claim.fields]
    env: dict[int, Operand] = {claim.slots[0]: seat}

    def offer(action: Expression) -> None:
        w.emit(op.Offer(action, TRUE))
        w.set(some, TRUE)

    def at(depth: int, number: Expression) -> None:
        if depth < len(domains):
            values = domains[depth]

            def one(i: Expression) -> None:
                found = c.rows(list(values), WORD, i)
                env[claim.slots[depth + 1]] = w.temp(found)  # type: ignore[arg-type]
                at(depth + 1, add(mul(number, const(len(values))), i))

            w.count(FALSE, const(len(values)), one)
            return
        action = add(number, const(first))
        pay_for(c, [] if claim.condition is None else [claim.condition], 1)
        if claim.condition is None:
            offer(action)
            return
        outer, c.body.env = c.body.env, env
        try:
            test = word(c, claim.condition)
        finally:
            c.body.env = outer
        w.when(test, lambda: offer(action))

    at(0, FALSE)
