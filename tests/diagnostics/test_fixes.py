"""Every fix that is proposed mends what it is proposed for: the message is gone, no other one comes, and what
it gives parses.

Over all fixtures here and all wrong examples of the catalogue, each fix is applied alone, those to be applied
by hand, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.diagnostics import CODES, CatalogueEntry
from findings import FIXTURES, ROOT, findings, findings_of
from fix_trials import try_fixes

EXAMPLES = [entry for entry in CODES.values() if entry.fix is not None and not entry.code.startswith("X")]
TABLES = [entry for entry in CODES.values() if entry.fix is not None and entry.code.startswith("X")]
RULESETS = sorted(FIXTURES.glob("[A-Z][0-9][0-9][0-9]*.yaml"))
CARDS = """\
components:
  Card: {table: cards.csv, attributes: {text: text}, label: "{text}"}
zones:
  deck: {holds: Card, start: all, order: pile}
phases:
  play: |
    announce "{deck.top!.text}"
"""


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_fixes_of_a_fixture(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    path = path.relative_to(ROOT)
    trials = try_fixes(findings(path), lambda: findings(path))
    assert [str(trial) for trial in trials if str(trial)] == []


@pytest.mark.parametrize("entry", EXAMPLES, ids=lambda entry: entry.code)
def test_fixes_of_an_example(entry: CatalogueEntry, tmp_path: Path) -> None:
    found = findings_of(entry.bad, tmp_path)
    trials = try_fixes(found, lambda: findings(tmp_path / "example.yaml"))
    assert trials and [str(trial) for trial in trials if str(trial)] == []


@pytest.mark.parametrize("entry", TABLES, ids=lambda entry: entry.code)
def test_fixes_of_an_example_of_a_table(entry: CatalogueEntry, tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text(entry.bad, encoding="utf-8")
    found = findings_of(CARDS, tmp_path)
    assert [d.code for d in found] == [entry.code]
    trials = try_fixes(found, lambda: findings(tmp_path / "example.yaml"))
    assert [trial.text for trial in trials] == [entry.good] and [
        str(trial) for trial in trials if str(trial)
    ] == []
