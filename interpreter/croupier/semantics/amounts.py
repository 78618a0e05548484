"""Amounts: maps of numbers by value of an enumeration, or by player, which are added, compared and multiplied
entry by entry.

A key that is left out counts 0. Everything here becomes a map by comprehension, or an aggregate, over the
keys, so that everything behind the checker knows it already. What is worked out of what is worked out stays
one walk over the keys.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    CompExpr,
    ConstExpr,
    DomainExpr,
    LocalExpr,
    MapCompExpr,
    OperationExpr,
    StateExpr,
    TypedExpr,
)
from croupier.kernel.types import BOOL, INT, PLAYER, Type
from croupier.semantics.procedures import Proc
from croupier.semantics.walk import with_locals

KEY = "$key"
"""The local that walks the keys."""


class Amounts:
    """Makes the expressions of amounts."""

    @staticmethod
    def is_amount(kind: Type) -> bool:
        return (
            isinstance(kind, t.Map)
            and isinstance(kind.value, t.Int)
            and isinstance(kind.key, (t.Enum, t.Player))
        )

    @staticmethod
    def keys(kind: Type, span: Span) -> TypedExpr:
        """The keys of such a map."""
        assert isinstance(kind, t.Map)
        if isinstance(kind.key, t.Enum):
            return DomainExpr(t.list_of(kind.key, True), span, op="enum_values", name=kind.key.name)
        return OperationExpr("players", t.list_of(PLAYER, True), span)

    def key(self, kind: Type, span: Span, proc: Proc) -> LocalExpr:
        assert isinstance(kind, t.Map)
        return LocalExpr(kind.key, span, slot=proc.slot(KEY, kind.key))

    def entry(self, x: TypedExpr, key: LocalExpr, proc: Proc) -> TypedExpr:
        """The number of a key."""
        kind, zero = x.type, ConstExpr(t.Int(0, 0), x.span, value=0)
        assert isinstance(kind, t.Map)
        if isinstance(x, MapCompExpr) and not x.has_condition and proc.slots[x.slots[0]] == KEY:
            return with_locals(x.args[-1], {x.slots[0]: key})
        if x.op == "map" and len(x.args) % 2 == 0:
            whole = t.Map(kind.key, t.join(kind.value, zero.type) or INT)
            return OperationExpr(
                "index", whole.value, x.span, (replace(x, type=whole, args=(*x.args, zero)), key)
            )
        root = x
        while root.op in ("index", "item", "certain"):
            root = root.args[0]
        if isinstance(root, StateExpr):
            return OperationExpr("index", kind.value, x.span, (x, key))
        held = t.Optional(kind.value)
        some = OperationExpr("index", held, x.span, (replace(x, type=t.Map(kind.key, held)), key))
        return OperationExpr("otherwise", t.join(kind.value, zero.type) or INT, x.span, (some, zero))

    def combined(self, op: str, span: Span, left: TypedExpr, right: TypedExpr, proc: Proc) -> TypedExpr:
        """`+ - * //` of a map and another, or a number."""
        assert isinstance(left.type, t.Map)
        key = self.key(left.type, span, proc)
        a = self.entry(left, key, proc)
        b = self.entry(right, key, proc) if isinstance(right.type, t.Map) else right
        value = OperationExpr(op, t.interval(op, a.type, b.type), span, (a, b))
        args = (self.keys(left.type, span), key, value)
        return MapCompExpr(
            t.Map(left.type.key, value.type), span, args, slots=(key.slot,), has_condition=False
        )

    def compared(self, op: str, span: Span, left: TypedExpr, right: TypedExpr, proc: Proc) -> TypedExpr:
        """Return the comparison `<=` or `>=` of two amounts: it holds if it holds for every key."""
        key = self.key(left.type, span, proc)
        test = OperationExpr(op, BOOL, span, (self.entry(left, key, proc), self.entry(right, key, proc)))
        return CompExpr(
            BOOL,
            span,
            (self.keys(left.type, span), test),
            name="all",
            slots=(key.slot,),
            has_condition=False,
            has_key=False,
        )

    def listed(self, x: TypedExpr, span: Span, proc: Proc) -> TypedExpr:
        """Each key as often as its number says."""
        key, one = self.key(x.type, span, proc), ConstExpr(t.Int(1, 1), span, value=1)
        times = OperationExpr("range", t.list_of(t.Int(1)), span, (one, self.entry(x, key, proc)))
        args = (self.keys(x.type, span), times, key)
        slots = (key.slot, proc.slot("$times", INT))
        return CompExpr(
            t.list_of(key.type), span, args, name="list", slots=slots, has_condition=False, has_key=False
        )

    def counts(self, x: TypedExpr, span: Span, proc: Proc) -> TypedExpr:
        """Return the map from each value of an enumeration to the number of times that it stands in a
        list.
        """
        assert isinstance(x.type, t.Collection)
        kind = t.Map(t.widened(x.type.base), t.Int(0))
        key = self.key(kind, span, proc)
        times = OperationExpr(f"{x.type.kind}.times", t.Int(0), span, (x, key))
        return MapCompExpr(
            kind, span, (self.keys(kind, span), key, times), slots=(key.slot,), has_condition=False
        )
