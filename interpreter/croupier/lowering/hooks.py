"""Calls with hooks around them."""

from __future__ import annotations

from croupier.lowering.context import Context, Operand
from croupier.lowering.refusal import NotLowered
from croupier.semantics.tree import X


def entry_of(c: Context, index: int) -> str:
    """The function that a call of a procedure begins with: itself, or what runs the hooks around it."""
    from croupier.lowering.calls import function_of

    if index in c.hooked:
        raise NotLowered("a call with hooks")
    return function_of(c, index)


def original(c: Context, x: X, values: list[Operand], point: int | None) -> object:
    raise NotLowered("`original`", x.span)
