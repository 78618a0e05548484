"""A soak of random programs: it keeps what it finds, goes on after it and where it was, and makes findings
smaller.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import core_lockstep
from croupier.execution.python_program import PythonPosition
from generated import soak
from generated.soak import (
    INTERPRETED,
    PRINTED,
    Outcome,
    Soak,
    Summary,
    joined,
    made_by,
    played,
    smaller,
    text_of,
)

SMALL = """\
croupier: 1
ruleset: small
title: Small
players: 2
state:
  total: 0..9 = 0 seen by everybody
  level: 0..9 = 0 seen by everybody
phases:
  play: |
    level = 2
    choose n from 1..2 by players.first
    total = n
    if level > 1:
        total += 1
    finish draw
"""
ASKED = """\
croupier: 1
ruleset: asked
title: Asked
players: 2
state:
  total: 0..9 = 0 seen by everybody
  rival: Player? seen by everybody
phases:
  play: |
    so that total >= 0:
        may choose n from 0..2 by players.first:
            total = n // (n - rival!.seat)
    finish draw
"""


def wrong(self: PythonPosition, action: int, seat: int = 0) -> None:
    """An action that does nothing."""


def test_what_is_found_is_kept_and_made_smaller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Soak(tmp_path, 1)
    assert not played(1, SMALL, [PRINTED]).found
    with monkeypatch.context() as changed:
        changed.setattr(PythonPosition, "apply", wrong)
        one = played(1, SMALL, [PRINTED])
        assert one.found.startswith("differs: core-python: the position after [0")
        least = smaller(SMALL, [PRINTED], 1)
        assert "choose n from 1..2" in least and "level" not in least
    list(found.noted(one))
    found.keep()
    again = Soak(tmp_path, 1)
    assert [text_of(path) for path in again.findings()] == [SMALL] and again.summary.counts == {"found": 1}
    assert list(again.tasks(range(3)))[0] == (1, SMALL) and [n for n, _ in again.tasks(range(3))] == [1, 0, 2]
    list(again.noted(played(1, SMALL, [PRINTED])))
    assert (
        not again.findings()
        and again.summary.counts == {"found": 1}
        and (tmp_path / "mended_1.yaml").is_file()
    )


def test_a_crash_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*given: object) -> None:
        raise RuntimeError("a planted crash")

    monkeypatch.setattr(soak, "core_that", crash)
    assert played(1, SMALL).found.startswith("RuntimeError in test_soak.py, crash: a planted crash\n")


def test_options_that_cannot_be_worked_out_fault_wherever_they_are_asked_for() -> None:
    one = played(1, ASKED, [PRINTED, INTERPRETED], games=1)
    assert not one.found and one.codes["R001"] == 1


def test_a_process_plays_programs(tmp_path: Path) -> None:
    found = list(Soak(tmp_path, 1, [PRINTED]).run(range(1)))
    summary = Soak(tmp_path, 1).summary
    assert not found and sum(summary.counts.values()) == 1 and summary.done == [[0, 1]]
    assert "never:" in summary.covered() and "1 programs: " in str(summary)


def test_a_process_that_does_not_end_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "PATIENCE", 0.0)
    worker = soak.Worker([PRINTED])
    worker.give(1, SMALL)
    one = worker.taken()
    assert one is not None and one.found == "no end after 0 seconds" and one.text == SMALL


def test_ranges() -> None:
    assert joined([[4, 5], [0, 2], [2, 3]]) == [[0, 3], [4, 5]]
    summary = Summary()
    summary.add(Outcome(7))
    assert summary.has(7) and not summary.has(8)
    assert made_by(5).text == made_by(5).text and core_lockstep.PRINTED == PRINTED
