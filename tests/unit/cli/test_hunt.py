"""`croupier hunt`: what it prints, writes and keeps, and its exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from croupier.cli import main

DATA = Path(__file__).parent.parent.parent / "data" / "hunt"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a ruleset that faults where nobody passes, one that does not, and one that players can
    keep from its end.
    """
    for name in ("never_passing", "nothing_wrong", "without_end"):
        shutil.copy(DATA / f"{name}.yaml", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


HUNT = ("hunt", "never_passing.yaml", "--games", "40", "--seed", "1", "--jobs", "1")


def test_a_fault_is_told_with_its_plan_and_its_scenario(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(HUNT)) == 1
    told = capsys.readouterr().out
    assert "Never passing\n40 games: " in told
    assert "R002: 21 is not in 0..20 (never_passing.yaml:14)\n" in told
    assert "where everybody always takes the first option; " in told
    assert "21 actions are enough" in told
    assert 'ruleset: "../never_passing.yaml"\n' in told
    assert told.count("        - P") == 21


def test_scenarios_are_written_and_test_runs_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*HUNT, "--out", "scenarios"]) == 1
    shown = capsys.readouterr()
    assert "P1:" not in shown.out and "written to scenarios/hunt-r002-14.yaml" in shown.err
    assert main(["check", "never_passing.yaml"]) == 0
    assert main(["test", "scenarios/hunt-r002-14.yaml"]) == 1
    assert "K107" in capsys.readouterr().out
    assert main([*HUNT, "--out", "scenarios"]) == 1
    assert "is there already: --force replaces it" in capsys.readouterr().err
    assert main([*HUNT, "--out", "scenarios", "--force"]) == 1
    assert main([*HUNT, "--out", "never_passing.yaml"]) == 2


def test_json_holds_everything(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*HUNT, "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (
        told["games"] == {"wanted": 40, "played": 40}
        and told["statuses"]["faulted"] == told["found"][0]["games"]
    )
    assert told["found"][0]["code"] == "R002" and len(told["found"][0]["actions"]) == 21
    assert told["found"][0]["scenario"].startswith("croupier: 1\n")


def test_nothing_is_found_where_nothing_is_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hunt", "nothing_wrong.yaml", "--games", "30", "--seed", "1"]) == 0
    assert capsys.readouterr().out.endswith("no fault found\n")


def test_a_game_without_an_end_is_a_finding_where_that_is_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["hunt", "without_end.yaml", "--games", "12", "--seed", "1", "--actions", "30"]
    assert main(arguments) == 0
    assert (
        "did not end within 30 actions; the first: game 2 of 2 players, where everybody always takes the "
        "first option" in capsys.readouterr().out
    )
    assert main([*arguments, "--strict"]) == 1


def test_a_hunt_is_kept_and_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "hunt",
                "never_passing.yaml",
                "--games",
                "24",
                "--seed",
                "1",
                "--resume",
                "kept.json",
                "--format",
                "json",
            ]
        )
        == 1
    )
    capsys.readouterr()
    assert (
        main(["hunt", "never_passing.yaml", "--games", "40", "--resume", "kept.json", "--format", "json"])
        == 1
    )
    resumed = json.loads(capsys.readouterr().out)
    assert main([*HUNT, "--format", "json"]) == 1
    whole = json.loads(capsys.readouterr().out)
    assert resumed["seed"] == 1 and resumed["statuses"] == whole["statuses"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--games", "3", "--seconds", "1"), "does not go with --games"),
        (("--resume", "nothing_wrong.yaml", "--seed", "1"), "it does not hold a hunt"),
        (("--resume", "nothing_wrong.yaml"), "it does not hold a hunt"),
        (("--resume", "."), "cannot be read"),
        (("--players", "9"), "players"),
        (("--set", "nothing=1"), "nothing"),
    ],
)
def test_what_is_wrong_with_the_command_is_told(
    arguments: tuple[str, ...], words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hunt", "nothing_wrong.yaml", *arguments]) == 2
    assert words in capsys.readouterr().err
