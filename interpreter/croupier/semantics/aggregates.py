"""Checking aggregates: `sum(… for …)`, `max(a, b)`, `best(… by …)` and their kind."""

from __future__ import annotations

from croupier.diagnostics import Span
from croupier.semantics import types as t
from croupier.semantics.access import Access
from croupier.semantics.builtins import AGGREGATES
from croupier.semantics.scope import Scope
from croupier.semantics.tree import X
from croupier.semantics.types import BOOL, INT, Type
from croupier.syntax import nodes as n


class Aggregates(Access):
    """Checks aggregates."""

    def aggregate(self, node: n.Aggregate, scope: Scope, aim: Type | None) -> X:
        name = node.target.name if isinstance(node.target, n.Name) else ""
        if name not in AGGREGATES:
            return self.wrong("N006", node.target.span, name=name or "this", **self.suggest(name, list(AGGREGATES)))
        inner, args, slots, sure = self.fors(node.fors, node.condition, scope)
        base_aim = aim.base if isinstance(aim, t.Collection) else aim if name in ("first", "last", "best", "worst", "only") else None
        element = self.check(node.element, inner, base_aim)
        key = None if node.by is None else self.key(node.by, inner)
        if key is None and name in ("best", "worst", "ties"):
            return self.wrong("T025", node.target.span, name=name, notes=(AGGREGATES[name][0],))
        if key is not None and name not in ("best", "worst", "ties", "sorted"):
            return self.wrong("T026", key.span, name=name)
        tail = (element,) if key is None else (element, key)
        return self.total(name, element, sure, node.span, (*args, *tail), (name, slots, node.condition is not None, key is not None))

    def key(self, node: n.Expr, scope: Scope) -> X:
        x = self.check(node, scope)
        base = x.type.base if isinstance(x.type, t.Collection) else x.type
        allowed = (t.Int, t.Never, t.Unknown) if isinstance(x.type, t.Collection) else (t.Int, t.Bool, t.Unknown, t.Enum)
        return x if isinstance(base, allowed) else self.wrong("T027", node.span, given=x.type)

    def aggregate_values(self, node: n.Call, name: str, scope: Scope, wanted: Type | None) -> X:
        """`max(a, b)`, or an aggregate of one list."""
        if any(a.name for a in node.args) or not node.args:
            return self.wrong("T028", node.span, name=name, notes=(AGGREGATES[name][0],))
        if len(node.args) > 1:
            if name not in ("max", "min"):
                return self.wrong("T028", node.span, name=name, notes=(AGGREGATES[name][0],))
            values = [self.check(a.value, scope, INT) for a in node.args]
            kind: Type = values[0].type
            for v in values[1:]:
                kind = t.join(kind, v.type) or INT
            return X(f"{name}_of", kind, node.span, tuple(values))
        value = node.args[0].value
        aim = t.list_of(wanted.base) if isinstance(wanted, t.Collection) and isinstance(value, n.ListLit) else None
        source = self.as_list(self.check(value, scope, aim))
        if not isinstance(source.type, t.Collection):
            return source
        if name in ("best", "worst", "ties"):
            return self.wrong("T028", node.span, name=name, notes=(AGGREGATES[name][0],))
        slot = scope.proc.slot("$x", source.type.base)
        element = X("local", source.type.base, value.span, (), slot)
        return self.total(name, element, source.type.nonempty, node.span, (source, element), (name, (slot,), False, False))

    def total(self, name: str, element: X, sure: bool, span: Span, args: tuple[X, ...], data: object) -> X:
        kind, base = self.total_type(name, element, sure)
        if kind is None:
            return self.wrong("T006" if base is INT else "T001", element.span, op=name, given=element.type, wanted=base)
        return X("comp", kind, span, args, data)

    def total_type(self, name: str, element: X, sure: bool) -> tuple[Type | None, Type]:
        kind = element.type
        unknown = isinstance(kind, (t.Unknown, t.Never))
        match name:
            case "count":
                return t.Int(0, None), INT
            case "any" | "all":
                return (BOOL if unknown or isinstance(kind, t.Bool) else None), BOOL
            case "sum":
                if not unknown and not isinstance(kind, t.Int):
                    return None, INT
                low = 0 if isinstance(kind, t.Int) and kind.low is not None and kind.low >= 0 else None
                high = 0 if isinstance(kind, t.Int) and kind.high is not None and kind.high <= 0 else None
                return t.Int(low, high), INT
            case "max" | "min":
                if not unknown and not isinstance(kind, t.Int):
                    return None, INT
                return (kind if sure else t.Optional(kind)), INT
            case "first" | "last" | "best" | "worst":
                return (kind if sure else t.Optional(kind)), kind
            case "only":
                return t.Optional(kind), kind
            case "set" | "bag":
                return t.Collection(name, kind, sure), kind
        return t.list_of(kind, sure), kind
