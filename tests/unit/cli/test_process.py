"""What only a process of its own shows: closed pipes, Ctrl-C, colours, encodings, start-up."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from needs import posix


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "fake_cli", *map(str, arguments)]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **more}


def ran(*arguments: object, **more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command(*arguments), capture_output=True, env=environment(**more), check=False)


@posix
@pytest.mark.parametrize("arguments", [("explain",), ("run", "fake"), ("simulate", "fake", "--games", "20"), ("--help",), ("check", "wrong")])
def test_a_closed_pipe_is_met_with_silence(arguments: tuple[object, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    process = subprocess.run(command(*arguments), stdout=write, stderr=subprocess.PIPE, env=environment(), check=False)
    os.close(write)
    assert process.returncode == 141
    assert process.stderr in (b"", b"wrong: 2 errors\n")


@posix
def test_a_reader_that_goes_away_is_met_with_silence() -> None:
    process = subprocess.Popen(command("explain", "--format", "json"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() in (0, 141)


def with_shell(line: str, *arguments: object) -> subprocess.CompletedProcess[bytes]:
    """The command with the redirections of a shell."""
    whole = ["sh", "-c", f'"$@" {line}', "sh", *command(*arguments)]
    return subprocess.run(whole, capture_output=True, env=environment(), check=False)


@posix
@pytest.mark.parametrize(
    ("line", "arguments", "code"), [(">&-", ("check", "wrong"), 1), ("2>&-", ("check", "fake"), 0), ("<&- >&-", ("run", "fake"), 0)]
)
def test_a_stream_that_is_closed_is_nobodys(line: str, arguments: tuple[object, ...], code: int) -> None:
    process = with_shell(line, *arguments)
    assert process.returncode == code and b"mistake" not in process.stderr


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_is_no_mistake_of_croupier() -> None:
    process = with_shell("> /dev/full", "explain")
    assert (process.returncode, process.stderr) == (2, b"croupier: the output cannot be written: no space left on device\n")
    assert with_shell("> /dev/full 2>&1", "run", "fake").returncode == 2


def interrupted(folder: Path, *arguments: object, when: str, after: float, by: int = signal.SIGINT) -> tuple[int, bytes, bytes]:
    """Ctrl-C some seconds after the process has come to a point, pressed as a terminal does: for the workers, too. SIGTERM as `timeout` sends it."""
    process = subprocess.Popen(
        command(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(FAKE_GAME_MARKS=str(folder)),
        start_new_session=True,
    )
    patience = time.monotonic() + 60
    while not (folder / when).exists() and time.monotonic() < patience:
        time.sleep(0.02)
    time.sleep(after)
    if by == signal.SIGTERM:
        process.send_signal(by)
    os.killpg(process.pid, by)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@posix
@pytest.mark.parametrize(("by", "ends"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_signal_shows_what_was_simulated(jobs: int, by: int, ends: int, tmp_path: Path) -> None:
    arguments = ("simulate", "fake-slow", "--games", 3000, "--seed", 1, "--jobs", jobs, "--format", "json")
    code, out, err = interrupted(tmp_path, *arguments, when="playing", after=1.0 if by == signal.SIGINT else 0.5, by=by)
    assert code == ends, err
    assert b"Traceback" not in err and b"leaked" not in err and b"interrupted: " in err
    document = json.loads(out)
    assert document["interrupted"] and document["games"]["wanted"] == 3000 > document["games"]["played"] == document["finished"]


@posix
@pytest.mark.parametrize("after", [0.1, 0.3, 0.5, 0.8])
def test_ctrl_c_while_workers_start_shows_no_traceback(after: float, tmp_path: Path) -> None:
    code, _, err = interrupted(tmp_path, "simulate", "fake-slow", "--games", 3000, "--jobs", 2, when="loading", after=after)
    assert code == 130 and b"Traceback" not in err, err


@posix
def test_ctrl_c_shows_what_was_played(tmp_path: Path) -> None:
    arguments = ("run", "fake-slow", "--set", "rounds=9", "--players", 3, "--seed", 1, "--format", "json")
    code, out, err = interrupted(tmp_path, *arguments, when="playing", after=0.1)
    assert code == 130 and b"Traceback" not in err
    document = json.loads(out)
    assert document["outcome"]["status"] == "unfinished" and document["outcome"]["reason"] == "interrupted"


def test_nothing_depends_on_hash_seed_locale_or_folder(tmp_path: Path) -> None:
    digests = set()
    for number, (seed, locale) in enumerate([("0", "C"), ("99", "C.UTF-8")]):
        folder = tmp_path / str(number)
        folder.mkdir()
        variables = environment(PYTHONHASHSEED=seed, LC_ALL=locale)
        arguments = command("simulate", "fake", "--games", 40, "--seed", 4, "--format", "json", "--jobs", 1 + number)
        out = subprocess.run(arguments, capture_output=True, env=variables, cwd=folder, check=True).stdout
        digests.add(json.loads(out)["digest"])
    assert len(digests) == 1


def test_a_stream_that_cannot_show_a_sign_gets_its_escape() -> None:
    process = ran("run", "fake", "--seed", 1, PYTHONIOENCODING="ascii:strict", PYTHONUTF8="0")
    assert process.returncode == 0 and b"\\xb7 seed 1" in process.stdout


def on_a_terminal(*arguments: object, **more: str) -> bytes:
    """What a pseudo terminal shows of stdout and stderr."""
    import pty

    main, terminal = pty.openpty()
    process = subprocess.Popen(command(*arguments), stdout=terminal, stderr=terminal, stdin=terminal, env=environment(**more))
    os.close(terminal)
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    process.wait()
    os.close(main)
    return shown


@posix
def test_colours_and_progress_on_a_terminal_only() -> None:
    assert b"\x1b[" in on_a_terminal("run", "fake", "--seed", 1, TERM="xterm")
    assert b"\x1b[" in on_a_terminal("check", "wrong", TERM="xterm")
    for shown in (on_a_terminal("run", "fake", "--seed", 1, TERM="xterm", NO_COLOR="1"), on_a_terminal("check", "wrong", TERM="xterm", NO_COLOR="1")):
        assert b"\x1b[3" not in shown and b"\x1b[1;3" not in shown
    for colours, wanted in (({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False), ({}, False)):
        for arguments in (("check", "wrong"), ("run", "fake", "--seed", 1))[:: 1 if wanted else 2]:
            finished = ran(*arguments, **colours)
            shown = finished.stdout + finished.stderr
            assert b"\x1b[" in shown if wanted else b"\x1b[3" not in shown and b"\x1b[1;3" not in shown, (arguments, colours)
    assert b"/4" in on_a_terminal("simulate", "fake-slow", "--games", 4, "--jobs", 1, TERM="xterm")
    assert ran("simulate", "fake", "--games", 4, "--jobs", 1).stderr == b""


def test_help_loads_no_part_of_the_interpreter() -> None:
    code = (
        "import sys; sys.argv = ['croupier', '--help']; from croupier.cli import main; main();"
        "heavy = {'lark', 'pydantic', 'ruamel.yaml', 'croupier.pipeline', 'croupier.diagnostics', 'croupier.play', 'multiprocessing'};"
        "print(sorted(heavy & sys.modules.keys()), file=sys.stderr)"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), check=True)
    assert process.stderr.strip() == b"[]"


@posix
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_completion(shell: str) -> None:
    asked = {"COMP_WORDS": "croupier ex", "COMP_CWORD": "1", "_TYPER_COMPLETE_ARGS": "croupier ex", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    variables = environment(_CROUPIER_COMPLETE=f"complete_{shell}", **asked)
    process = subprocess.run([sys.executable, "-m", "croupier"], capture_output=True, env=variables, check=False)
    assert b"explain" in process.stdout, process.stderr
