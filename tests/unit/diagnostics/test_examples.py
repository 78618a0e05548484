"""The examples of the catalogue are what they claim to be: the bad one has that mistake and no other, the good one has none."""

from pathlib import Path

import pytest

from croupier.diagnostics import CODES, CatalogueEntry
from findings import findings_of

RULES = [entry for entry in CODES.values() if entry.code[0] in "PNTFGL" and entry.bad]


@pytest.mark.parametrize("entry", RULES, ids=lambda entry: entry.code)
def test_example(entry: CatalogueEntry, tmp_path: Path) -> None:
    found = findings_of(entry.bad, tmp_path)
    assert [d.code for d in found] == [entry.code]
    assert entry.fix == (None if found[0].fix is None else "automatic" if found[0].fix.safe else "by-hand")
    assert [d.code for d in findings_of(entry.good, tmp_path)] == []


@pytest.mark.parametrize("entry", [e for e in CODES.values() if e.code[0] in "PNTFGL"], ids=lambda entry: entry.code)
def test_explanation(entry: CatalogueEntry) -> None:
    assert bool(entry.bad) == bool(entry.good)
    assert len(entry.explanation) >= 60, "two sentences at least: what, and why or how"
