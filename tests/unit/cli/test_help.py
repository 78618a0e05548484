"""Every command's help shows examples, and the examples run one after another in a folder with a ruleset that
`croupier new my_game` has made.
"""

from __future__ import annotations

import importlib
import importlib.util
import io
import re
import shlex
from pathlib import Path

import pytest

from croupier.cli import main
from croupier.cli.app import COMMANDS, HELP, command
from croupier.resources import shipped
from server_files import make_store

MORE = {"simulate": ["--jobs", "1"], "sweep": ["--seed", "1"]}  # what the examples of commands get here
DIFFERS = 1
MAKERS = ("run", "collect")  # examples of these may come first in the help of others: they make what it reads


def examples(text: str) -> list[list[str]]:
    return [shlex.split(line)[1:] for line in re.findall(r"^ +(croupier .*)$", text, re.MULTILINE)]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_shows_examples_of_its_own_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    shown = examples(capsys.readouterr().out)
    assert (
        shown[-1][0] == name
        and next(words[0] for words in shown if words[0] not in MAKERS or words[0] == name) == name
    )
    assert shown == examples(command(name).help)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_names_its_exit_codes(name: str) -> None:
    said = re.findall(r"^Exit code: ([^\n].*?)\n\n", command(name).help, re.MULTILINE | re.DOTALL)
    assert len(said) == 1 and said[0].startswith("0"), name
    assert {int(code) for code in re.findall(r"(?:^|[,;] |or )(\d+)\b", said[0])} <= {0, 1, 2, 130}


@pytest.mark.parametrize("width", [60, 120])
@pytest.mark.parametrize("name", ["run", "coverage", "simulate"])
def test_paragraphs_are_as_wide_as_the_terminal(
    name: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No line of a paragraph ends before the next word would not fit."""
    monkeypatch.setenv("COLUMNS", str(width))
    assert main([name, "--help"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.partition("Examples:")[0].splitlines()]
    for line, following in zip(lines, lines[1:], strict=False):
        assert not (line and following) or len(f" {line} {following.split()[0]} ") > width, (line, following)


def test_the_main_help_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert examples(capsys.readouterr().out) == examples(HELP)
    assert len(examples(HELP)) >= 3


def test_every_help_has_a_summary_in_the_table() -> None:
    for name in COMMANDS:
        assert command(name).help.splitlines()[0].endswith((".", ",", ":")), name


@pytest.fixture
def author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder; of the shipped rulesets one is there, since some examples are about all of them."""
    (name, place), *_ = ((name, place) for name, place in shipped().items() if name == "tic_tac_toe")
    monkeypatch.setattr("croupier.resources.shipped", lambda: {name: place})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def press_ctrl_c(seconds: float) -> None:
    """Instead of waiting for a file to be saved."""
    raise KeyboardInterrupt


@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_the_examples_run(
    name: str | None, author: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if name not in (None, "new"):
        assert main(["new", "my_game"]) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    monkeypatch.setattr("croupier.cli.commands.test.time.sleep", press_ctrl_c)
    if name == "lsp":
        monkeypatch.setattr(
            importlib.import_module("croupier.lsp.server"), "serve", lambda: print("it serves")
        )
    if name == "play":
        pytest.importorskip("textual", reason="the full screen needs textual")
        monkeypatch.setattr(importlib.import_module("croupier.cli.screen"), "play_on_screen", lambda *_: None)
        monkeypatch.setattr("croupier.cli.commands.play._at_a_terminal", lambda: True)
    if name == "serve":
        pytest.importorskip("starlette", reason="games in the browser need starlette")
        process = importlib.import_module("croupier.server.app").ServerProcess
        monkeypatch.setattr(process, "listen", lambda *_: print("it serves"))
    if name == "tables":
        make_store(author / "tables.db")
    for arguments in examples(command(name).help if name else HELP):
        code = main([*arguments, *MORE.get(arguments[0], [])])
        captured = capsys.readouterr()
        assert code == (130 if "--watch" in arguments else DIFFERS if arguments[0] == "diff" else 0), (
            arguments,
            captured.err,
        )
        assert captured.out or captured.err, arguments
