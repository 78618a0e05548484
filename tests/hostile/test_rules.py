"""Every hostile rule text gives one diagnostic, at the right place, at once, and is shown without harm.

`rules/expected.csv` names a file and the code, line and column of its diagnostic; `rules/recipes.json` does the same for texts
that are too long to keep, as lists of pieces and how often each comes.
"""

import csv
import json
import re
import time
from pathlib import Path

import pytest

from croupier.diagnostics.render import render_github, render_human, render_json, render_sarif
from findings import findings

FOLDER = Path(__file__).parent / "rules"
CASES = list(csv.DictReader((FOLDER / "expected.csv").read_text(encoding="utf-8").splitlines()))
RECIPES = json.loads((FOLDER / "recipes.json").read_text(encoding="utf-8"))
SECONDS = 2.0  # of the processor's time
HARMFUL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def check(path: Path, expected: tuple[str, int, int]) -> None:
    started = time.process_time()
    found = findings(path)
    shown = [render(found) for render in (render_human, render_json, render_github, render_sarif)]
    assert time.process_time() - started < SECONDS
    assert [(d.code, d.span.line, d.span.column) for d in found if d.span is not None] == [expected]
    assert len(found) == 1
    for text in shown:
        assert not HARMFUL.search(text)
        assert len(text) < 20_000


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_file(case: dict[str, str]) -> None:
    check(FOLDER / case["file"], (case["code"], int(case["line"]), int(case["column"])))


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe["name"])
def test_recipe(recipe: dict[str, object], tmp_path: Path) -> None:
    pieces, line, column = recipe["text"], recipe["line"], recipe["column"]
    assert isinstance(pieces, list) and isinstance(line, int) and isinstance(column, int)
    path = tmp_path / "long.yaml"
    path.write_bytes("".join(piece * times for piece, times in pieces).encode())
    check(path, (str(recipe["code"]), line, column))


def test_every_file_is_expected() -> None:
    assert sorted(case["file"] for case in CASES) == sorted(path.name for path in FOLDER.glob("*.yaml"))
