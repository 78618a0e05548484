"""The reference evaluator: optionals, bounds, conditions and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.limits import MAX_LIST, MAX_NUMBER
from croupier.runtime.evaluate import GRAIN, Expressions, Run
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.semantics import types as t
from croupier.semantics.tree import X


class Operators(Expressions):
    """Optionals, bounds, conditions and numbers, as functions of machine and locals."""

    # ------------------------------------------------------------ optionals and bounds
    def x_certain(self, x: X) -> Run:
        value, span = self.expr(x.args[0]), x.span

        def run(m: Any, L: list[Any]) -> Value:
            v = value(m, L)
            if v is None:
                raise Fault("R001", span)
            return v

        return run

    def x_is_none(self, x: X) -> Run:
        value = self.expr(x.args[0])
        return lambda m, L: value(m, L) is None

    def x_is_some(self, x: X) -> Run:
        value = self.expr(x.args[0])
        return lambda m, L: value(m, L) is not None

    def x_otherwise(self, x: X) -> Run:
        a, b = self.exprs(x.args)

        def run(m: Any, L: list[Any]) -> Value:
            v = a(m, L)
            return b(m, L) if v is None else v

        return run

    def x_otherwise_list(self, x: X) -> Run:
        a, b = self.exprs(x.args)
        return lambda m, L: a(m, L) or b(m, L)

    def x_optional_list(self, x: X) -> Run:
        value = self.expr(x.args[0])

        def run(m: Any, L: list[Any]) -> Value:
            v = value(m, L)
            return () if v is None else (v,)

        return run

    def x_bound(self, x: X) -> Run:
        return self.bound_to(self.expr(x.args[0]), x.type, x.span)

    def bound_to(self, value: Run, kind: t.Type, span: Any) -> Run:
        check, whole = self.test(kind), isinstance(kind, (t.Collection, t.Map))

        def run(m: Any, L: list[Any]) -> Value:
            v = value(m, L)
            if whole:
                m.spend(len(v), span)
            check(v, span)
            return v

        return run

    def test(self, kind: t.Type) -> Callable[[Value, Any], None]:
        """A test that a value lies in a type whose limits the checker could not prove."""
        game = self.game
        match kind:
            case t.Int():
                low, high = game.int_bounds(kind)

                def test_int(v: Value, span: Any) -> None:
                    if (low is not None and v < low) or (high is not None and v > high) or abs(v) > MAX_NUMBER:
                        raise Fault("R002", span, value=v, type=t.Int(low, high))

                return test_int
            case t.Component():
                allowed = {p.number for p in game.pieces if p.kind in kind.kinds}

                def test_kind(v: Value, span: Any) -> None:
                    if v not in allowed:
                        raise Fault("R015", span, wanted=str(kind))

                return test_kind
            case t.Optional():
                inner = self.test(kind.base)
                return lambda v, span: None if v is None else inner(v, span)
            case t.Collection():
                inner = self.test(kind.base)
                limit = None if kind.capacity is None else game.constant(kind.capacity)

                def test_list(v: Value, span: Any) -> None:
                    if limit is not None and len(v) > limit:
                        raise Fault("R012", span, capacity=limit)
                    for item in v:
                        inner(item, span)

                return test_list
            case t.Map():
                inner = self.test(kind.value)

                def test_map(v: Value, span: Any) -> None:
                    for item in v:
                        if item is None and not isinstance(kind.value, (t.Optional, t.Nothing)):
                            raise Fault("R014", span, key="every key")
                        inner(item, span)

                return test_map
        return lambda v, span: None

    # ------------------------------------------------------------ conditions
    def x_and(self, x: X) -> Run:
        a, b = self.exprs(x.args)
        return lambda m, L: a(m, L) and b(m, L)

    def x_or(self, x: X) -> Run:
        a, b = self.exprs(x.args)
        return lambda m, L: a(m, L) or b(m, L)

    def x_not(self, x: X) -> Run:
        a = self.expr(x.args[0])
        return lambda m, L: not a(m, L)

    def x_if(self, x: X) -> Run:
        c, a, b = self.exprs(x.args)
        return lambda m, L: a(m, L) if c(m, L) else b(m, L)

    def sides(self, x: X) -> list[Run]:
        """The operands of a comparison; large ones cost as much as they are long."""
        return [self.charged(self.expr(a), a) if isinstance(a.type, (t.Collection, t.Map)) else self.expr(a) for a in x.args]

    def charged(self, value: Run, x: X) -> Run:
        span = x.span

        def run(m: Any, L: list[Any]) -> Value:
            v = value(m, L)
            if v is not None and len(v) >= GRAIN:
                m.spend(len(v) // GRAIN, span)
            return v

        return run

    def x_eq(self, x: X) -> Run:
        a, b = self.sides(x)
        return lambda m, L: a(m, L) == b(m, L)

    def x_ne(self, x: X) -> Run:
        a, b = self.sides(x)
        return lambda m, L: a(m, L) != b(m, L)

    def x_lt(self, x: X) -> Run:
        a, b = self.exprs(x.args)
        return lambda m, L: a(m, L) < b(m, L)

    def x_le(self, x: X) -> Run:
        a, b = self.exprs(x.args)
        return lambda m, L: a(m, L) <= b(m, L)

    def x_gt(self, x: X) -> Run:
        a, b = self.exprs(x.args)
        return lambda m, L: a(m, L) > b(m, L)

    def x_ge(self, x: X) -> Run:
        a, b = self.exprs(x.args)
        return lambda m, L: a(m, L) >= b(m, L)

    def x_in(self, x: X) -> Run:
        a, b = self.sides(x)
        return lambda m, L: a(m, L) in b(m, L)

    def x_not_in(self, x: X) -> Run:
        a, b = self.sides(x)
        return lambda m, L: a(m, L) not in b(m, L)

    # ------------------------------------------------------------ numbers
    def number(self, f: Run, span: Any) -> Run:
        def run(m: Any, L: list[Any]) -> Value:
            v = f(m, L)
            if not -MAX_NUMBER <= v <= MAX_NUMBER:
                raise Fault("R004", span)
            return v

        return run

    def arithmetic(self, f: Run, x: X) -> Run:
        proven = isinstance(x.type, t.Int) and x.type.low is not None and x.type.high is not None
        return f if proven else self.number(f, x.span)

    def x_add(self, x: X) -> Run:
        a, b = self.exprs(x.args)
        return self.arithmetic(lambda m, L: a(m, L) + b(m, L), x)

    def x_sub(self, x: X) -> Run:
        a, b = self.exprs(x.args)
        return self.arithmetic(lambda m, L: a(m, L) - b(m, L), x)

    def x_mul(self, x: X) -> Run:
        a, b = self.exprs(x.args)
        return self.arithmetic(lambda m, L: a(m, L) * b(m, L), x)

    def x_neg(self, x: X) -> Run:
        a = self.expr(x.args[0])
        return lambda m, L: -a(m, L)

    def x_abs(self, x: X) -> Run:
        a = self.expr(x.args[0])
        return lambda m, L: abs(a(m, L))

    def divided(self, x: X, remainder: bool) -> Run:
        a, b = self.exprs(x.args)
        span = x.args[1].span

        def run(m: Any, L: list[Any]) -> Value:
            d = b(m, L)
            if d == 0:
                raise Fault("R003", span)
            return a(m, L) % d if remainder else a(m, L) // d

        return run

    def x_div(self, x: X) -> Run:
        return self.divided(x, False)

    def x_mod(self, x: X) -> Run:
        return self.divided(x, True)

    def x_max_of(self, x: X) -> Run:
        runs = self.exprs(x.args)
        return lambda m, L: max(f(m, L) for f in runs)

    def x_min_of(self, x: X) -> Run:
        runs = self.exprs(x.args)
        return lambda m, L: min(f(m, L) for f in runs)

    def x_range(self, x: X) -> Run:
        a, b = self.exprs(x.args)
        span = x.span

        def run(m: Any, L: list[Any]) -> Value:
            low, high = a(m, L), b(m, L)
            if high - low >= MAX_LIST:
                raise Fault("R012", span, capacity=MAX_LIST)
            if high - low >= GRAIN:
                m.spend((high - low) // GRAIN, span)
            return tuple(range(low, high + 1))

        return run

    # ------------------------------------------------------------ records
    def x_record(self, x: X) -> Run:
        fields = list(self.game.program.records[x.data].fields.values())
        runs = [self.bounded(f, kind, a) for f, kind, a in zip(self.exprs(x.args), fields, x.args, strict=True)]
        return lambda m, L: tuple(f(m, L) for f in runs)

    def bounded(self, f: Run, kind: t.Type, a: X) -> Run:
        return f if t.within(a.type, kind) or a.op == "bound" else self.bound_to(f, kind, a.span)
