"""What rulebooks say of rules that were once told otherwise than they hold: as data in `sayings.cases.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.authoring.rulebook import rulebook
from croupier.authoring.rulebook.blocks import Block, Item, Items, Paragraph, Table

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("sayings.cases.yaml").read_text(encoding="utf-8"))


def lines(blocks: tuple[Block, ...]) -> list[str]:
    """Every line of a document as text, in order."""

    def items(some: tuple[Item, ...]) -> list[str]:
        return [text for item in some for text in ("".join(run.text for run in item.line), *items(item.items))]

    found: list[str] = []
    for block in blocks:
        match block:
            case Paragraph():
                found.append("".join(run.text for run in block.line))
            case Items():
                found += items(block.items)
            case Table():
                found += ["".join(run.text for run in cell) for row in block.rows for cell in row]
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_a_rulebook_says(case: dict[str, Any], tmp_path: Path) -> None:
    assert not case.keys() - {"name", "ruleset", "variants", "files", "says", "never"} and case["says"]
    (tmp_path / "ruleset.yaml").write_text(case["ruleset"], encoding="utf-8")
    (tmp_path / "variants").mkdir()
    for name, text in case.get("variants", {}).items():
        (tmp_path / "variants" / f"{name}.yaml").write_text(text, encoding="utf-8")
    for name, text in case.get("files", {}).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    said = lines(rulebook(croupier.load(tmp_path)))
    assert not [line for line in case["says"] if line not in said], said
    assert not [words for words in case.get("never", []) if any(words in line for line in said)]
