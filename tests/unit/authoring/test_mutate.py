"""Mutation: every operator changes what it says, scenarios kill what they notice, and the rest is
reported.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from croupier.authoring.mutation.mutants import OPERATORS
from croupier.authoring.mutation.mutate import MutationPlan, mutate
from croupier.authoring.mutation.report import Mutation
from croupier.cli import main
from croupier.cli.commands.mutate import survivors
from croupier.diagnostics import RulesetError

RULES = """\
croupier: 1
ruleset: race
title: A Race
players: 2..3
rule_list: rules.csv
types:
  Pace: [slow, quick]
parameters:
  goal: {type: 1..20, default: 4, cites: RC-1}
components:
  Card:
    attributes: {worth: 1..9}
    columns: [id, worth]
    table:
      - [hare, 3]
      - [snail, 1]
zones:
  pool: {holds: Card, start: all, seen_by: everybody}
state:
  steps: 0..99 per Player = 0 seen by everybody
  pace: Pace = slow seen by everybody
definitions: |
  def stride(p: Player) -> 0..9:
      return 1
  after walk(p) if pace == quick:            @RC-3
      steps[p] += 1
  def walk(p: Player):
      steps[p] += stride(p)                  @RC-2
  end when any(steps[p] >= goal for p in players):     @RC-1
      finish rank {p: steps[p] for p in players}
phases:
  play:
    repeat: true
    phases:
      a turn: |
        for p in players:
            choose by p:
                option "walk":
                    walk(p)
                option "hurry" if pace == slow:
                    only if "not behind": all(steps[p] >= steps[q] for q in players)
                    pace = quick
                option "stop":
                    pass
"""
LIST = "id,tag,text\nRC-1,[a],the goal\nRC-2,[a],a step\nRC-3,[a],quick\n"
SCENARIOS = """\
croupier: 1
scenarios:
  - id: a walk
    cites: [RC-2]
    do:
      - expect: {legal: {P1: [walk, hurry, stop]}, sees: {P2: {steps: {P1: 0, P2: 0}}}}
      - P1: walk
      - refused: {P2: hurry, because: not behind}
      - P2: walk
    then:
      state: {steps: {P1: 1, P2: 1}}
  - id: quick
    cites: [RC-1, RC-3]
    do:
      - P1: hurry
      - P2: walk
      - P1: walk
      - expect: ['steps[P1] == 2']
      - P2: walk
    then:
      outcome: {winners: [P2]}
  - id: the cards
    given: {players: 3}
    do: [{P1: stop}]
    then: [pool.size == 2]
