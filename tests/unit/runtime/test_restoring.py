"""Saved states: what was saved comes back, faults too; whatever else is refused in words, never with a
traceback.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.kernel import types as t
from random_steps import step
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


@pytest.mark.parametrize(
    ("name", "players"),
    [("witches_of_blackmore", 3), ("kuhn_poker", 2), ("una_notte_da_lupi", 4), ("goofspiel", 2)],
)
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


@pytest.mark.parametrize(
    ("name", "players"), [("witches_of_blackmore", 2), ("kuhn_poker", 2), ("goofspiel", 2)]
)
def test_damaged_states_are_refused_or_harmless(name: str, players: int) -> None:
    rules, rng, outcomes = croupier.load(name), random.Random(name), Counter[str]()
    for state in positions(name, players, 5):
        text = state.serialize()
        for _ in range(60):
            try:
                again = rules.deserialize(damaged(text, rng))
            except ValueError as refused:
                assert str(refused)
                outcomes["refused"] += 1
                continue
            outcomes["the same" if again.hash() == state.hash() else "another"] += 1
            for _ in range(20):
                if not again.is_terminal():
                    step(again, rng)
            assert again.outcome()["status"] in ("running", "finished", "stuck", "unfinished")
    assert outcomes["refused"] > 100 and not outcomes["another"], outcomes


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * 100_000,
        '{"a":' * 50_000,
        "null",
        "[]",
        "{}",
        "NaN",
        '"\\ud800"',
        '{"players": ' + "9" * 5000 + "}",
    ],
    ids=range(9),
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


# of each variable, values that a saved position may give it, and others
VALUES: dict[str, tuple[list[Any], list[Any]]] = {
    "n": ([0, -5], [None, True, "1", 1.0]),
    "xs": ([(), (1, 2), (9,) * 9], [[1], (1,) * 10, (10,), (None,)]),
    "nobody": ([None, 0, 3], [4, -1, True, "0"]),
    "score": ([(0, 0, 0, 99), (0, None, 0, 0)], [(0, 0, 0), [0, 0, 0, 0], (0, 0, 0, 100), None]),
    "lead": ([None, 0, 2], [3, -1]),
    "yes": ([True, False, 0, 1], [2, "x", None]),
    "bid": ([None, (4, 0), (30, None)], [(4,), (4, 0, 0), [4, 0], (31, 0), (4, 9)]),
}
PAWNS = 6  # components before the dice


def test_what_fits_a_type() -> None:
    game = (
        croupier.load(Path(__file__).parents[2] / "conformance" / "values_base.yaml").new_initial_state().game
    )
    kinds = {name: game.program.vars[name].type for name in VALUES}
    tried: list[tuple[t.Type, list[Any], list[Any]]] = [(kinds[name], *VALUES[name]) for name in VALUES]
    tried.append(
        (t.Component(frozenset({"Die"})), [PAWNS, PAWNS + 1], [0, PAWNS - 1, PAWNS + 2, -1, None, "x"])
    )
    tried.append((t.Component(frozenset({"Pawn"})), [0, PAWNS - 1], [PAWNS, True]))
    tried.append((t.Zone(frozenset({"Pawn"}), "pile"), [0, len(game.zones) - 1], [len(game.zones), -1, True]))
    tried.append((t.TEXT, ["", "a"], [1, None]))
    for kind, right, wrong in tried:
        assert [[game.fits(value, kind) for value in values] for values in (right, wrong)] == [
            [True] * len(right),
            [False] * len(wrong),
        ], kind


def test_nothing_lies_twice_in_one_zone() -> None:
    rules = croupier.load("kuhn_poker")
    state = rules.new_initial_state(2)
    state.apply_action(0)
    data = json.loads(state.serialize())
    zones = data["position"][1]
    zones[zones.index([0])] = [0, 0]
    with pytest.raises(ValueError, match="lies in two zones"):
        rules.deserialize(json.dumps(data))


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


def edited(state: Any, **changes: Any) -> str:
    return json.dumps(json.loads(state.serialize()) | changes)


@pytest.mark.parametrize("backend", ["reference", "python"])
def test_a_history_that_leads_elsewhere_is_refused(backend: str) -> None:
    rules = croupier.load("tic_tac_toe")
    state = rules.new_initial_state()
    state.apply_action(4)
    for history, words in (
        ([0, 1], "another position"),
        ([3], "another position"),
        ([], "another position"),
        ([400], "not one of this game"),
        # fmt: skip
        ([[4]], "another position"),
        ([{"seat": 0, "action": 4}], "another position"),
    ):
        with pytest.raises(ValueError, match=words):
            rules.deserialize(edited(state, history=history), backend=backend)
    for history in (
        [True],
        [4.0],
        ["4"],
        [{"seat": True, "action": 4}],
        [{"seat": 0, "action": 4, "more": 1}],
    ):
        with pytest.raises(ValueError, match="not a saved state"):
            rules.deserialize(edited(state, history=history), backend=backend)
    assert rules.deserialize(edited(state, history=[0, 1]), replay=False) == state


def test_hidden_things_that_changed_places_are_refused() -> None:
    rules = croupier.load("kuhn_poker")
    state = rules.new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    data = json.loads(state.serialize())
    zones = data["position"][1]
    held = [z for z, items in enumerate(zones) if len(items) == 1 and not isinstance(items[0], list)][:2]
    zones[held[0]], zones[held[1]] = zones[held[1]], zones[held[0]]
    with pytest.raises(ValueError, match="another position"):
        rules.deserialize(json.dumps(data))


def test_another_name_and_other_keys_are_refused() -> None:
    rules = croupier.load("tic_tac_toe")
    state = rules.new_initial_state()
    with pytest.raises(ValueError, match="another ruleset or another version of it: `'x'`"):
        rules.deserialize(edited(state, ruleset="x"))
    with pytest.raises(ValueError, match="there is no key `'more'`"):
        rules.deserialize(edited(state, more=1))
    with pytest.raises(ValueError, match="another version of croupier"):
        rules.deserialize(edited(state, croupier=True))


def leaves(data: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all that is no list, in nested lists."""
    return (
        [way for k, part in enumerate(data) for way in leaves(part, (*at, k))]
        if isinstance(data, list)
        else [at]
    )


@pytest.mark.parametrize("name", ["kuhn_poker", "tic_tac_toe", "goofspiel"])
@pytest.mark.parametrize("replay", [True, False])
def test_every_leaf_of_a_position_is_tested(name: str, replay: bool) -> None:
    """What is no number is refused at once; with the history played again everything that is not as it
    was.
    """
    rules = croupier.load(name)
    state = positions(name, 2, 1)[2]
    data = json.loads(state.serialize())
    for way in leaves(data["position"]):
        for put in ("x", 1.5, {}, 7, -1, None):
            changed = json.loads(json.dumps(data["position"]))
            at = changed
            for k in way[:-1]:
                at = at[k]
            if at[way[-1]] == put or (isinstance(put, int) and not replay):
                continue
            at[way[-1]] = put
            if put is None and not replay:
                continue
            with pytest.raises(ValueError, match="saved"):
                rules.deserialize(edited(state, position=changed), replay=replay)
