"""The author's sentences for the log (`told "…"`): who reads what, and that nothing but the log changes."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import croupier
from croupier.narration import narrate
from croupier.runtime.events import Event

FILE = Path(__file__).parents[1] / "data" / "programs" / "sentences.yaml"
WITHOUT = re.compile(r' told "[^"]*"( or "[^"]*")?')


def played(ruleset: Any, seed: int) -> Any:
    """A game of random actions, to its end."""
    state, rng = ruleset.new_initial_state(2), random.Random(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        elif state.is_simultaneous_node():
            state.apply_actions([rng.choice(state.legal_actions(seat)) for seat in range(2)])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


def decisions(state: Any, reader: int | None) -> list[Event]:
    return [event for event in state.events(reader) if event.kind in ("decision", "chance")]


def test_sentences_change_nothing_but_the_log(tmp_path: Path) -> None:
    text, plain = FILE.read_text(encoding="utf-8"), tmp_path / "plain.yaml"
    plain.write_text(WITHOUT.sub("", text), encoding="utf-8")
    assert "told" not in plain.read_text(encoding="utf-8").partition("phases:")[2]
    told, bare = croupier.load(FILE), croupier.load(plain)
    assert told.meaning_hash == bare.meaning_hash
    for seed in range(12):
        one, other = played(told, seed), played(bare, seed)
        assert (one.history, one.hash(), one.outcome()) == (other.history, other.hash(), other.outcome())
        assert [e.kind for e in one.events(0)] == [e.kind for e in other.events(0)]


def test_a_reader_is_told_what_they_may_know() -> None:
    state = played(croupier.load(FILE), 1)
    first = [decisions(state, reader)[0].text for reader in (None, 0, 1)]
    shown = re.fullmatch(r"player 1 puts (card \d) on the shelf", first[0])
    assert shown is not None and first == [first[0], first[0], "player 1 puts a Card on the shelf"]


def test_every_kind_of_decision_has_a_sentence() -> None:
    ruleset = croupier.load(FILE)
    found = {
        re.sub(r"\d(, \d)*", "N", e.text)
        for seed in range(40)
        for e in decisions(played(ruleset, seed), None)
    }
    assert found >= {
        "player N puts card N on the shelf",
        "player N throws away card N",
        "player N scores N",
        "player N is content",
        "player N shouts at player N",
        "player N has shown N fingers",
        "the coin shows N",
        "player N ticks N",
        "player N ticks none",
    }


def test_an_empty_sentence_is_in_no_log() -> None:
    ruleset = croupier.load(FILE)
    states = [played(ruleset, seed) for seed in range(12)]
    state = next(s for s in states if any(e.text == "player 1: go on" for e in s.events()))
    assert all("go on" not in line.text for reader in (None, 0, 1) for line in narrate(state.events(reader)))


def test_a_sentence_that_faults_names_the_fault(tmp_path: Path) -> None:
    file = tmp_path / "faults.yaml"
    file.write_text(
        """croupier: 1
ruleset: faults
title: Faults
players: 2
state:
  n: 0..9 = 0 seen by everybody
phases:
  play: |
    choose by players.first:
        option "go" told "it is {4 // n}": finish draw
""",
        encoding="utf-8",
    )
    state = played(croupier.load(file), 1)
    assert state.is_terminal() and state.fault is None
    assert [e.text for e in decisions(state, None)] == ["(R003)"] and not decisions(state, 1)
