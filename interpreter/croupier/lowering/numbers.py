"""Arithmetic, and players in cyclic order."""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import NONE, add, and_, const, div, eq, le, lt, mod, mul, not_, select, sub
from croupier.core.operations import Const, Expression, Local
from croupier.kernel import types as t
from croupier.kernel.tree import TypedExpr
from croupier.limits import MAX_NUMBER
from croupier.lowering.context import Context, Operand
from croupier.lowering.operands import rule, word
from croupier.lowering.sources import marked

ARITHMETIC = {"+": add, "-": sub, "*": mul}


def checked(c: Context, x: TypedExpr, e: Expression) -> Expression:
    """A number, guarded to be within the limits of the language unless its type implies it."""
    if (
        isinstance(e, Const)
        and abs(e.value) <= MAX_NUMBER
        or isinstance(x.type, t.Int)
        and x.type.low is not None
        and x.type.high is not None
    ):
        return e
    return within_limit(c, e)


def within_limit(c: Context, e: Expression) -> Expression:
    """A number, guarded to be within the limits of the language."""
    e = c.w.temp(e)
    c.w.guard(and_(le(const(-MAX_NUMBER), e), le(e, const(MAX_NUMBER))))
    return e


@rule(*ARITHMETIC)
def _arithmetic(c: Context, x: TypedExpr) -> Operand:
    return checked(c, x, ARITHMETIC[x.op](word(c, x.args[0]), word(c, x.args[1])))


@rule("neg")
def _neg(c: Context, x: TypedExpr) -> Operand:
    return sub(const(0), word(c, x.args[0]))


@rule("abs")
def _abs(c: Context, x: TypedExpr) -> Operand:
    a = c.w.temp(word(c, x.args[0]))
    return select(lt(a, const(0)), sub(const(0), a), a)


@rule("//", "mod")
def _divided(c: Context, x: TypedExpr) -> Operand:
    a, b = word(c, x.args[0]), c.w.temp(word(c, x.args[1]))
    c.w.guard(not_(eq(b, const(0))))
    return div(a, b) if x.op == "//" else mod(a, b)


@rule("max_of", "min_of")
def _extreme(c: Context, x: TypedExpr) -> Operand:
    best = c.w.temp(word(c, x.args[0]))
    for a in x.args[1:]:
        e = c.w.temp(word(c, a))
        best = c.w.temp(select(lt(best, e) if x.op == "max_of" else lt(e, best), e, best))
    return best


@rule("next", "previous")
def _neighbour(c: Context, x: TypedExpr) -> Operand:
    n, step = c.game.players, 1 if x.op == "next" else -1
    start = word(c, x.args[0])
    if len(x.args) == 1:
        return mod(add(start, const(step % n)), const(n))
    start, name = c.w.temp(start), c.w.fresh()
    among = marked(c, x.args[1], 0, n)
    c.w.set(name, NONE)
    with c.w.count(const(1), const(n + 1)) as i:
        p = c.w.temp(mod(add(start, mul(i, const(step % n))), const(n)))
        c.w.leave_if(eq(op.Load(among, p), const(1)), lambda: c.w.set(name, p))
    c.w.guard(not_(eq(Local(name), NONE)))
    return Local(name)
