"""Progress is shown on stderr where that is a terminal, and nowhere else; what is written to stdout is the same.

Bars are drawn here at once, since what is played is over in a moment.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from croupier.cli import console, main
from croupier.cli.commands.simulate import still_playing
from croupier.cli.console import Bar

pty = pytest.importorskip("pty", reason="terminals of this kind are those of POSIX")
COUNT = str(Path(__file__).resolve().parents[1] / "authoring" / "mutate" / "count")
COMMANDS = (
    (["simulate", COUNT, "--games", "20", "--seed", "1", "--format", "json"], "20/20 games"),
    (["coverage", COUNT, "--games", "5", "--seed", "1", "--format", "json"], "games and scenarios"),
    (["hunt", COUNT, "--games", "20", "--seed", "1", "--format", "json"], "20/20 games"),
    (["mutate", COUNT, "--jobs", "1", "--format", "json", "--sample", "4"], "4/4 mutants"),
    (["test", COUNT, "--format", "json"], "scenarios"),
    (["check", COUNT, "tic_tac_toe", "--format", "json"], "2/2 rulesets"),
    (["check", COUNT, "--format", "json"], "files"),
    (["check", COUNT, "--matrix", "--format", "json"], "set-ups"),
    (["rulebook", COUNT], "sections"),
    (["diff", COUNT, "tic_tac_toe", "--format", "json"], "2/2 rulesets checked"),
    (["fmt", "--check", COUNT], "2/2 files"),
)
AT_ONCE = "import sys; from croupier.cli import console, main; console.BAR_AFTER = 0.0; sys.exit(main(sys.argv[1:]))"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
VARIES = ("seconds", "time")


def run(arguments: list[str], stderr: int) -> tuple[int, str]:
    """Exit code and stdout of a command."""
    unset = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
    environment = {k: v for k, v in os.environ.items() if k not in unset} | {"TERM": "xterm", "COLUMNS": "100"}
    command = [sys.executable, "-c", AT_ONCE, *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, env=environment, text=True, check=False)
    return done.returncode, kept(done.stdout)


def kept(shown: str) -> str:
    """What does not vary from run to run."""
    if shown.startswith("{"):
        document = json.loads(shown)
        document.pop("timing", None)
        return json.dumps(document)
    return "\n".join(line for line in shown.splitlines() if not any(word in line for word in VARIES))


def listen(reader: int, parts: list[bytes]) -> None:
    """What is written to a terminal, until nobody can write there any more."""
    with contextlib.suppress(OSError):
        while part := os.read(reader, 65536):
            parts.append(part)


def test_how_far_games_are() -> None:
    assert still_playing(1, 4) == "still playing: 1 game is over, 0.2 a second; Ctrl-C ends it"
    assert still_playing(3000, 20) == "still playing: 3,000 games are over, 150.0 a second; Ctrl-C ends it"


@pytest.mark.parametrize(("arguments", "words"), COMMANDS, ids=lambda value: value[0] if isinstance(value, list) else "")
def test_a_bar_on_a_terminal_only(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    reader, writer = pty.openpty()
    parts: list[bytes] = []
    listener = threading.Thread(target=listen, args=(reader, parts))
    listener.start()
    code, shown = run(arguments, writer)
    os.close(writer)
    listener.join()
    os.close(reader)
    drawn = b"".join(parts).decode()
    assert "\x1b[" in drawn and words in ESCAPES.sub("", drawn)
    assert "\x1b" not in shown
    assert (main([*arguments]), kept(capsys.readouterr().out)) == (code, shown)


def test_what_is_over_at_once_has_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(console, "BAR_AFTER", 60.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(console, "_progress_bar", lambda: drawn.append("bar"))
    with console.progress("things", 3) as bar:
        bar.advance()
    assert drawn == [] and Bar.current is None


def test_what_is_said_stands_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Drawn:
        """Notes what a bar is asked to do."""

        def __getattr__(self, name: str) -> Callable[..., None]:
            return lambda *_, **__: told.append(name)

    class Terminal(StringIO):
        """A terminal that notes what is written."""

        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            told.append(text)
            return len(text)

    monkeypatch.setattr(console, "BAR_AFTER", 0.0)
    monkeypatch.setattr(console, "_progress_bar", Drawn)
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    with console.progress("things", 3) as bar:
        console.say("one")
        with bar.hidden():
            console.say("two")
    assert told == ["add_task", "start", "stop", "one\n", "start", "stop", "two\n", "start", "stop"]
