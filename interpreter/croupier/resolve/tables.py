"""A component's table from a file of its own: the same rows as a table written in the ruleset, with places in that file.

A CSV file has a line for each row. A YAML file is the list of rows, as it would stand in the ruleset; its rows may have `powers`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from croupier.diagnostics import Diagnostic, Source, Span, diagnose
from croupier.limits import MAX_NAME
from croupier.schema import Cells, Findings, Row, Table, Text
from croupier.schema.findings import Refused
from croupier.schema.leaves import IDENTIFIER_PATTERN
from croupier.schema.tables import read_table, row_of, understand, without_doubles
from croupier.source import Cell, Scalar, read, read_csv
from croupier.source.yaml_tree import parse_plain_scalar


def located(cell: Cell) -> Scalar:
    """A cell as a located scalar: without quotes it is a number, a switch or a word as in YAML, and nothing if it is empty."""
    if cell.quoted:
        return Scalar(cell.span, cell.text, "double", cell.text, False)
    value, problem = parse_plain_scalar(cell.text, cell.span)
    return Scalar(cell.span, cell.text, "plain", cell.text if problem is not None else value, False)


def read_table_file(source: Source, named: Table) -> tuple[Table, list[Diagnostic]]:
    """The table of a CSV text, and everything that is wrong with it; `named` is the table that names the file."""
    read, diagnostics = read_csv(source)
    if read is None:
        return named, diagnostics
    columns = [Text(located(cell)) for cell in read.columns]
    fine = [bool(IDENTIFIER_PATTERN.match(column.text)) and len(column.text) <= MAX_NAME for column in columns]
    diagnostics += [diagnose("V201", c.span, name=c.text) for c, good in zip(columns, fine, strict=True) if not good and c.text]
    findings = Findings()

    def written() -> Iterator[Row | None]:
        for cells in read.rows:
            for cell in cells:
                problem = None if cell.quoted else parse_plain_scalar(cell.text, cell.span)[1]
                if problem is not None:
                    findings.report(problem)
            pairs = tuple((column, located(cell)) for column, cell, good in zip(columns, cells, fine, strict=True) if good)
            yield _row(cells[0].span.to(cells[-1].span), pairs, findings)

    rows = without_doubles(written(), findings)
    diagnostics += findings.diagnostics
    if not rows and not diagnostics:
        diagnostics.append(diagnose("V205", source.span(0, len(source.line(1))), name=source.name))
    kept = tuple(column for column, good in zip(columns, fine, strict=True) if good)
    return replace(named, rows=rows, columns=kept), diagnostics


def read_rows_file(source: Source, named: Table) -> tuple[Table, list[Diagnostic]]:
    """The table of a YAML text, and everything that is wrong with it; `named` is the table that names the file, with its columns."""
    node, diagnostics = read(source)
    if node is None:
        return named, diagnostics
    findings = Findings()
    written = findings.attempt(read_table, node)
    if written is None or written.file is not None:
        if written is not None:
            diagnostics.append(diagnose("V205", node.span, name=source.name))
        return named, diagnostics + findings.diagnostics
    table = understand(written, named.columns, findings)
    return replace(named, rows=table.rows), diagnostics + findings.diagnostics


def _row(span: Span, cells: Cells, findings: Findings) -> Row | None:
    try:
        return row_of(span, cells, findings)
    except Refused:
        return None
