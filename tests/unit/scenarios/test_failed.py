"""A scenario that fails tells what happened, and can be watched step by step."""

from __future__ import annotations

from pathlib import Path

from croupier.scenarios import run_scenarios
from croupier.scenarios.api import each_scenario

SCENARIOS = """
croupier: 1
given: {players: [Anna, Brian]}
scenarios:
  - id: lost
    given: {play: [Anna: "(1,1)", Brian: "(2,1)"]}
    do: [Anna: "(1,2)"]
    then: {facts: ["mark[grid.at(1, 2)!] == Brian"]}
  - id: kept
    do: [Anna: "(1,1)"]
    then: {facts: ["mark[grid.at(1, 1)!] == Anna"]}
"""


def folder(tmp_path: Path) -> Path:
    rules = Path(__file__).parents[3] / "rulesets" / "classics" / "tic_tac_toe" / "ruleset.yaml"
    (tmp_path / "ruleset.yaml").write_text(rules.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "some.yaml").write_text(SCENARIOS, encoding="utf-8")
    return tmp_path


def test_what_happened_is_told_of_those_that_fail(tmp_path: Path) -> None:
    lost, kept = run_scenarios(folder(tmp_path))
    assert not lost.passed and any("Anna chooses (1,2)" in line for line in lost.story)
    assert kept.passed and kept.story == () and lost.moments == ()


def test_the_states_of_those_that_fail_are_kept_if_wanted(tmp_path: Path) -> None:
    lost, kept = each_scenario(folder(tmp_path), keep=True)
    assert [len(state.events()) for state in lost.moments] == sorted(
        len(state.events()) for state in lost.moments
    )
    assert len(lost.moments) == 4 and not kept.moments


AT_ONCE = """
croupier: 1
ruleset: wishes
title: Wishes
players: 2
phases:
  wish: |
    for p in players at once:
        choose n from 1..3 by p
            only if "it is small": n < 3
        announce "{p} wishes {n}"
    finish win players.first as "{players.first} is first"
"""
WISHES = """
croupier: 1
ruleset: ../ruleset.yaml
given: {players: [Anna, Brian]}
scenarios:
  - id: as-the-seats-are-called
    do: [{Anna: 1}, {Brian: 2}]
    then: {outcome: {grade: Anna is first}}
  - id: as-the-log-says-it
    do: [{Anna: 1}, {Brian: 2}]
    then: {outcome: {grade: player 1 is first}}
  - id: out-of-turn
    do:
      - refused: {Brian: 3, because: it is small}
"""


def test_names_of_seats_and_who_comes_first(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "ruleset.yaml").write_text(AT_ONCE, encoding="utf-8")
    (tmp_path / "scenarios" / "some.yaml").write_text(WISHES, encoding="utf-8")
    seats, log, turn = run_scenarios(tmp_path)
    assert seats.passed and log.passed, (seats.message, log.message)
    assert [(d.code, d.notes[-1]) for d in turn.diagnostics] == [("K106", "steps of Anna come first")]
