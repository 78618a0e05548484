"""The table of expressions: one function for each operation of the typed tree, registered by the other
modules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, cast

from croupier.core import operations as op
from croupier.core.operations import Const, Expression
from croupier.kernel.tree import TypedExpr, TypedStmt
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.shapes import Maybe, NotLowered

Node = TypeVar("Node", TypedExpr, TypedStmt)
Result = TypeVar("Result")
F = TypeVar("F", bound=TypedExpr | TypedStmt)


class RuleTable(Generic[Node, Result]):
    """The functions that lower the operations of the typed tree, by name."""

    def __init__(self) -> None:
        self.rules: dict[str, Callable[[Context, Node], Result]] = {}

    def rule(
        self, *names: str
    ) -> Callable[[Callable[[Context, Node], Result]], Callable[[Context, Node], Result]]:
        """Register a function for operations."""

        def put(f: Callable[[Context, Node], Result]) -> Callable[[Context, Node], Result]:
            self.rules.update(dict.fromkeys(names, f))
            return f

        return put

    def form(
        self, kind: type[F]
    ) -> Callable[[Callable[[Context, F], Result]], Callable[[Context, F], Result]]:
        """Register the function for a class of the typed tree."""

        def put(f: Callable[[Context, F], Result]) -> Callable[[Context, F], Result]:
            row = cast(Callable[[Context, Node], Result], f)
            self.rules.update(dict.fromkeys([kind.OP] if kind.OP else kind.WORDS, row))
            return f

        return put

    def lower(self, c: Context, node: Node) -> Result:
        """Lower a node by its rule. Raises `NotLowered`."""
        found = self.rules.get(node.OP or node.op)
        if found is None:
            raise NotLowered(f"`{node.op}`", node.span)
        try:
            return found(c, node)
        except NotLowered as refused:
            refused.span = refused.span or node.span
            raise


EXPRESSIONS = RuleTable[TypedExpr, Operand]()
rule, form = EXPRESSIONS.rule, EXPRESSIONS.form


def value(c: Context, x: TypedExpr) -> Operand:
    """Lower an expression: to one word, or a reference to several. Raises `NotLowered`."""
    return EXPRESSIONS.lower(c, x)


def word(c: Context, x: TypedExpr) -> Expression:
    """An expression of one word."""
    found = value(c, x)
    if isinstance(found, Ref):
        raise NotLowered(f"{found.shape} as a word", x.span)
    return found


def ref(c: Context, x: TypedExpr) -> Ref:
    """An expression of several words."""
    found = value(c, x)
    if isinstance(found, Ref):
        return found
    if found != Const(op.NONE):
        raise NotLowered("a word as several", x.span)
    # known to be none: written where that can be, and not reached where `!` has failed
    into = c.room(c.shape(x.type))
    if isinstance(into.shape, Maybe):
        c.put(found, into)
    return into
