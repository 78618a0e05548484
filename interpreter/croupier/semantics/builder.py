"""Typed trees that the checker and elaboration write themselves, in place of what the author wrote."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    AssignStmt,
    CallExpr,
    CompExpr,
    ConstExpr,
    DomainExpr,
    ForEachStmt,
    LetStmt,
    LocalExpr,
    MapCompExpr,
    OperationExpr,
    SecretlyStmt,
    TextExpr,
    TypedExpr,
    TypedStmt,
)
from croupier.kernel.types import BOOL, INT, PLAYER, UNKNOWN, Type
from croupier.semantics.procedures import Proc


def values_of(kind: Type, span: Span) -> TypedExpr:
    """All values of a type that has known ones, in their order."""
    listed = t.list_of(kind, True)
    match kind:
        case t.Player():
            return OperationExpr("players", listed, span)
        case t.Enum():
            return DomainExpr(listed, span, op="enum_values", name=kind.name)
        case t.Cell():
            return DomainExpr(listed, span, op="board_cells", name=kind.board)
        case t.Bool():
            return OperationExpr(
                "list", listed, span, tuple(ConstExpr(kind, span, value=v) for v in (False, True))
            )
        case t.Int(low=low, high=high):
            ends = ((kind.low_exact, low), (kind.high_exact, high))
            return OperationExpr(
                "range", listed, span, tuple(x or ConstExpr(t.Int(n, n), span, value=n) for x, n in ends)
            )
        case t.Component():
            found: TypedExpr | None = None
            for name in sorted(kind.kinds):
                one = t.list_of(t.Component(frozenset([name])))
                of_class = DomainExpr(one, span, op="class", name=name)
                found = (
                    of_class
                    if found is None
                    else OperationExpr("join", t.list_of(kind), span, (found, of_class))
                )
            if found is not None:
                return found
    return OperationExpr("unknown", UNKNOWN, span)


class TreeBuilder:
    """Writes typed trees in the frame of a procedure, with the span of what the author wrote."""

    def __init__(self, proc: Proc, span: Span) -> None:
        self.proc, self.span = proc, span

    # ------------------------------------------------------------ expressions
    def operation(self, op: str, kind: Type, *args: TypedExpr) -> TypedExpr:
        return OperationExpr(op, kind, self.span, args)

    def number(self, n: int) -> TypedExpr:
        return ConstExpr(t.Int(n, n), self.span, value=n)

    def truth(self, value: bool) -> TypedExpr:
        return ConstExpr(BOOL, self.span, value=value)

    def nothing(self) -> TypedExpr:
        return ConstExpr(t.NOTHING, self.span, value=None)

    def text(self, words: str) -> TypedExpr:
        """A fixed text."""
        return TextExpr(t.TEXT, self.span, parts=(words,))

    def local(self, slot: int) -> LocalExpr:
        return LocalExpr(self.proc.slot_types[slot], self.span, slot=slot)

    def alone(self, x: TypedExpr) -> TypedExpr:
        """The list of one value."""
        return self.operation("list", t.list_of(x.type, True), x)

    def no_list(self) -> TypedExpr:
        return self.operation("list", t.list_of(t.NEVER))

    def players(self) -> TypedExpr:
        return self.operation("players", t.list_of(PLAYER, True))

    def call(self, target: Proc, *args: TypedExpr) -> TypedExpr:
        return CallExpr(target.returns, self.span, args, proc=target.index)

    def aggregate(
        self,
        name: str,
        kind: Type,
        walked: Mapping[int, TypedExpr],
        element: TypedExpr,
        condition: TypedExpr | None = None,
    ) -> TypedExpr:
        """An aggregate over locals and what they walk, one within the other."""
        tested = () if condition is None else (condition,)
        return CompExpr(
            kind,
            self.span,
            (*walked.values(), *tested, element),
            name=name,
            slots=tuple(walked),
            has_condition=condition is not None,
            has_key=False,
        )

    def map_over(self, kind: Type, keys: TypedExpr, key: LocalExpr, value: TypedExpr) -> TypedExpr:
        """The map from each key to a value; the local walks the keys."""
        return MapCompExpr(kind, self.span, (keys, key, value), slots=(key.slot,), has_condition=False)

    def by_player(self, kind: Type, value: TypedExpr) -> TypedExpr:
        """The map from each player to the same value."""
        p = self.local(self.proc.slot("$p", PLAYER))
        return self.map_over(kind, self.players(), p, value)

    # ------------------------------------------------------------ statements
    def new(self, name: str, value: TypedExpr, kind: Type | None = None) -> LetStmt:
        """A new local, of another type than its value where one is given."""
        return self.let(self.proc.slot(name, kind or value.type), value)

    def let(self, slot: int, value: TypedExpr) -> LetStmt:
        return LetStmt(self.span, (value,), slot=slot)

    def assign(self, place: TypedExpr, value: TypedExpr) -> TypedStmt:
        return AssignStmt(self.span, (place, value))

    def in_secret(self, player: int, to: TypedExpr, who: TypedExpr, body: list[TypedStmt]) -> ForEachStmt:
        """A loop in which each of some players goes through a block that only some perceive."""
        viewer = self.proc.slot("$viewer", INT)
        secretly = SecretlyStmt(self.span, (to,), (body,), slot=viewer, is_at_once=True)
        return self.each(player, who, [secretly])

    def each(
        self, slot: int, source: TypedExpr, body: list[TypedStmt], condition: TypedExpr | None = None
    ) -> ForEachStmt:
        """A loop in which a local walks a list."""
        args = (source,) if condition is None else (source, condition)
        items, cursor = self.proc.slot("$items", source.type), self.proc.slot("$at", INT)
        return ForEachStmt(self.span, args, (body,), slot=slot, items=items, cursor=cursor)
