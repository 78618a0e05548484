"""`croupier fmt`: writes, checks, shows differences, leaves alone what it cannot read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from croupier.authoring import fmt
from croupier.authoring.fmt import Formatted, format_source
from croupier.cli import main
from croupier.diagnostics import Source
from needs import posix

GOOD = "croupier: 1\nruleset: a\ntitle: A\nplayers: 2\n\nphases:\n  play: finish draw\n"
LOOSE = "croupier: 1\nruleset: a\ntitle: A\nplayers: 2\nphases:\n    play:   finish   draw\n"
BROKEN = "croupier: 1\nruleset: a\ntitle: A\nplayers: 2\nphases:\n    play:   finish   drw\n"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "ruleset.yaml").write_text(LOOSE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "a" / "ruleset.yaml"


def test_a_file_is_written_once(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "a"]) == 0
    assert game.read_text(encoding="utf-8") == GOOD
    assert "a/ruleset.yaml: changed" in capsys.readouterr().err
    before = os.stat(game).st_mtime_ns
    assert main(["fmt", "a/ruleset.yaml"]) == 0
    assert os.stat(game).st_mtime_ns == before
    assert "1 already laid out" in capsys.readouterr().err


def test_check_and_diff_write_nothing(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "--check", "a"]) == 1
    assert main(["fmt", "--diff", "a"]) == 0
    assert "+  play: finish draw" in capsys.readouterr().out
    assert game.read_text(encoding="utf-8") == LOOSE
    game.write_text(GOOD, encoding="utf-8")
    assert main(["fmt", "--check", "a"]) == 0


def test_a_file_with_errors_is_left_as_it_is(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game.write_text(BROKEN, encoding="utf-8")
    assert main(["fmt", "a"]) == 1
    shown = capsys.readouterr().err
    assert "left as it is" in shown and "error[P" in shown
    assert game.read_text(encoding="utf-8") == BROKEN


@pytest.mark.parametrize("name", ["nothing_like_this", "missing.yaml", "."])
def test_what_is_not_there_is_told(name: str, game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", name]) == 2
    shown = capsys.readouterr().err
    assert "error[" in shown and "left as it is" not in shown and "1 could not be read" in shown


def test_files_that_are_no_rulesets_have_no_layout(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (game.parent / "rules.csv").write_text("id,tag,text\n", encoding="utf-8")
    assert main(["fmt", "a/rules.csv"]) == 1
    assert "this is a rule list, not a ruleset" in capsys.readouterr().err


def test_a_folder_stands_for_its_variants_and_scenarios(game: Path) -> None:
    for folder, text in (
        ("variants", "croupier: 1\nextends:   ../ruleset.yaml\n"),
        ("scenarios", "croupier: 1\nscenarios: [ {id: A} ]\n"),
    ):
        (game.parent / folder).mkdir()
        (game.parent / folder / "x.yaml").write_text(text, encoding="utf-8")
    assert main(["fmt", "a"]) == 0
    assert (game.parent / "variants/x.yaml").read_text(
        encoding="utf-8"
    ) == "croupier: 1\nextends: ../ruleset.yaml\n"
    assert (game.parent / "scenarios/x.yaml").read_text(
        encoding="utf-8"
    ) == "croupier: 1\nscenarios: [{id: A}]\n"


@posix
def test_a_link_stays_a_link(game: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.yaml"
    link.symlink_to(game)
    assert main(["fmt", "link.yaml"]) == 0
    assert link.is_symlink() and game.read_text(encoding="utf-8") == GOOD


def test_of_a_folder_only_what_belongs_to_the_ruleset(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not other files beside it; nothing at all in a folder without a ruleset."""
    other = game.parent / "docker.yaml"
    other.write_text("a:    1\n", encoding="utf-8")
    main(["fmt", str(game.parent)])
    assert other.read_text(encoding="utf-8") == "a:    1\n"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "notes.yaml").write_text("a:    1\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["fmt", str(elsewhere)]) == 2
    assert (elsewhere / "notes.yaml").read_text(
        encoding="utf-8"
    ) == "a:    1\n" and "X001" in capsys.readouterr().err


def test_a_file_that_is_laid_out_is_read_again_when_it_has_changed(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(source: Source) -> Formatted:
        read.append(source.name)
        return format_source(source)

    monkeypatch.setenv("CROUPIER_CACHE", str(game.parent.parent / "cache"))
    monkeypatch.setattr(fmt, "format_source", counted)
    game.write_text(GOOD, encoding="utf-8")
    assert main(["fmt", "--check", "a"]) == 0
    assert main(["fmt", "--check", "a"]) == 0
    assert len(read) == 1
    game.write_text(LOOSE, encoding="utf-8")
    assert main(["fmt", "--check", "a"]) == 1
    assert main(["fmt", "--check", "a"]) == 1
    game.write_text(BROKEN, encoding="utf-8")
    assert main(["fmt", "--check", "a"]) == 1
    assert main(["fmt", "--check", "a"]) == 1
    assert len(read) == 5
