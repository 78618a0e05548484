"""Every command's help shows examples, and the examples run."""

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
from croupier.resources import RulesetPlace


def examples(text: str) -> list[list[str]]:
    return [shlex.split(line)[1:] for line in re.findall(r"^ +(croupier .*)$", text, re.MULTILINE)]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_shows_examples_of_its_own_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    shown = examples(capsys.readouterr().out)
    assert shown and all(words[0] == name for words in shown)
    assert shown == examples(command(name).help)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_names_its_exit_codes(name: str) -> None:
    said = re.findall(r"^Exit code: ([^\n].*?)\n\n", command(name).help, re.MULTILINE | re.DOTALL)
    assert len(said) == 1 and said[0].startswith("0"), name
    assert {int(code) for code in re.findall(r"(?:^|[,;] |or )(\d+)\b", said[0])} <= {0, 1, 2, 130}


def test_the_main_help_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert examples(capsys.readouterr().out) == examples(HELP)
    assert len(examples(HELP)) >= 3


def test_every_help_has_a_summary_in_the_table() -> None:
    for name in COMMANDS:
        assert command(name).help.splitlines()[0].endswith((".", ",", ":")), name


GAME = Path(__file__).parent.parent.parent / "data" / "my_game" / "ruleset.yaml"
FINE = {"check": {0}, "test": {0, 130}, "mutate": {0, 1}}


@pytest.fixture
def author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as the examples suppose it: two rulesets with two variants each, a script, a saved game."""
    for name in ("my_game", "other_game"):
        (tmp_path / name / "variants").mkdir(parents=True)
        for variant in ("short_game", "open_hands"):
            (tmp_path / name / "variants" / f"{variant}.yaml").write_text("croupier: 1\nextends: ../ruleset.yaml\n")
        (tmp_path / name / "ruleset.yaml").write_bytes(GAME.read_bytes())
    (tmp_path / "my_game.yaml").write_bytes(GAME.read_bytes())
    (tmp_path / "opening.yaml").write_text("croupier: 1\nactions: []\n")
    monkeypatch.chdir(tmp_path)
    place = RulesetPlace(GAME, GAME.parent, "my_game")
    monkeypatch.setattr("croupier.resources.shipped", lambda: {"my_game": place})
    return tmp_path


def press_ctrl_c(seconds: float) -> None:
    """Instead of waiting for a file to be saved."""
    raise KeyboardInterrupt


@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_the_examples_run(name: str | None, author: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    if name in ("replay", "explain-move"):
        assert main(["run", "my_game", "--seed", "1", "--save", "game.json"]) == 0
    if name == "merge":
        assert [main(["collect", "my_game", "--games", "4", "--seed", "1", "--out", folder]) for folder in ("first", "second")] == [0, 0]
    if name == "play":
        assert main(["run", "my_game", "--seed", "1", "--save", "my_game-1.json"]) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    monkeypatch.setattr("croupier.cli.commands.test.time.sleep", press_ctrl_c)
    if name == "lsp":
        monkeypatch.setattr(importlib.import_module("croupier.lsp.server"), "serve", lambda: print("it serves"))
    if name == "play":
        pytest.importorskip("textual", reason="the full screen needs textual")
        monkeypatch.setattr(importlib.import_module("croupier.cli.screen"), "play_on_screen", lambda *_: None)
        monkeypatch.setattr("croupier.cli.commands.play._at_a_terminal", lambda: True)
    if name == "serve":
        pytest.importorskip("starlette", reason="games in the browser need starlette")
        monkeypatch.setattr(importlib.import_module("croupier.server.app"), "listen", lambda *_: print("it serves"))
    for arguments in examples(command(name).help if name else HELP):
        code = main([*arguments, *(["--jobs", "1"] if arguments[0] == "simulate" and "--jobs" not in arguments else [])])
        captured = capsys.readouterr()
        assert code in FINE.get(arguments[0], {0}), (arguments, captured.err)
        assert captured.out or captured.err, arguments
