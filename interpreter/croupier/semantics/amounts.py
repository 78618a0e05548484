"""Amounts: maps of numbers by value of an enumeration, or by player, which are added, compared and multiplied
entry by entry.

A key that is left out counts 0. Everything here becomes a map by comprehension, or an aggregate, over the
keys, so that everything behind the checker knows it already. What is worked out of what is worked out stays
one walk over the keys.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.kernel import types as t
from croupier.kernel.tree import (
    CompExpr,
    ConstExpr,
    LocalExpr,
    MapCompExpr,
    OperationExpr,
    StateExpr,
    TypedExpr,
)
from croupier.kernel.types import BOOL, INT, Type
from croupier.semantics.builder import TreeBuilder, values_of
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

    def key(self, kind: Type, build: TreeBuilder) -> LocalExpr:
        assert isinstance(kind, t.Map)
        return build.local(build.proc.slot(KEY, kind.key))

    def entry(self, x: TypedExpr, key: LocalExpr, build: TreeBuilder) -> TypedExpr:
        """The number of a key."""
        kind, zero = x.type, ConstExpr(t.Int(0, 0), x.span, value=0)
        assert isinstance(kind, t.Map)
        if isinstance(x, MapCompExpr) and not x.has_condition and build.proc.slots[x.slots[0]] == KEY:
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

    def combined(self, op: str, build: TreeBuilder, left: TypedExpr, right: TypedExpr) -> TypedExpr:
        """`+ - * //` of a map and another, or a number."""
        assert isinstance(left.type, t.Map)
        key = self.key(left.type, build)
        a = self.entry(left, key, build)
        b = self.entry(right, key, build) if isinstance(right.type, t.Map) else right
        value = build.operation(op, t.interval(op, a.type, b.type), a, b)
        return build.map_over(t.Map(left.type.key, value.type), values_of(key.type, build.span), key, value)

    def compared(self, op: str, build: TreeBuilder, left: TypedExpr, right: TypedExpr) -> TypedExpr:
        """Return the comparison `<=` or `>=` of two amounts: it holds if it holds for every key."""
        key = self.key(left.type, build)
        test = build.operation(op, BOOL, self.entry(left, key, build), self.entry(right, key, build))
        return build.aggregate("all", BOOL, {key.slot: values_of(key.type, build.span)}, test)

    def listed(self, x: TypedExpr, build: TreeBuilder) -> TypedExpr:
        """Each key as often as its number says."""
        key = self.key(x.type, build)
        times = build.operation("range", t.list_of(t.Int(1)), build.number(1), self.entry(x, key, build))
        walked = {key.slot: values_of(key.type, build.span), build.proc.slot("$times", INT): times}
        return build.aggregate("list", t.list_of(key.type), walked, key)

    @staticmethod
    def is_listed(x: TypedExpr, proc: Proc) -> bool:
        """Tell whether this is a list of the keys of an amount."""
        return isinstance(x, CompExpr) and len(x.slots) == 2 and proc.slots[x.slots[0]] == KEY

    def counts(self, x: TypedExpr, build: TreeBuilder) -> TypedExpr:
        """Return the map from each value of an enumeration to the number of times that it stands in a
        list.
        """
        assert isinstance(x.type, t.Collection)
        kind = t.Map(t.widened(x.type.base), t.Int(0))
        key = self.key(kind, build)
        times = build.operation(f"{x.type.kind}.times", t.Int(0), x, key)
        return build.map_over(kind, values_of(key.type, build.span), key, times)
