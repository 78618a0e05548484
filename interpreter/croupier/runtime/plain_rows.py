"""Rows of components that are the same in every game: nothing in them has to be worked out while a game is
set up.

In comes the declaration of a class, out come the attributes of its rows, as far as they are numbers, texts,
names of types and lists of these. They are read once for a program, however many games are set up by it.
"""

from __future__ import annotations

from croupier.kernel import types as t
from croupier.kernel.tree import ConstExpr, EnumExpr, TypedExpr
from croupier.runtime.aggregates import canonical
from croupier.runtime.game import Value
from croupier.semantics.program import ClassDef, Program


def plain_rows(program: Program, k: ClassDef) -> tuple[dict[str, Value] | None, ...]:
    """The attributes of each row of a class, or None for one that depends on the game; whoever gets them does
    not change them.
    """
    if k.plain_rows is None:
        k.plain_rows = tuple(_plain_row(program, cells) for _, cells, _ in k.rows)
    return k.plain_rows


def _plain_row(program: Program, cells: dict[str, TypedExpr]) -> dict[str, Value] | None:
    if not all(_is_plain(x) for x in cells.values()):
        return None
    return {name: _plain_value(program, x) for name, x in cells.items()}


def _is_plain(x: TypedExpr) -> bool:
    return isinstance(x, ConstExpr | EnumExpr) or (x.op == "list" and all(_is_plain(y) for y in x.args))


def _plain_value(program: Program, x: TypedExpr) -> Value:
    if isinstance(x, ConstExpr):
        return x.value
    if isinstance(x, EnumExpr):
        return list(program.enums[x.enum].values).index(x.name)
    values = [_plain_value(program, y) for y in x.args]
    kind = x.type.kind if isinstance(x.type, t.Collection) else "list"
    return tuple(values) if kind == "list" else canonical(kind, values)
