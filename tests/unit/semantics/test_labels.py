"""A fixed text that names a component is looked up when the ruleset is checked, if no parameter changes which
components there are.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier

RULES = """croupier: 1
ruleset: labels
title: Labels
players: 2
parameters: {many: {type: 1..3, default: 1}}
components:
  Card: {attributes: {n: 1..9}, each: [n], COPIES label: "number {n}"}
zones:
  deck: {holds: Card, order: pile, start: all}
  hand: {holds: Card, per: Player, seen_by: owner}
phases:
  play: |
    for p in players:
        draw 1 from deck to hand[p]
        if "NAME" in hand[p]: finish win p
    finish draw
"""


@pytest.mark.parametrize(
    ("name", "copies", "found"),
    [("number 9", "", []), ("number 10", "", ["R022"]), ("number 10", "copies: many,", [])],
)
def test_labels_are_looked_up(name: str, copies: str, found: list[str], tmp_path: Path) -> None:
    file = tmp_path / "ruleset.yaml"
    file.write_text(RULES.replace("NAME", name).replace("COPIES", copies), encoding="utf-8")
    result = croupier.check(file)
    assert [d.code for d in result.diagnostics if d.is_error] == found
    assert all(d.help == "did you mean `number 1`?" for d in result.diagnostics if d.code == "R022")


def test_labels_that_there_are_are_named(tmp_path: Path) -> None:
    file = tmp_path / "ruleset.yaml"
    file.write_text(RULES.replace("NAME", "ace").replace("COPIES", ""), encoding="utf-8")
    (found,) = (d for d in croupier.check(file).diagnostics if d.code == "R022")
    assert found.help == "write one that there is: `number 1`, `number 2`, `number 3`, `number 4` …"
