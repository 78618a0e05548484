"""Tables in CSV; every cell has its span.

Cells are separated by commas; a cell in double quotes may hold commas, line ends and, doubled, double quotes.
The first row names the columns.  Spaces around a cell without quotes do not belong to it.  Blank lines, and
lines whose first sign is `#`, are skipped.  Values are text; the caller interprets them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from croupier.diagnostics import Diagnostic, Fix, Label, Source, Span, diagnose
from croupier.limits import MAX_TABLE_BYTES, MAX_TABLE_CELLS, MAX_TABLE_COLUMNS, MAX_TABLE_ROWS
from croupier.records import dataclass
from croupier.source.files import forbidden_characters
from croupier.source.lookalikes import MAX_REPORTED, OPENING, of_characters, of_edges

_BLANK = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|\r))+|[ \t]*(?:#[^\r\n]*)?\Z")
_QUOTED = re.compile(r'[ \t]*("[^"]*+(?:""[^"]*+)*+")[ \t]*')
_BARE = re.compile(r"[^,\r\n]*")
_LINE_END = re.compile(r"\r\n|\n|\r|\Z")
_LIST = re.compile(r"\[[^\[\]]*\]|\{[^{}]*\}")
LONGEST_TEXT = 40  # characters of a cell that help repeats
CACHED_TABLES = 16  # texts whose tables are kept


@dataclass(frozen=True)
class CsvCell:
    """A cell of a table: its text without quotes, and its span with them."""

    text: str
    span: Span
    quoted: bool = False


@dataclass(frozen=True)
class CsvTable:
    """A table: the row of column names, and the other rows, each with as many cells as there are columns."""

    columns: tuple[CsvCell, ...]
    rows: tuple[tuple[CsvCell, ...], ...]


def read_csv(source: Source) -> tuple[CsvTable | None, list[Diagnostic]]:
    """The table of a text, and everything that is wrong with it.

    Rows of a wrong length are left out of the table.

    Cached for the last texts: the variants of a folder, and a ruleset that is checked after each edit, ask
    for the same tables again.
    """
    table, diagnostics = _read(source)
    return table, list(diagnostics)


@lru_cache(maxsize=CACHED_TABLES)
def _read(source: Source) -> tuple[CsvTable | None, list[Diagnostic]]:
    if len(source.text.encode("utf-8", "surrogatepass")) > MAX_TABLE_BYTES:
        return None, [diagnose("X107", source.span(0, 0), limit=MAX_TABLE_BYTES, things="bytes")]
    refused = forbidden_characters(source, "X108")
    if refused:
        return None, refused
    diagnostics: list[Diagnostic] = []
    rows = _rows(source, diagnostics)
    if not rows:
        return None, diagnostics or [diagnose("X101", source.span(0, 0), name=source.name)]
    columns = rows[0]
    other = (
        next((sign for sign in ";\t" if sign in columns[0].text), None)
        if len(columns) == 1 and not columns[0].quoted
        else None
    )
    if other is not None:
        at = columns[0].span.start + columns[0].text.index(other)
        return None, [
            diagnose("X109", source.span(at, at + 1), sign="semicolons" if other == ";" else "tabs")
        ]
    if not source.text.isascii():
        alike = [problem for row in rows for cell in row for problem in _spaces_around(cell)]
        if alike:
            return None, diagnostics + alike[:MAX_REPORTED]
    _check_columns(columns, diagnostics)
    kept: list[tuple[CsvCell, ...]] = []
    wrong = {len(row) for row in rows[1:]}
    # one mistake of the head, not one of each row
    if len(rows) > 2 and len(wrong) == 1 and len(columns) not in wrong:
        cells, head = _count(len(rows[1]), "cell"), _count(len(columns), "column")
        note = f"so have all rows: the first line names {head}"
        first = rows[1][0].span.to(rows[1][-1].span)
        return CsvTable(columns, ()), [
            *diagnostics,
            diagnose("X104", first, notes=(note,), cells=cells, columns=head, help=HEAD_HELP),
        ]
    for row in rows[1:]:
        if len(row) == len(columns):
            kept.append(row)
        elif any(
            d.code == "X105" and row[0].span.start <= d.span.start <= row[-1].span.end
            for d in diagnostics
            if d.span is not None
        ):
            continue  # the cells behind an open quote were not told apart
        elif typographic := _typographic_quotes(row):
            diagnostics.append(typographic)
        else:
            span = row[len(columns)].span if len(row) > len(columns) else row[0].span.to(row[-1].span)
            cells, head = _count(len(row), "cell"), _count(len(columns), "column")
            diagnostics.append(
                diagnose("X104", span, cells=cells, columns=head, help=_row_help(source, row, len(columns)))
            )
    return CsvTable(columns, tuple(kept)), diagnostics


HEAD_HELP = "add the name that is missing to the first line, or leave out what is too much in the rows"


def _row_help(source: Source, row: tuple[CsvCell, ...], columns: int) -> str | None:
    """Say what to write where a row has too many cells or too few; `None` if the usual help fits, that a
    comma stands in a text.
    """
    line = source.line(row[0].span.line).strip()
    for sign, called in ((";", "semicolons"), ("\t", "tabs"), ("|", "strokes")):
        if line.count(sign) == columns - 1:
            return f"here stand {called}; cells are separated by commas: `{line.replace(sign, ',')}`"
    if len(row) < columns:
        return f"add what is missing: there are {columns - 1} commas in a row, also where a cell is empty"
    for opening, closing in ("[]", "{}"):
        begun = line.find(opening)
        ends = line.find(closing, begun)
        if 0 <= begun < ends and '"' not in line and "," in line[begun:ends]:
            return f'a comma within a cell stands in quotation marks: `"{line[begun : ends + 1]}"`'
    return None


def _spaces_around(cell: CsvCell) -> Iterator[Diagnostic]:
    """A diagnostic for the spaces at the edges of a cell that are no common ones, and so belong to its
    text.
    """
    if cell.quoted or cell.text.isascii():
        return
    for begin, end in of_edges(cell.text):
        start = cell.span.start
        sign = of_characters(cell.text[begin:end], start + begin, "")
        span = cell.span.source.span(start + begin, start + end)
        yield diagnose(
            "X110", span, what=sign.what, needed="a common space", fix=Fix(span, "", "leave it out")
        )


def _typographic_quotes(row: tuple[CsvCell, ...]) -> Diagnostic | None:
    """A diagnostic for the first text of a row in typographic quotes, in which commas separate; `None` if
    there is none.
    """
    opened = next((cell for cell in row if not cell.quoted and cell.text.startswith(tuple(OPENING))), None)
    if opened is None:
        return None
    closed = next(
        (
            cell
            for cell in row
            if cell.span.start >= opened.span.start and not cell.quoted and cell.text.endswith(tuple(OPENING))
        ),
        None,
    )
    if closed is None or closed.span.end - opened.span.start < 2:
        return None
    span = opened.span.to(closed.span)
    what = f"a text in typographic quotes ({span.text[0]} {span.text[-1]})"
    fix = None if '"' in span.text else Fix(span, f'"{span.text[1:-1]}"', "write straight quotes")
    return diagnose("X110", span, what=what, needed="one in straight quotes", fix=fix)


def _check_columns(columns: tuple[CsvCell, ...], diagnostics: list[Diagnostic]) -> None:
    seen: dict[str, CsvCell] = {}
    for number, cell in enumerate(columns, 1):
        if not cell.text:
            diagnostics.append(diagnose("X103", cell.span, number=number))
        elif cell.text in seen:
            labels = [Label(seen[cell.text].span, "first named here")]
            diagnostics.append(diagnose("X102", cell.span, name=cell.text, labels=labels))
        else:
            seen[cell.text] = cell


def _rows(source: Source, diagnostics: list[Diagnostic]) -> list[tuple[CsvCell, ...]]:
    text = source.text
    at = 1 if text.startswith("\ufeff") else 0
    rows: list[tuple[CsvCell, ...]] = []
    cells = 0
    while True:
        blank = _BLANK.match(text, at)
        at = blank.end() if blank else at
        if at >= len(text):
            return rows
        row, at, broken = _row(source, at, diagnostics)
        if broken:
            return rows
        if len(row) > MAX_TABLE_COLUMNS:
            diagnostics.append(
                diagnose("X107", row[MAX_TABLE_COLUMNS].span, limit=MAX_TABLE_COLUMNS, things="columns")
            )
            return rows
        cells += len(row)
        for count, limit, things in ((len(rows), MAX_TABLE_ROWS, "rows"), (cells, MAX_TABLE_CELLS, "cells")):
            if count > limit:
                diagnostics.append(diagnose("X107", row[0].span, limit=limit, things=things))
                return rows
        rows.append(row)


def _row(source: Source, at: int, diagnostics: list[Diagnostic]) -> tuple[tuple[CsvCell, ...], int, bool]:
    """The cells of the row at an offset, the offset after its line end, and whether reading cannot go on
    after it.
    """
    text = source.text
    cells: list[CsvCell] = []
    while True:
        quoted = _QUOTED.match(text, at)
        if quoted:
            cells.append(
                CsvCell(quoted.group(1)[1:-1].replace('""', '"'), source.span(*quoted.span(1)), True)
            )
            at = quoted.end()
            rest = _BARE.match(text, at)
            if rest and rest.group() and "\n" in quoted.group(1):
                opened, line_end = quoted.start(1), text.index("\n", quoted.start(1))
                diagnostics.append(_open_on_its_line(source, opened, line_end, rest.start()))
                content = text[opened + 1 : line_end].rstrip("\r")
                cells[-1] = CsvCell(content, source.span(opened, opened + 1 + len(content)), True)
                return tuple(cells), line_end + 1, False
            if rest and rest.group():
                diagnostics.append(diagnose("X106", source.span(*rest.span())))
                at = rest.end()
        else:
            bare = _BARE.match(text, at)
            assert bare is not None
            word = bare.group()
            start = at + len(word) - len(word.lstrip(" \t"))
            if word.lstrip(" \t").startswith('"'):
                diagnostics.append(diagnose("X105", source.span(start, start + 1), how="never ends"))
                return tuple(cells), at, True
            content = word.strip(" \t")
            cells.append(CsvCell(content, source.span(start, start + len(content))))
            at = bare.end()
        if text[at : at + 1] != "," or len(cells) > MAX_TABLE_COLUMNS:
            end = _LINE_END.match(text, at)
            return tuple(cells), end.end() if end else len(text), False
        at += 1


def _open_on_its_line(source: Source, opened: int, line_end: int, goes_on: int) -> Diagnostic:
    """A quote that is not closed on its line: the next one, which begins a cell of another row, was read as
    its end. Offsets in the text.
    """
    written = source.text[opened + 1 : line_end].rstrip()
    bracketed = _LIST.match(written)
    if bracketed:
        whole: str | None = bracketed.group()
    else:
        whole = None if "," in written else written
    help = None if not whole or len(whole) > LONGEST_TEXT else f'add `"` behind `{whole}`'
    label = Label(source.span(goes_on - 1, goes_on), "the cell would go on to this quote")
    return diagnose(
        "X105", source.span(opened, opened + 1), how="is not closed on its line", help=help, labels=[label]
    )


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
