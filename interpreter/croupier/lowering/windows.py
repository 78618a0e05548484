"""Windows."""

from __future__ import annotations

from collections.abc import Callable

from croupier.core.operations import Expression
from croupier.lowering.context import Context
from croupier.lowering.refusal import NotLowered
from croupier.semantics.tree import MenuData, S


def in_menu(c: Context, d: MenuData, seat: Expression, first: int, offer: Callable[[Expression], None]) -> Callable[[Expression, S], None]:
    raise NotLowered("a menu with a window")
