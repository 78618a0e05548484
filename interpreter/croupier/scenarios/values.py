"""Values as an author writes them in a scenario, by the type that is wanted."""

from __future__ import annotations

from typing import Any

from croupier.runtime.aggregates import canonical
from croupier.runtime.game import Value
from croupier.scenarios.table import Table, fail, suggestion
from croupier.semantics import types as t
from croupier.source import Mapping, Node, Scalar, Sequence


def structure(node: Node) -> Any:
    """A node as a JSON value."""
    if isinstance(node, Scalar):
        return node.value if node.style == "plain" else node.text
    if isinstance(node, Mapping):
        return {key.text: structure(value) for key, value in node.entries}
    return [structure(item) for item in node.items] if isinstance(node, Sequence) else None


def words_of(kind: t.Type, table: Table) -> list[str]:
    """The words of the values of a type, if they are few."""
    game = table.game
    match kind:
        case t.Enum():
            return list(game.program.enums[kind.name].values)
        case t.Player():
            return list(table.seats.names)
        case t.Cell():
            return list(game.boards[kind.board].names)
        case t.Component():
            return [table.seats.named(label) for label, pieces in game.by_label.items() if any(game.pieces[p].kind in kind.kinds for p in pieces)]
        case t.Bool():
            return ["true", "false"]
    return []


def read_value(node: Node, kind: t.Type, table: Table, current: Value = None) -> Value:
    """The value of a type; entries of a map that are not written stay as in `current`. Raises `RulesetError`."""
    game = table.game
    match kind, node:
        case t.Optional(), Scalar() if _is_none(node) and not (isinstance(kind.base, t.Enum) and "none" in game.enum_values[kind.base.name]):
            return None
        case t.Optional(), _:
            return read_value(node, kind.base, table, current)
        case t.Collection(), Sequence():
            values = tuple(read_value(item, kind.base, table) for item in node.items)
            return values if kind.kind == "list" else canonical(kind.kind, values)
        case t.Map(), Mapping():
            return _map(node, kind, table, current)
        case t.Map(), Sequence() if isinstance(kind.key, t.Cell) and _is_board(node, table, kind.key):
            return tuple(read_value(item, kind.value, table) for row in node.items if isinstance(row, Sequence) for item in row.items)
        case t.Map(), Sequence() if len(node.items) == len(game.values(kind.key)):
            return tuple(read_value(item, kind.value, table) for item in node.items)
        case t.Record(), Mapping():
            return _record(node, kind, table)
        case _, Scalar():
            found = _scalar(node, kind, table)
            if found is not None:
                return found[0]
    shown = node.text if isinstance(node, Scalar) else node.span.text
    help = suggestion(shown, words_of(kind, table)) if isinstance(node, Scalar) else {}
    fail("K017", node.span, value=shown, wanted=_wanted(kind, table), **help)


def _is_board(node: Sequence, table: Table, kind: t.Cell) -> bool:
    """Are these the rows of a board?"""
    rows = [item for item in node.items if isinstance(item, Sequence)]
    return len(rows) == len(node.items) and [len(row.items) for row in rows] == [len(row) for row in table.game.boards[kind.board].rows]


def _is_none(node: Scalar) -> bool:
    return node.text in ("none", "nobody", "nothing") or (node.value is None and node.style == "plain")


def _wanted(kind: t.Type, table: Table) -> str:
    if isinstance(kind, t.Int):
        low, high = table.game.int_bounds(kind)
        return f"number in {low}..{high}" if low is not None and high is not None else "number"
    return f"`{kind}`"


def _scalar(node: Scalar, kind: t.Type, table: Table) -> tuple[Value] | None:
    game, text = table.game, node.text
    match kind:
        case t.Bool():
            return (node.value,) if isinstance(node.value, bool) else None
        case t.Int():
            low, high = game.int_bounds(kind)
            number = node.value
            fine = isinstance(number, int) and not isinstance(number, bool)
            return (number,) if fine and (low is None or number >= low) and (high is None or number <= high) else None  # type: ignore[operator]
        case t.Player():
            seat = table.seats.find(text)
            return None if seat is None else (seat,)
        case t.Enum():
            return (game.enum_values[kind.name][text],) if text in game.enum_values[kind.name] else None
        case t.Text():
            return (text,)
        case t.Cell():
            names = game.boards[kind.board].names
            return (names.index(text),) if text in names else None
        case t.Component():
            found = table.pieces(text, kind.kinds)
            return (found[0],) if found else None
    return None


def _map(node: Mapping, kind: t.Map, table: Table, current: Value) -> Value:
    keys = table.game.values(kind.key)
    other = next((value for key, value in node.entries if key.text == "else"), None)
    out: list[Value] = list(current) if current is not None else [None] * len(keys)
    if other is not None:
        out = [read_value(other, kind.value, table, out[i]) for i in range(len(keys))]
    for key, value in node.entries:
        if key.text != "else":
            at = keys.index(read_value(key, kind.key, table))
            out[at] = read_value(value, kind.value, table, out[at])
    return tuple(out)


def _record(node: Mapping, kind: t.Record, table: Table) -> Value:
    fields = table.game.program.records[kind.name].fields
    for key, _ in node.entries:
        if key.text not in fields:
            fail("K018", key.span, kind="field", name=key.text, **suggestion(key.text, list(fields)))
    missing = next((name for name in fields if node.get(name) is None), None)
    if missing is not None:
        fail("K017", node.span, value=node.span.text, wanted=f"`{kind}`", help=f"missing: `{missing}`")
    return tuple(read_value(node.get(name) or node, field, table) for name, field in fields.items())
