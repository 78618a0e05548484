"""A table in a YAML file of its own: rows as in the ruleset, mistakes with their places in that file."""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier

RULESET = """\
croupier: 1
ruleset: charms
title: Charms
players: 2
components:
  Charm:
    attributes: {worth: 1..9}
    table: charms.yaml
    live: anywhere
definitions: |
  def luck() -> int: return 5
phases:
  look: |
    finish rank {p: luck() * p.seat for p in players}
"""
WRONG = {
    "hello": "V205:1:1",
    "{a: 1}": "D003:1:1",
    "[]": "D004:1:1",
    "- [1]": "D203:1:3",
    "- {id: a, worth: 12}": "T017:1:18",
    "- {id: a, worth: 1}\n- {id: a, worth: 2}": "D201:2:8",
    "- {id: a": "Y004:1:3",
    "- &x {id: a, worth: 1}": "Y101:1:3",
    "- id: a\n  worth: 1\n  powers: |\n    adjust luck() as n: return n + none": "T001:4:36",
}


def checked(folder: Path, rows: str) -> croupier.CheckResult:
    (folder / "charms.yaml").write_text(rows + "\n", encoding="utf-8")
    (folder / "ruleset.yaml").write_text(RULESET, encoding="utf-8")
    return croupier.check(folder / "ruleset.yaml")


@pytest.mark.parametrize("rows", WRONG)
def test_a_mistake_has_its_place_in_the_file(tmp_path: Path, rows: str) -> None:
    found = checked(tmp_path, rows).diagnostics
    assert found
    span = found[0].span
    assert span is not None and span.source.name.endswith("charms.yaml")
    assert f"{found[0].code}:{span.line}:{span.column}" == WRONG[rows]


def test_powers_of_rows_are_in_force(tmp_path: Path) -> None:
    result = checked(
        tmp_path, "- id: a\n  worth: 3\n  powers: |\n    adjust luck() as n: return n + self.worth"
    )
    assert not result.diagnostics and result.ruleset is not None
    assert result.ruleset.new_initial_state(2).outcome()["scores"] == [8, 16]
