"""What lints say, in words, by the programs of lint_words.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from croupier.pipeline import check

CASES = YAML(typ="safe").load(Path(__file__).with_name("lint_words.yaml"))
HEAD = "croupier: 1\nruleset: words\ntitle: Words\nplayers: 2..4\n"


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_words(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    path.write_text(HEAD + case["rules"], encoding="utf-8")
    found = [d for d in check(path).diagnostics if d.code == case["code"] and d.span is not None]
    above = HEAD.count("\n")
    said = [" - ".join([d.message, *(label.text for label in d.labels)]) for d in found]
    assert [
        f"{d.span.line - above}: {words}" for d, words in zip(found, said, strict=True) if d.span is not None
    ] == case["says"]
