"""Every hostile set-up and every hostile rule ever found is refused, or ends its game, with one diagnostic at
the author's line.

`limits/expected.csv` has a row for each file: how its game ends (`refused` before it begins), the code, line
and column. The limits are those that users are promised: two seconds of the processor, 200 MB, no traceback.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import time
from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import Diagnostic, RulesetError
from hostile import RENDERERS, SECONDS

FOLDER = Path(__file__).parent / "limits"
INTERPRETER = Path(__file__).parents[2] / "interpreter"
CASES = list(csv.DictReader((FOLDER / "expected.csv").read_text(encoding="utf-8").splitlines()))
MEGABYTES = 200


def outcome(path: Path) -> tuple[str, Diagnostic | None]:
    """How the game of a ruleset ends when the first of all options is always taken."""
    checked = croupier.check(path)
    if checked.ruleset is None:
        return "refused", next(found for found in checked.diagnostics if found.is_error)
    try:
        state = checked.ruleset.new_initial_state()
    except RulesetError as error:
        return "refused", error.diagnostics[0]
    while not state.is_terminal():
        seats = state.pending_seats() or [-1]
        for seat in seats:
            actions = state.legal_actions(None if seat < 0 else seat)
            if not actions:
                break
            state.apply_action(actions[0], None if seat < 0 else seat)
    return str(state.outcome()["status"]), state.fault


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_file(case: dict[str, str]) -> None:
    started = time.process_time()
    status, found = outcome(FOLDER / case["file"])
    assert time.process_time() - started < 2 * SECONDS, "the machine may be busy"
    place = (
        ("", "", "")
        if found is None or found.span is None
        else (found.code, str(found.span.line), str(found.span.column))
    )
    assert (status, *place) == (case["status"], case["code"], case["line"], case["column"])
    if found is not None:
        for render in RENDERERS:
            assert found.code in render([found])


def test_every_file_is_expected() -> None:
    assert sorted(case["file"] for case in CASES) == sorted(path.name for path in FOLDER.glob("*.yaml"))


PROBE = """
import contextlib, io, resource, sys, time
from croupier.cli import main
def peak():
    # in megabytes; Linux counts in `ru_maxrss` what the process that started this one held: it says better in /proc
    try:
        return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) // 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 * 1024 if sys.platform == "darwin" else 1024)
for name in sys.argv[1:]:
    began, out, err = time.process_time(), io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["run", name, "--seed", "1"])
    harm = "Traceback" in err.getvalue() or "mistake of croupier itself" in err.getvalue()
    print(name, code, int(harm), peak(), f"{time.process_time() - began:.2f}")
"""  # noqa: E501 the text as it is read


@pytest.mark.skipif(sys.platform == "win32", reason="nothing there measures the memory of a process")
def test_the_command_line() -> None:
    """Every eighth file, in one process: its peak is more than that of any of them."""
    names = [str(FOLDER / case["file"]) for case in CASES[::8]]
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *names],
        env={"PYTHONPATH": str(INTERPRETER)},
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.rsplit(" ", 4) for line in done.stdout.splitlines()]
    assert len(rows) == len(names)
    assert [row for row in rows if row[1] not in ("1", "2") or row[2] != "0"] == []
    assert [row for row in rows if float(row[4]) > 4 * SECONDS] == [], (
        "the log is made by playing again, and the machine may be busy"
    )
    assert max(int(row[3]) for row in rows) < MEGABYTES
