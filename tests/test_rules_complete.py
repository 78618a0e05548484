"""Every rule of every rule list has a clause and a scenario.

A rule has a clause when rule text or a declaration of the ruleset, or of one of its variants, cites it. It is covered when a scenario that
passes lists it and has executed or read something that cites it; `croupier test NAME` runs the scenarios. A ruleset in `UNFINISHED` is still
being written; it leaves the table when it is complete.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

import croupier
from croupier.resources import rulesets_folder
from croupier.scenarios import ScenarioResult, run_scenarios

LISTS = sorted(rulesets_folder().rglob("rules.csv"))
UNFINISHED: frozenset[str] = frozenset()
COMPLETE = [path for path in LISTS if path.parent.name not in UNFINISHED]


def ids(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row["id"] for row in csv.DictReader(file)]


@cache
def results(folder: Path) -> tuple[ScenarioResult, ...]:
    return tuple(run_scenarios(folder))


def without_clause(path: Path) -> list[str]:
    files = [path.parent, *sorted((path.parent / "variants").glob("*.yaml"))]
    cited = {rule for file in files for rule in croupier.load(file).program.cited}
    return [rule for rule in ids(path) if rule not in cited]


def without_scenario(path: Path) -> list[str]:
    covered = {rule for r in results(path.parent) if r.passed for rule in r.cites if rule in r.executed}
    return [rule for rule in ids(path) if rule not in covered]


def name(path: Path) -> str:
    return path.parent.name


def test_there_are_rule_lists() -> None:
    assert any(name(path) == "witches_of_blackmore" for path in COMPLETE)


@pytest.mark.parametrize("path", LISTS, ids=name)
def test_the_ruleset_names_its_list(path: Path) -> None:
    assert list(croupier.load(path.parent).rule_ids) == ids(path)


@pytest.mark.parametrize("path", LISTS, ids=name)
def test_every_scenario_passes(path: Path) -> None:
    failed = [f"{r.file}:{r.line} {r.id}\n{r.message}" for r in results(path.parent) if not r.passed]
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("path", COMPLETE, ids=name)
def test_every_rule_has_a_clause(path: Path) -> None:
    missing = without_clause(path)
    assert not missing, f"cite these in {path.parent}/ruleset.yaml: {', '.join(missing)}"


@pytest.mark.parametrize("path", COMPLETE, ids=name)
def test_every_rule_has_a_scenario(path: Path) -> None:
    missing = without_scenario(path)
    assert not missing, f"no scenario in {path.parent}/scenarios lists and executes these: {', '.join(missing)}"


@pytest.mark.parametrize("path", COMPLETE, ids=name)
def test_no_scenario_lists_a_rule_that_it_does_not_reach(path: Path) -> None:
    idle = [f"{r.id}: {rule}" for r in results(path.parent) for rule in r.cites if rule not in r.executed]
    assert not idle, "listed but neither executed nor read: " + ", ".join(idle)


@pytest.mark.parametrize("path", [path for path in LISTS if path not in COMPLETE], ids=name)
def test_a_ruleset_that_is_complete_is_no_longer_called_unfinished(path: Path) -> None:
    assert without_clause(path) or without_scenario(path), f"take `{name(path)}` out of UNFINISHED"
