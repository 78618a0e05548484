"""The reference evaluator: optionals, bounds, conditions and numbers."""

from __future__ import annotations

from collections.abc import Callable

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import RecordExpr, TypedExpr, of_form
from croupier.limits import MAX_LIST, MAX_NUMBER
from croupier.runtime.compiler import Compiler, ExpressionRow
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.runtime.machine import Locals, Machine, Run
from croupier.runtime.zone_contents import GRAIN

# ------------------------------------------------------------ optionals and bounds


def _expr_certain(ctx: Compiler, x: TypedExpr) -> Run:
    value, span = ctx.expr(x.args[0]), x.span

    def run(m: Machine, L: Locals) -> Value:
        v = value(m, L)
        if v is None:
            raise Fault("R001", span)
        return v

    return run


def _expr_is_none(ctx: Compiler, x: TypedExpr) -> Run:
    value = ctx.expr(x.args[0])
    return lambda m, L: value(m, L) is None


def _expr_is_some(ctx: Compiler, x: TypedExpr) -> Run:
    value = ctx.expr(x.args[0])
    return lambda m, L: value(m, L) is not None


def _expr_otherwise(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = ctx.exprs(x.args)

    def run(m: Machine, L: Locals) -> Value:
        v = a(m, L)
        return b(m, L) if v is None else v

    return run


def _expr_otherwise_list(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = ctx.exprs(x.args)
    return lambda m, L: a(m, L) or b(m, L)


def _expr_optional_list(ctx: Compiler, x: TypedExpr) -> Run:
    value = ctx.expr(x.args[0])

    def run(m: Machine, L: Locals) -> Value:
        v = value(m, L)
        return () if v is None else (v,)

    return run


def _expr_bound(ctx: Compiler, x: TypedExpr) -> Run:
    return bound_to(ctx, ctx.expr(x.args[0]), x.type, x.span)


def bound_to(ctx: Compiler, value: Run, kind: t.Type, span: Span) -> Run:
    """A value that faults where it is not of a type."""
    check, whole = test(ctx, kind), isinstance(kind, (t.Collection, t.Map))

    def run(m: Machine, L: Locals) -> Value:
        v = value(m, L)
        if whole:
            m.spend(len(v), span)
        check(v, span)
        return v

    return run


def test(ctx: Compiler, kind: t.Type) -> Callable[[Value, Span], None]:
    """Return a test that a value lies in a type whose limits the checker could not prove; it raises
    `Fault`.
    """
    game = ctx.game
    match kind:
        case t.Int():
            low, high = game.int_bounds(kind)

            def test_int(v: Value, span: Span) -> None:
                if (low is not None and v < low) or (high is not None and v > high) or abs(v) > MAX_NUMBER:
                    raise Fault("R002", span, value=v, type=t.Int(low, high))

            return test_int
        case t.Component():
            allowed = {p.number for p in game.components if p.kind in kind.kinds}

            def test_kind(v: Value, span: Span) -> None:
                if v not in allowed:
                    raise Fault("R015", span, wanted=str(kind))

            return test_kind
        case t.Optional():
            inner = test(ctx, kind.base)
            return lambda v, span: None if v is None else inner(v, span)
        case t.Collection():
            inner = test(ctx, kind.base)
            limit = None if kind.capacity is None else game.constant(kind.capacity)

            def test_list(v: Value, span: Span) -> None:
                if limit is not None and len(v) > limit:
                    raise Fault("R012", span, capacity=limit)
                for item in v:
                    inner(item, span)

            return test_list
        case t.Map():
            inner = test(ctx, kind.value)

            def test_map(v: Value, span: Span) -> None:
                for item in v:
                    if item is None and not isinstance(kind.value, (t.Optional, t.Nothing)):
                        raise Fault("R014", span, key="every key")
                    inner(item, span)

            return test_map
    return lambda v, span: None


# ------------------------------------------------------------ conditions


def _expr_and(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = ctx.exprs(x.args)
    return lambda m, L: a(m, L) and b(m, L)


def _expr_or(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = ctx.exprs(x.args)
    return lambda m, L: a(m, L) or b(m, L)


def _expr_not(ctx: Compiler, x: TypedExpr) -> Run:
    a = ctx.expr(x.args[0])
    return lambda m, L: not a(m, L)


def _expr_if(ctx: Compiler, x: TypedExpr) -> Run:
    c, a, b = ctx.exprs(x.args)
    return lambda m, L: a(m, L) if c(m, L) else b(m, L)


def sides(ctx: Compiler, x: TypedExpr) -> list[Run]:
    """The operands of a comparison; large ones cost as much as they are long."""
    return [
        charged(ctx, ctx.expr(a), a) if isinstance(a.type, (t.Collection, t.Map)) else ctx.expr(a)
        for a in x.args
    ]


def charged(ctx: Compiler, value: Run, x: TypedExpr) -> Run:
    """A collection that is paid for by its length."""
    span = x.span

    def run(m: Machine, L: Locals) -> Value:
        v = value(m, L)
        if len(v) >= GRAIN:
            m.spend(len(v) // GRAIN, span)
        return v

    return run


def _expr_eq(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = sides(ctx, x)
    return lambda m, L: a(m, L) == b(m, L)


def _expr_ne(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = sides(ctx, x)
    return lambda m, L: a(m, L) != b(m, L)


def _expr_lt(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = ctx.exprs(x.args)
    return lambda m, L: a(m, L) < b(m, L)


def _expr_le(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = ctx.exprs(x.args)
    return lambda m, L: a(m, L) <= b(m, L)


def _expr_gt(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = ctx.exprs(x.args)
    return lambda m, L: a(m, L) > b(m, L)


def _expr_ge(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = ctx.exprs(x.args)
    return lambda m, L: a(m, L) >= b(m, L)


def _expr_in(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = sides(ctx, x)
    return lambda m, L: a(m, L) in b(m, L)


def _expr_not_in(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = sides(ctx, x)
    return lambda m, L: a(m, L) not in b(m, L)


# ------------------------------------------------------------ numbers


def number(ctx: Compiler, f: Run, span: Span) -> Run:
    """A number that faults where it leaves the range of numbers."""

    def run(m: Machine, L: Locals) -> Value:
        v = f(m, L)
        if not -MAX_NUMBER <= v <= MAX_NUMBER:
            raise Fault("R004", span)
        return v

    return run


def _arithmetic(ctx: Compiler, f: Run, x: TypedExpr) -> Run:
    proven = isinstance(x.type, t.Int) and x.type.low is not None and x.type.high is not None
    return f if proven else number(ctx, f, x.span)


def _expr_add(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = ctx.exprs(x.args)
    return _arithmetic(ctx, lambda m, L: a(m, L) + b(m, L), x)


def _expr_sub(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = ctx.exprs(x.args)
    return _arithmetic(ctx, lambda m, L: a(m, L) - b(m, L), x)


def _expr_mul(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = ctx.exprs(x.args)
    return _arithmetic(ctx, lambda m, L: a(m, L) * b(m, L), x)


def _expr_neg(ctx: Compiler, x: TypedExpr) -> Run:
    a = ctx.expr(x.args[0])
    return lambda m, L: -a(m, L)


def _expr_abs(ctx: Compiler, x: TypedExpr) -> Run:
    a = ctx.expr(x.args[0])
    return lambda m, L: abs(a(m, L))


def _divided(ctx: Compiler, x: TypedExpr, remainder: bool) -> Run:
    a, b = ctx.exprs(x.args)
    span = x.args[1].span

    def run(m: Machine, L: Locals) -> Value:
        d = b(m, L)
        if d == 0:
            raise Fault("R003", span)
        return a(m, L) % d if remainder else a(m, L) // d

    return run


def _expr_div(ctx: Compiler, x: TypedExpr) -> Run:
    return _divided(ctx, x, False)


def _expr_mod(ctx: Compiler, x: TypedExpr) -> Run:
    return _divided(ctx, x, True)


def _expr_max_of(ctx: Compiler, x: TypedExpr) -> Run:
    runs = ctx.exprs(x.args)
    return lambda m, L: max(f(m, L) for f in runs)


def _expr_min_of(ctx: Compiler, x: TypedExpr) -> Run:
    runs = ctx.exprs(x.args)
    return lambda m, L: min(f(m, L) for f in runs)


def _expr_range(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = ctx.exprs(x.args)
    span = x.span

    def run(m: Machine, L: Locals) -> Value:
        low, high = a(m, L), b(m, L)
        if high - low >= MAX_LIST:
            raise Fault("R012", span, capacity=MAX_LIST)
        if high - low >= GRAIN:
            m.spend((high - low) // GRAIN, span)
        return tuple(range(low, high + 1))

    return run


# ------------------------------------------------------------ records


def _expr_record(ctx: Compiler, x: RecordExpr) -> Run:
    fields = list(ctx.game.program.records[x.name].fields.values())
    runs = [_bounded(ctx, f, kind, a) for f, kind, a in zip(ctx.exprs(x.args), fields, x.args, strict=True)]
    return lambda m, L: tuple(f(m, L) for f in runs)


def _bounded(ctx: Compiler, f: Run, kind: t.Type, a: TypedExpr) -> Run:
    return f if t.within(a.type, kind) or a.op == "bound" else bound_to(ctx, f, kind, a.span)


EXPRESSIONS: dict[str, ExpressionRow] = {
    "certain": _expr_certain,
    "is_none": _expr_is_none,
    "is_some": _expr_is_some,
    "otherwise": _expr_otherwise,
    "otherwise_list": _expr_otherwise_list,
    "optional_list": _expr_optional_list,
    "bound": _expr_bound,
    "and": _expr_and,
    "or": _expr_or,
    "not": _expr_not,
    "if": _expr_if,
    "eq": _expr_eq,
    "ne": _expr_ne,
    "lt": _expr_lt,
    "le": _expr_le,
    "gt": _expr_gt,
    "ge": _expr_ge,
    "in": _expr_in,
    "not_in": _expr_not_in,
    "add": _expr_add,
    "sub": _expr_sub,
    "mul": _expr_mul,
    "neg": _expr_neg,
    "abs": _expr_abs,
    "div": _expr_div,
    "mod": _expr_mod,
    "max_of": _expr_max_of,
    "min_of": _expr_min_of,
    "range": _expr_range,
    "record": of_form(RecordExpr, _expr_record),
}
