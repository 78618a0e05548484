"""Every hostile shape, name, path and table ever found gives its diagnostics, each at its place, at once, and
shown without harm.

`schema/expected.csv` has a row for each diagnostic: the ruleset that is opened, the code, the file that the
diagnostic points into, line and column.  A file there that no row names is one that others name.
"""

from __future__ import annotations

import csv
from itertools import groupby
from pathlib import Path

import pytest

from croupier.diagnostics import Diagnostic
from croupier.diagnostics.render import render_human
from croupier.limits import MAX_ALIKE_FINDINGS
from croupier.resolve import open_ruleset
from hostile import HARMFUL, judged

FOLDER = Path(__file__).parent / "schema"
ROWS = list(csv.DictReader((FOLDER / "expected.csv").read_text(encoding="utf-8").splitlines()))
CASES = {name: list(rows) for name, rows in groupby(ROWS, key=lambda row: row["file"])}
HEAD = "croupier: 1\nruleset: small\ntitle: Small\nplayers: 2\nphases:\n  play: pass\n"


def judge(path: Path) -> list[Diagnostic]:
    return judged(path, lambda path: open_ruleset(path)[1])


@pytest.mark.parametrize("name", CASES)
def test_file(name: str) -> None:
    found = [
        (d.code, d.span.source.name.rsplit("/", 1)[-1], d.span.line, d.span.column)
        for d in judge(FOLDER / name)
        if d.span is not None
    ]
    assert found == [(row["code"], row["where"], int(row["line"]), int(row["column"])) for row in CASES[name]]


def test_every_file_is_used() -> None:
    for path in FOLDER.iterdir():
        named = any(
            f"{path.name}" in other.read_text(encoding="utf-8")
            for other in FOLDER.glob("*.yaml")
            if other != path
        )
        assert path.name in CASES or path.name == "expected.csv" or named, path.name


def test_a_file_that_others_would_be_read_through(tmp_path: Path) -> None:
    """A path that exists is still judged as a path: `extends` never opens what `check_path` has not seen."""
    secret = tmp_path / "secret"
    secret.write_text("the secret\n", encoding="utf-8")
    (tmp_path / "game").mkdir()
    for named in (secret.as_posix(), "../secret", "/etc/hostname", ".", "..", "~"):
        (tmp_path / "game" / "v.yaml").write_text(f"croupier: 1\nextends: {named!r}\n", encoding="utf-8")
        for problem in judge(tmp_path / "game" / "v.yaml"):
            assert problem.span is not None and problem.span.source.name.endswith("v.yaml")
            assert "the secret" not in render_human([problem])


def test_ten_thousand_mistakes_in_a_table(tmp_path: Path) -> None:
    (tmp_path / "pieces.csv").write_text("id,colour\n" + "a,red\n" * 10_000, encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(
        HEAD + "components: {Piece: {table: pieces.csv}}\n", encoding="utf-8"
    )
    found = judge(tmp_path)
    assert len(found) == MAX_ALIKE_FINDINGS and found[-1].notes == (
        "9949 more of this kind in this file are not shown",
    )


def test_a_thousand_unknown_keys(tmp_path: Path) -> None:
    zones = "".join(f"  z{number}: {{holds: Card, oder{number}: pile}}\n" for number in range(1000))
    (tmp_path / "ruleset.yaml").write_text(HEAD + "zones:\n" + zones, encoding="utf-8")
    assert {problem.code for problem in judge(tmp_path)} == {"D001"}


def test_names_that_are_no_files() -> None:
    for name in (
        "",
        " ",
        "\0",
        "a\0b",
        "no such game",
        "\x1b[31m",
        "../../etc",
        "x" * 10_000,
        "con",
        "a/b/c",
        "\ud800",
    ):
        found = judge(Path(name)) if name.startswith("../") else open_ruleset(name)[1]
        assert len(found) == 1 and found[0].code[0] in "VX", name
        assert not HARMFUL.search(render_human(found))
