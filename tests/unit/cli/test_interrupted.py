"""A run that is told to stop before its end says so at the head of all that it prints, and by its exit code.

The table is `interrupted.cases.yaml`. Signals themselves are tested in `test_process.py`: here a command is
told to stop at a chosen moment.
"""

from __future__ import annotations

import inspect
import json
import re
import shlex
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from croupier.cli.app import COMMANDS, function_of
from croupier.cli.guard import guarded
from croupier.play.interrupt import INTERRUPTED, TERMINATED, Interrupt

CASES: list[dict[str, Any]] = YAML(typ="safe").load(
    Path(__file__).with_name("interrupted.cases.yaml").read_text(encoding="utf-8")
)
EACH = [
    (case["command"], case["after"], case["part"], format, case.get("counts", True))
    for case in CASES
    for format in case["formats"]
]
# commands that hear Ctrl-C and show no figures of many games
OTHERS = {"run", "test", "play", "replay", "serve"}


def stop_after(looks: int, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every `Interrupt` ask for a stop once it was asked so often."""
    asked = [0]

    def is_requested(self: Interrupt) -> bool:
        asked[0] += 1
        if asked[0] > looks:
            self.requested = True
            Interrupt.exit_code = code
        return self.requested

    monkeypatch.setattr(Interrupt, "is_requested", is_requested)


def formatted(command: str, format: str) -> list[str]:
    words = shlex.split(command)
    words += ["--seed", "1"] if "--seed" not in words else []
    return words if words[0] == "report" else [*words, "--format", format]


@pytest.mark.parametrize("code", [INTERRUPTED, TERMINATED])
@pytest.mark.parametrize(
    ("command", "after", "part", "format", "counts"), EACH, ids=[f"{case[0]}, {case[3]}" for case in EACH]
)
def test_half_a_run_says_so(
    command: str,
    after: int,
    part: str,
    format: str,
    counts: bool,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    stop_after(after, code, monkeypatch)
    assert guarded(formatted(command, format)) == code
    found = capsys.readouterr()
    assert "interrupted" in found.err
    if format == "human":
        assert re.match(part, found.out), found.out[:200]
    elif format == "html":
        head = unescape(found.out.split("<h2>")[0].split("<table>")[0])
        assert re.search(rf"<title>[^<]*\({part}", head), head[-500:]
        assert re.search(rf"<strong>{part[:1].upper()}{part[1:]}", head), head[-500:]
    else:
        document = json.loads(found.out)
        assert document["interrupted"] is True
        if counts:
            assert 0 < document["games"]["played"] < document["games"]["wanted"]


def test_every_command_that_can_be_interrupted_stands_in_the_table() -> None:
    hears = {
        name
        for name in COMMANDS
        if "Interrupt()" in Path(inspect.getfile(function_of(name))).read_text(encoding="utf-8")
    }
    assert hears - OTHERS == {case["command"].split()[0] for case in CASES}
