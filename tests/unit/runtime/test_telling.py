"""What is told of a history: asked for at every step, of copies too, it is what it is when asked for once."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.runtime import event_log
from lasting import step
from needs import BACKENDS


def known(state: Any, seat: int | None) -> list[Any]:
    return [*state.events(seat), state.information_state(seat)]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["go_fish", "goofspiel", "witches_of_blackmore"])
def test_what_is_told_bit_by_bit_is_what_is_told_at_once(name: str, backend: str) -> None:
    ruleset, rng = croupier.load(name), random.Random(name)
    state = ruleset.new_initial_state(2, backend=backend)
    branches = []
    for _ in range(40):
        if state.is_terminal():
            break
        known(state, rng.choice([0, 1, None]))
        if rng.random() < 0.2:
            branches.append(state.clone())
        step(state, rng)
    for branch in branches:
        for _ in range(3):
            if not branch.is_terminal():
                step(branch, rng)
        known(branch, 0)
    for one in (state, *branches):
        fresh = ruleset.deserialize(one.serialize())
        assert [known(one, seat) for seat in (0, 1, None)] == [known(fresh, seat) for seat in (0, 1, None)]


def test_no_more_is_told_of_an_action_and_of_a_game_than_there_may_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "talk.yaml"
    file.write_text(
        "croupier: 1\nruleset: talk\ntitle: Talk\nplayers: 2\nphases:\n  play: |\n    for p in turns():\n"
        '        choose n from 1..9 by p\n        for i in 1..n: announce "{i}"\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(event_log, "MAX_EVENTS", 8)
    monkeypatch.setattr(event_log, "MAX_EVENTS_AT_ONCE", 4)
    state, told = croupier.load(file).new_initial_state(), [1]
    for action in (0, 8, 8, 8):
        state.apply_action(action)
        told.append(len(state.events(0)))
    assert told == [1, 3, 7, 8, 8]


def test_what_is_told_belongs_to_the_caller() -> None:
    state = croupier.load("kuhn_poker").new_initial_state()
    state.events(0).clear()
    state.apply_action(0)
    assert (
        [event.kind for event in state.events(0)] == [event.kind for event in state.clone().events(0)] != []
    )


@pytest.mark.parametrize("name", ["witches_of_blackmore", "una_notte_da_lupi", "vudu", "pairs"])
def test_what_is_told_while_it_happens_is_what_is_told_afterwards(name: str) -> None:
    """Several that follow one machine are told, each, every part of what they are told alone: by words,
    rolls, reactions, secrets.
    """
    ruleset, rng = croupier.load(name), random.Random(name)
    state, players = ruleset.new_initial_state(3), range(3)
    for steps in (0, 60):
        for _ in range(steps):
            if not state.is_terminal():
                step(state, rng)
        state.follow([None, *players])
        for _ in range(60):
            if not state.is_terminal():
                step(state, rng)
    alone = state.clone()
    for seat in (None, *players):
        parts = [
            [(e, e.data, e.span, e.shape, e.actor, e.worded, e.level) for e in one.events(seat)]
            for one in (state, alone)
        ]
        assert parts[0] == parts[1] and len(parts[0]) > 20
