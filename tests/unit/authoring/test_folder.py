"""A ruleset's folder is checked with its variants and scenario files: what they say after `#!` is found in
them, and nothing else.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier import check
from croupier.authoring.folder_check import check_beside
from croupier.diagnostics import Diagnostic
from croupier.resources import find

ROOT = Path(__file__).parents[3]
HEAP = ROOT / "tests" / "data" / "heap"


def _marked(folder: Path) -> set[tuple[str, int, str]]:
    lines = (
        (path.name, number, line)
        for path in folder.rglob("*.y*ml")
        for number, line in enumerate(path.read_text().splitlines(), 1)
    )
    return {(name, number, line.split("#!")[1].strip()) for name, number, line in lines if "#!" in line}


def _places(found: list[Diagnostic]) -> list[tuple[str, int, str]]:
    return [(Path(d.span.source.name).name, d.span.line, d.code) for d in found if d.span is not None]


def test_a_folder_with_what_is_in_it() -> None:
    found = _places(check_beside(str(HEAP), check(HEAP).diagnostics))
    assert set(found) == _marked(HEAP) and len(found) == 8


def test_a_file_alone() -> None:
    assert check_beside(str(HEAP / "ruleset.yaml"), ()) == []
    assert check_beside(str(HEAP / "variants" / "wrong.yaml"), ()) == []


def test_a_shipped_name() -> None:
    assert check_beside("plain_trumps", ()) == []


def test_a_variant_of_a_folder_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HEAP.parent)
    assert check("heap/short").diagnostics == ()
    place, problems = find("heap/shirt")
    assert place is None and problems[0].code == "V001"
    assert (
        problems[0].help
        == "its variants are `heap/misspelt`, `heap/short`, `heap/short_ending`, `heap/wrong`"
    )
