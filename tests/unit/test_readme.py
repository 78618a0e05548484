"""README.md is short; its log, its mistake and its picture are what the commands print, and its two commands
exist.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import croupier
from croupier.diagnostics.render import render_human

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL)


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "last_match.yaml").write_text(blocks("yaml ruleset")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_is_short() -> None:
    assert README.count("\n") <= 150  # a sentence a line
    assert blocks("yaml ruleset")[0].count("\n") <= 16


def test_the_log_is_the_one_shown(folder: Path) -> None:
    command = re.search(r"`croupier (run last_match\.yaml [^`]*)`", README)
    assert command is not None
    done = subprocess.run(
        [sys.executable, "-m", "croupier", *command.group(1).split()],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    shown = lines(blocks("text")[0])
    printed = lines(done.stdout)
    first = printed.index(shown[0])
    assert printed[first : first + len(shown) + 1] == [*shown, ""]


def test_the_message_is_the_one_shown(folder: Path) -> None:
    file = folder / "last_match.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("n <= left", "n <= lft"), encoding="utf-8")
    assert lines(render_human(croupier.check("last_match.yaml").diagnostics)) == lines(blocks("text")[1])


def test_the_picture_shows_what_the_commands_print() -> None:
    assert "(grammar/guide/session.svg)" in README
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "picture"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("command", ["demo", "test"])
def test_the_commands_are_there(command: str) -> None:
    assert f"./tools/{command}" in README
    assert os.name == "nt" or os.access(ROOT / "tools" / command, os.X_OK)
