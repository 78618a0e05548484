"""Every hostile rule text gives one diagnostic, at the right place, at once, and is shown without harm.

`rules/expected.csv` names a file and the code, line and column of its diagnostic; `rules/recipes.json` does
the same for texts that are too long to keep, as lists of pieces and how often each comes.
"""

import csv
import json
from pathlib import Path

import pytest

from findings import findings
from hostile import judge_one, made_of

FOLDER = Path(__file__).parent / "rules"
CASES = list(csv.DictReader((FOLDER / "expected.csv").read_text(encoding="utf-8").splitlines()))
RECIPES = json.loads((FOLDER / "recipes.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_file(case: dict[str, str]) -> None:
    judge_one(FOLDER / case["file"], findings, case)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe["name"])
def test_recipe(recipe: dict[str, object], tmp_path: Path) -> None:
    judge_one(made_of(recipe, tmp_path), findings, recipe)


def test_every_file_is_expected() -> None:
    assert sorted(case["file"] for case in CASES) == sorted(path.name for path in FOLDER.glob("*.yaml"))
