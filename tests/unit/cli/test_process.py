"""What only a process of its own shows: closed pipes, Ctrl-C, colours, encodings, start-up."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from croupier.cli import main, stand_ins
from needs import posix


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "fake_cli", *map(str, arguments)]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **more}


def ran(*arguments: object, **more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command(*arguments), capture_output=True, env=environment(**more), check=False)


@posix
@pytest.mark.parametrize(
    "arguments",
    [("explain",), ("run", "fake"), ("simulate", "fake", "--games", "20"), ("--help",), ("check", "wrong")],
)
def test_a_closed_pipe_is_met_with_silence(arguments: tuple[object, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    process = subprocess.run(
        command(*arguments), stdout=write, stderr=subprocess.PIPE, env=environment(), check=False
    )
    os.close(write)
    assert process.returncode == 141
    assert process.stderr in (b"", b"wrong: 2 errors\n")


@posix
def test_a_reader_that_goes_away_is_met_with_silence() -> None:
    process = subprocess.Popen(
        command("explain", "--format", "json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
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
    ("line", "arguments", "code"),
    [(">&-", ("check", "wrong"), 1), ("2>&-", ("check", "fake"), 0), ("<&- >&-", ("run", "fake"), 0)],
)
def test_a_stream_that_is_closed_is_nobodys(line: str, arguments: tuple[object, ...], code: int) -> None:
    process = with_shell(line, *arguments)
    assert process.returncode == code and b"mistake" not in process.stderr


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_is_no_mistake_of_croupier() -> None:
    process = with_shell("> /dev/full", "explain")
    assert (process.returncode, process.stderr) == (
        2,
        b"croupier: the output cannot be written: no space left on device\n",
    )
    assert with_shell("> /dev/full 2>&1", "run", "fake").returncode == 2


def interrupted(
    folder: Path, *arguments: object, when: str, after: float, by: int = signal.SIGINT
) -> tuple[int, bytes, bytes]:
    """Ctrl-C some seconds after the process has come to a point, pressed as a terminal does: for the workers,
    too. SIGTERM as `timeout` sends it.
    """
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
    code, out, err = interrupted(
        tmp_path, *arguments, when="playing", after=1.0 if by == signal.SIGINT else 0.5, by=by
    )
    assert code == ends, err
    assert b"Traceback" not in err and b"leaked" not in err and b"interrupted after " in err
    document = json.loads(out)
    assert (
        document["interrupted"]
        and document["games"]["wanted"] == 3000 > document["games"]["played"] == document["finished"]
    )


@posix
def heed_interrupts() -> None:
    """Heed Ctrl-C also where the tests run in the background of a shell, which has it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize(("by", "ends"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_what_waits_for_a_slow_reader(by: int, ends: int) -> None:
    """The output is longer than a pipe holds, and nobody reads on."""
    process = subprocess.Popen(
        command("explain", "--format", "json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        preexec_fn=heed_interrupts,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(10)
    time.sleep(0.5)
    process.send_signal(by)
    assert process.wait(timeout=60) == ends
    assert json.loads(process.stderr.read())["kind"] == "interrupted"
    process.stdout.close()


BEGUN = b"begun\n"
TOLD_WHEN_IT_BEGINS = """
import sys, fake_cli
sys.modules["croupier.pipeline"] = fake_cli.fake_load_module()
from croupier.cli import guard, main
run = guard._run
def told(arguments):
    print("begun", file=sys.stderr, flush=True)
    return run(arguments)
guard._run = told
sys.exit(main())
"""


def terminated(after: float | None) -> tuple[int, bytes, bytes]:
    """SIGTERM twice, as `timeout` sends it, some seconds after the command has begun, or never: the exit
    code, stdout and stderr.
    """
    arguments = ("simulate", "fake", "--games", "20", "--seed", "1", "--jobs", "1", "--format", "json")
    whole = [sys.executable, "-c", TOLD_WHEN_IT_BEGINS, *arguments]
    process = subprocess.Popen(whole, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert process.stderr is not None and process.stderr.readline() == BEGUN
    if after is not None:
        time.sleep(after)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@posix
def test_sigterm_at_any_moment_has_its_exit_code_and_no_traceback() -> None:
    begun = time.monotonic()
    assert terminated(None)[0] == 0
    lasts = time.monotonic() - begun
    for part in range(8):
        code, _, err = terminated(part / 8 * lasts)
        assert (
            code in ((143, 0) if part else (143,)) and b"Traceback" not in err and b"Exception" not in err
        ), (part, code, err)


SWALLOWS = """
import os, signal, sys, time
import croupier.cli.guard as guard
class Callback:
    def __del__(self):  # Python drops what a finalizer raises, as machine code does with its callbacks
        os.kill(os.getpid(), int(sys.argv[1]))
        time.sleep(1)
def run(arguments):
    Callback()
    if sys.argv[2] == "fails":
        raise ValueError("a pattern that cannot be compiled")
    time.sleep(30)
    return 0
guard._run = run
sys.exit(guard.guarded())
"""


@posix
@pytest.mark.parametrize("then", ["fails", "goes on"])
@pytest.mark.parametrize(("by", "ends"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_is_heard_where_a_callback_swallows_it(by: int, ends: int, then: str) -> None:
    process = subprocess.run(
        [sys.executable, "-c", SWALLOWS, str(int(by)), then],
        capture_output=True,
        env=environment(),
        preexec_fn=heed_interrupts,
        timeout=20,
        check=False,
    )
    assert process.returncode == ends
    assert b"Exception" not in process.stderr and b"Traceback" not in process.stderr


IN_A_PROGRAM = """
import os, signal, sys, time
import croupier.cli.guard as guard
class Late:
    def __del__(self):
        if sys.argv[1] == "error":
            raise ValueError("lost")
        os.kill(os.getpid(), int(sys.argv[1]))
        time.sleep(0.001)
def run(arguments):
    Late()
    if sys.argv[2] != "0":
        raise OSError("a device is gone")
    return 0
guard._run = run
dropped = []
sys.unraisablehook = lambda ignored: dropped.append(str(ignored.exc_value))
code = guard.guarded(["list"])
time.sleep(0.3)
print(code, *dropped)
"""


@posix
@pytest.mark.parametrize(
    ("raised", "then", "answered"),
    [
        pytest.param("error", 0, "0 lost", id="the hook of the program hears of an error"),
        pytest.param(int(signal.SIGINT), 0, "0", id="Ctrl-C at the end does not reach the program"),
        pytest.param(int(signal.SIGTERM), 0, "0", id="SIGTERM at the end does not reach the program"),
        pytest.param(int(signal.SIGINT), 1, "130", id="an error of the system after Ctrl-C is Ctrl-C"),
    ],
)
def test_a_program_that_calls_a_command_keeps_its_signals(raised: object, then: int, answered: str) -> None:
    process = subprocess.run(
        [sys.executable, "-c", IN_A_PROGRAM, str(raised), str(then)],
        capture_output=True,
        text=True,
        env=environment(),
        preexec_fn=heed_interrupts,
        timeout=20,
        check=False,
    )
    assert (process.returncode, process.stdout.strip()) == (0, answered), process.stderr


@posix
@pytest.mark.parametrize("after", [0.1, 0.3, 0.5, 0.8])
def test_ctrl_c_while_workers_start_shows_no_traceback(after: float, tmp_path: Path) -> None:
    code, _, err = interrupted(
        tmp_path, "simulate", "fake-slow", "--games", 3000, "--jobs", 2, when="loading", after=after
    )
    assert code == 130 and b"Traceback" not in err, err


@posix
def test_ctrl_c_in_a_text_that_is_executed_has_its_exit_code(tmp_path: Path) -> None:
    """As a dataclass executes one when its module is loaded: CPython would end by the signal itself."""
    (tmp_path / "interrupted_text.py").write_text(
        "import sys, croupier.cli.guard as guard\n"
        "guard._outcome = lambda arguments: exec('raise KeyboardInterrupt')\n"
        "sys.exit(guard.guarded())\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "interrupted_text"]
    assert subprocess.run(command, cwd=tmp_path, env=environment(), check=False).returncode == 130


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
        arguments = command(
            "simulate", "fake", "--games", 40, "--seed", 4, "--format", "json", "--jobs", 1 + number
        )
        out = subprocess.run(arguments, capture_output=True, env=variables, cwd=folder, check=True).stdout
        digests.add(json.loads(out)["digest"])
    assert len(digests) == 1


@pytest.mark.parametrize("arguments", [("run", "fake", "--seed", 1), ("explain", "L013"), ("run", "--help")])
def test_a_stream_that_cannot_show_a_sign_gets_a_plain_one(arguments: tuple[object, ...]) -> None:
    process = ran(*arguments, PYTHONIOENCODING="ascii:strict", PYTHONUTF8="0")
    shown = process.stdout + process.stderr
    assert process.returncode == 0 and b"\\x" not in shown and b"\\u" not in shown
    assert b" - seed 1" in shown or "run" not in arguments or "--help" in arguments


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a · b – c — d", "a - b - c - d"),
        ("a → b", "a -> b"),
        ("“Vudù”…", '"Vudu"...'),
        ("2 ≤ ½", "2 <= 1/2"),
        ("Ω 札", "? ?"),
        ("a\u0301\u200b", "a"),
    ],  # fmt: skip
)
def test_plain_signs(text: str, plain: str) -> None:
    stand_ins.register()
    assert text.encode("ascii", errors=stand_ins.ERRORS) == plain.encode()


@pytest.mark.parametrize(
    "arguments", ["list", "simulate tic_tac_toe --games 9 --seed 1", "run tic_tac_toe --seed 1"]
)
def test_columns_are_followed_in_a_pipe(
    arguments: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert main(arguments.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (
        len(lines) > 4 and max(len(line) for line in lines if not re.fullmatch(r"[0-9a-f]{64}", line)) <= 60
    )
    monkeypatch.delenv("COLUMNS")
    assert main(arguments.split()) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) > 60


def on_a_terminal(*arguments: object, **more: str) -> bytes:
    """What a pseudo terminal shows of stdout and stderr."""
    import pty

    main, terminal = pty.openpty()
    process = subprocess.Popen(
        command(*arguments), stdout=terminal, stderr=terminal, stdin=terminal, env=environment(**more)
    )
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
    for shown in (
        on_a_terminal("run", "fake", "--seed", 1, TERM="xterm", NO_COLOR="1"),
        on_a_terminal("check", "wrong", TERM="xterm", NO_COLOR="1"),
    ):
        assert b"\x1b[3" not in shown and b"\x1b[1;3" not in shown
    for colours, wanted in (
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({}, False),
    ):
        for arguments in (("check", "wrong"), ("run", "fake", "--seed", 1))[:: 1 if wanted else 2]:
            finished = ran(*arguments, **colours)
            shown = finished.stdout + finished.stderr
            assert b"\x1b[" in shown if wanted else b"\x1b[3" not in shown and b"\x1b[1;3" not in shown, (
                arguments,
                colours,
            )
    assert b"/4" in on_a_terminal("simulate", "fake-slow", "--games", 4, "--jobs", 1, TERM="xterm")
    assert ran("simulate", "fake", "--games", 4, "--jobs", 1).stderr == b""


def test_help_loads_no_part_of_the_interpreter() -> None:
    code = (
        "import sys; sys.argv = ['croupier', '--help']; from croupier.cli import main; main();"
        "heavy = {'lark', 'pydantic', 'ruamel.yaml', 'croupier.pipeline', 'croupier.diagnostics', "
        "'croupier.play', 'multiprocessing'};"
        "print(sorted(heavy & sys.modules.keys()), file=sys.stderr)"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), check=True)
    assert process.stderr.strip() == b"[]"


@posix
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_completion(shell: str) -> None:
    asked = {
        "COMP_WORDS": "croupier ex",
        "COMP_CWORD": "1",
        "_TYPER_COMPLETE_ARGS": "croupier ex",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    variables = environment(_CROUPIER_COMPLETE=f"complete_{shell}", **asked)
    process = subprocess.run(
        [sys.executable, "-m", "croupier"], capture_output=True, env=variables, check=False
    )
    assert b"explain" in process.stdout, process.stderr


@pytest.mark.parametrize(
    ("typed", "bash", "zsh"),
    [
        (
            "simulate vudu --set reroll_|",
            ["reroll_cost=0", "reroll_cost=1", "reroll_cost=2"],
            "0..2, 1 by default",
        ),
        ("simulate vudu --set star_is_wild=|", ["false", "true"], "star_is_wild=true"),
        ("simulate vudu --players 3 --set turn_limit=n|", ["none"], "1..10000?, none by default"),
        ("sweep vudu --set compliance_mode=f|", ["focus"], "compliance_mode=focus"),
        ("run vudu --seed 1 --set skull_pos|", ["skull_positions="], "where the skulls lie"),
        (
            "compare vudu --set-b draw_cost_|",
            ["draw_cost_curse=", "draw_cost_artefact="],
            "dice that are discarded for a curse",
        ),
        ("run witches_of_blackmore --variant |", ["low_wins"], "low_wins"),
        ("run vudu --bots random,gre|", ["random,greedy"], "random,greedy"),
        ("run nosuch --set |", [], ""),
    ],
)
def test_values_are_completed(
    typed: str, bash: list[str], zsh: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """bash breaks words at `=`, and gets what stands behind it; the others get whole words and what they
    mean.
    """
    line = f"croupier {typed.removesuffix('|')}"
    words = re.findall(r"=|[^\s=]+", line) + ([""] if line.endswith((" ", "=")) else [])
    monkeypatch.setenv("_CROUPIER_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "\n".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert main([]) == 0
    assert sorted(capsys.readouterr().out.split()) == sorted(bash)
    monkeypatch.setenv("_CROUPIER_COMPLETE", "complete_zsh")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
    main([])
    assert zsh in " ".join(capsys.readouterr().out.replace("\\", "").split())
