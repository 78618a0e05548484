"""Safe fixes are applied until there are none, nothing else changes, and what is written is what was
checked.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import croupier
from croupier.authoring.fixing import Fixed, fix_whole
from croupier.authoring.verdicts import Verdicts
from croupier.cli import main
from croupier.diagnostics import RulesetError, diagnose

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
    (fixed,) = fix_whole(str(file), Verdicts(None)).files
    assert [d.code for d in fixed.applied] == ["P006", "P026", "P034", "P022", "P023", "P037"]
    assert (
        "for p in turns():                  # a colon" in fixed.after
        and "if n == 3 and players.size > 2:" in fixed.after
    )
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
    assert link.is_symlink() and file.read_bytes().count(b"\r\n") == SLIPS.count(
        "\n"
    ) == file.read_bytes().count(b"\n")


def test_a_base_is_left_alone(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    variant = file.parent / "variant.yaml"
    variant.write_text(
        "croupier: 1\nextends: slips.yaml\nscoring: |\n  if 1 = 2: finish draw\n  finish lose\n",
        encoding="utf-8",
    )
    assert main(["check", str(variant), "--fix"]) == 1
    assert file.read_text(encoding="utf-8") == SLIPS and "if 1 == 2:" in variant.read_text(encoding="utf-8")
    assert (
        f"{file}: not mended: only the file that was named is; name this one, too, or the folder"
        in capsys.readouterr().err
    )


def test_a_file_that_was_changed_meanwhile(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def slow(name: str, verdicts: Verdicts) -> Fixed:
        fixed = fix_whole(name, verdicts)
        file.write_text(SLIPS + "# somebody was here\n", encoding="utf-8")
        return fixed

    monkeypatch.setattr("croupier.authoring.fixing.fix_whole", slow)
    assert main(["check", str(file), "--fix"]) == 2
    assert "X532" in capsys.readouterr().err and file.read_text(encoding="utf-8").endswith("here\n")


def test_what_cannot_be_written_is_not_said_to_be_mended(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(path: Path, text: bytes, *, force: bool = False) -> None:
        raise RulesetError([diagnose("X531", None, name=path, reason="permission denied")])

    monkeypatch.setattr("croupier.play.atomic_write.write_whole", refused)
    assert main(["check", str(file), "--fix"]) == 2
    said = capsys.readouterr().err
    assert "X531" in said and "mended" not in said


# ---------------------------------------------------------------- the other files of a ruleset
RULESET = """\
croupier: 1
ruleset: small
title: Small
players: 2..4
types:
  Suit: [hearts, spades]
components:
  Card: {table: cards.csv, attributes: {suit: Suit, rank: 1..9}}
zones:
  deck: {holds: Card, order: pile, start: all}
state:
  left: 0..9 = 9 seen by everybody
phases:
  play: |
    for p in turns():
        choose n from 1..3 by p where n <= left && left > 0
        left -= n
        if left == 0:
            finish win p
"""
VARIANT = """\
croupier: 1
extends: ../ruleset.yaml
phases:
  play: |
    for p in turns():
        choose n from 1..3 by p where n <= left || left > 8
        left -= n
"""
MODULE = """\
croupier: 1
module: half
title: Half
definitions: |
  def half(n: 0..9) -> 0..9:
      if n > 3 && n < 5: return 2
      return 1
