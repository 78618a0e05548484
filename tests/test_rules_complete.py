"""Every rule of every rule list has a clause and a scenario.

A rule has a clause when rule text or a declaration of the ruleset, or of one of its variants, cites it. It is
covered when a scenario that passes lists it and has executed or read something that cites it;
`croupier test NAME` runs the scenarios. A ruleset in `UNFINISHED` is still being written; it leaves the table
when it is complete.

A rule is told when a log cites it: the rule that acts, not the one that says when something is allowed.
`data/told_by_no_log.csv` publishes, for each ruleset, the rules that no log cites, neither of its scenarios
nor of a few random games. The lists may only become shorter.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

import croupier
from croupier.kernel.tree import PlaceStmt, text_parts
from croupier.resources import rulesets_folder
from croupier.scenarios import ScenarioResult, run_scenarios
from croupier.semantics.program import Program
from croupier.semantics.walk import statements
from logs import citations_of_scenarios, cited_in_games

LISTS = sorted(rulesets_folder().rglob("rules.csv"))
UNFINISHED: frozenset[str] = frozenset()
COMPLETE = [path for path in LISTS if path.parent.name not in UNFINISHED]


def ids(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row["id"] for row in csv.DictReader(file)]


TOLD_BY_NO_LOG = Path(__file__).parent / "data" / "told_by_no_log.csv"
MANY_GAMES = 200  # of each ruleset, as a soak
GAMES = 2  # random games beside the scenarios, which show nearly all


@cache
def scenarios(folder: Path) -> tuple[tuple[ScenarioResult, ...], frozenset[str]]:
    """What the scenarios came to, and the rules that their logs cite."""
    with citations_of_scenarios() as told:
        found = tuple(run_scenarios(folder))
    return found, frozenset(told)


def results(folder: Path) -> tuple[ScenarioResult, ...]:
    return scenarios(folder)[0]


def told_by_no_log(path: Path) -> list[str]:
    told = scenarios(path.parent)[1] | cited_in_games(path.parent, GAMES)
    return [rule for rule in ids(path) if rule not in told]


def published(path: Path) -> list[str]:
    with TOLD_BY_NO_LOG.open(encoding="utf-8", newline="") as file:
        rows = {row["ruleset"]: row for row in csv.DictReader(file)}
    row = rows[name(path)]
    found = row["ids"].split()
    assert (int(row["rules"]), int(row["untold"])) == (len(ids(path)), len(found)), (
        f"the counts of {name(path)} are not those of its lists"
    )
    return found


def without_clause(path: Path) -> list[str]:
    missing = ids(path)
    for file in [path.parent, *sorted((path.parent / "variants").glob("*.yaml"))]:
        if missing:
            cited = croupier.load(file).program.cited
            missing = [rule for rule in missing if rule not in cited]
    return missing


def without_scenario(path: Path) -> list[str]:
    covered = {rule for r in results(path.parent) if r.passed for rule in r.cites if rule in r.executed}
    return [rule for rule in ids(path) if rule not in covered]


def name(path: Path) -> str:
    return path.parent.name


def each(paths: list[Path]) -> pytest.MarkDecorator:
    """A test of each ruleset; those of one ruleset run in one process, which plays its scenarios once."""
    return pytest.mark.parametrize(
        "path",
        [pytest.param(path, id=name(path), marks=pytest.mark.xdist_group(name(path))) for path in paths],
    )


def test_there_are_rule_lists() -> None:
    assert any(name(path) == "witches_of_blackmore" for path in COMPLETE)


@each(LISTS)
def test_the_ruleset_names_its_list(path: Path) -> None:
    assert list(croupier.load(path.parent).rule_ids) == ids(path)


@each(LISTS)
def test_every_scenario_passes(path: Path) -> None:
    failed = [f"{r.file}:{r.line} {r.id}\n{r.message}" for r in results(path.parent) if not r.passed]
    assert not failed, "\n".join(failed)


@each(COMPLETE)
def test_every_rule_has_a_clause(path: Path) -> None:
    missing = without_clause(path)
    assert not missing, f"cite these in {path.parent}/ruleset.yaml: {', '.join(missing)}"


@each(COMPLETE)
def test_every_rule_has_a_scenario(path: Path) -> None:
    missing = without_scenario(path)
    assert not missing, (
        f"no scenario in {path.parent}/scenarios lists and executes these: {', '.join(missing)}"
    )


@each(COMPLETE)
def test_no_scenario_lists_a_rule_that_it_does_not_reach(path: Path) -> None:
    idle = [f"{r.id}: {rule}" for r in results(path.parent) for rule in r.cites if rule not in r.executed]
    assert not idle, "listed but neither executed nor read: " + ", ".join(idle)


@each(COMPLETE)
def test_no_rule_more_is_told_by_no_log(path: Path) -> None:
    untold, before = told_by_no_log(path), published(path)
    new, gone = [r for r in untold if r not in before], [r for r in before if r not in untold]
    assert not new, f"no log cites these any more: {', '.join(new)}"
    line = f"{name(path)},{len(ids(path))},{len(untold)},{' '.join(untold)}"
    assert not gone, f"a log cites {', '.join(gone)}: write into {TOLD_BY_NO_LOG.name} {line}"


def acting(program: Program) -> dict[str, list[str]]:
    """By rule, the places of the statements that cite it and make an event that a log tells: no calls, and
    nothing that a log leaves out.
    """
    found: dict[str, list[str]] = {}
    for proc in program.procs:
        for s in statements(proc.body):
            if isinstance(s, PlaceStmt):
                target = s.root
                told = target.op in ("state", "mutable") and not is_quiet(program, str(target.details))
            else:
                told = s.FACTS.acts or s.FACTS.suspends
            for rule in s.cites if told else ():
                found.setdefault(rule, []).append(
                    f"{proc.name}, line {s.span.line}: {s.span.text.splitlines()[0]}"
                )
    return found


def is_quiet(program: Program, name: str) -> bool:
    """Is this state that no log tells, written `as ""`?"""
    words = program.vars[name].words
    return words is not None and text_parts(words.text) == ()


@each(COMPLETE)
def test_what_no_log_tells_does_not_act(path: Path) -> None:
    """A rule that no log cites says what is worked out, allowed, declared or called, or changes state that no
    log tells.
    """
    acts = acting(croupier.load(path.parent).program)
    wrong = {rule: acts[rule] for rule in published(path) if rule in acts}
    assert not wrong, wrong


@pytest.mark.soak
@each(COMPLETE)
def test_what_no_log_tells_is_told_by_no_long_row_of_games(path: Path) -> None:
    """Two hundred games tell no more than the scenarios, so that a scenario shows whatever can be told."""
    told = cited_in_games(path.parent, MANY_GAMES)
    assert not [rule for rule in published(path) if rule in told]


@each([path for path in LISTS if path not in COMPLETE])
def test_a_ruleset_that_is_complete_is_no_longer_called_unfinished(path: Path) -> None:
    assert without_clause(path) or without_scenario(path), f"take `{name(path)}` out of UNFINISHED"
