"""Saved states: what was saved comes back, faults too; whatever else is refused in words, never with a traceback."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import croupier
from trees import random_game

FAULTY = """croupier: 1
ruleset: faulty
title: Faulty
players: 2
state:
  n: 0..3 = 0 seen by everybody
phases:
  play: |
    for p in turns():
        choose k from 1..2 by p
        n += k
"""


def positions(name: str, players: int, seed: int) -> list[Any]:
    """Some states along a random game, the last one included."""
    rng, state, found = random.Random(seed), croupier.load(name).new_initial_state(players), []
    while not state.is_terminal():
        found.append(state.clone())
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            seat = state.pending_seats()[0]
            state.apply_action(rng.choice(state.legal_actions(seat)), seat)
    return [*found[:: max(1, len(found) // 6)], state]


@pytest.mark.parametrize(("name", "players"), [("witches_of_blackmore", 3), ("kuhn_poker", 2), ("una_notte_da_lupi", 4), ("goofspiel", 2)])
def test_what_was_saved_comes_back(name: str, players: int) -> None:
    rules = croupier.load(name)
    for state in positions(name, players, 4):
        again = rules.deserialize(state.serialize())
        assert again == state and again.serialize() == state.serialize()
        assert [e.text for e in again.events(0)] == [e.text for e in state.events(0)]


def test_a_fault_comes_back(tmp_path: Path) -> None:
    (tmp_path / "faulty.yaml").write_text(FAULTY, encoding="utf-8")
    rules = croupier.load(tmp_path / "faulty.yaml")
    state = random_game(rules.new_initial_state(2), random.Random(3))
    again = rules.deserialize(state.serialize())
    assert again.outcome() == state.outcome() and again.outcome()["status"] == "faulted"
    shorter = json.loads(state.serialize())
    shorter["history"].pop()
    with pytest.raises(ValueError, match="another position"):
        rules.deserialize(json.dumps(shorter))


def damaged(text: str, rng: random.Random) -> str:
    """The text with one value somewhere replaced."""
    data = json.loads(text)
    at: Any = data
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            return json.dumps(data)
        key = rng.choice(keys)
        if isinstance(at[key], (dict, list)) and at[key] and rng.random() < 0.8:
            at = at[key]
            continue
        at[key] = rng.choice([None, -1, 10**30, 7, True, "x", [], [[]], {}, {"seat": 9}, 1.5, [1, 2, 3]])
        return json.dumps(data)


@pytest.mark.parametrize(("name", "players"), [("witches_of_blackmore", 2), ("kuhn_poker", 2), ("goofspiel", 2)])
def test_damaged_states_are_refused_or_harmless(name: str, players: int) -> None:
    rules, rng = croupier.load(name), random.Random(name)
    for state in positions(name, players, 5):
        text = state.serialize()
        for _ in range(60):
            try:
                again = rules.deserialize(damaged(text, rng))
            except ValueError as refused:
                assert str(refused)
                continue
            assert isinstance(again.outcome()["status"], str)


@pytest.mark.parametrize(
    "text", ["", "[" * 100_000, '{"a":' * 50_000, "null", "[]", "{}", "NaN", '"\\ud800"', '{"players": ' + "9" * 5000 + "}"], ids=range(9)
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a saved state"):
        croupier.load("kuhn_poker").deserialize(text)


def test_positions_nested_without_end_are_refused() -> None:
    rules = croupier.load("kuhn_poker")
    data = json.loads(rules.new_initial_state(2).serialize())
    text = json.dumps(data | {"position": "HERE"}).replace('"HERE"', "[" * 900 + "]" * 900)
    with pytest.raises(ValueError):
        rules.deserialize(text)


@pytest.mark.parametrize("local", [False, True], ids=["definition", "local"])
def test_places_are_not_counted_from_behind(local: bool) -> None:
    """A definition or a local with a number below 0 is none, though a list would have it."""
    rules = croupier.load("kuhn_poker")
    saved = [json.loads(state.serialize()) for state in positions("kuhn_poker", 2, 1)]
    data = next(d for d in saved if any(frame[2] for frame in d["position"][3]))
    frame = next(frame for frame in data["position"][3] if frame[2])
    if local:
        frame[2][0][0] = -1
    else:
        frame[0] = -1
    with pytest.raises(ValueError, match="saved"):
        rules.deserialize(json.dumps(data))
