"""With `--format json` errors are JSON, too: one object on stderr. The calls stand in `errors.cases.yaml`."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from croupier.cli import main
from croupier.cli.failures import wants_json
from published import validated

Row = dict[str, Any]
CASES: list[Row] = YAML(typ="safe").load(
    Path(__file__).with_name("errors.cases.yaml").read_text(encoding="utf-8")
)
RULES = Path(__file__).parent.parent.parent / "data" / "my_game" / "ruleset.yaml"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """What the calls name: a ruleset, a wrong one, a saved game that was edited, a file that is there
    already.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_game").mkdir()
    shutil.copy(RULES, tmp_path / "my_game")
    (tmp_path / "wrong.yaml").write_text(
        "croupier: 1\nruleset: wrong\ntitle: Wrong\nplayers: 2\nplayers: 3\n"
    )
    (tmp_path / "taken.csv").write_text("taken")
    assert main(["run", "my_game", "--seed", "1", "--save", "game.json"]) == 0
    (tmp_path / "other.json").write_text(
        (tmp_path / "game.json").read_text().replace('"seed": 1', '"seed": 2')
    )
    capsys.readouterr()
    return tmp_path


@pytest.mark.parametrize("row", CASES, ids=lambda row: row["call"])
def test_an_error_is_one_object_on_stderr(row: Row, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = shlex.split(row["call"])
    call = ["--format", "json"] if arguments[-1] == "--games" else []  # before what has no value
    assert (
        main([*arguments[:1], *call, *arguments[1:]] if call else [*arguments, "--format", "json"])
        == row["code"]
    )
    captured = capsys.readouterr()
    error = validated(captured.err)
    assert (error["exit_code"], error["kind"], error["command"]) == (
        row["code"],
        row["kind"],
        row.get("command", arguments[0]),
    )
    assert row["says"] in error["message"]
    assert (error["usage"] is None) == (row["kind"] != "usage")
    if "option" in row:
        assert error["usage"]["option"] == row["option"]
    assert ([finding["code"] for finding in error["findings"]][:1] or [None]) == [row.get("finding")]
    assert bool(captured.out) == row.get("out", False)


def test_without_json_errors_are_words(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "nothing"]) == 2
    assert capsys.readouterr().err.startswith("error[V001 ")


def test_hints_of_what_goes_well_stay_words(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "my_game", "--seed", "1", "--save", "saved.json", "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["seed"] == 1 and captured.err == "saved as saved.json\n"


def test_an_interruption_is_an_object_beside_what_was_over(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(name: str) -> Callable[..., Any]:
        raise KeyboardInterrupt

    monkeypatch.setattr("croupier.load", interrupted, raising=False)
    assert main(["simulate", "my_game", "--format", "json"]) == 130
    captured = capsys.readouterr()
    error = validated(captured.err)
    assert (error["kind"], error["exit_code"], error["message"], captured.out) == (
        "interrupted",
        130,
        "interrupted",
        "",
    )


def test_a_mistake_of_croupier_is_an_object(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(name: str) -> Callable[..., Any]:
        raise AssertionError("of a test")

    monkeypatch.setattr("croupier.load", broken, raising=False)
    assert main(["simulate", "my_game", "--format", "json"]) == 70
    error = validated(capsys.readouterr().err)
    assert error["kind"] == "bug" and "AssertionError: of a test" in error["message"]


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["check", "a", "--format", "json"], True),
        (["check", "a", "--format=jsonl"], True),
        (["check", "-f", "json", "a"], True),
        (["check", "-fjson", "a"], True),
        (["check", "a", "--format", "human"], False),
        (["check", "json"], False),
        (["check", "--", "--format", "json"], False),
    ],
)
def test_who_asks_for_json(arguments: list[str], wanted: bool) -> None:
    assert wants_json(arguments) is wanted
