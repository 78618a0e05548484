"""`check` plays a few games of a ruleset: what no reading finds is told once, at the line that causes it."""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.authoring.trial import trial_problems
from croupier.cli import main

GAME = """\
croupier: 1
ruleset: heaps
title: Two heaps
players: {range: 2..4, default: 3}
parameters:
  fast: {type: bool, default: false, variants: {true: quick}}
components:
  Stone: {ids: [a, b, c]}
zones:
  heap: {holds: Stone, start: all, seen_by: everybody}
state:
  prize: 0..9 per 3..4 = 2 seen by everybody
phases:
  play: |
    for p in turns():
        choose by p:
            option "go on": pass
            option "stop": pass
        if prize[players.size] > 1: finish win p
invariants:
  nothing is lost: |
    (heap.size >= 1
     and heap.size == 3)
"""
QUICK = """\
croupier: 1
extends: ../ruleset.yaml
title: Quick
phases:
  play: |
    var left = heap.list
    repeat until left.empty: left = left.drop(1)
    let last = left.first!
    finish win players.first as "{last}"
"""
FOUR = (
    "croupier: 1\nextends: ../ruleset.yaml\ntitle: Four stones\ncomponents:\n  Stone: {ids: [a, b, c, d]}\n"
)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "quick.yaml").write_text(QUICK, encoding="utf-8")
    file = tmp_path / "ruleset.yaml"
    file.write_text(GAME, encoding="utf-8")
    return file


def told(file: Path) -> list[tuple[str, str | None, int]]:
    return [
        (d.code, d.span and d.span.text, d.span.line if d.span else 0)
        for d in trial_problems(croupier.load(file))
    ]


def test_each_cause_is_told_once(game: Path) -> None:
    assert told(game) == [("R002", "prize[players.size]", 19), ("R001", "left.first!", 8)]
    by_number, switched = trial_problems(croupier.load(game))
    assert (
        "with 2 players" in by_number.notes[-1]
        and "--players 2 --seed 1 --game 1` shows it" in by_number.notes[-1]
    )
    assert "--set fast=true" in switched.notes[-1], "a variant that a parameter switches on is tried, too"


def test_an_invariant_stands_where_it_is_false(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game.write_text(
        GAME.replace("{range: 2..4, default: 3}", "3..4").replace(
            "    (heap.size >= 1", "    (heap.size >= 2"
        ),
        encoding="utf-8",
    )
    four = game.with_name("four.yaml")
    four.write_text(FOUR.replace("../", ""), encoding="utf-8")
    [found] = trial_problems(croupier.load(four))
    assert (found.code, found.span and found.span.text) == ("R020", "Stone"), "the change of the variant"
    assert [(label.span.text, label.text) for label in found.labels][:2] == [
        ("heap.size == 3", "this was written for the ruleset as it was"), ("heap.size", "is 4"),
    ]  # fmt: skip
    assert main(["check", str(four)]) == 1 and "R020" in capsys.readouterr().out


def test_the_same_is_told_every_time(game: Path) -> None:
    assert trial_problems(croupier.load(game)) == trial_problems(croupier.load(game))


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "go_fish", "witches_of_blackmore", "magpie", "una_notte_da_lupi/secret_tokens"]
)
def test_nothing_is_told_of_what_is_right(name: str) -> None:
    assert trial_problems(croupier.load(name)) == []
