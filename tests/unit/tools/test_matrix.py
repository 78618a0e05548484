"""The matrix of set-ups: what is tried, what is found."""

import sys
from pathlib import Path

import pytest

import croupier

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

import _matrix  # noqa: E402

RULES = croupier.load("witches_of_blackmore")

BROKEN = """croupier: 1
ruleset: broken
title: Broken
players: 2
limits: {decisions: 50}
parameters:
  most: {type: 1..9, default: 9}
state:
  n: 0..8 = 0 seen by everybody
phases:
  play: |
    for p in turns():
        choose k from 1..most by p
        n = k
        if n > 6: finish draw
"""


def test_every_parameter_is_tried() -> None:
    assert all(_matrix.tried(RULES).values())


@pytest.mark.parametrize(
    "row", list(_matrix.setups(RULES, 10))[::4], ids=lambda row: f"{row.players}-{row.settings}"[:60]
)
def test_games_of_every_setting_finish(row: _matrix.Row) -> None:
    assert _matrix.play(RULES, row, 1).bad == []


def test_what_goes_wrong_is_found(tmp_path: Path) -> None:
    file = tmp_path / "ruleset.yaml"
    file.write_text(BROKEN, encoding="utf-8")
    rows = [_matrix.play(croupier.load(file), row, 30) for row in _matrix.setups(croupier.load(file), 0)]
    assert any("9 is not in 0..8" in r.bad[0] for r in rows if r.bad)


def test_a_back_end_that_refuses_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.execution.llvm_compiler.is_installed", lambda: False)
    row = _matrix.play(RULES, _matrix.Row(2, {}), 1, _matrix.Plan(backend="native"))
    assert row.bad == ["the back end `native` is not part of this installation"]
