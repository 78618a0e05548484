"""What rulebooks hold, as Markdown: as data in `cases.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.authoring.rulebook import render_html, render_markdown, rulebook

CASES: list[dict[str, Any]] = YAML(typ="safe").load(
    Path(__file__).with_name("cases.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_a_rulebook_holds(case: dict[str, Any], tmp_path: Path) -> None:
    assert not case.keys() - {"name", "ruleset", "of", "variants", "files", "has", "never"} and case["has"]
    files = {f"variants/{name}.yaml": text for name, text in case.get("variants", {}).items()} | case.get(
        "files", {}
    )
    for name, text in {"ruleset.yaml": case["ruleset"], **files}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    book = rulebook(croupier.load(tmp_path / f"variants/{case['of']}.yaml" if "of" in case else tmp_path))
    text = render_markdown(book)
    assert not [some for some in case["has"] if some.rstrip("\n") not in text], text
    assert not [some for some in case.get("never", []) if some in text]
    assert "</html>" in render_html(book)
