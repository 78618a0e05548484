"""`croupier new GAME --variant NAME`: a variant that checks, with a scenario that passes, beside what is
there.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.cli import main

BARE = """\
croupier: 1
ruleset: bare
title: Bare
players: 2
phases:
  play: |
    choose n from 1..3 by players.first
    finish win players.first
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "my_game"]) == 0
    return tmp_path / "my_game"


def test_what_is_made_is_clean_and_passes(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in game.rglob("*") if path.is_file()}
    capsys.readouterr()
    assert main(["new", "my_game", "--variant", "night_game"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "my_game/variants/night_game.yaml",
        "my_game/scenarios/night_game.yaml",
    ]
    assert {path: path.read_bytes() for path in before} == before
    assert main(["check", "my_game", "--strict"]) == 0
    assert main(["test", "my_game/night_game"]) == 0
    assert main(["test", "my_game", "--under", "night_game", "--strict"]) == 0
    assert main(["fmt", "--check", "my_game"]) == 0


def test_a_game_without_parameters_and_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "ruleset.yaml").write_text(BARE, encoding="utf-8")
    assert main(["new", "bare", "--variant", "other"]) == 0
    assert main(["check", "bare"]) == 0 and main(["test", "bare/other"]) == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (["my_game", "--variant", "short_game"], "`my_game/variants/short_game.yaml` exists already"),
        (["my_game", "--variant", "rounds"], "`my_game/scenarios/rounds.yaml` exists already"),
        (["my_game", "--variant", "2nd"], "is not a name"),
        (["my_game", "--variant", "con"], "is a device"),
        (["my_game", "--variant", "x" * 200], "is longer than"),
        (["tic_tac_toe", "--variant", "other"], "make a copy of it first"),
        (["my_game/variants/short_game.yaml", "--variant", "other"], "is not the folder of a ruleset"),
        (["nothing", "--variant", "other"], "there is no ruleset"),
        (["my_game", "--variant", "other", "--like", "tic_tac_toe"], "does not go with --variant"),
    ],
)
def test_what_is_refused(call: list[str], words: str, game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(game.rglob("*"))
    assert main(["new", *call]) == 2
    assert words in " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert sorted(game.rglob("*")) == before


def test_nothing_is_left_of_a_variant_of_a_game_with_errors(game: Path) -> None:
    ruleset = game / "ruleset.yaml"
    ruleset.write_text(
        ruleset.read_text(encoding="utf-8").replace("highest(", "lowest(", 1), encoding="utf-8"
    )
    before = sorted(game.rglob("*"))
    assert main(["new", "my_game", "--variant", "other"]) in (1, 2)
    assert sorted(game.rglob("*")) == before