"""


def write(folder: Path) -> Path:
    (folder / "ruleset.yaml").write_text(RULES)
    (folder / "rules.csv").write_text(LIST)
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "some.yaml").write_text(SCENARIOS)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Mutation:
    """All mutants of the rules as they are."""
    return mutate(write(tmp_path_factory.mktemp("race")), MutationPlan(jobs=1))


def rows(found: Mutation, outcome: str) -> set[tuple[str, int, str]]:
    return {(m.operator, m.span.line, m.change) for m, _ in found.of(outcome)}


def test_every_operator_finds_its_places(found: Mutation) -> None:
    every = {(m.operator, m.span.line, m.change) for m in found.mutants}
    assert {operator for operator, _, _ in every} == set(OPERATORS)
    assert ("statement", 30, "the statement is left out") in every
    assert ("statement", 43, "the option is left out") in every
    assert ("condition", 41, "the condition is left out") in every
    assert ("hook", 25, "this is left out") in every and ("hook", 29, "this is left out") in every
    assert ("row", 15, "the row is left out") in every and ("row", 16, "the row is left out") in every
    assert ("visibility", 18, "`seen_by` is left out") in every and (
        "visibility",
        20,
        "`seen by` is left out",
    ) in every
    assert ("negation", 40, "the opposite is asked") in every and (
        "negation",
        25,
        "the opposite is asked",
    ) in every
    assert ("number", 9, "`4` becomes `5`") in every and ("number", 24, "`1` becomes `0`") in every
    assert ("value", 21, "`slow` becomes `quick`") in every and (
        "value",
        40,
        "`slow` becomes `quick`",
    ) in every
    # a bound of a type
    assert not [
        m for m in found.mutants if m.span.line == 20 and m.operator == "number" and "`99`" in m.change
    ]


def test_what_no_scenario_notices_survives(found: Mutation) -> None:
    assert ("visibility", 18, "`seen_by` is left out") in rows(found, "survived")
    killed = rows(found, "killed")
    assert {
        ("row", 15, "the row is left out"),
        ("number", 24, "`1` becomes `2`"),
        ("condition", 41, "the condition is left out"),
    } <= killed
    # L030: a decision would depend on what nobody sees
    assert ("visibility", 20, "`seen by` is left out") in rows(found, "refused")
    assert ("hook", 25, "this is left out") in killed
    by = {m.change + str(m.span.line): v.by for m, v in found.of("killed")}
    assert by["`1` becomes `2`24"] == "a walk"  # it lists the rule of the statement
    assert 0 < found.score < 1


def test_only_scenarios_that_come_to_the_clause_are_run(found: Mutation) -> None:
    # hurrying: one scenario does
    assert all(v.ran <= 2 for m, v in zip(found.mutants, found.verdicts, strict=True) if m.span.line == 42)


def test_what_check_refuses_does_not_count(found: Mutation) -> None:
    refused = rows(found, "refused")
    assert ("statement", 24, "the statement is left out") in refused  # F008: no result
    assert found.all == sum(found.counts[o] for o in ("killed", "survived", "equivalent"))


def test_ids_do_not_depend_on_what_stands_before(folder: Path, found: Mutation) -> None:
    (folder / "ruleset.yaml").write_text(RULES.replace("types:\n", "# a comment\n\ntypes:\n"))
    again = mutate(folder, MutationPlan(jobs=1))
    assert [m.id for m in again.mutants] == [m.id for m in found.mutants]
    assert len({m.id for m in again.mutants}) == len(again.mutants)


def test_processes_come_to_the_same(folder: Path, found: Mutation) -> None:
    assert mutate(folder, MutationPlan(jobs=2)).verdicts == found.verdicts


def test_a_sample_is_decided_by_its_seed(folder: Path) -> None:
    first, again, other = (mutate(folder, MutationPlan(sample=6, seed=seed, jobs=1)) for seed in (1, 1, 2))
    tried, tried_again, others = ([m.to_json() for m in found.mutants] for found in (first, again, other))
    assert tried == tried_again and len(tried) == 6 < first.all_mutants
    assert tried != others


def test_listed_equivalents(folder: Path, found: Mutation, capsys: pytest.CaptureFixture[str]) -> None:
    lost = next(m for m, _ in found.of("survived"))
    dead = next(m for m, _ in found.of("killed"))
    (folder / "mutants.csv").write_text(
        f"id,operator,clause,reason\n{lost.id},{lost.operator},x,nobody can "
        f"tell\n{dead.id},x,x,wrong\n00000000,x,x,old\n{'1' * 8},x,x,\n"
    )
    listed = mutate(folder, MutationPlan(jobs=1))
    assert [m.id for m, _ in listed.of("equivalent")] == [lost.id] and listed.counts[
        "survived"
    ] == found.counts["survived"] - 1
    assert listed.score > found.score
    assert listed.score == listed.counts["killed"] / (listed.counts["killed"] + listed.counts["survived"])
    assert [m.id for m in listed.killed_though_listed] == [dead.id]
    assert set(listed.stale) == {"00000000", "1" * 8}
    assert main(["mutate", str(folder), "--jobs", "1"]) == 1
    out = capsys.readouterr().out
    assert "but a scenario notices it" in out and "is no mutant of this ruleset" in out


def test_a_broken_list_is_a_diagnostic(folder: Path) -> None:
    (folder / "mutants.csv").write_text('id,reason\n"open')
    with pytest.raises(RulesetError) as error:
        mutate(folder, MutationPlan(jobs=1, sample=1))
    assert [d.code for d in error.value.diagnostics] == ["X105"]


def test_a_scenario_that_fails_anyhow_is_refused(folder: Path) -> None:
    (folder / "scenarios" / "some.yaml").write_text(SCENARIOS.replace("pool.size == 2", "pool.size == 3"))
    with pytest.raises(RulesetError) as error:
        mutate(folder, MutationPlan(jobs=1))
    assert "K111" in [d.code for d in error.value.diagnostics]
    assert "`croupier test` shows all that fail" in error.value.diagnostics[-1].notes[-1]


def test_a_variant_changes_its_own_file(folder: Path) -> None:
    (folder / "variants").mkdir()
    (folder / "variants" / "long.yaml").write_text(
        "croupier: 1\nextends: ../ruleset.yaml\nset: {goal: 6}\ndefinitions: |\n  replace def stride(p: "
        "Player) -> 0..9:\n      return 3\n"
    )
    (folder / "scenarios" / "long.yaml").write_text(
        "croupier: 1\nruleset: ../variants/long.yaml\nscenarios:\n  - id: long\n    do: [{P1: walk}]\n    "
        "then: ['steps[P1] == 3']\n"
    )
    own = mutate(folder / "variants" / "long.yaml", MutationPlan(jobs=1))
    assert {m.span.source.name.rsplit("/", 1)[-1] for m in own.mutants} == {
        "long.yaml"
    } and own.scenarios == 1
    assert ("number", 6, "`3` becomes `4`") in rows(own, "killed")
    base = mutate(folder, MutationPlan(jobs=1))
    assert base.scenarios == 4 and {m.span.source.name.rsplit("/", 1)[-1] for m in base.mutants} == {
        "ruleset.yaml"
    }


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mutate", str(folder), "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert (
        "no scenario notices" in out
        and "score" in out
        and all(words.split(",")[0][:30] in out for words in OPERATORS.values())
    )
    assert main(["mutate", str(folder), "--jobs", "1", "--at-least", "100"]) == 1
    assert main(["mutate", str(folder), "--jobs", "1", "--sample", "60", "--strict"]) == 1
    capsys.readouterr()
    assert main(["mutate", str(folder), "--jobs", "1", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["counts"]["killed"] and {"place", "outcome", "rules"} <= set(report["results"][0])


def test_where_no_mutant_was_tried_there_is_no_score(folder: Path) -> None:
    found = mutate(folder, MutationPlan(jobs=1), lambda: True)
    assert not found.mutants and "no score: no mutant was tried that counts" in str(survivors(found))


CASES = Path(__file__).parent / "mutate"
ROWS = list(csv.DictReader((CASES / "expected.csv").open(encoding="utf-8")))


@pytest.mark.parametrize("game", sorted({row["game"] for row in ROWS}))
def test_what_becomes_of_a_change(game: str) -> None:
    """Rows of `mutate/expected.csv`: what becomes of a change in a line of a game's rules; nothing for one
    that is not made.
    """
    found = mutate(CASES / game, MutationPlan(jobs=1))
    outcomes = {
        (m.span.line, m.change): v.outcome for m, v in zip(found.mutants, found.verdicts, strict=True)
    }
    for row in ROWS:
        if row["game"] == game:
            assert outcomes.get((int(row["line"]), row["change"]), "") == row["outcome"], row


def test_a_sample_does_not_say_whether_too_many_are_listed(folder: Path, found: Mutation) -> None:
    lost = [m.id for m, _ in found.of("survived")]
    (folder / "mutants.csv").write_text("id,reason\n" + "".join(f"{id},nobody can tell\n" for id in lost))
    whole = mutate(folder, MutationPlan(jobs=1))
    assert whole.too_many_equivalents and main(["mutate", str(folder), "--jobs", "1"]) == 1
    part = mutate(folder, MutationPlan(jobs=1, sample=len(whole.mutants) - 1))
    assert part.sampled and part.counts["equivalent"] > 0 and not part.too_many_equivalents
