"""Paired games: what a seat may not see is changed, and nothing that the seat perceives may change.

Two games are dealt from the same chance events but for two cards that a seat saw neither of; every channel of
the seat is compared: what it sees, its events, its information state, its options and their words. Rulesets
with a planted leak must be caught.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.resources import shipped

DEALT_FROM = ("deck", "stack")
DEALING = {"witches_of_blackmore": 3, "kuhn_poker": 3, "plain_tricks": 4}


def channels(state: Any, seat: int) -> tuple[Any, ...]:
    """Everything that reaches a seat."""
    options = state.legal_actions(seat)
    words = [state.action_to_string(seat, a) for a in options]
    return (
        state.observation(seat),
        [e.text for e in state.events(seat)],
        state.information_state(seat),
        options,
        words,
    )


def dealt(
    rules: Any, players: int, seat: int, exchange: tuple[int, int] | None = None
) -> tuple[Any, list[int]]:
    """A game up to its first decision, drawing the first outcome each time; two draws may change places."""
    plan: list[int] = []
    state = rules.new_initial_state(players)
    while state.is_chance_node():
        outcomes = state.legal_actions()
        plan.append(outcomes[(7 * len(plan) + seat) % len(outcomes)])
        state.apply_action(plan[-1])
    if exchange is None:
        return state, plan
    i, j = exchange
    plan[i], plan[j] = plan[j], plan[i]
    state = rules.new_initial_state(players)
    for outcome in plan:
        state.apply_action(outcome)
    return state, plan


def unseen(state: Any, seat: int) -> list[int]:
    """Places in the deal whose card this seat did not read in its events."""
    drawn = [
        e.data.get("component")
        for e in state.events()
        if e.kind == "move" and e.data.get("from") in DEALT_FROM
    ]
    read = " ".join(e.text for e in state.events(seat))
    offset = len(state.history) - len(drawn)
    return [
        offset + i
        for i, label in enumerate(drawn)
        if label is not None and f"{label} goes from" not in read and offset + i < len(state.history)
    ]


def leaks(rules: Any, players: int) -> list[str]:
    """The seats that notice an exchange of two cards they never saw."""
    found = []
    for seat in range(players):
        state, _ = dealt(rules, players, seat)
        hidden = unseen(state, seat)
        for i, j in zip(hidden, hidden[1:], strict=False):
            other, _ = dealt(rules, players, seat, (i, j))
            if channels(state, seat) != channels(other, seat):
                found.append(f"seat {seat + 1}, draws {i} and {j}")
    return found


@pytest.mark.parametrize("name", DEALING)
def test_hidden_cards_change_nothing(name: str) -> None:
    assert name in shipped()
    assert leaks(croupier.load(name), DEALING[name]) == []


@pytest.mark.parametrize("name", ["witches_of_blackmore", "plain_tricks"])
def test_there_is_something_to_exchange(name: str) -> None:
    rules = croupier.load(name)
    assert len(unseen(dealt(rules, DEALING[name], 0)[0], 0)) > 3


LEAKY = """croupier: 1
ruleset: leaky
title: Leaky
players: 2
components:
  Card:
    attributes: {number: 1..9}
    each: [number]
    label: "card {number}"
zones:
  deck: {holds: Card, order: pile, start: all}
  hand: {holds: Card, per: Player, seen_by: HAND}
state:
  high: bool per Player = false SEEN
phases:
  play: |
    shuffle deck
    for p in players: draw 2 from deck to hand[p]
    for p in players: high[p] = any(c.number > 5 for c in hand[p])
    SAY
    choose c from hand[players.first] by players.first as "LABEL"
    move c to hand[players.last]
    choose d from OPTIONS by players.last
    finish win players.last
"""
TIGHT = {
    "HAND": "owner",
    "SEEN": "seen by owner",
    "SAY": "pass",
    "LABEL": "give {c}",
    "OPTIONS": "hand[players.last]",
}
PLANTED = {
    "a zone that everybody sees": {"HAND": "everybody"},
    "state that everybody sees": {"SEEN": "seen by everybody"},
    "an announcement": {"SAY": 'announce "{sum(c.number for c in hand[players.last])}"'},
    "a label": {"LABEL": 'give {c} against {sum(x.number for x in hand[players.last])}" leaks "planted'},
    "what is told to the wrong player": {
        "SAY": 'tell players.first that "{any(c.number > 5 for c in hand[players.last])}"'
    },
}


def written(tmp_path: Path, words: dict[str, str]) -> Any:
    text = LEAKY
    for key, value in (TIGHT | words).items():
        text = text.replace(key, value)
    file = tmp_path / "ruleset.yaml"
    file.write_text(text, encoding="utf-8")
    return croupier.load(file)


def test_without_a_leak_nothing_is_noticed(tmp_path: Path) -> None:
    assert leaks(written(tmp_path, {}), 2) == []


@pytest.mark.parametrize("leak", PLANTED)
def test_planted_leaks_are_caught(leak: str, tmp_path: Path) -> None:
    rules = written(tmp_path, PLANTED[leak])
    noticed = []
    for seat in range(2):
        state, plan = dealt(rules, 2, seat)
        others = [i for i in range(4) if i // 2 != seat]
        for i in others:
            for card in range(9):
                if card in plan:
                    continue
                other = rules.new_initial_state(2)
                for k, outcome in enumerate(plan):
                    other.apply_action(card if k == i else outcome)
                noticed.append(channels(state, seat) != channels(other, seat))
    assert any(noticed), leak
