"""The changes of a variant within components and enumerations: attributes, rows of tables, values, powers.

A row or a value that is replaced keeps the cells that the variant does not name; rows written as lists have
the columns of the base. Powers, the rule text of components, are named by component and id; under no id they
belong to every component.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from croupier.diagnostics import Label, Span, diagnose
from croupier.resolve.compatibility import written_type
from croupier.resolve.overlay import Named, Overlay
from croupier.schema import (
    Alias,
    Cells,
    Component,
    Enumeration,
    Findings,
    RecordType,
    Row,
    Table,
    Text,
    Value,
)
from croupier.schema.values import least_cells, read_row, with_rows

Types = Named[Enumeration | RecordType | Alias]
Attributes = tuple[tuple[Text, Text], ...]

ATTRIBUTES = (
    ("components", "attributes"),
    ("components", "mutable"),
    ("types", "attributes"),
    ("types", "record"),
)


def change_attributes(
    over: Overlay, types: Types, components: Named[Component], changed: Named[Attributes]
) -> tuple[Types, Named[Component]]:
    """The types and components with other types of some attributes; each keeps what it is, but for its
    bounds.
    """
    for name, attributes in changed:
        section = "types" if any(known.text == name.text for known, _ in types) else "components"
        entries: Sequence[tuple[Text, object]] = types if section == "types" else components
        owner = next((thing for known, thing in entries if known.text == name.text), None)
        if owner is None:
            over.missing("attributes", name, {known.text for known, _ in (*types, *components)}, "removes")
            continue
        for attribute, written in attributes:
            new = _with_attribute(over, section, name, owner, attribute, written)
            owner = owner if new is None else new
        if isinstance(owner, Component):
            components = tuple(
                (known, owner if known.text == name.text else thing) for known, thing in components
            )
        else:
            assert isinstance(owner, Enumeration | RecordType | Alias)
            types = tuple((known, owner if known.text == name.text else thing) for known, thing in types)
    return types, components


def _with_attribute(
    over: Overlay, section: str, name: Text, owner: object, attribute: Text, written: Text
) -> object | None:
    """The type or component class with another type of one attribute; `None`, and a report, where it has no
    such one or one of another kind.
    """
    known: dict[str, tuple[str, Text]] = {}
    for place, key in ATTRIBUTES:
        for each, text in getattr(owner, key, None) or () if place == section else ():
            known[each.text] = key, text
    if attribute.text not in known:
        over.missing("attributes", attribute, known, "removes", name)
        return None
    key, old = known[attribute.text]
    mine, theirs = written_type(written), written_type(old)
    if mine is not None and theirs is not None and mine[0] != theirs[0]:
        labels = (Label(theirs[2], "the type to keep"),)
        over.problems.append(
            diagnose("V106", mine[2], labels=labels, name=attribute.text, wanted=theirs[1], given=mine[1])
        )
        return None
    over.note_part("replaces", section, name.text, attribute.span, old.span, attribute.text)
    entries = getattr(owner, key)
    assert isinstance(owner, Component | Enumeration | RecordType)
    return owner.model_copy(
        update={
            key: tuple((each, written if each.text == attribute.text else text) for each, text in entries)
        }
    )


Parts = tuple[tuple[Text, tuple[Text, ...]], ...]


def change_rows(
    over: Overlay, old: Named[Component], new: Named[Table], added: Named[Table], removed: Parts
) -> Named[Component]:
    """The components with other rows in their tables."""
    components = {name.text: (name, component) for name, component in old}
    for name, ids in removed:
        table = _table_of(over, components, name, "removes")
        if table is not None:
            _with_table(
                components,
                name,
                replace(table, rows=_rows_without(over, name, table.rows, ids)),
                without={id.text for id in ids},
            )
    for name, changed in new:
        table = _table_of(over, components, name, "replaces")
        if table is not None:
            _with_table(
                components,
                name,
                replace(table, rows=_rows_replaced(over, name, table.rows, _read_rows(over, changed, table))),
            )
    for name, changed in added:
        table = _table_of(over, components, name, "adds")
        if table is not None:
            _with_table(
                components,
                name,
                replace(table, rows=_rows_added(over, name, table.rows, _read_rows(over, changed, table))),
            )
    return tuple(components.values())


def _table_of(
    over: Overlay, components: dict[str, tuple[Text, Component]], name: Text, kind: str
) -> Table | None:
    """The table of a component; says so if there is none."""
    if name.text not in components:
        over.missing("components", name, components, "removes")
        return None
    table = components[name.text][1].table
    if table is None:
        over.problems.append(
            diagnose("V110", name.span, name=name.text, what="table", part="rows", section="components")
        )
    return table


def _with_table(
    components: dict[str, tuple[Text, Component]], name: Text, table: Table, without: Collection[str] = ()
) -> None:
    """Give a component class its table; the powers of removed components are removed."""
    own, component = components[name.text]
    powers = tuple((id, text) for id, text in component.powers if id is None or id.text not in without)
    components[name.text] = (own, component.model_copy(update={"table": table, "powers": powers}))


def _read_rows(over: Overlay, changed: Table, base: Table) -> tuple[Row, ...]:
    """The rows as written, with the base's columns; those of a CSV file have been read."""
    if changed.file is not None:
        return changed.rows
    findings = Findings()
    table = with_rows(changed, base.columns, findings)
    over.problems += findings.diagnostics
    return table.rows


