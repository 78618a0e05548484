"""What a seat was shown or told stands on its table, with when; and nothing else does."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import croupier
from croupier.cli.views.position import table
from croupier.narration import Names
from croupier.runtime.state import SPECTATOR, State
from croupier.table import view
from croupier.table.known_facts import MAX_KNOWN, known_facts
from croupier.text import Text

GAME = "una_notte_da_lupi"
SHOWN = """
croupier: 1
ruleset: shown
title: Shown and told
players: 3
components:
  Card: {ids: [ace, king, queen]}
zones:
  hand: {holds: Card, per: Player, seen_by: nobody, label: "the place of {key}"}
  deck: {holds: Card, order: pile, start: all}
phases:
  the deal: |
    for p in players:
        move deck.bottom! to hand[p]
        show hand[p] to p
  a look: |
    show hand[players[2]] to [players[1], players[3]]
    reveal hand[players[3]]
    tell players.first that "only {players.last} knows"
    announce "all read this"
    tell players that "this, too"
    secretly players.last: tell players that "but not this"
  an exchange: |
    secretly []: swap hand[players[1]].first! with hand[players[2]].first!
    choose n from 1..2 by players.first
  much: |
    for n in 1..20: tell players.first that "number {n}"
    choose n from 1..2 by players.first
    finish draw
"""


def facts(state: State, seat: int | None) -> list[str]:
    return [str(Text.of(fact.when, ": ", fact.text)) for fact in view(state, seat, state.events(seat)).known]


@pytest.fixture
def state(tmp_path: Path) -> State:
    path = tmp_path / "shown.yaml"
    path.write_text(SHOWN, encoding="utf-8")
    return croupier.load(path).new_initial_state()


def test_a_seat_has_what_it_was_shown_or_told_and_others_were_not(state: State) -> None:
    assert facts(state, 0) == [
        "the deal: you see ace (the place of player 1)",
        "a look: you see king (the place of player 2)",
        "a look: only player 3 knows",
    ]
    assert facts(state, 1) == ["the deal: you see king (the place of player 2)"]
    assert facts(state, 2) == [
        "the deal: you see queen (the place of player 3)",
        "a look: you see king (the place of player 2)",
        "a look: but not this",
    ]
    assert facts(state, SPECTATOR) == facts(state, None) == []
    assert view(state, 0).known == ()


def test_the_last_ones_stand_on_the_table(state: State) -> None:
    state.apply_action(state.legal_actions()[0])
    assert facts(state, 0) == [f"much: number {n}" for n in range(21 - MAX_KNOWN, 21)]


def test_the_terminal_draws_them(state: State) -> None:
    lines = str(table(view(state, 1, state.events(1)), Names(("Ann", "Ben", "Cy")), width=60)).splitlines()
    at = lines.index("  you know")
    assert lines[at + 1 : at + 2] == ["    the deal: you see king (the place of Ben)"]


def test_ones_own_role_stays_on_the_table_through_a_game() -> None:
    """Whatever happens to the tiles at night: nobody is told that."""
    rules = croupier.load(GAME)
    for seed in range(4):
        chance, state = random.Random(seed), rules.new_initial_state(4)
        own: dict[int, str] = {}
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            for seat in range(4):
                found = facts(state, seat)
                if found:
                    assert own.setdefault(seat, found[0]) == found[0]
                    assert found[0].startswith("the deal: you see ")
        assert len(own) == 4
        assert {len(known_facts(state.events(seat))) for seat in range(4)} > {1}
