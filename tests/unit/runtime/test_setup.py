"""What set-ups of one ruleset share: a condition of parameters is worked out once for the values that it
reads, and costs its steps each time.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import RulesetError
from croupier.kernel.tree import TypedExpr
from croupier.runtime import setup

RULES = """\
croupier: 1
ruleset: laps
title: Laps
players: 2..3
parameters:
  laps:
    type: 1..9
    default: 3
    valid:
      all laps together are few: sum(n for n in 1..laps) < 10 * players.size
  name: {type: bool, default: false}
phases:
  run: finish win players.first
"""


@pytest.fixture
def laps(tmp_path: Path) -> croupier.Ruleset:
    path = tmp_path / "laps.yaml"
    path.write_text(RULES, encoding="utf-8")
    return croupier.load(path)


def test_a_condition_is_worked_out_once_for_what_it_reads(
    laps: croupier.Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_out: list[TypedExpr] = []
    conditions = [condition for _, condition in laps.program.params["laps"].valid]
    value = setup.SetupValues.value

    def counted(self: setup.SetupValues, x: TypedExpr, *known: object) -> object:
        worked_out.extend([x] if x in conditions else [])
        return value(self, x, *known)

    monkeypatch.setattr(setup.SetupValues, "value", counted)
    laps.program.params["laps"].answers.clear()
    for name in (False, True):
        for players in (2, 3):
            laps.set_up(players, {"laps": 5, "name": name})
    assert len(worked_out) == 2  # for two and for three players


def test_a_condition_that_does_not_hold_is_refused_each_time(laps: croupier.Ruleset) -> None:
    for _ in range(2):
        with pytest.raises(RulesetError) as refused:
            laps.set_up(2, {"laps": 6})
        assert [d.code for d in refused.value.diagnostics] == ["G013"]
        laps.set_up(3, {"laps": 6})


def test_what_is_known_costs_its_steps_again(laps: croupier.Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "SETUP_FUEL", 8)
    laps.program.params["laps"].answers.clear()
    laps.set_up(2, {"laps": 2})
    monkeypatch.setattr(setup, "SETUP_FUEL", 1)
    with pytest.raises(RulesetError) as refused:
        laps.set_up(2, {"laps": 2})
    assert [d.code for d in refused.value.diagnostics] == ["R010"]


def test_without_parameters_each_has_its_default(tmp_path: Path) -> None:
    path = tmp_path / "laps.yaml"
    path.write_text(
        RULES.replace("players: 2..3", "players: {by: name, false: 3, true: 2}"), encoding="utf-8"
    )
    game = setup.set_up(croupier.load(path).program, None, None).game
    assert game.players == 3 and game.parameters["laps"] == 3
