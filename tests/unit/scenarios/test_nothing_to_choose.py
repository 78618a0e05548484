"""A decision whose options cannot be worked out ends a scenario in words, whichever step comes to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.scenarios import run_scenarios

RULES = """\
croupier: 1
ruleset: ahead
title: Ahead
players: 2
state:
  x: 0..9 = 0 seen by everybody
phases:
  play: |
    so that true:
        choose n from 0..1 by players.first
        x = 1 // (1 - n)
    finish draw
"""


@pytest.mark.parametrize("step", ["until: end", "until: x == 5", "P1: any", "forced: all"])
def test_options_that_fault(tmp_path: Path, step: str) -> None:
    (tmp_path / "ruleset.yaml").write_text(RULES)
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "one.yaml").write_text(
        f"croupier: 1\nscenarios:\n  - id: one\n    do:\n      - {step}\n    then: [x == 0]\n"
    )
    (result,) = run_scenarios(tmp_path)
    assert not result.passed
    assert "division by zero" in result.message
