"""Every hostile YAML text ever found gives one diagnostic, at the right place, at once, and is shown without
harm.

`yaml/expected.csv` names a file and the code, line and column of its diagnostic; `yaml/recipes.json` does the
same for texts that are too long to keep, as lists of pieces and how often each comes.
"""

import csv
import json
from pathlib import Path

import pytest

from croupier.diagnostics import Diagnostic
from croupier.source import read, read_file
from hostile import judge_one, made_of

FOLDER = Path(__file__).parent / "yaml"
CASES = list(csv.DictReader((FOLDER / "expected.csv").read_text(encoding="utf-8").splitlines()))
RECIPES = json.loads((FOLDER / "recipes.json").read_text(encoding="utf-8"))


def found_in(path: Path) -> list[Diagnostic]:
    source, diagnostics = read_file(path, path.parent)
    if source is not None:
        root, diagnostics = read(source)
        assert root is not None or diagnostics
    return diagnostics


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_file(case: dict[str, str]) -> None:
    judge_one(FOLDER / case["file"], found_in, case)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe["name"])
def test_recipe(recipe: dict[str, object], tmp_path: Path) -> None:
    judge_one(made_of(recipe, tmp_path), found_in, recipe)


def test_every_file_is_expected() -> None:
    assert sorted(case["file"] for case in CASES) == sorted(path.name for path in FOLDER.glob("*.yaml"))
