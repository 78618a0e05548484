"""A step of a game that goes on for long: Ctrl-C ends it, and what was played before counts; workers end with
the process that started them.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from needs import compiler, posix

RULES = """\
croupier: 1
ruleset: long
title: Long
players: 2
limits: {decisions: 100000, fuel: 10000000}
state:
  n: int = 0 seen by everybody
phases:
  play: |
    choose k from 1..2 by players.first
    choose m from 1..2 by players.first
    for a in 1..3000:
        for b in 1..3000:
            n = max(a, b, a + b, a * 2, b * 2, a * 3, b * 3, a * 5, b * 5, a * 7, b * 7, a mod 9, b mod 9, a + 9, b + 9)
"""  # noqa: E501 the text as it is read
SCENARIO = "croupier: 1\nscenarios:\n  - {id: A, do: [{1: 1}, {1: 1}], then: [n == 3000]}\n"
DRIVER = """
import os, sys
from croupier.play.interrupt import exit_with_parent
exit_with_parent(int(os.environ["TESTED_BY"]))
from croupier.runtime.state import State
apply, times = State.apply_action, []
def marked(self, action, seat=None):
    times.append(1)
    if len(times) == 2:
        open(os.environ["MARK"], "w").close()
    return apply(self, action, seat)
State.apply_action = marked
from croupier.cli import main
sys.exit(main(sys.argv[1:]))
"""
COMPILING_DRIVER = """
import hashlib, os, sys
from croupier.play.interrupt import exit_with_parent
exit_with_parent(int(os.environ["TESTED_BY"]))
from croupier.execution import llvm_compiler
def compiles_for_minutes(assembly, optimize):
    open(os.environ["MARK"], "w").close()
    return hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)  # as a call of LLVM does, it hears no signal and lets other threads run
llvm_compiler._emit_object = compiles_for_minutes
from croupier.cli import main
sys.exit(main(sys.argv[1:]))
"""  # noqa: E501 the text as it is read
TESTER = """
import sys, time
from pathlib import Path
sys.path.insert(0, {here!r})
from test_long_steps import started
process = started(Path({folder!r}), "run", "long", "--seed", "1")
time.sleep(60)
"""
SOON = 5.0  # seconds on a machine that may be busy; the step takes many more


def started(folder: Path, *arguments: str, driver: str = DRIVER) -> subprocess.Popen[bytes]:
    """A process of the command line that plays the game in a folder."""
    (folder / "long").mkdir()
    (folder / "long" / "ruleset.yaml").write_text(RULES)
    (folder / "long" / "scenarios").mkdir()
    (folder / "long" / "scenarios" / "a.yaml").write_text(SCENARIO)
    (folder / "driver.py").write_text(f"if __name__ == '__main__':\n    exec({driver!r})\n")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "MARK": str(folder / "mark"),
        "TESTED_BY": str(os.getpid()),
    }
    environment["CROUPIER_CACHE"] = "off"
    command = [sys.executable, str(folder / "driver.py"), *arguments]
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def is_running(pid: int) -> bool:
    """Whether a process goes on: one that nobody has waited for yet is over."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(true: Callable[[], bool], patience: float = 60.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + patience
    while not true() and time.monotonic() < end:
        time.sleep(0.02)


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


@posix
@pytest.mark.parametrize(
    ("arguments", "counted"),
    [
        (("run", "long", "--seed", "1"), b"interrupted after 1 actions"),
        (
            ("simulate", "long", "--games", "2000", "--backend", "reference", "--jobs", "1"),
            b"interrupted after 0 of 2,000 games",
        ),
        (
            ("coverage", "long", "--games", "2"),
            b"interrupted after 0 games and 0 scenarios: nothing is known of what never happens",
        ),
        (
            ("mutate", "long", "--jobs", "1"),
            b"interrupted before the first mutant was tried: nothing is known of the scenarios",
        ),
        (("hunt", "long", "--games", "2", "--jobs", "1"), b"interrupted after 0 of 2 games"),
        (("test", "long"), b"0 of 0 scenarios passed in 0.0 seconds, then interrupted"),
    ],
)
def test_ctrl_c_ends_a_long_step(arguments: tuple[str, ...], counted: bytes, tmp_path: Path) -> None:
    process = started(tmp_path, *arguments)
    until((tmp_path / "mark").exists)
    os.killpg(process.pid, signal.SIGINT)
    pressed = time.monotonic()
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - pressed < SOON
    assert (process.returncode, err.splitlines()[-1]) == (130, counted), err
    assert b"Traceback" not in err + out


@posix
def test_mutate_says_as_json_what_there_is(tmp_path: Path) -> None:
    process = started(tmp_path, "mutate", "long", "--jobs", "1", "--format", "json")
    until((tmp_path / "mark").exists)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    found = json.loads(out)
    assert (process.returncode, found["interrupted"], found["tried"], found["score"]) == (
        130,
        True,
        0,
        None,
    ), err


@posix
@compiler
@pytest.mark.parametrize(("by", "ends"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ctrl_c_ends_a_long_compilation(by: signal.Signals, ends: int, tmp_path: Path) -> None:
    """Native code that takes minutes to compile: the process ends without it."""
    process = started(
        tmp_path, "simulate", "long", "--games", "2000", "--backend", "native", driver=COMPILING_DRIVER
    )
    until((tmp_path / "mark").exists)
    os.killpg(process.pid, by)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err.splitlines()[-1]) == (
        ends,
        b"interrupted after 0 of 2,000 games",
    ), err
    assert b"Traceback" not in err + out


says_children = pytest.mark.skipif(
    not Path(f"/proc/self/task/{os.getpid()}/children").exists(),
    reason="nothing there says which processes another one started",
)


@says_children
@pytest.mark.parametrize(
    ("how", "grown"), [(signal.SIGINT, 1.0), (signal.SIGKILL, 0.0), (signal.SIGKILL, 1.0)]
)
def test_workers_do_not_outlive_their_parent(how: signal.Signals, grown: float, tmp_path: Path) -> None:
    process = started(
        tmp_path, "simulate", "long", "--games", "2000", "--backend", "reference", "--jobs", "2"
    )
    until(lambda: len(children(process.pid)) >= 3)  # two workers, and the tracker of their resources
    time.sleep(grown)
    workers = children(process.pid)
    process.send_signal(how)
    ended = time.monotonic()
    process.communicate(timeout=60)
    until(lambda: not any(map(is_running, workers)), SOON)
    assert workers and not any(map(is_running, workers)), time.monotonic() - ended


@says_children
def test_what_a_test_started_does_not_outlive_it(tmp_path: Path) -> None:
    """A test that is killed in the middle: here it is a process that starts the command line as these tests
    do.
    """
    (tmp_path / "tester.py").write_text(TESTER.format(here=str(Path(__file__).parent), folder=str(tmp_path)))
    tester = subprocess.Popen(
        [sys.executable, str(tmp_path / "tester.py")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    until((tmp_path / "mark").exists)
    left = children(tester.pid)
    tester.kill()
    tester.wait()
    until(lambda: not any(map(is_running, left)), SOON)
    assert left and not any(map(is_running, left))
