"""Values as an author of scenarios writes them."""

from __future__ import annotations

from croupier.kernel import types as t
from croupier.runtime.aggregates import canonical
from croupier.runtime.game import Value
from croupier.scenarios.context import ScenarioContext, fail, suggestion
from croupier.semantics.type_words import NUMBER_WORDS
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence


def words_of(kind: t.Type, context: ScenarioContext) -> list[str]:
    """The words of the values of a type, if they are few."""
    game = context.game
    match kind:
        case t.Enum():
            return list(game.program.enums[kind.name].values)
        case t.Player():
            return list(context.seats.names)
        case t.Cell():
            return list(game.boards[kind.board].called)
        case t.Component():
            components = game.components
            return [
                context.seats.named(label)
                for label, found in game.by_label.items()
                if any(components[i].kind in kind.kinds for i in found)
            ]
        case t.Bool():
            return ["true", "false"]
    return []


def read_value(node: YamlNode, kind: t.Type, context: ScenarioContext, current: Value = None) -> Value:
    """The value of a type; entries of a map that are not written stay as in `current`.

    Raises `RulesetError`.
    """
    game = context.game
    match kind, node:
        case t.Optional(), YamlScalar() if _is_none(node) and not (
            isinstance(kind.base, t.Enum) and "none" in game.enum_values[kind.base.name]
        ):
            return None
        case t.Optional(), _:
            return read_value(node, kind.base, context, current)
        case t.Collection(), YamlSequence():
            values = tuple(read_value(item, kind.base, context) for item in node.items)
            return values if kind.kind == "list" else canonical(kind.kind, values)
        case t.Map(), YamlMapping():
            return _map(node, kind, context, current)
        case t.Map(), YamlSequence() if isinstance(kind.key, t.Cell) and _is_board(node, context, kind.key):
            return tuple(
                read_value(item, kind.value, context)
                for row in node.items
                if isinstance(row, YamlSequence)
                for item in row.items
            )
        case t.Map(), YamlSequence() if len(node.items) == len(game.values(kind.key)):
            return tuple(read_value(item, kind.value, context) for item in node.items)
        case t.Record(), YamlMapping():
            return _record(node, kind, context)
        case _, YamlScalar():
            found = _scalar(node, kind, context)
            if found is not None:
                return found[0]
    shown = node.text if isinstance(node, YamlScalar) else node.span.text
    help = suggestion(shown, words_of(kind, context)) if isinstance(node, YamlScalar) else {}
    digits = NUMBER_WORDS.get(shown.casefold()) if isinstance(kind, t.Int) else None
    if digits is not None:
        help = {"help": f"numbers are written in digits: `{digits}`"}
    fail("K017", node.span, value=shown, wanted=_wanted(kind, context), **help)


def _is_board(node: YamlSequence, context: ScenarioContext, kind: t.Cell) -> bool:
    """Tell whether these are the rows of a board."""
    rows = [item for item in node.items if isinstance(item, YamlSequence)]
    return len(rows) == len(node.items) and [len(row.items) for row in rows] == [
        len(row) for row in context.game.boards[kind.board].rows
    ]


def _is_none(node: YamlScalar) -> bool:
    return node.text in ("none", "nobody", "nothing") or (node.value is None and node.style == "plain")


def _wanted(kind: t.Type, context: ScenarioContext) -> str:
    if isinstance(kind, t.Int):
        low, high = context.game.int_bounds(kind)
        return f"number in {low}..{high}" if low is not None and high is not None else "number"
    return f"`{kind}`"


def _scalar(node: YamlScalar, kind: t.Type, context: ScenarioContext) -> tuple[Value] | None:
    game, text = context.game, node.text
    match kind:
        case t.Bool():
            return (node.value,) if isinstance(node.value, bool) else None
        case t.Int():
            low, high = game.int_bounds(kind)
            number = node.value
            fine = isinstance(number, int) and not isinstance(number, bool)
            return (
                (number,)
                if fine and (low is None or number >= low) and (high is None or number <= high)  # type: ignore[operator]
                else None
            )
        case t.Player():
            seat = context.seats.find(text)
            return None if seat is None else (seat,)
        case t.Enum():
            return (game.enum_values[kind.name][text],) if text in game.enum_values[kind.name] else None
        case t.Text():
            return (text,)
        case t.Cell():
            cell = game.boards[kind.board].named(text)
            return None if cell is None else (cell,)
        case t.Component():
            found = context.components(text, kind.kinds)
            return (found[0],) if found else None
    return None


def _map(node: YamlMapping, kind: t.Map, context: ScenarioContext, current: Value) -> Value:
    keys = context.game.values(kind.key)
    other = next((value for key, value in node.entries if key.text == "else"), None)
    out: list[Value] = list(current) if current is not None else [None] * len(keys)
    if other is not None:
        out = [read_value(other, kind.value, context, out[i]) for i in range(len(keys))]
    for key, value in node.entries:
        if key.text != "else":
            at = keys.index(read_value(key, kind.key, context))
            out[at] = read_value(value, kind.value, context, out[at])
    return tuple(out)


def _record(node: YamlMapping, kind: t.Record, context: ScenarioContext) -> Value:
    fields = context.game.program.records[kind.name].fields
    for key, _ in node.entries:
        if key.text not in fields:
            fail("K018", key.span, kind="field", name=key.text, **suggestion(key.text, list(fields)))
    missing = next((name for name in fields if node.get(name) is None), None)
    if missing is not None:
        fail("K017", node.span, value=node.span.text, wanted=f"`{kind}`", help=f"missing: `{missing}`")
    return tuple(read_value(node.get(name) or node, field, context) for name, field in fields.items())
