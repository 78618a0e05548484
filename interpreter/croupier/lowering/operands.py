"""The table of expressions: one function for each operation of the typed tree, registered by the other modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from croupier.core import operations as op
from croupier.core.operations import Const, Expression
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.shapes import Maybe, NotLowered
from croupier.semantics.tree import TypedExpr

Rule = Callable[[Context, TypedExpr], Operand]
RULES: dict[str, Rule] = {}
F = TypeVar("F", bound=TypedExpr)


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Register a function for operations."""

    def put(f: Rule) -> Rule:
        for name in names:
            RULES[name] = f
        return f

    return put


def form(kind: type[F]) -> Callable[[Callable[[Context, F], Operand]], Callable[[Context, F], Operand]]:
    """Register the function for a class of the typed tree."""

    def put(f: Callable[[Context, F], Operand]) -> Callable[[Context, F], Operand]:
        RULES[kind.OP] = cast(Rule, f)
        return f

    return put


def value(c: Context, x: TypedExpr) -> Operand:
    """Lower an expression: to one word, or a reference to several. Raises `NotLowered`."""
    found = RULES.get(x.op)
    if found is None:
        raise NotLowered(f"`{x.op}`", x.span)
    try:
        return found(c, x)
    except NotLowered as refused:
        refused.span = refused.span or x.span
        raise


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
    into = c.room(c.shape(x.type))  # known to be none: written where that can be, and not reached where `!` has failed
    if isinstance(into.shape, Maybe):
        c.put(found, into)
    return into


def words(c: Context, xs: tuple[TypedExpr, ...]) -> list[Expression]:
    """Several expressions of one word, each stored before the next is evaluated."""
    found: list[Expression] = []
    for x in xs:
        begun = len(c.w.out)
        e = word(c, x)
        if found and len(c.w.out) > begun:  # statements came in between: what was worked out before is what it was
            pass
        found.append(e)
    return found
