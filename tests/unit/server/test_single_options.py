"""Decisions without a choice are taken and told, unless that tells others more than the question would."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import croupier
from croupier.play.match import MatchConfig
from croupier.server.hosted_match import HostedMatch
from croupier.server.single_options import may_be_left_out
from croupier.server.store import TableStore
from croupier.server.tables import OpenTable, Tables

RULES = """
croupier: 2
ruleset: single
title: Single options
players: 2
types:
  Suit: [red, blue]
components:
  Card: {{attributes: {{suit: Suit, n: 1..3}}, each: [suit, n]}}
zones:
  deck: {{holds: Card, order: sequence, start: all, seen_by: nobody}}
  hand: {{holds: Card, per: Player, seen_by: owner}}
  row: {{holds: Card, seen_by: everybody}}
state:
  led: Suit? seen by everybody
  secret: 1..3 per Player = 1 seen by owner
phases:
  deal: |
    move deck[1] to hand[players.first]
    move deck[2] to row
    led = red
  first: |
    {first}
  last: |
    choose z from 1..2 by players.last
    finish draw
"""

CASES = {
    "everybody can work it out": ("choose c from row by players.first", True),
    "a number that everybody knows": ("choose n from 1..row.size by players.first", True),
    "a condition that everybody knows": ("choose n from 1..9 by players.first where n == row.size", True),
    "what is chosen is hidden": ("choose c from hand[players.first] by players.first", False),
    "the condition reads what is hidden": (
        "choose n from 1..3 by players.first where n == secret[players.first]", False,
    ),
    "there are two": ("choose n from 1..2 by players.first", False),
    "nobody else knows of it": ("secretly players.first:\n        choose n from [4] by players.first", False),
    "everybody has the same time": (
        "for 5 seconds otherwise first:\n"
        "        secretly players.first:\n            choose n from [4] by players.first",
        True,
    ),
    "a menu that everybody can work out": (
        "choose by players.first:\n"
        "        option \"take {c}\" for c in row: move c to hand[players.first]\n"
        "        option \"wait\" if row.empty: pass",
        True,
    ),
    "a menu with a hidden condition": (
        "choose by players.first:\n"
        "        option \"boast\" if secret[players.first] > 2: announce \"three\"\n"
        "        option \"wait\": pass",
        False,
    ),
    "a menu of hidden things": (
        "choose by players.first:\n        option \"play {c}\" for c in hand[players.first]: move c to row",
        False,
    ),
    "everybody at once": (
        "choose n from [4] by every p in players\n    for p in players: announce \"{n[p]}\"", False,
    ),
}  # fmt: skip


def table_of(tmp_path: Path, first: str) -> OpenTable:
    path = tmp_path / "single.yaml"
    path.write_text(RULES.format(first=first), encoding="utf-8")
    tables = Tables(TableStore(tmp_path / "tables.db"), (str(path),), croupier.load)
    id, _ = tables.make(str(path), 2, [0, 1], ["random"], ["Ann", "Ben"], seed=1)
    table = tables.find(id)
    for seat in (0, 1):
        tables.arrive(table, seat).write()
    return table


@pytest.mark.parametrize(("first", "is_taken"), CASES.values(), ids=CASES)
def test_a_single_option_is_taken_where_others_learn_nothing_by_it(
    first: str, is_taken: bool, tmp_path: Path
) -> None:
    table = table_of(tmp_path, first)
    page = json.loads(table.page(0).since())
    assert len(table.match.steps) == int(is_taken)
    assert (page["view"]["decision"] is None) is is_taken
    assert len(page.get("taken", [])) == int(is_taken)
    assert "taken" not in json.loads(table.page(1).since())
    assert "taken" not in json.loads(table.page(None).since())


def test_what_was_taken_is_told_until_one_decides_again(tmp_path: Path) -> None:
    table = table_of(tmp_path, "for p in players:\n        choose n from [7] by p")
    assert [json.loads(table.page(seat).since())["taken"] for seat in (0, 1)] == [
        [{"why": "single", "words": "7"}]
    ] * 2
    table.match.choose(1, table.match.state.legal_actions(1)[0])
    table.renew_pages()
    assert "taken" in json.loads(table.page(0).since())
    assert "taken" not in json.loads(table.page(1).since())
    assert table.match.record().decisions == 3


def test_it_is_taken_back_with_the_decision_before_it(tmp_path: Path) -> None:
    first = "choose n from 1..3 by players.first\n    choose c from row by players.first"
    match = table_of(tmp_path, first).match
    match.choose(0, 2)
    assert len(match.steps) == 2 and match.taken[0] and match.can_undo(0)
    match.undo(0)
    assert match.waiting() == [0] and not match.steps and not match.taken[0]


@pytest.mark.parametrize("name", ["vudu", "baron_voodoo", "wednesday_hyde"])
def test_shipped_games_ask_for_single_options_only_where_others_would_learn_something(name: str) -> None:
    rules = croupier.load(name)
    match = HostedMatch(rules, MatchConfig(3, {}, 5, ("random",)), frozenset(range(3)))
    chance, singles = random.Random(1), 0
    match.advance()
    for _ in range(150):
        if match.is_over:
            break
        seat = match.waiting()[0]
        legal = match.state.legal_actions(seat)
        assert len(legal) > 1 or not may_be_left_out(match.state, seat)
        match.choose(seat, chance.choice(legal))
        singles += sum(map(bool, match.taken.values()))
    if name == "baron_voodoo":
        assert singles
