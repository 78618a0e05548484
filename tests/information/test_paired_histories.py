"""Two histories that differ only in what a seat may not see tell it the same: in what it reads, and in what
is missing (`paired_histories.py`).
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import croupier
from asking_rulesets import HEAD
from asking_rulesets import ruleset as asking
from croupier.resources import shipped
from croupier.runtime.asking import AskOp
from croupier.runtime.state import State
from croupier.scenarios import run_scenarios
from croupier.scenarios.running import StepRunner
from generated.world import program
from paired_histories import Found, compare, noting_operations
from planted import ruleset as planted

OPEN = frozenset((
    "ant_hill", "baron_voodoo", "breakthrough", "checkers", "chess", "connect_four", "fences",
    "first_capture", "hex", "nine_mens_morris", "othello",
    "oware", "stags", "three_in_a_row", "tic_tac_toe", "two_dice_pig", "village_draughts", "weiqi",
))  # fmt: skip
"""Rulesets that hide nothing: no two histories of theirs are the same to anybody."""
UNPAIRED = frozenset((
    "barter", "cattle_fair", "hedge_maze", "hillside", "homesteads", "hosts", "kiln", "lamplighters",
    "magpie", "manufactory",
    "robbers", "windy_isles",
))  # fmt: skip
"""Rulesets of which these few games hold no two histories that are the same to a seat and differ in a step of
others: here the test shows nothing.
"""
NAMES = [name for name in shipped() if "/" not in name and name not in OPEN]
GAMES = ("una_notte_da_lupi", "vudu", "wednesday_hyde", "witches_of_blackmore")
MOST_STEPS, MOST_POSITIONS = 24, 2
SEATS = 3  # at most, that watch a game


def found_from(starts: list[State], seeds: range = range(1)) -> Found:
    """What is found in games from these states, by each of the first seats."""
    found = Found()
    with noting_operations():
        for start in starts:
            for seed in seeds:
                for seat in range(min(start.players, SEATS)):
                    compare(start, seat, seed, MOST_STEPS, found)
    return found


def starts_of(rules: croupier.Ruleset) -> list[State]:
    """The beginnings with the fewest players and with one more."""
    return [rules.new_initial_state(players) for players in rules.players[:2]]


def written(text: str, folder: Path) -> croupier.Ruleset | None:
    file = folder / "ruleset.yaml"
    file.write_text(text, encoding="utf-8")
    return croupier.check(file).ruleset


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_told_by_silence(name: str) -> None:
    starts = starts_of(croupier.load(name))
    found = found_from(starts)
    if not found.pairs:  # a short game, in which few steps go unseen
        found = found_from(starts, range(1, 8))
    assert found.told == []
    assert found.pairs or name in UNPAIRED, "no two histories were the same to a seat: this shows nothing"


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_told_where_scenarios_end(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    states: list[State] = []
    expect = StepRunner.expect

    def noticing(self: StepRunner, *arguments: Any) -> None:
        if not self.state.is_terminal():
            states.append(self.state.clone())
        expect(self, *arguments)

    monkeypatch.setattr(StepRunner, "expect", noticing)
    assert all(result.passed for result in run_scenarios(name))
    monkeypatch.undo()
    apart = max(1, len(states) // MOST_POSITIONS)
    found = found_from(states[::apart][:MOST_POSITIONS])
    assert found.told == [] and found.pairs


def generated(kind: str, number: int) -> str:
    """A generated ruleset as text: much that is asked, decisions in all kinds of blocks, or any construct of
    the language.
    """
    if kind == "asking":
        return asking(number)
    return planted(number) if kind == "planted" else program(random.Random(number).randrange, True).text


@pytest.mark.parametrize(
    ("kind", "first"),
    [*(("asking", n) for n in range(0, 140, 20)), *(("planted", n) for n in range(0, 60, 20))],
)
def test_nothing_is_told_in_generated_rulesets(kind: str, first: int, tmp_path: Path) -> None:
    pairs = 0
    for number in range(first, first + 20):
        rules = written(generated(kind, number), tmp_path)
        if rules is not None:
            found = found_from([rules.new_initial_state(rules.players[0])])
            assert found.told == [], f"{kind} {number}"
            pairs += found.pairs
    assert pairs >= 3, "hardly any pair was played"


@pytest.mark.soak
def test_nothing_is_told_in_many_generated_rulesets(tmp_path: Path) -> None:
    for kind, numbers in (
        ("asking", range(1_000, 3_000)),
        ("planted", range(1_000, 1_200)),
        ("world", range(300)),
    ):
        for number in numbers:
            rules = written(generated(kind, number), tmp_path)
            if rules is not None:
                assert found_from([rules.new_initial_state(rules.players[0])]).told == [], f"{kind} {number}"


@pytest.mark.parametrize("case", ["forced", "done"])
def test_what_silence_tells_is_found(case: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Told as if everybody saw what is on offer, a forced event of chance and the end of a choice give hidden
    cards away.
    """
    asked = {
        "forced": "choose c from hand[a] by chance merging colour\n    move c to away",
        "done": "choose 1..2 cs from hand[a] by a\n    move cs to away",
    }[case]
    statements = (
        f"for p in players: draw 2 from deck to hand[p]\n    {asked}\n    choose n from 1..2 by "
        f'players.last as "go on"\n    finish draw\n'
    )
    rules = written(
        HEAD[: HEAD.index("    let a =")] + f"    let a = players.first\n    shuffle deck\n    {statements}",
        tmp_path,
    )
    assert rules is not None
    start = [rules.new_initial_state(3)]
    assert found_from(start, range(12)).told == []
    monkeypatch.setattr(AskOp, "is_open_to", lambda *_: True)
    assert found_from(start, range(12)).told != []