def _rows_without(over: Overlay, name: Text, rows: Sequence[Row], ids: Sequence[Text]) -> tuple[Row, ...]:
    gone = over.removed("rows", {row.id.text: row.id.span for row in rows if row.id is not None}, ids, name)
    return tuple(row for row in rows if row.id is None or row.id.text not in gone)


def _rows_replaced(over: Overlay, name: Text, rows: Sequence[Row], new: Sequence[Row]) -> tuple[Row, ...]:
    known = {row.id.text: row for row in rows if row.id is not None}
    mine = {}
    for row in new:
        if row.id is None:
            over.problems.append(diagnose("V111", row.span))
        elif row.id.text not in known:
            over.missing("rows", row.id, known, "replaces", name)
        else:
            old = known[row.id.text]
            over.note("replaces", "rows", name, old.span, row.id)
            cells = _merge_cells(old.cells, row.cells)
            mine[row.id.text] = replace(
                row,
                cells=cells,
                powers=row.powers or old.powers,
                doc=row.doc or old.doc,
                cites=row.cites or old.cites,
            )
    return tuple(row if row.id is None else mine.get(row.id.text, row) for row in rows)


def _rows_added(over: Overlay, name: Text, rows: Sequence[Row], new: Sequence[Row]) -> tuple[Row, ...]:
    known = {row.id.text: row.id.span for row in rows if row.id is not None}
    fresh = []
    for row in new:
        if row.id is None:
            over.note("adds", "rows", name, None)
        if row.id is None or over.is_new("rows", row.id, known, name):
            fresh.append(row)
    return (*rows, *fresh)


def _merge_cells(old: Cells, new: Cells) -> Cells:
    named = {column.text: (column, cell) for column, cell in new}
    kept = tuple(named.pop(column.text, (column, cell)) for column, cell in old)
    return (*kept, *named.values())


def change_values(
    over: Overlay, old: Types, new: Named[tuple[Value, ...]], added: Named[tuple[Value, ...]], removed: Parts
) -> Types:
    """The types with other values."""
    types = {name.text: (name, form) for name, form in old}
    for name, ids in removed:
        form = _enumeration(over, types, name)
        if form is not None:
            gone = over.removed(
                "values", {value.name.text: value.name.span for value in form.values}, ids, name
            )
            _with_values(types, name, form, tuple(v for v in form.values if v.name.text not in gone))
    for name, values in new:
        form = _enumeration(over, types, name)
        if form is not None:
            by_name = {value.name.text: value for value in form.values}
            mine = {}
            for value in _read_values(over, form, values):
                if value.name.text not in by_name:
                    over.missing("values", value.name, by_name, "replaces", name)
                else:
                    base = by_name[value.name.text]
                    over.note("replaces", "values", name, base.span, value.name)
                    mine[value.name.text] = replace(value, cells=_merge_cells(base.cells, value.cells))
            _with_values(types, name, form, tuple(mine.get(v.name.text, v) for v in form.values))
    for name, values in added:
        form = _enumeration(over, types, name)
        if form is not None:
            known = {value.name.text: value.name.span for value in form.values}
            fresh = [
                v for v in _read_values(over, form, values) if over.is_new("values", v.name, known, name)
            ]
            _with_values(types, name, form, (*form.values, *fresh))
    return tuple(types.values())


