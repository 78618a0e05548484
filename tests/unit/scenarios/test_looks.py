"""Labels that name what changes: under `zones:` they say what it is, in checks what it must be."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.scenarios import ScenarioResult, run_scenarios

GAME = """
croupier: 1
ruleset: dice
title: Dice
players: 2
types:
  Colour: [red, blue]
components:
  Die:
    attributes: {colour: Colour}
    mutable: {face: 1..6 = 1, spins: 0..9 = 0}
    each: [colour]
    copies: 2
    rolls: face
    label: "{colour}-{face}"
zones:
  cup: {holds: Die, start: all, seen_by: everybody}
  row: {holds: Die, order: sequence, seen_by: everybody}
phases:
  turn: |
    choose d from row by players.first
    d.face = 6 - d.face
    d.spins += 1
    finish win d.owner
"""
HEAD = (
    "croupier: 1\ngiven: {at: turn, rest: cup, zones: {row: [red-3, blue-5, red-3]}}\nscenarios:\n  - "
    "id: one\n"
)


def results(folder: Path, rest: str) -> ScenarioResult:
    (folder / "scenarios").mkdir()
    (folder / "ruleset.yaml").write_text(GAME, encoding="utf-8")
    (folder / "scenarios" / "one.yaml").write_text(HEAD + rest, encoding="utf-8")
    (result,) = run_scenarios(folder / "ruleset.yaml")
    return result


RIGHT = {
    "laid out": "    then: {zones: {row: [red-3, blue-5, red-3], cup: [blue-1]}, facts: ['sum(d.face for d "
    "in row) == 11']}\n",
    "changed": "    do: [P1: blue-5]\n    then: {zones: {row: [red-3, blue-1, red-3]}}\n",
    "alike": "    do: [P1: red-3]\n    then: {zones: {row: [red-3, blue-5, red-3]}}\n",
    "seen": "    then: {sees: {P2: [red-3, {row: [red-3, blue-5, red-3], cup: [blue-1]}]}, hidden: {P2: "
    "[red-6]}}\n",
    "state goes before": "    given: {state: {Die.face: {Die-1: 4}}}\n    then: {zones: {row: [red-4, "
    "blue-5, red-3]}}\n",
}
WRONG = {
    "another value": (
        "    then: {zones: {row: [red-3, blue-4, red-3]}}\n",
        ["K112", "expected: red-3, blue-4, red-3 (3)", "found:    red-3, blue-5, red-3 (3)"],
    ),
    "no such value": ("    then: {zones: {row: [red-7]}}\n", ["K013", "red-7"]),
    "too many": (
        "    given: {zones: {row: [red-1, red-2, red-3]}}\n    then: [row.size == 3]\n",
        ["K014", "red-3"],
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right(name: str, tmp_path: Path) -> None:
    result = results(tmp_path, RIGHT[name])
    assert result.passed, result.message


@pytest.mark.parametrize("name", WRONG)
def test_wrong(name: str, tmp_path: Path) -> None:
    result = results(tmp_path, WRONG[name][0])
    assert not result.passed and all(part in result.message for part in WRONG[name][1]), result.message
