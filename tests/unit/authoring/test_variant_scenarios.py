"""`croupier test GAME --under VARIANT` for the game in tests/data/under: its whole output is recorded for
each variant there.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.authoring.variant_scenarios import scenarios_under
from croupier.cli import main

DATA = Path(__file__).resolve().parents[2] / "data" / "under"


@pytest.mark.parametrize("recorded", sorted((DATA / "told").glob("*.txt")), ids=lambda path: path.stem)
def test_what_is_told(
    recorded: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a change that is meant: `croupier test . --under VARIANT > told/VARIANT.txt` in
    tests/data/under.
    """
    monkeypatch.chdir(DATA)
    assert main(["test", ".", "--under", recorded.stem]) == 0
    assert capsys.readouterr().out == recorded.read_text(encoding="utf-8")


@pytest.mark.parametrize(("variant", "code"), [("same", 0), ("sour", 1), ("felled", 1)])
def test_strict_ends_with_1_where_a_scenario_does_not_hold(
    variant: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(DATA)
    assert main(["test", ".", "--under", variant, "--strict"]) == code


def test_several_variants_are_combined(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(DATA)
    told = []
    for call in (["sour", "windfall"], ["sour+windfall"]):
        assert (
            main(["test", ".", "--format", "json", *(word for name in call for word in ("--under", name))])
            == 0
        )
        told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1] and told[0]["under"].endswith("sour+windfall")


def test_a_game_without_scenarios(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in ("ruleset.yaml", "rules.csv"):
        (tmp_path / file).write_text((DATA / file).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "sour.yaml").write_text("croupier: 1\nextends: ruleset.yaml\ntitle: Sour\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["test", ".", "--under", "sour"]) == 0
    assert capsys.readouterr().out == ". has no scenarios of its own\n"


def test_a_variant_by_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DATA)
    assert main(["test", ".", "--under", "variants/sour.yaml", "--strict"]) == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ([".", "--under", "../variants/winter.yaml"], "V108"),
        ([".", "ruleset.yaml", "--under", "sour"], "the name of one ruleset"),
        ([".", "--under", "sour", "--watch"], "--watch"),
        ([".", "--strict"], "goes with --under"),
        ([".", "--under", "sweet"], "no ruleset"),
    ],
)
def test_what_is_refused(
    call: list[str], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(DATA)
    assert main(["test", *call]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


def test_a_scenario_that_fails_in_the_game_is_told_apart(tmp_path: Path) -> None:
    for file in ("ruleset.yaml", "rules.csv"):
        (tmp_path / file).write_text((DATA / file).read_text(encoding="utf-8"), encoding="utf-8")
    for folder in ("variants", "scenarios"):
        (tmp_path / folder).mkdir()
    (tmp_path / "variants" / "sour.yaml").write_text(
        (DATA / "variants" / "sour.yaml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    wrong = (
        "croupier: 1\nscenarios:\n  - id: wrong\n    do: [player 1: tall]\n    then: {facts: "
        "['apples[players.first] == 9']}\n"
    )
    misspelt = (
        "  - id: misspelt\n    do: [player 1: tall]\n    then: {fact: ['apples[players.first] == 3']}\n"
    )
    of_variant = (
        "croupier: 1\nruleset: sour\nscenarios:\n  - id: sour\n    do: [player 1: tall]\n    then: "
        "{facts: ['apples[players.first] == 0']}\n"
    )
    (tmp_path / "scenarios" / "game.yaml").write_text(wrong + misspelt, encoding="utf-8")
    (tmp_path / "scenarios" / "sour.yaml").write_text(of_variant, encoding="utf-8")
    found = scenarios_under(tmp_path, tmp_path / "variants" / "sour.yaml")
    assert [(result.id, result.outcome) for result in found.results] == [
        ("wrong", "fails anyway"),
        ("misspelt", "fails anyway"),
    ]
    assert [d.code for d in found.problems] == ["D001"]


def test_a_variant_by_its_whole_name(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for variant in ("thirteen", "vudu/thirteen"):
        assert main(["test", "vudu", "--under", variant, "--format", "json"]) == 0
        told.append(json.loads(capsys.readouterr().out)["under"])
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("variant", "cause", "scenarios"),
    [
        ("no_goal", ("definition", "gain"), ["goal", "bonus"]),  # not `goal`, which that line names
        ("no_bonus", ("parameter", "bonus"), ["bonus"]),  # it cannot be set up, so no definition acted
    ],
)
def test_the_cause_where_something_is_left_out(
    variant: str, cause: tuple[str, str], scenarios: list[str]
) -> None:
    game = DATA.parent / "left_out"
    [(change, results)] = scenarios_under(game, game / "variants" / f"{variant}.yaml").grouped()
    assert change is not None
    assert (change.section, change.name) == cause
    assert [result.id for result in results] == scenarios
