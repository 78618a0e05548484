"""Scenarios that must pass, what they are said to have executed, and how a failure reads."""

from __future__ import annotations

from pathlib import Path

import croupier
from croupier.scenarios import ScenarioResult, run_scenarios, scenario_files

GAME = Path(__file__).parent / "game"


def by_id() -> dict[str, ScenarioResult]:
    return {result.id: result for result in run_scenarios(GAME / "ruleset.yaml")}


def test_every_form_passes() -> None:
    results = by_id()
    assert [r.id + "\n" + r.message for r in results.values() if not r.passed] == []
    assert len(results) == 15


def test_a_folder_a_ruleset_and_a_file_name_the_same_scenarios() -> None:
    file = GAME / "scenarios" / "right.yaml"
    assert scenario_files(GAME) == scenario_files(croupier.load(GAME / "ruleset.yaml")) == [file]
    assert scenario_files(file) == [file]
    assert [r.id for r in run_scenarios(GAME)] == [r.id for r in run_scenarios(file)]


def test_the_rules_executed_are_known() -> None:
    results = by_id()
    always = {"MK-7", "MK-8"}  # the ruleset itself, and the invariants after every step
    # the deal, and the decision that it comes to
    assert results["set-up"].executed == always | {"MK-1", "MK-2"}
    assert results["loop-variable"].executed == always | {"MK-2", "MK-5"}
    assert results["call-with-result"].executed == always | {"MK-9"}
    assert results["menu"].executed == always | {"MK-5", "MK-10"}
    assert not any("MK-6" in r.executed for r in results.values())


def test_rules_cited_are_spread_out() -> None:
    results = by_id()
    assert results["sealed-votes"].cites == ("MK-3", "MK-4")
    assert results["menu"].cites == ("MK-10",)


def test_a_failure_reads_like_this() -> None:
    wrong = {r.id: r for r in run_scenarios(Path(__file__).parent / "wrong" / "checks.yaml")}
    message = wrong["wrong-facts"].message
    assert "error[K111 fact-false]: this does not hold" in message
    assert " |       - bank == 6 " in message
    assert " |         ---- is 5\n" in message
    assert "note: expected: clubs-6, clubs-5 (2)" in wrong["wrong-zones"].message
    assert "note: found:    clubs-5, clubs-6 (2)" in wrong["wrong-zones"].message
    legal = wrong["unexpected-legal-action"].message
    assert "note: legal, too: `hearts-3`" in legal
    assert "note: all that is legal: `no`, `hearts-2`, `hearts-3`" in legal


def test_a_check_of_a_game_that_is_over_says_so() -> None:
    ended = {r.id: r for r in run_scenarios(Path(__file__).parent / "wrong" / "ended.yaml")}
    assert "note: the game is finished" in ended["somebody-acts"].message
    assert (
        "note: the words of `finish … as` are the `grade`: `all is done`" in ended["grade-for-reason"].message
    )


def test_a_refusal_says_why() -> None:
    wrong = {r.id: r for r in run_scenarios(Path(__file__).parent / "wrong" / "steps.yaml")}
    assert "Anna cannot do this here: “not the lowest” does not hold" in wrong["not-legal"].message
    assert "note: Anna may choose: `no`, `hearts-2`, `hearts-3`" in wrong["not-legal"].message
    assert "note: the reason is: not the lowest" in wrong["refused-for-another-reason"].message
    assert "division by zero" in wrong["unexpected-fault"].message
