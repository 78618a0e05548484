"""`check --matrix`: every value at every number of players is set up; what cannot be is reported at the
parameter.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.authoring.coverage.games import CoveragePlan
from croupier.authoring.coverage.measure import measure
from croupier.authoring.matrix import check_matrix, single_setups, tried_values
from croupier.cli import main

WRONG = """\
croupier: 1
ruleset: wrong
title: Wrong
players: 2..3
parameters:
  hand_size: {type: 1..5, default: 1, doc: cards}
  rows: {type: 0..9, default: 3}
  rounds:
    type: 1..9
    default: 1
    valid: rounds < 5
components:
  Card: {count: 9}
boards:
  grid: {shape: rectangle, rows: rows, columns: 3, stack: {holds: Card, seen_by: everybody}}
zones:
  deck: {holds: Card, order: pile, start: all}
  hand: {holds: Card, per: Player}
phases:
  deal: |
    for p in players:
        for n in 1..hand_size:
            move deck.top! to hand[p]
  play: |
    for n in 1..rounds:
        choose c from grid by players.first
    finish draw
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG, encoding="utf-8")
    return path


def test_what_cannot_be_set_up(file: Path) -> None:
    ruleset = croupier.load(file)
    matrix = check_matrix(ruleset)
    assert matrix.tried == len(list(single_setups(ruleset))) == 2 * (1 + 2 + 3 + 2)
    assert matrix.refused == 4 and matrix.never == (("rounds", 5), ("rounds", 9))
    found = [(d.code, d.message, d.span.text if d.span else None) for d in matrix.diagnostics]
    assert found == [
        ("G030", "the game cannot be set up with `hand_size` = 5 and 2 or 3 players", "hand_size"),
        ("G030", "the game cannot be set up with `rows` = 0 and 2 or 3 players", "rows"),
    ]
    hand, rows = matrix.diagnostics
    assert hand.labels[0].span.text == "deck.top!" and hand.notes[0].startswith("R001: ")
    assert rows.notes[0].startswith("G0")


def test_values_that_depend_on_the_number_of_players(file: Path) -> None:
    first = "  first: {type: Player?, default: none, tried: [players.last]}\n"
    text = WRONG.replace("players: 2..3", "players: {range: 2..3, default: 3}")
    file.write_text(text.replace("parameters:\n", f"parameters:\n{first}"), encoding="utf-8")
    ruleset = croupier.load(file)
    assert [tried_values(ruleset, players)["first"] for players in (2, 3, None)] == [
        [None, 1],
        [None, 2],
        [None, 2],
    ]
    assert not any("`first`" in d.message for d in check_matrix(ruleset).diagnostics)
    counted = [
        value for value in measure(file, CoveragePlan(games=12, vary=True)).values if value.name == "first"
    ]
    assert [value.value for value in counted] == [None, 1, 2] and all(value.games for value in counted)


def test_the_command(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(file)]) == 0
    assert main(["check", str(file), "--matrix"]) == 1
    shown = capsys.readouterr()
    assert (
        "error[G030 value-breaks-setup]" in shown.out and "16 set-ups tried, 4 of them refused" in shown.err
    )
    assert "`rounds` = 9 is refused at every number of players" in shown.err


@pytest.mark.parametrize("name", ["tic_tac_toe", "plain_tricks", "kuhn_poker", "wednesday_hyde"])
def test_shipped_rulesets(name: str) -> None:
    assert check_matrix(croupier.load(name)).diagnostics == ()
