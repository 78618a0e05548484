"""The scripts of `tools/`: they start on a Python that has nothing, explain themselves, refuse in words, and
find the environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.execution import backends as choice

TOOLS = Path(__file__).resolve().parents[3] / "tools"
sys.path.insert(0, str(TOOLS))

import _script  # noqa: E402
import _setup  # noqa: E402

SCRIPTS = sorted(
    path.name for path in TOOLS.iterdir() if path.is_file() and not path.suffix and path.name[0] != "_"
)
TO_PYTEST = ("conformance", "test")
SLIPS = {
    "agree": (["--backend", "quick"], "invalid choice: 'quick'"),
    "bench": (["--rounds", "none"], "`none` is not a whole number from 1 on"),
    "calibration": (["--repetitions", "few"], "`few` is not a whole number from 1 on"),
    "demo": (["quickly"], "unrecognized arguments: quickly"),
    "engine-mutants": (["--sample", "few"], "`few` is not a whole number from 1 on"),
    "index": (["--chek"], "unrecognized arguments: --chek"),
    "house": (["--lst"], "unrecognized arguments: --lst"),
    "kills": (["--games", "few"], "`few` is not a whole number from 1 on"),
    "language": (["--chek"], "unrecognized arguments: --chek"),
    "matrix": (["--set", "turns"], "`turns` is not NAME=VALUE"),
    "mistakes": (["--area", "verbs"], "there is no area `verbs`"),
    "package": (["--outt"], "unrecognized arguments: --outt"),
    "picture": (["--chek"], "unrecognized arguments: --chek"),
    "record-diagnostics": (["N001"], "unrecognized arguments: N001"),
    "record-tables": (["--chek"], "unrecognized arguments: --chek"),
    "resamples": (["--draws", "many"], "`many` is not a whole number from 1 on"),
    "schema": (["--chek"], "unrecognized arguments: --chek"),
    "site": (["--quick"], "unrecognized arguments: --quick"),
    "soak": (["--games", "-1"], "`-1` is not a whole number from 1 on"),
    "tables": (["--chek"], "unrecognized arguments: --chek"),
    "load": (["--tables", "none"], "`none` is not a whole number from 1 on"),
    "walks": (["--picture"], "--picture"),
    "yardsticks": (["chess"], "`chess`"),
}


def bare(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script on a Python without packages."""
    command = [sys.executable, "-S", "-E", str(TOOLS / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("name", SCRIPTS)
def test_help_needs_nothing_and_shows_an_example(name: str) -> None:
    assert (TOOLS / name).read_text(encoding="utf-8").startswith("#!/usr/bin/env python3\n")
    assert os.name == "nt" or os.access(TOOLS / name, os.X_OK)
    shown = bare(name, "--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert f"    tools/{name}" in shown.stdout


@pytest.mark.parametrize("name", [name for name in SCRIPTS if name not in TO_PYTEST])
def test_a_slip_is_said_in_words(name: str) -> None:
    arguments, words = SLIPS[name]
    said = bare(name, *arguments)
    assert said.returncode == 2 and words in said.stderr and "Traceback" not in said.stderr


def test_without_packages_a_script_goes_on_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Left(Exception):
        pass

    def leave(command: list[str]) -> None:
        raise Left(command)

    monkeypatch.setattr(_script, "NEEDED", ("no_such_package.at_all", "lark"))
    monkeypatch.setattr(_setup, "VENV", tmp_path)
    monkeypatch.setattr(_setup, "set_up", lambda: tmp_path / "python")
    monkeypatch.setattr(_script, "again", leave)
    monkeypatch.setattr(sys, "argv", ["tools/matrix", "kuhn_poker"])
    with pytest.raises(Left) as left:
        _script.enter()
    assert left.value.args == ([str(tmp_path / "python"), "tools/matrix", "kuhn_poker"],)


def test_an_environment_that_lacks_a_package_is_not_started_for_ever(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_script, "NEEDED", ("no_such_package",))
    monkeypatch.setattr(_setup, "VENV", Path(sys.prefix))
    with pytest.raises(SystemExit) as left:
        _script.enter()
    assert left.value.code == 2 and "lacks no_such_package: delete that folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["matrix", "draughts"], "there is no ruleset `draughts`"),
        (["matrix", "hex", "--set", "speed=1"], "hex has no parameter `speed`"),
    ],
    ids=["ruleset", "parameter"],
)
def test_what_is_not_there_is_said_in_words(arguments: list[str], words: str) -> None:
    said = subprocess.run(
        [sys.executable, str(TOOLS / arguments[0]), *arguments[1:]],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 2 and words in said.stderr and "Traceback" not in said.stderr


def test_the_back_ends_are_those_of_the_interpreter() -> None:
    assert _script.BACKENDS == choice.BACKENDS
