"""The reference evaluator: optionals, bounds, conditions and numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import RecordExpr, TypedExpr, of_form
from croupier.limits import MAX_LIST, MAX_NUMBER
from croupier.runtime.compiler import Compiler, ExpressionRow, Operation, of_operands
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


def _otherwise(a: Run, b: Run) -> Run:
    def run(m: Machine, L: Locals) -> Value:
        v = a(m, L)
        return b(m, L) if v is None else v

    return run


def _optional_list(value: Run) -> Run:
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


# ------------------------------------------------------------ comparisons


def _comparison(operation: Operation) -> ExpressionRow:
    """The row of a comparison, whose operands may be large: those cost as much as they are long."""

    def row(ctx: Compiler, x: TypedExpr) -> Run:
        return operation(*[_side(ctx.expr(a), a) for a in x.args])

    return row


def _side(value: Run, x: TypedExpr) -> Run:
    return charged(value, x) if isinstance(x.type, (t.Collection, t.Map)) else value


def charged(value: Run, x: TypedExpr) -> Run:
    """A collection that is paid for by its length."""
    span = x.span

    def run(m: Machine, L: Locals) -> Value:
        v = value(m, L)
        if len(v) >= GRAIN:
            m.spend(len(v) // GRAIN, span)
        return v

    return run


# ------------------------------------------------------------ numbers


def number(f: Run, span: Span) -> Run:
    """A number that faults where it leaves the range of numbers."""

    def run(m: Machine, L: Locals) -> Value:
        v = f(m, L)
        if not -MAX_NUMBER <= v <= MAX_NUMBER:
            raise Fault("R004", span)
        return v

    return run


def _arithmetic(operation: Operation) -> ExpressionRow:
    """The row of an operation whose result is tested, unless the checker has proved its bounds."""

    def row(ctx: Compiler, x: TypedExpr) -> Run:
        result = operation(*ctx.exprs(x.args))
        proven = isinstance(x.type, t.Int) and x.type.low is not None and x.type.high is not None
        return result if proven else number(result, x.span)

    return row


def _divided(ctx: Compiler, x: TypedExpr, remainder: bool) -> Run:
    a, b = ctx.exprs(x.args)
    span = x.args[1].span

    def run(m: Machine, L: Locals) -> Value:
        d = b(m, L)
        if d == 0:
            raise Fault("R003", span)
        return a(m, L) % d if remainder else a(m, L) // d

    return run


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


# ------------------------------------------------------------ the table

# What an operation does with its operands, which it evaluates in their order.
OPERATIONS: dict[str, Operation] = {
    "is_none": lambda a: lambda m, L: a(m, L) is None,
    "is_some": lambda a: lambda m, L: a(m, L) is not None,
    "otherwise_list": lambda a, b: lambda m, L: a(m, L) or b(m, L),
    "and": lambda a, b: lambda m, L: a(m, L) and b(m, L),
    "or": lambda a, b: lambda m, L: a(m, L) or b(m, L),
    "not": lambda a: lambda m, L: not a(m, L),
    "if": lambda c, a, b: lambda m, L: a(m, L) if c(m, L) else b(m, L),
    "<": lambda a, b: lambda m, L: a(m, L) < b(m, L),
    "<=": lambda a, b: lambda m, L: a(m, L) <= b(m, L),
    ">": lambda a, b: lambda m, L: a(m, L) > b(m, L),
    ">=": lambda a, b: lambda m, L: a(m, L) >= b(m, L),
    "neg": lambda a: lambda m, L: -a(m, L),
    "abs": lambda a: lambda m, L: abs(a(m, L)),
    "max_of": lambda *several: lambda m, L: max(f(m, L) for f in several),
    "min_of": lambda *several: lambda m, L: min(f(m, L) for f in several),
}
COMPARISONS: dict[str, Operation] = {
    "==": lambda a, b: lambda m, L: a(m, L) == b(m, L),
    "!=": lambda a, b: lambda m, L: a(m, L) != b(m, L),
    "in": lambda a, b: lambda m, L: a(m, L) in b(m, L),
    "not in": lambda a, b: lambda m, L: a(m, L) not in b(m, L),
}
ARITHMETIC: dict[str, Operation] = {
    "+": lambda a, b: lambda m, L: a(m, L) + b(m, L),
    "-": lambda a, b: lambda m, L: a(m, L) - b(m, L),
    "*": lambda a, b: lambda m, L: a(m, L) * b(m, L),
}
EXPRESSIONS: dict[str, ExpressionRow] = {
    **{op: of_operands(operation) for op, operation in OPERATIONS.items()},
    **{op: _comparison(operation) for op, operation in COMPARISONS.items()},
    **{op: _arithmetic(operation) for op, operation in ARITHMETIC.items()},
    "certain": _expr_certain,
    "otherwise": of_operands(_otherwise),
    **dict.fromkeys(("optional_list", "optional.list"), of_operands(_optional_list)),
    "bound": _expr_bound,
    "//": partial(_divided, remainder=False),
    "mod": partial(_divided, remainder=True),
    "range": _expr_range,
    "record": of_form(RecordExpr, _expr_record),
}
