"""What is shown where a step is not possible: what is offered, alike options once, and what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.scenarios import run_scenarios

RULES = """\
croupier: 1
ruleset: lots
title: Lots
players: 2
types: {Kind: [fan, lamp]}
components: {Card: {attributes: {kind: Kind}, each: [kind], copies: 9, label: "a {kind}"}}
zones:
  deck: {holds: Card, order: pile, start: all}
  row: {holds: Card, seen_by: everybody}
phases:
  play: |
    shuffle deck
    draw 3 from deck to row
    choose c from row by players.first as "take"
    finish draw
"""


@pytest.mark.parametrize(
    ("steps", "note", "help"),
    [
        (["chance: a lamb"], "possible outcomes: `a fan`, `a lamp`", "did you mean `a lamp`?"),
        (
            ["chance: [a fan, a fan, a lamp]", "P1: take a fun"],
            "P1 may choose: `take: a fan`, `take: a lamp`",
            "did you mean `take: a fan`?",
        ),
    ],
)
def test_alike_ones_once(tmp_path: Path, steps: list[str], note: str, help: str) -> None:
    (tmp_path / "ruleset.yaml").write_text(RULES)
    (tmp_path / "scenarios").mkdir()
    done = "".join(f"      - {step}\n" for step in steps)
    (tmp_path / "scenarios" / "one.yaml").write_text(
        f"croupier: 1\nscenarios:\n  - id: one\n    do:\n{done}    then: [row.size == 2]\n"
    )
    (result,) = run_scenarios(tmp_path)
    (found,) = result.diagnostics
    assert (found.code, found.notes[0], found.help) == ("K101", note, help)
