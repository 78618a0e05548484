"""The examples of the catalogue are what they claim to be: the bad one has that mistake and no other, the
good one has none.
"""

from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.diagnostics import CODES, CatalogueEntry
from croupier.play.match import GameMatch, MatchConfig
from findings import complete, findings_of

RULES = [entry for entry in CODES.values() if entry.code[0] in "PNTFGL" and entry.bad]


@pytest.mark.parametrize("entry", RULES, ids=lambda entry: entry.code)
def test_example(entry: CatalogueEntry, tmp_path: Path) -> None:
    found = findings_of(entry.bad, tmp_path)
    assert [d.code for d in found] == [entry.code]
    assert entry.fix == (None if found[0].fix is None else "automatic" if found[0].fix.safe else "by-hand")
    assert [d.code for d in findings_of(entry.good, tmp_path)] == []


@pytest.mark.parametrize(
    "entry", [e for e in CODES.values() if e.code[0] in "PNTFGL"], ids=lambda entry: entry.code
)
def test_explanation(entry: CatalogueEntry) -> None:
    assert bool(entry.bad) == bool(entry.good)
    assert len(entry.explanation) >= 60, "two sentences at least: what, and why or how"


@pytest.mark.parametrize(
    "entry",
    [entry for entry in CODES.values() if entry.code[0] == "R" and entry.bad],
    ids=lambda entry: entry.code,
)
def test_example_of_a_fault(entry: CatalogueEntry, tmp_path: Path) -> None:
    """Neither example has a mistake before it is played; a random game comes to the fault of the bad one, and
    to the end of the good one.
    """
    bad, good = (
        ended(text, tmp_path / f"{number}.yaml") for number, text in enumerate((entry.bad, entry.good))
    )
    assert bad["fault"]["code"] == entry.code and good["status"] == "finished"


def ended(fragment: str, file: Path) -> dict[str, Any]:
    """How a random game of a ruleset ends."""
    file.write_text(complete(fragment), encoding="utf-8")
    result = croupier.check(file)
    assert result.ruleset is not None and result.diagnostics == ()
    return GameMatch(result.ruleset, MatchConfig(seed=1, invariants=True)).play().outcome
