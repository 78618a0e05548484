"""Parts of what a base declares: rows of component tables, values of enumerations.

A row or a value that is replaced keeps the cells that the variant does not name. Rows written as lists have the columns of the base.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from croupier.diagnostics import diagnose
from croupier.resolve.overlay import Named, Overlay
from croupier.schema import Alias, Cells, Component, Enumeration, Findings, RecordType, Row, Table, Text, Value
from croupier.schema.tables import read_row, understand

Parts = tuple[tuple[Text, tuple[Text, ...]], ...]
Types = Named[Enumeration | RecordType | Alias]


# ---------------------------------------------------------------- rows
def change_rows(over: Overlay, old: Named[Component], new: Named[Table], added: Named[Table], removed: Parts) -> Named[Component]:
    """The components with other rows in their tables."""
    components = {name.text: (name, component) for name, component in old}
    for name, ids in removed:
        table = _table(over, components, name, "removes")
        if table is not None:
            _keep(components, name, replace(table, rows=_without(over, name, table.rows, ids)), without={id.text for id in ids})
    for name, changed in new:
        table = _table(over, components, name, "replaces")
        if table is not None:
            _keep(components, name, replace(table, rows=_replaced(over, name, table.rows, _read(over, changed, table))))
    for name, changed in added:
        table = _table(over, components, name, "adds")
        if table is not None:
            _keep(components, name, replace(table, rows=_added(over, name, table.rows, _read(over, changed, table))))
    return tuple(components.values())


def _table(over: Overlay, components: dict[str, tuple[Text, Component]], name: Text, kind: str) -> Table | None:
    """The table of a component; says so if there is none."""
    if name.text not in components:
        over.missing("components", name, components, "removes")
        return None
    table = components[name.text][1].table
    if table is None:
        over.problems.append(diagnose("V110", name.span, name=name.text, what="table", part="rows", section="components"))
    return table


def _keep(components: dict[str, tuple[Text, Component]], name: Text, table: Table, without: Collection[str] = ()) -> None:
    """Give a component its table; pieces that went take their powers along."""
    own, component = components[name.text]
    powers = tuple((id, text) for id, text in component.powers if id is None or id.text not in without)
    components[name.text] = (own, component.model_copy(update={"table": table, "powers": powers}))


def _read(over: Overlay, changed: Table, base: Table) -> tuple[Row, ...]:
    """The rows as written, with the base's columns; those of a CSV file have been read."""
    if changed.file is not None:
        return changed.rows
    findings = Findings()
    table = understand(changed, base.columns, findings)
    over.problems += findings.diagnostics
    return table.rows


def _without(over: Overlay, name: Text, rows: Sequence[Row], ids: Sequence[Text]) -> tuple[Row, ...]:
    known = {row.id.text: row.id.span for row in rows if row.id is not None}
    gone = set()
    for id in ids:
        if id.text not in known:
            over.missing("rows", id, known, "removes", name)
        else:
            over.note("removes", "rows", name, known[id.text], id)
            gone.add(id.text)
    return tuple(row for row in rows if row.id is None or row.id.text not in gone)


def _replaced(over: Overlay, name: Text, rows: Sequence[Row], new: Sequence[Row]) -> tuple[Row, ...]:
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
            cells = _cells(old.cells, row.cells)
            mine[row.id.text] = replace(row, cells=cells, powers=row.powers or old.powers, doc=row.doc or old.doc, cites=row.cites or old.cites)
    return tuple(row if row.id is None else mine.get(row.id.text, row) for row in rows)


def _added(over: Overlay, name: Text, rows: Sequence[Row], new: Sequence[Row]) -> tuple[Row, ...]:
    known = {row.id.text: row.id.span for row in rows if row.id is not None}
    fresh = []
    for row in new:
        if row.id is None:
            over.note("adds", "rows", name, None)
        if row.id is None or over.is_new("rows", row.id, known, name):
            fresh.append(row)
    return (*rows, *fresh)


def _cells(old: Cells, new: Cells) -> Cells:
    named = {column.text: (column, cell) for column, cell in new}
    kept = tuple(named.pop(column.text, (column, cell)) for column, cell in old)
    return (*kept, *named.values())


# ---------------------------------------------------------------- values
def change_values(over: Overlay, old: Types, new: Named[tuple[Value, ...]], added: Named[tuple[Value, ...]], removed: Parts) -> Types:
    """The types with other values."""
    types = {name.text: (name, form) for name, form in old}
    for name, ids in removed:
        form = _enumeration(over, types, name)
        if form is not None:
            known = {value.name.text: value.name.span for value in form.values}
            gone = set()
            for id in ids:
                if id.text not in known:
                    over.missing("values", id, known, "removes", name)
                else:
                    over.note("removes", "values", name, known[id.text], id)
                    gone.add(id.text)
            _set(types, name, form, tuple(v for v in form.values if v.name.text not in gone))
    for name, values in new:
        form = _enumeration(over, types, name)
        if form is not None:
            by_name = {value.name.text: value for value in form.values}
            mine = {}
            for value in _understood(over, form, values):
                if value.name.text not in by_name:
                    over.missing("values", value.name, by_name, "replaces", name)
                else:
                    base = by_name[value.name.text]
                    over.note("replaces", "values", name, base.span, value.name)
                    mine[value.name.text] = replace(value, cells=_cells(base.cells, value.cells))
            _set(types, name, form, tuple(mine.get(v.name.text, v) for v in form.values))
    for name, values in added:
        form = _enumeration(over, types, name)
        if form is not None:
            known = {value.name.text: value.name.span for value in form.values}
            fresh = [v for v in _understood(over, form, values) if over.is_new("values", v.name, known, name)]
            _set(types, name, form, (*form.values, *fresh))
    return tuple(types.values())


def _enumeration(over: Overlay, types: dict[str, tuple[Text, Enumeration | RecordType | Alias]], name: Text) -> Enumeration | None:
    if name.text not in types:
        over.missing("types", name, types, "removes")
        return None
    form = types[name.text][1]
    if not isinstance(form, Enumeration):
        over.problems.append(diagnose("V110", name.span, name=name.text, what="list of values", part="values", section="types"))
        return None
    return form


def _understood(over: Overlay, form: Enumeration, values: Sequence[Value]) -> list[Value]:
    """The values with their columns read."""
    columns, findings, read = tuple(name for name, _ in form.attributes), Findings(), []
    for value in values:
        row = None
        if value.written is not None:
            row = findings.attempt(lambda node, findings: read_row(node, columns, findings, ("doc", "cites")), value.written)
        if row is not None:
            value = replace(value, cells=row.cells, doc=row.doc, cites=row.cites)
        read.append(replace(value, written=None))
    over.problems += findings.diagnostics
    return read


def _set(types: dict[str, tuple[Text, Enumeration | RecordType | Alias]], name: Text, form: Enumeration, values: tuple[Value, ...]) -> None:
    types[name.text] = (types[name.text][0], form.model_copy(update={"values": values}))