"""
SCENARIOS = (
    "croupier: 1\nscenarios:\n  - id: S\n    given: {players: 2}\n    then:\n      facts:\n        - "
    "left == 9 && left > 3\n"
)
TABLE = 'id,suit,rank\nsun,\u00a0hearts,1\n"moon",spades,2\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "small"
    for name in ("variants", "scenarios", "modules"):
        (root / name).mkdir(parents=True)
    (root / "ruleset.yaml").write_text(RULESET, encoding="utf-8")
    (root / "variants" / "short.yaml").write_text(VARIANT, encoding="utf-8")
    (root / "scenarios" / "some.yaml").write_text(SCENARIOS, encoding="utf-8")
    (root / "modules" / "half.yaml").write_text(MODULE, encoding="utf-8")
    (root / "cards.csv").write_bytes(TABLE.replace("\n", "\r\n").encode("utf-8-sig"))
    return root


def texts(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_every_file_of_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = texts(folder)
    main(["check", str(folder), "--fix", "--diff"])
    assert texts(folder) == before and "5 would be mended" in capsys.readouterr().err
    main(["check", str(folder), "--fix"])
    said = capsys.readouterr().err
    assert "5 mended" in said and "not mended" not in said
    expected = {
        name: text.replace("&&", "and").replace("||", "or").replace("\u00a0", "")
        for name, text in before.items()
    }
    assert texts(folder) == expected and expected["cards.csv"].startswith(
        '\ufeffid,suit,rank\r\nsun,hearts,1\r\n"moon"'
    )
    main(["check", str(folder), "--fix"])
    assert "nothing mended" in capsys.readouterr().err


def test_a_scenario_file_and_what_it_is_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = texts(folder)
    scenarios = folder / "scenarios" / "some.yaml"
    main(["check", str(scenarios), "--fix"])
    assert texts(folder) == before
    said = capsys.readouterr().err
    assert (
        "ruleset.yaml: not mended: only the file that was named is" in said
        and "cards.csv: not mended" in said
    )
    for name in ("ruleset.yaml", "cards.csv"):
        (folder / name).write_text(
            before[name].replace("&&", "and").replace("\u00a0", ""), encoding="utf-8", newline=""
        )
    main(["check", str(scenarios), "--fix"])
    assert scenarios.read_text(encoding="utf-8") == SCENARIOS.replace("&&", "and")
    assert "some.yaml: 1 mended" in capsys.readouterr().err


def test_a_file_and_its_table(folder: Path) -> None:
    before = texts(folder)
    main(["check", str(folder / "ruleset.yaml"), "--fix"])
    after = texts(folder)
    assert {name for name in before if before[name] != after[name]} == {"ruleset.yaml", "cards.csv"}


def test_a_heading_of_a_table(folder: Path) -> None:
    (folder / "ruleset.yaml").write_text(RULESET.replace("&&", "and"), encoding="utf-8")
    table = folder / "cards.csv"
    table.write_bytes('id,"siut",rank\r\n"sun",hearts,1\r\nmoon,spades,2\r\n'.encode("utf-8-sig"))
    main(["check", str(folder / "ruleset.yaml"), "--fix"])
    assert table.read_bytes() == 'id,"suit",rank\r\n"sun",hearts,1\r\nmoon,spades,2\r\n'.encode("utf-8-sig")


def test_a_module_and_its_users(folder: Path) -> None:
    before = texts(folder)
    main(["check", str(folder / "modules"), "--fix"])
    after = texts(folder)
    assert {name for name in before if before[name] != after[name]} == {"modules/half.yaml"}


def test_what_comes_with_croupier_is_left_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from croupier import resources

    place = resources.RulesetPlace(folder / "ruleset.yaml", folder, "small")
    monkeypatch.setattr("croupier.resources.shipped", lambda: {"small": place})
    monkeypatch.setattr("croupier.authoring.fixing.shipped", lambda: {"small": place})
    before = texts(folder)
    main(["check", "small", "--fix"])
    assert texts(folder) == before
    assert "ruleset.yaml: not mended: it comes with croupier; name it by its path" in capsys.readouterr().err


def test_nothing_is_written_if_one_file_was_changed_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = texts(folder)

    def slow(name: str, verdicts: Verdicts) -> Fixed:
        fixed = fix_whole(name, verdicts)
        (folder / "cards.csv").write_text(TABLE, encoding="utf-8")
        return fixed

    monkeypatch.setattr("croupier.authoring.fixing.fix_whole", slow)
    assert main(["check", str(folder), "--fix"]) == 2
    assert texts(folder) == before | {"cards.csv": TABLE}


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "tic_tac_toe", "--diff"]) == 2
    assert main(["check", "--all", "--fix"]) == 2
    capsys.readouterr()
