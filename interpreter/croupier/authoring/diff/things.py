"""Declarations: entries by name, keys one by one, rows and values cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from croupier.authoring.diff.model import Difference, kind_of
from croupier.diagnostics import Span
from croupier.schema import Audience, Enumeration, Parameter, Row, Table, Text, Value
from croupier.schema.declaration import Declaration
from croupier.source import Node
from croupier.syntax import parse_declaration

T = TypeVar("T")
Named = Sequence[tuple[Text, T]]
QUIET = ("doc", "cites", "table", "powers", "values", "columns", "declaration")
Placed = tuple[str, Span | None]


def entries(section: str, old: Named[T], new: Named[T], inner: Callable[[str, T, T], Iterator[Difference]]) -> Iterator[Difference]:
    """Entries removed, changed (by `inner`) and added, in the order of the old ones, then of the new ones."""
    before, after = {name.text: (name, thing) for name, thing in old}, {name.text: (name, thing) for name, thing in new}
    for key, (name, thing) in before.items():
        if key not in after:
            yield Difference("removed", section, key, before_span=name.span)
        else:
            yield from inner(key, thing, after[key][1])
    for key, (name, _) in after.items():
        if key not in before:
            yield Difference("added", section, key, after_span=name.span)


def fields(section: str) -> Callable[[str, Any, Any], Iterator[Difference]]:
    """What differs between two declarations of a section, key by key."""

    def compare(name: str, old: Declaration, new: Declaration) -> Iterator[Difference]:
        yield from pairs(section, name, _flat(old), _flat(new))
        yield from inside(section, name, old, new)

    return compare


def pairs(section: str, name: str, old: Mapping[str, Placed], new: Mapping[str, Placed]) -> Iterator[Difference]:
    """What differs between two tables of texts."""
    for part in dict.fromkeys((*old, *new)):
        (before, here), (after, there) = old.get(part, (None, None)), new.get(part, (None, None))
        if before is None or after is None:
            yield Difference(kind_of(before, after), section, name, part, before, after, here, there)
        elif " ".join(before.split()) != " ".join(after.split()):
            yield Difference("changed", section, name, part, before, after, here, there)


def inside(section: str, name: str, old: Any, new: Any) -> Iterator[Difference]:
    """Rows of a component's table, values of an enumeration."""
    if isinstance(old, Enumeration) and isinstance(new, Enumeration):
        yield from parts(section, name, "value", _values(old), _values(new))
    table, other = getattr(old, "table", None), getattr(new, "table", None)
    if isinstance(table, Table) or isinstance(other, Table):
        yield from parts(section, name, "row", _rows(table), _rows(other))


def parts(section: str, name: str, word: str, old: Mapping[str, tuple[Span, dict[str, Placed]]], new: Mapping[str, Any]) -> Iterator[Difference]:
    """Rows or values: gone, changed cell by cell, come."""
    for key, (span, cells) in old.items():
        if key not in new:
            yield Difference("removed", section, name, f"{word} `{key}`", before_span=span)
            continue
        for found in pairs(section, name, cells, new[key][1]):
            part = f"{word} `{key}`, `{found.part}`"
            yield Difference("changed", section, name, part, found.before or "nothing", found.after or "nothing", found.before_span, found.after_span)
    for key, (span, cells) in new.items():
        if key not in old:
            shown = ", ".join(f"{column} {text}" for column, (text, _) in cells.items())
            yield Difference("added", section, name, f"{word} `{key}`", None, shown or None, None, span)


def _rows(table: Table | None) -> dict[str, tuple[Span, dict[str, Placed]]]:
    rows: Sequence[Row] = () if table is None else table.rows
    return {row.id.text if row.id is not None else f"number {i}": (row.span, _cells(row.cells)) for i, row in enumerate(rows, 1)}


def _values(form: Enumeration) -> dict[str, tuple[Span, dict[str, Placed]]]:
    return {value.name.text: (value.name.span, _cells(value.cells)) for value in form.values}


def _cells(cells: Sequence[tuple[Text, Node]]) -> dict[str, Placed]:
    return {column.text: (cell.span.text, cell.span) for column, cell in cells}


def _flat(thing: Declaration) -> dict[str, Placed]:
    """The keys of a declaration as texts; parts of a short declaration as if they were written at length."""
    found: dict[str, Placed] = {}
    for name, field in type(thing).model_fields.items():
        value = getattr(thing, name)
        if name == "declaration" and isinstance(value, Text):
            found.update(_declared(value))
        elif name not in QUIET:
            found.update(_texts(field.alias or name, value))
    if isinstance(thing, Parameter) and thing.default is None and thing.one_of:
        found["default"] = (thing.one_of[0].text, thing.one_of[0].span)
    return found


def _declared(text: Text) -> dict[str, Placed]:
    """The parts of a declaration in one line, as if they had keys of their own."""
    declared, _ = parse_declaration(text.rule)
    if declared is None:
        return {"declaration": (text.text, text.span)}
    parts = {"type": declared.type, "start": declared.start, "seen_by": declared.seen_by, "label": declared.label}
    return {key: (part.span.text, part.span) for key, part in parts.items() if part is not None}


def _texts(key: str, value: Any) -> Iterator[tuple[str, Placed]]:
    match value:
        case None | ():
            return
        case Text():
            yield key, (value.text, value.span)
        case Audience() | Node():
            yield key, (value.span.text, value.span)
        case Declaration():
            for part, placed in _flat(value).items():
                yield f"{key} {part}", placed
        case tuple() if all(isinstance(item, tuple) and len(item) == 2 for item in value):
            for name, item in value:
                yield from _texts(key if name is None else f"{key} `{name.text}`", item)
        case tuple() if all(isinstance(item, (Text, Node, Value)) for item in value):
            yield key, (", ".join(item.span.text for item in value), value[0].span)
