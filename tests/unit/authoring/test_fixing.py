"""Safe fixes are applied until there are none, nothing else changes, and what is written is what was checked."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import croupier
from croupier.authoring.folder import fix_ruleset
from croupier.cli import main
from croupier.diagnostics import RulesetError, Source, diagnose
from croupier.resources import RulesetPlace

SLIPS = """\
croupier: 1
ruleset: slips
title: Slips
players: 2..4
phases:
  play: |
    for p in turns()                  # a colon is missing
        choose n from 0..9 by p
        if n = 3 && players.size > 2:
            finish win p
        else if n == 0 || n <> 1:
            finish draw
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "slips.yaml"
    path.write_text(SLIPS, encoding="utf-8")
    return path


def test_until_there_is_nothing_more(file: Path) -> None:
    fixed = fix_ruleset(Source(str(file), SLIPS), RulesetPlace(file, file.parent, "slips"))
    assert [d.code for d in fixed.applied] == ["P006", "P026", "P034", "P022", "P023", "P037"]
    assert "for p in turns():                  # a colon" in fixed.after and "if n == 3 and players.size > 2:" in fixed.after
    assert "elif n == 0 or n != 1:" in fixed.after


def test_the_command_writes_what_it_says(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.chmod(file, 0o640)
    assert main(["check", str(file), "--fix", "--diff"]) == 1
    shown = capsys.readouterr()
    assert "+        elif n == 0 or n != 1:" in shown.out and "6 would be mended" in shown.err
    assert file.read_text(encoding="utf-8") == SLIPS
    assert main(["check", str(file), "--fix"]) == 0
    assert "mended: `&&` is not a word of the language [P022]: write `and`" in capsys.readouterr().err
    assert croupier.check(file).ruleset is not None and stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [p.name for p in file.parent.iterdir()] == ["slips.yaml"]
    assert main(["check", str(file), "--fix"]) == 0
    assert "nothing mended" in capsys.readouterr().err


def test_line_ends_and_links_stay(file: Path) -> None:
    file.write_bytes(SLIPS.replace("\n", "\r\n").encode())
    link = file.parent / "link.yaml"
    link.symlink_to(file)
    assert main(["check", str(link), "--fix"]) == 0
    assert link.is_symlink() and file.read_bytes().count(b"\r\n") == SLIPS.count("\n") == file.read_bytes().count(b"\n")


def test_a_base_is_left_alone(file: Path) -> None:
    variant = file.parent / "variant.yaml"
    variant.write_text("croupier: 1\nextends: slips.yaml\nscoring: |\n  if 1 = 2: finish draw\n  finish lose\n", encoding="utf-8")
    assert main(["check", str(variant), "--fix"]) == 1
    assert file.read_text(encoding="utf-8") == SLIPS and "if 1 == 2:" in variant.read_text(encoding="utf-8")


def test_a_file_that_was_changed_meanwhile(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def slow(source: Source, place: RulesetPlace) -> object:
        fixed = fix_ruleset(source, place)
        file.write_text(SLIPS + "# somebody was here\n", encoding="utf-8")
        return fixed

    monkeypatch.setattr("croupier.authoring.folder.fix_ruleset", slow)
    assert main(["check", str(file), "--fix"]) == 2
    assert "X532" in capsys.readouterr().err and file.read_text(encoding="utf-8").endswith("here\n")


def test_what_cannot_be_written_is_not_said_to_be_mended(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refused(path: Path, text: str, *, force: bool = False) -> None:
        raise RulesetError([diagnose("X531", None, name=path, reason="permission denied")])

    monkeypatch.setattr("croupier.play.atomic_write.write_whole", refused)
    assert main(["check", str(file), "--fix"]) == 2
    said = capsys.readouterr().err
    assert "X531" in said and "mended" not in said


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "tic_tac_toe", "--diff"]) == 2
    assert main(["check", "--all", "--fix"]) == 2
    capsys.readouterr()
