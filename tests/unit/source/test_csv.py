import time

import pytest

from croupier.diagnostics import Source
from croupier.source import read_csv


def table(text: str) -> list[list[str]]:
    found, diagnostics = read_csv(Source("t.csv", text))
    assert found is not None and diagnostics == []
    return [[cell.text for cell in row] for row in (found.columns, *found.rows)]


def found(text: str) -> list[str]:
    return [
        f"{d.code} {d.span.line}:{d.span.column}"
        for d in read_csv(Source("t.csv", text))[1]
        if d.span is not None
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_cells(end: str) -> None:
    text = end.join(
        [
            "id , colour,n",
            'a,"dark, ""sea"" blue", 1',
            "",
            "# comment",
            "b,,",
            '"c" ,\'x\',"multi',
            'line"',
            "",
        ]
    )
    assert table(text) == [
        ["id", "colour", "n"],
        ["a", 'dark, "sea" blue', "1"],
        ["b", "", ""],
        ["c", "'x'", f"multi{end}line"],
    ]


def test_no_line_end_at_the_end_and_a_byte_order_mark() -> None:
    assert table("\ufeffid\na") == [["id"], ["a"]]


def test_places() -> None:
    result, _ = read_csv(Source("t.csv", 'id,name\n a , "b ""c"""\n'))
    assert result is not None
    assert [(cell.span.line, cell.span.column, cell.span.text, cell.quoted) for cell in result.rows[0]] == [
        (2, 2, "a", False),
        (2, 6, '"b ""c"""', True),
    ]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("", ["X101 1:1"]),
        ("\n# c\n", ["X101 1:1"]),
        ("a,b,a\n", ["X102 1:5"]),
        ("a,,b,\n", ["X103 1:3", "X103 1:6"]),
        ("a,b\n1\n1,2\n1,2,3,4\n", ["X104 2:1", "X104 4:5"]),
        ('a\n"x\n', ["X105 2:1"]),
        ('a,b\n1,"[x, y]\n2,3\n4,"[x]"\n', ["X105 2:3"]),
        ('a,b\n"x, y],1\n2,3\n"[x]",4\n', ["X105 2:1"]),
        ('a,b\n1,"x"y\n2,3\n"z" "w",1\n', ["X106 2:6", "X106 4:5"]),
        ("a\nx\x1b\n", ["X108 2:2"]),
        ("a\n\u202e\n", ["X108 2:1"]),
        (",".join("abc" + str(n) for n in range(201)) + "\n", ["X107 1:1291"]),
        ("a\n" + "1\n" * 10_001, ["X107 10002:1"]),
        ("a,b\n" + "x" * 1_000_000, ["X107 1:1"]),
    ],
)
def test_mistakes(text: str, places: list[str]) -> None:
    assert found(text) == places


def test_an_open_quote_is_told_where_it_begins_with_what_to_add() -> None:
    _, problems = read_csv(Source("t.csv", 'a,b\n1,"[x, y]\n2,3\n4,"[x]"\n'))
    assert [(d.code, d.help, [label.span.line for label in d.labels]) for d in problems] == [
        ("X105", 'add `"` behind `[x, y]`', [4])
    ]


def test_rows_of_a_wrong_length_are_left_out() -> None:
    result, _ = read_csv(Source("t.csv", "a,b\n1\n1,2\n"))
    assert result is not None and len(result.rows) == 1


SLOW = {
    "commas": "," * 999_000,
    "quotes": '"' * 999_001,
    "rows": "a\n" + ",\n" * 400_000,
    "texts in quotes": '"a"' * 300_000,
    "doubled quotes": "a\n" + '""' * 450_000,
    "spaces": " " * 999_000,
    "comments": "#\n" * 450_000,
    "cells": ("," * 199 + "\n") * 4_900,
}


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW)
def test_tables_made_to_take_time(text: str) -> None:
    started = time.process_time()
    found(text)
    assert time.process_time() - started < 5


def test_typographic_quotes_and_spaces() -> None:
    """Commas in typographic quotes separate; a space that does not break belongs to a cell."""
    _, quotes = read_csv(Source("t", "id,text\na,“red, or blue”\nb,“so”\n"))
    assert [(d.code, d.span and d.span.text, d.fix and d.fix.replacement) for d in quotes] == [
        ("X110", "“red, or blue”", '"red, or blue"')
    ]
    _, spaces = read_csv(Source("t", "id,n\na,\u00a03\nb,4\u00a0\n"))
    assert [(d.code, d.fix and (d.fix.replacement, d.fix.safe)) for d in spaces] == [("X110", ("", True))] * 2
