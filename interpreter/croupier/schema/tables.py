"""Rows of values under named columns: the values of an enumeration, the table of a component, a CSV file.

A row is a group of keys (`{id: a1, colour: red}`) or, where the columns are known, a list of cells in their order.  The columns
`id`, `doc` and `cites` have a meaning of their own; so has the key `powers` of a row that is a group of keys.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq
from dataclasses import dataclass

from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Span
from croupier.schema.cites import read_cites
from croupier.schema.findings import Findings, narrow
from croupier.schema.leaves import FILE, IDENTIFIER, PROSE, RULES, Text
from croupier.source import Mapping, Node, Scalar, Sequence

Cells = tuple[tuple[Text, Node], ...]


@dataclass(frozen=True)
class Row:
    """One row.  `cells` pairs columns with located values, without the columns that have a meaning of their own."""

    span: Span
    cells: Cells
    id: Text | None = None
    powers: Text | None = None
    doc: Text | None = None
    cites: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Table:
    """The rows of a component.  `file` names the CSV file they are to be read from (`rows` is empty until then)."""

    span: Span
    rows: tuple[Row, ...] = ()
    columns: tuple[Text, ...] = ()
    file: Text | None = None
    written: tuple[Node, ...] = ()


def read_table(node: Node, findings: Findings) -> Table:
    """The table as written; `understand` gives it rows once the columns are known."""
    if isinstance(node, Scalar):
        return Table(node.span, file=FILE.read(node, findings))
    if not isinstance(node, Sequence):
        findings.wrong_kind(node, "a list of rows or the name of a CSV or YAML file")
    if not node.items:
        findings.refuse("D004", node.span, place=findings.place(node))
    return Table(node.span, written=node.items)


def understand(table: Table, columns: Seq[Text], findings: Findings) -> Table:
    """The table with its rows; rows that cannot be used are reported and left out, a second row of an id too."""
    rows = (findings.attempt(lambda node, findings: read_row(node, columns, findings), node) for node in table.written)
    return Table(table.span, without_doubles(rows, findings), tuple(columns), table.file)


def without_doubles(rows: Iterable[Row | None], findings: Findings) -> tuple[Row, ...]:
    """The rows that could be used, without the second ones of an id, which are reported."""
    kept: list[Row] = []
    ids: dict[str, Text] = {}
    for row in rows:
        if row is None:
            continue
        if row.id is not None:
            first = ids.setdefault(row.id.text, row.id)
            if first is not row.id:
                findings.twice(row.id.node, first.node)
                continue
        kept.append(row)
    return tuple(kept)


def read_row(node: Node, columns: Seq[Text], findings: Findings, special: Seq[str] = ("id", "doc", "cites", "powers")) -> Row:
    """One row.  `special` names the keys with a meaning of their own in rows that are groups of keys; in lists `powers` is a column."""
    if isinstance(node, Sequence) and not columns and "id" in special:
        findings.refuse("D203", narrow(node))
    if not isinstance(node, (Sequence, Mapping)):
        findings.wrong_kind(node, "a row: a list of cells or a group of keys")
    cells = match_cells(node, columns, findings)
    return row_of(node.span, cells, findings, special if isinstance(node, Mapping) else [name for name in special if name != "powers"])


def match_cells(node: Node, columns: Seq[Text], findings: Findings) -> Cells:
    """Columns paired with values.  A list must have as many cells as there are columns."""
    if isinstance(node, Mapping):
        cells = []
        for key, value in node.entries:
            findings.enter(key, value)
            name = findings.attempt(IDENTIFIER.read, key)
            if name is not None:
                cells.append((name, value))
        return tuple(cells)
    if not isinstance(node, Sequence):
        findings.wrong_kind(node, "a list of cells or a group of keys")
    if len(node.items) != len(columns):
        listed = ", ".join(f"`{column.text}`" for column in columns) or "none"
        have, want = _count(len(node.items), "cell"), _count(len(columns), "column")
        findings.refuse("D202", narrow(node), notes=(f"the columns are {listed}",), cells=have, columns=want)
    for column, value in zip(columns, node.items, strict=True):
        findings.enter(column.node, value)
    return tuple(zip(columns, node.items, strict=True))


def row_of(span: Span, cells: Cells, findings: Findings, special: Seq[str] = ("id", "doc", "cites")) -> Row:
    """The row with the columns of a meaning of their own set apart."""
    own = {column.text: value for column, value in cells if column.text in special and (column.text == "id" or not _is_empty(value))}
    rest = tuple((column, value) for column, value in cells if column.text not in special)
    id = IDENTIFIER.read(own["id"], findings) if "id" in own else None
    text = findings.attempt(RULES.read, own["powers"]) if "powers" in own else None
    if text is not None and id is None:
        findings.add("D007", findings.head(own["powers"]), key="powers", other="id")
        text = None
    doc = findings.attempt(PROSE.read, own["doc"]) if "doc" in own else None
    cites = findings.attempt(read_cites, own["cites"]) if "cites" in own else ()
    return Row(span, rest, id, text, doc, cites or ())


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None and not node.text


def table_schema() -> JsonSchemaValue:
    """A CSV file's name, or a list of rows."""
    return {"anyOf": [dict(FILE.schema), {"type": "array", "minItems": 1, "items": {"anyOf": [{"type": "object"}, {"type": "array"}]}}]}
