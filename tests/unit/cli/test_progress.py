"""Progress is shown on stderr: as a bar where that is a terminal, as lines elsewhere; what is written to
stdout is the same.

Bars are drawn here at once, and a line is written at each step, since what is played is over in a moment.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from croupier.cli import console, main
from croupier.cli.app import command
from croupier.cli.console import Bar, Lines
from croupier.cli.forecast import Cost, Pace, duration, forecast

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
AT_ONCE = (
    "import sys; from croupier.cli import console, main; console.BAR_AFTER = 0.0; "
    "sys.exit(main(sys.argv[1:]))"
)
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
VARIES = ("seconds", "time")


def run(arguments: list[str], stderr: int) -> tuple[int, str]:
    """Exit code and stdout of a command."""
    unset = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
    environment = {k: v for k, v in os.environ.items() if k not in unset} | {
        "TERM": "xterm",
        "COLUMNS": "100",
    }
    command = [sys.executable, "-c", AT_ONCE, *arguments]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=environment,
        text=True,
        check=False,
    )
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


GAMES = ["--games", "4", "--seed", "1", "--jobs", "1"]
PIPED = (
    *COMMANDS,
    (["collect", COUNT, "--steps", "--out", "games.csv", *GAMES], "4 of 4 games"),
    (["collect", COUNT, "--out", "games", *GAMES], "4 of 4 games"),
    (["report", COUNT, *GAMES], "4 of 4 games"),
    (["ablate", COUNT, *GAMES], "4 of 4 games, to see which options there are"),
    (["ablate", COUNT, *GAMES], "24 of 24 games"),
    (["compare", COUNT, "--against", "first", *GAMES], "8 of 8 games"),
    (["sweep", "goofspiel", "--set", "cards=2,3", *GAMES], "8 of 8 games"),
    (["skill", COUNT, "--rungs", "1", "--lowest", "1", *GAMES], "8 of 8 games"),
)


@pytest.mark.parametrize(
    ("arguments", "words"), PIPED, ids=lambda value: value[0] if isinstance(value, list) else ""
)
def test_lines_in_a_pipe(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(console, "LINE_AFTER", 0.0)
    monkeypatch.setenv("CROUPIER_CACHE", "off")
    main(arguments)
    told = capsys.readouterr().err
    assert words.replace("/", " of ") in told and "\x1b" not in told
    if any("--quiet" in parameter.opts for parameter in command(arguments[0]).params):
        main([*arguments, "--quiet", *(["--force"] if "games.csv" in arguments else [])])
        assert " of 4 " not in capsys.readouterr().err


def test_what_a_line_says(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(console.time, "monotonic", lambda: now)
    lines = Lines(None, are_shown=True)
    lines.set("games", 0, 3000)
    assert lines.line() == "0 of 3,000 games"
    now = 104.0
    lines.set("games", 1, 3000)
    assert lines.line() == "1 of 3,000 games · 0.25 a second · 3 h 20 min left"
    lines.set("games", 200, 3000)
    assert lines.line() == "200 of 3,000 games · 50 a second · 56 s left"
    lines.set("mutants", 3, None)
    assert lines.line() == "3 mutants"
    spoken = {0.4: "0 s", 89: "89 s", 120: "2 min", 7200: "2 h 0 min", 172_000: "47 h 47 min", 4e6: "46 days"}
    assert {seconds: duration(seconds) for seconds in spoken} == spoken


THINK = Cost(("`ismcts:100` thinks",), ("fewer simulations (`ismcts:25` for `ismcts:100`)",))


@pytest.mark.parametrize(
    ("pace", "cost", "told"),
    [
        (Pace("games", 10, 100, 2.0, (1.0, 5)), THINK, ""),  # 18 s more
        (Pace("games", 10, 1000, 4.0, (4.0, 0)), THINK, "about 7 min for 1,000 games: `ismcts:100` thinks"),
        (Pace("games", 10, 1000, 4.0, (4.0, 0)), Cost(), "about 7 min for 1,000 games"),
        (
            Pace("games", 1, 10_000, 2.0, (2.0, 0)),
            THINK,
            "about 5 h 33 min for 10,000 games: `ismcts:100` thinks\nshorter: fewer games (about 300 take "
            "10 min), fewer simulations (`ismcts:25` for `ismcts:100`); Ctrl-C shows what there is by then",
        ),
        (Pace("games", 0, 1000, 4.0, (4.0, 0)), THINK, None),
        (Pace("files", 3, 0, 4.0, (4.0, 0)), Cost(), ""),
        (  # the second half of the games is three times the work
            Pace("games", 50, 100, 30.0, (30.0, 0), lambda n: float(max(n, 3 * n - 100))),
            Cost(),
            "about 2 min for 100 games",
        ),
    ],
)
def test_how_long_a_run_takes_is_estimated(pace: Pace, cost: Cost, told: str | None) -> None:
    assert forecast(pace, cost) == told


def test_that_not_even_the_first_game_is_over_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    told = forecast(Pace("games", 0, 7200, 10.0, (10.0, 0)), THINK)
    assert told is not None
    first, second = told.split("\n")
    assert first == "nothing is over after 10 s: 7,200 games take 10 h 0 min or more: `ismcts:100` thinks"
    assert second.startswith("shorter: fewer games (about 100 take 10 min), ")


def test_lines_come_again_and_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a step that goes on for long, too; what a command will cost that may cost much is said once,
    before.
    """
    for name, seconds in (("LINE_AFTER", 0.05), ("COST_AFTER", 0.01), ("_RATE_FROM", 0.01), ("LOOKS", 0.01)):
        monkeypatch.setattr(console, name, seconds)
    monkeypatch.setattr("croupier.cli.forecast.MUCH", 0.0)
    told, patience = "", time.monotonic() + 60
    with console.progress("games", 1000, Cost(("bots think",))) as bar:
        bar.advance()
        while told.count("\n") < 4 and time.monotonic() < patience:
            time.sleep(0.01)
            told += capsys.readouterr().err
    first, *others = told.splitlines()
    assert re.fullmatch(r"about .* for 1,000 games: bots think", first)
    assert len(others) >= 3 and all(
        line.startswith("1 of 1,000 games · ") and "think" not in line for line in others
    )


@pytest.mark.parametrize(
    ("arguments", "words"), COMMANDS, ids=lambda value: value[0] if isinstance(value, list) else ""
)
def test_a_bar_on_a_terminal_only(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
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
