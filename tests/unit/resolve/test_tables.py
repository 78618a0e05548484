"""Tables and rule lists from CSV files, with places down to the cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.diagnostics import CODES, Diagnostic
from croupier.pipeline import check
from croupier.resolve import ResolvedRuleset, open_ruleset
from croupier.source import YamlScalar

HEAD = "croupier: 1\nruleset: small\ntitle: Small\nplayers: 2\nphases:\n  play: pass\n"
TABLE = (
    HEAD + "components:\n  Piece:\n    attributes: {colour: Colour, number: 1..9}\n    table: pieces.csv\n"
)
LIST = HEAD + "rule_list: rules.csv\n"


def opening(folder: Path, text: str, **files: str) -> tuple[ResolvedRuleset | None, list[Diagnostic]]:
    for name, content in files.items():
        (folder / f"{name}.csv").write_text(content, encoding="utf-8")
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    return open_ruleset(folder)


def places(problems: list[Diagnostic]) -> list[tuple[str, str, int, int]]:
    return [
        (p.code, p.span.source.name.rsplit("/", 1)[-1], p.span.line, p.span.column)
        for p in problems
        if p.span is not None
    ]


def test_rows_and_their_places(tmp_path: Path) -> None:
    csv = 'id,colour,number,cites,note\na, red,1,"AB-1,2",\nb,"blue, dark",0x2,,"12"\n'
    ruleset, problems = opening(tmp_path, TABLE, pieces=csv)
    assert ruleset is not None and problems == []
    table = ruleset.components[0][1].table
    assert table is not None and [column.text for column in table.columns] == [
        "id",
        "colour",
        "number",
        "cites",
        "note",
    ]
    first, second = table.rows
    assert (
        first.id is not None
        and first.id.text == "a"
        and [cite.text for cite in first.cites] == ["AB-1", "AB-2"]
    )
    cells = {column.text: cell for column, cell in second.cells}
    assert {name: cell.value for name, cell in cells.items() if isinstance(cell, YamlScalar)} == {
        "colour": "blue, dark",
        "number": 2,
        "note": "12",
    }
    assert (cells["number"].span.line, cells["number"].span.column) == (3, 16)
    assert (
        first.cells[-1][1].span.text == ""
        and isinstance(first.cells[-1][1], YamlScalar)
        and first.cells[-1][1].value is None
    )
    assert [source.name.rsplit("/", 1)[-1] for source in ruleset.sources] == ["ruleset.yaml", "pieces.csv"]


def test_mistakes_in_a_table(tmp_path: Path) -> None:
    csv = "id,my colour,number\na,red\nb,blue,1\nb,blue,2\nc d,red,1.5\n"
    _, problems = opening(tmp_path, TABLE, pieces=csv)
    assert places(problems) == [
        ("V201", "pieces.csv", 1, 4),
        ("X104", "pieces.csv", 2, 1),
        ("D201", "pieces.csv", 4, 1),
        ("D101", "pieces.csv", 5, 1),
        ("Y304", "pieces.csv", 5, 9),
    ]


def test_one_mistake_of_a_header_is_one_finding(tmp_path: Path) -> None:
    """A column that is misspelt or left out, or an attribute of an unknown type, says nothing about the rows
    below.
    """
    rows = "red,1\nred,2\nred,3\n"
    ruleset = TABLE + "types:\n  Colour: [red]\nscoring: finish draw\n"
    for text, csv, place in (
        (ruleset, "colur,number\n" + rows, ("N002", "pieces.csv", 1, 1)),
        (ruleset, "hue,number\n" + rows, ("N002", "pieces.csv", 1, 1)),
        (ruleset, "number\n1\n2\n3\n", ("G001", "pieces.csv", 1, 1)),
        (ruleset, "colour,colour\n" + rows, ("X102", "pieces.csv", 1, 8)),
        (ruleset, "colour,\n" + rows, ("X103", "pieces.csv", 1, 8)),
        (ruleset, "colour\n" + rows, ("X104", "pieces.csv", 2, 1)),
        (ruleset, "colour;number\n" + rows.replace(",", ";"), ("X109", "pieces.csv", 1, 7)),
        (
            ruleset.replace("{colour: Colour", "{colour: string"),
            "colour,number\n" + rows,
            ("N003", "ruleset.yaml", 9, 26),
        ),
    ):
        opening(tmp_path, text, pieces=csv)
        assert places(list(check(tmp_path).diagnostics)) == [place]


def test_columns_are_named_by_the_file(tmp_path: Path) -> None:
    _, problems = opening(tmp_path, TABLE + "    columns: [id]\n", pieces="id\na\n")
    assert places(problems) == [("D005", "ruleset.yaml", 11, 5)] and problems[0].notes == (
        "a CSV file names its columns itself, in its first line",
    )


def test_a_rule_list(tmp_path: Path) -> None:
    ruleset, problems = opening(
        tmp_path, LIST, rules='id,tag,text\nAB-1,rule,"One, two"\nAB-S2b,rule,Three\n'
    )
    assert ruleset is not None and problems == []
    assert list(ruleset.rule_list) == ["AB-1", "AB-S2b"] and ruleset.rule_list["AB-1"].text.text == "One, two"
    _, problems = opening(tmp_path, LIST, rules="id,tag,text\nAB-1,r,x\nab-1,r,x\nAB-1,r,x\nAB-2,r\n")
    assert places(problems) == [
        ("V204", "rules.csv", 3, 1),
        ("V203", "rules.csv", 4, 1),
        ("X104", "rules.csv", 5, 1),
    ]


@pytest.mark.parametrize("code", [code for code in CODES if code.startswith("V2")])
def test_every_example_of_the_catalogue(code: str, tmp_path: Path) -> None:
    entry = CODES[code]
    text = LIST if "tag" in entry.good else TABLE
    _, problems = opening(tmp_path, text, rules=entry.bad, pieces=entry.bad)
    assert [problem.code for problem in problems] == [code]
    assert opening(tmp_path, text, rules=entry.good, pieces=entry.good)[1] == []


def test_a_variant_brings_its_own_table(tmp_path: Path) -> None:
    opening(tmp_path, TABLE, pieces="id,number\na,1\n", others="id,number\nz,9\n")
    variant = (
        "croupier: 1\nextends: ruleset.yaml\ncomponents:\n  Piece:\n    attributes: {number: 1..9}\n   "
        " table: others.csv\n"
    )
    (tmp_path / "v.yaml").write_text(variant, encoding="utf-8")
    ruleset, problems = open_ruleset(tmp_path / "v.yaml")
    assert ruleset is not None and problems == []
    table = ruleset.components[0][1].table
    assert table is not None and [row.id.text for row in table.rows if row.id is not None] == ["z"]


def test_maps_and_lists_in_cells(tmp_path: Path) -> None:
    text = (
        HEAD
        + "types: {Colour: [red, blue]}\ncomponents:\n  Piece: {attributes: {cost: 0..7 per Colour}, table: "
        "pieces.csv}\n"
    )
    csv = (
        'id,cost\na,"{red: 1, else: 0}"\nb,"[1, 2]"\nc,{blue: 3}\nd,"{red: 1, red: 2}"\ne,"{green: '
        '1}"\nf,"[9, 1]"\ng,[red]\n'
    )
    (tmp_path / "pieces.csv").write_text(csv, encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    errors = [p for p in check(tmp_path).diagnostics if p.is_error]
    assert places(errors) == [
        ("Y301", "pieces.csv", 5, 13),
        ("N001", "pieces.csv", 6, 5),
        ("T017", "pieces.csv", 7, 5),
        ("T001", "pieces.csv", 8, 4),
    ]


def test_cells_of_a_board_in_a_file(tmp_path: Path) -> None:
    board = (
        "boards: {map: {shape: graph, cells: [a, b], links: [[a, b]], attributes: {n: 1..9}, values: "
        "cells.csv}}\n"
    )
    (tmp_path / "cells.csv").write_text("cell,n,colour\na,12,\nb,2,red\na,3,\n", encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(HEAD + board, encoding="utf-8")
    found = places(list(check(tmp_path).diagnostics))
    assert found == [("D201", "cells.csv", 4, 1), ("N002", "cells.csv", 1, 8), ("T017", "cells.csv", 2, 3)]


def test_what_a_cell_cannot_be(tmp_path: Path) -> None:
    """A cell that is no value is told as one of its type, and what cites a rule of a list with mistakes is
    not unknown.
    """
    text = (
        TABLE.replace("play: pass", "play: finish draw @AB-2")
        + "types:\n  Colour: [red]\nrule_list: rules.csv\n"
    )
    opening(
        tmp_path,
        text,
        pieces="colour,number\nlight red,1\nred,€2\n",
        rules="id,tag,text\nAB-1,rule,one\nAB2,rule,two\n",
    )
    found = list(check(tmp_path).diagnostics)
    assert places(found) == [
        ("V204", "rules.csv", 3, 1),
        ("T030", "pieces.csv", 2, 1),
        ("T030", "pieces.csv", 3, 5),
    ]
    assert found[1].message == "`light red` cannot be a value: one of `Colour` is needed"
