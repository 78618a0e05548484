"""Checking operators: conditions, comparisons, sums, ranges, what is in what."""

from __future__ import annotations

from typing import Any

from croupier.diagnostics import Fix, Span, did_you_mean
from croupier.semantics import types as t
from croupier.semantics.arithmetic import interval
from croupier.semantics.collections import Collections
from croupier.semantics.expressions import COMPARISONS
from croupier.semantics.habits import comparison_help, membership_help
from croupier.semantics.scope import Scope, known_if
from croupier.semantics.tree import X
from croupier.semantics.types import BOOL, INT, Type
from croupier.syntax import nodes as n


class Operators(Collections):
    """Checks operators."""

    def binary(self, node: n.Binary, scope: Scope, aim: Type | None) -> X:
        op, span = node.op, node.span
        if op in ("and", "or"):
            left = self.condition(node.left, scope)
            right = self.condition(node.right, scope.child(known_if(node.left, op == "and")))
            return X(op, BOOL, span, (left, right))
        if op in COMPARISONS:
            return self.comparison(node, scope)
        if op in ("in", "not in"):
            return self.membership(node, scope)
        if op == "otherwise":
            return self.otherwise(node, scope, aim)
        if op == "..":
            return self.range(node, scope)
        return self.arithmetic(node, scope)

    def otherwise(self, node: n.Binary, scope: Scope, aim: Type | None) -> X:
        """`x otherwise y`: y where x is none, or an empty list."""
        span = node.span
        left = self.check(node.left, scope, None if aim is None or self.is_listish(node.left) else t.Optional(aim))
        if isinstance(left.type, (t.Collection, t.Zone, t.Family)):
            left = self.as_list(left)
            right = self.as_list(self.check(node.right, scope, self.aim_of_list(left.type, node.right)))
            kind = t.join(left.type, right.type)
            if kind is None:
                return self.wrong("T014", span, first=left.type, second=right.type)
            return X("otherwise_list", kind, span, (left, right))
        if not isinstance(left.type, (t.Optional, t.Unknown, t.Nothing)):
            return self.wrong("T011", node.left.span, given=left.type, fix=self.without(Span(span.source, node.left.span.end, span.end)))
        base = left.type.base if isinstance(left.type, t.Optional) else left.type
        right = self.check(node.right, scope, None if isinstance(base, (t.Unknown, t.Nothing, t.Int)) else t.Optional(base))
        kind = t.join(base, right.type)
        if kind is None:
            return self.wrong("T014", span, first=base, second=right.type)
        return X("otherwise", kind, span, (left, right))

    def range(self, node: n.Binary, scope: Scope) -> X:
        """`a..b` as a list of numbers."""
        a, b = self.check(node.left, scope, INT), self.check(node.right, scope, INT)
        if isinstance(a.type, t.Unknown) or isinstance(b.type, t.Unknown):
            return X("unknown", t.UNKNOWN, node.span)
        ia, ib = (x.type if isinstance(x.type, t.Int) else INT for x in (a, b))
        sure = ia.high is not None and ib.low is not None and ia.high <= ib.low
        return X("range", t.list_of(t.Int(ia.low, ib.high), sure), node.span, (a, b))

    def arithmetic(self, node: n.Binary, scope: Scope) -> X:
        """`+ - * // mod` of numbers; `+` and `-` of lists."""
        op, span = node.op, node.span
        left = self.listed(self.check(node.left, scope))
        if isinstance(left.type, t.Collection) and op in ("+", "-"):
            right = self.listed(self.check(node.right, scope, self.aim_of_list(left.type, node.right)))
            if isinstance(right.type, t.Unknown):
                return right
            kind = t.join(left.type, right.type)
            if kind is None or not isinstance(kind, t.Collection):
                return self.wrong("T014", span, first=left.type, second=right.type)
            if op == "-":
                return X("without", t.Collection(left.type.kind, left.type.base), span, (left, right))
            sure = left.type.nonempty or (isinstance(right.type, t.Collection) and right.type.nonempty)
            return X("join", t.Collection(kind.kind, kind.base, sure), span, (left, right))
        if isinstance(left.type, t.Unknown):
            self.check(node.right, scope, t.UNKNOWN)
            return left
        if isinstance(left.type, t.Text):
            self.check(node.right, scope)
            return self.wrong("T066", span)
        left = self.fit(left, INT, node.left.span)
        right = self.check(node.right, scope, INT)
        if op in ("//", "mod") and isinstance(right.type, t.Int) and right.type.low == right.type.high == 0:
            return self.wrong("T021", node.right.span)
        return X(op, interval(op, left.type, right.type), span, (left, right))

    def aim_of_list(self, beside: Type, node: n.Expr) -> Type | None:
        """What a list written beside another is of: that decides what bare names mean; numbers need no help and may be any."""
        return beside if isinstance(node, n.ListLit) and isinstance(beside, t.Collection) and not isinstance(beside.base, t.Int) else None

    def is_listish(self, node: n.Expr) -> bool:
        return isinstance(node, (n.ListLit, n.ListComp))

    def comparison(self, node: n.Binary, scope: Scope) -> X:
        left, right = self.pair(node.left, node.right, scope)
        if isinstance(left.type, t.Unknown) or isinstance(right.type, t.Unknown):
            return X("unknown", BOOL, node.span)
        left, right = self.listed(left), self.listed(right)
        if node.op in ("==", "!="):
            if isinstance(left.type, t.Text) or isinstance(right.type, t.Text):
                return self.wrong("T022", node.span, **self.in_quotes(node, left.type, right.type))
            if not t.comparable(left.type, right.type):
                help = comparison_help(self.program, (left.type, right.type), (node.left, node.right))
                return self.wrong("T003", node.span, left=left.type, right=right.type, how="equal", help=help)
            return self.any_copy(node.op, node.span, left, right)
        for x, where in ((left, node.left), (right, node.right)):
            if isinstance(x.type, t.Optional):
                return self.wrong("T002", where.span, given=x.type, wanted=x.type.base)
            if not isinstance(x.type, (t.Int, t.Enum)):
                return self.wrong("T006", where.span, op=node.op, given=x.type)
        if not t.comparable(left.type, right.type):
            help = comparison_help(self.program, (left.type, right.type), (node.left, node.right))
            return self.wrong("T003", node.span, left=left.type, right=right.type, how="compared", help=help)
        return X(node.op, BOOL, node.span, (left, right))

    def in_quotes(self, node: n.Binary, left: Type, right: Type) -> dict[str, Any]:
        """Help where a value of an enumeration stands in quotes beside one that does not."""
        kind, text = (right, node.left) if isinstance(left, t.Text) else (left, node.right)
        kind = kind.base if isinstance(kind, t.Optional) else kind
        if not isinstance(text, n.Template) or not isinstance(kind, t.Enum):
            return {}
        values = list(self.program.enums[kind.name].values)
        if text.raw in values:
            return {"help": f"write `{text.raw}`, without quotes", "fix": Fix(text.span, text.raw, f"write `{text.raw}`")}
        near = did_you_mean(text.raw, values) or values[0]
        return {"help": f"values are written without quotes, like `{near}`"}

    def pair(self, a: n.Expr, b: n.Expr, scope: Scope) -> tuple[X, X]:
        """Two operands of one type; a bare literal is what the other side is."""
        if self.literal(a, scope) and not self.literal(b, scope):
            right = self.check(b, scope)
            return self.infer(a, scope, self.aim_of(right)), right
        left = self.check(a, scope)
        if isinstance(left.type, t.Unknown):
            before, self.quiet = self.quiet, self.literal(b, scope)
            right = self.check(b, scope)
            self.quiet = before
            return left, right
        return left, self.infer(b, scope, self.aim_of(left) if self.literal(b, scope) or isinstance(b, (n.ListLit, n.IfElse, n.MapLit)) else None)

    def aim_of(self, x: X) -> Type | None:
        return None if isinstance(x.type, (t.Unknown, t.Int, t.Nothing)) else x.type

    def membership(self, node: n.Binary, scope: Scope) -> X:
        if self.literal(node.left, scope):
            source = self.as_list(self.check(node.right, scope))
            base = source.type.base if isinstance(source.type, t.Collection) else None
            item = self.infer(node.left, scope, base)
        else:
            item = self.check(node.left, scope)
            wanted = None if isinstance(item.type, t.Unknown) else t.list_of(item.type.base if isinstance(item.type, t.Optional) else item.type)
            source = self.as_list(self.check(node.right, scope, None if wanted is None else self.aim_of_list(wanted, node.right)))
        if isinstance(item.type, t.Unknown) or not isinstance(source.type, t.Collection):
            return X("unknown", BOOL, node.span)
        if not t.comparable(item.type, source.type.base):
            help = membership_help(self.program, (item.type, source.type.base), (node.left, node.right))
            return self.wrong("T003", node.span, left=item.type, right=source.type.base, how="equal", help=help)
        if self.has_copies(item):
            copies = self.copies(item)
            left_over = X("without", t.list_of(item.type), node.span, (copies, source))
            sizes = tuple(X("list.size", INT, node.span, (x,)) for x in (left_over, copies))
            return X("!=" if node.op == "in" else "==", BOOL, node.span, sizes)
        return X("in" if node.op == "in" else "not in", BOOL, node.span, (item, source))

    # ------------------------------------------------------------ components of which there are several
    def has_copies(self, x: X) -> bool:
        """Does this name a component, by its id or its label, of which there may be copies?"""
        if x.op not in ("component", "labelled") or not isinstance(x.type, t.Component):
            return False
        return any(self.program.classes[k].copies is not None for k in x.type.kinds)

    def copies(self, x: X) -> X:
        """All that are called so."""
        return X("copies", t.list_of(x.type, True), x.span, (x,))

    def any_copy(self, op: str, span: Span, left: X, right: X) -> X:
        """`==` and `!=`; a component is compared with all that are called as one is that the rules name."""
        if self.has_copies(left) and not self.has_copies(right):
            left, right = right, left
        if not self.has_copies(right):
            return X(op, BOOL, span, (left, right))
        return X("in" if op == "==" else "not in", BOOL, span, (left, self.copies(right)))