def _enumeration(
    over: Overlay, types: dict[str, tuple[Text, Enumeration | RecordType | Alias]], name: Text
) -> Enumeration | None:
    if name.text not in types:
        over.missing("types", name, types, "removes")
        return None
    form = types[name.text][1]
    if not isinstance(form, Enumeration):
        over.problems.append(
            diagnose("V110", name.span, name=name.text, what="list of values", part="values", section="types")
        )
        return None
    return form


def _read_values(over: Overlay, form: Enumeration, values: Sequence[Value]) -> list[Value]:
    """The values with their columns read."""
    columns, findings, read = tuple(name for name, _ in form.attributes), Findings(), []
    least = least_cells(columns, form.attributes)
    for value in values:
        row = None
        if value.written is not None:
            row = findings.attempt(
                lambda node, findings: read_row(node, columns, findings, ("doc", "cites"), least),
                value.written,
            )
        if row is not None:
            value = replace(value, cells=row.cells, doc=row.doc, cites=row.cites)
        read.append(replace(value, written=None))
    over.problems += findings.diagnostics
    return read


def _with_values(
    types: dict[str, tuple[Text, Enumeration | RecordType | Alias]],
    name: Text,
    form: Enumeration,
    values: tuple[Value, ...],
) -> None:
    types[name.text] = (types[name.text][0], form.model_copy(update={"values": values}))


Powers = tuple[tuple[Text | None, Text], ...]


def change_powers(
    over: Overlay, old: Named[Component], new: Named[Powers], added: Named[Powers], removed: Parts
) -> Named[Component]:
    """The component classes with changed powers."""
    components = {name.text: (name, component) for name, component in old}

    def keep(name: Text, component: Component | None) -> None:
        if component is not None:
            components[name.text] = (components[name.text][0], component)

    def find(name: Text) -> Component | None:
        if name.text in components:
            return components[name.text][1]
        over.missing("components", name, components, "removes")
        return None

    for name, ids in removed:
        component = find(name)
        keep(name, None if component is None else _powers_removed(over, name, component, ids))
    for name, powers in new:
        component = find(name)
        keep(name, None if component is None else _powers_replaced(over, name, component, powers))
    for name, powers in added:
        component = find(name)
        keep(name, None if component is None else _powers_added(over, name, component, powers))
    return tuple(components.values())


def _powers_removed(over: Overlay, name: Text, component: Component, ids: tuple[Text, ...]) -> Component:
    for id in ids:
        known = _power_spans(component)
        if id.text not in known:
            over.missing("powers", id, [k for k in known if k], "removes", name)
        else:
            over.note("removes", "powers", name, known[id.text], id)
            component = _with_powers(component, id.text, None)
    return component


def _powers_replaced(over: Overlay, name: Text, component: Component, powers: Powers) -> Component:
    for id, text in powers:
        known, key = _power_spans(component), _power_key(id)
        if key not in known:
            over.missing("powers", id or name, [k for k in known if k], "replaces", name)
        else:
            over.note("replaces", "powers", name, known[key], id)
            component = _with_powers(component, key, (id, text))
    return component


def _powers_added(over: Overlay, name: Text, component: Component, powers: Powers) -> Component:
    for id, text in powers:
        known = _power_spans(component)
        everybody = {name.text: known[""]} if "" in known else {}
        fresh = (
            over.is_new("powers", id, known, name)
            if id is not None
            else over.is_new("powers", name, everybody)
        )
        if fresh:
            component = component.model_copy(update={"powers": (*component.powers, (id, text))})
    return component


def _power_key(id: Text | None) -> str:
    return "" if id is None else id.text


def _power_spans(component: Component) -> dict[str, Span]:
    """The spans of the powers by id; those of all components of the class under an empty name."""
    return {_power_key(id): text.span for id, text in component.all_powers}


def _with_powers(component: Component, key: str, powers: tuple[Text | None, Text] | None) -> Component:
    """The component class with the powers of an id replaced, or removed (`None`): they stand under `powers`
    or in a row of the table.
    """
    own = [entry for entry in component.powers if _power_key(entry[0]) != key]
    table = component.table
    if table is not None:
        rows = tuple(
            replace(row, powers=None) if row.id is not None and row.id.text == key else row
            for row in table.rows
        )
        table = replace(table, rows=rows)
    return component.model_copy(
        update={"powers": (*own, *([powers] if powers is not None else [])), "table": table}
    )
