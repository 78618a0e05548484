"""The matrix tries every value at every number of players, says the same with any number of processes, and
finds what it is there for.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import _matrix  # noqa: E402

MAIN = "witches_of_blackmore"
WRONG = """croupier: 1
ruleset: wrong
title: Wrong
players: 2..3
limits: {fuel: 5000}
parameters:
  ending: {one_of: [draw, nothing, loop]}
state:
  n: 0..9 = 0 seen by everybody
phases:
  play: |
    choose x from 1..3 by players.first
    n = x
    if ending == nothing and players.size == 3:
        choose y from 1..3 by players.first where y > 5
    repeat until ending != loop:
        n = 1
    finish draw
invariants:
  small: n < 2
"""


def test_every_value_at_every_number_of_players() -> None:
    rules = _matrix.load(MAIN)
    rows = list(_matrix.setups(rules, 0))
    for players in rules.players:
        here = [row.settings for row in rows if row.players == players]
        assert {} in here
        for name, values in _matrix.tried(rules).items():
            assert [s[name] for s in here if name in s] == values


def test_any_number_of_processes() -> None:
    one, two = (_matrix.played("tic_tac_toe", _matrix.Plan(2, 2, 0), jobs) for jobs in (1, 2))
    assert [(r.players, r.settings, r.games, r.bad) for r in one] == [
        (r.players, r.settings, r.games, r.bad) for r in two
    ]


def test_what_goes_wrong_is_found_with_its_seed(tmp_path: Path) -> None:
    file = tmp_path / "ruleset.yaml"
    file.write_text(WRONG, encoding="utf-8")
    rows = {
        (r.players, r.settings.get("ending", "draw")): r.bad
        for r in _matrix.played(str(file), _matrix.Plan(8, 16, 0), 1)
    }
    assert all("stuck" in bad or "invariant" in bad for bad in rows[3, "nothing"]) and any(
        "stuck" in bad for bad in rows[3, "nothing"]
    )
    assert any("faulted" in bad for bad in rows[2, "loop"])
    assert rows[2, "draw"] and all(
        "invariant `small`" in bad and bad.startswith("seed 1, game ") for bad in rows[2, "draw"]
    )


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_ten_thousand_games(players: int) -> None:
    row = _matrix.play(_matrix.load(MAIN), _matrix.Row(players, {}), 10_000)
    assert row.games == 10_000 and row.bad == []
