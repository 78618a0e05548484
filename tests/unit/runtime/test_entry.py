"""Declared positions: what follows from them, where they stand, and that they can be saved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import Source
from croupier.ruleset import Ruleset
from croupier.runtime import declared_positions
from croupier.runtime.machine import Machine
from croupier.runtime.state import State, begun_at
from croupier.semantics.check import check_call
from croupier.source import whole

GAME = Path(__file__).parents[1] / "scenarios" / "game" / "ruleset.yaml"


@pytest.fixture(scope="module")
def market() -> Ruleset:
    return croupier.load(GAME)


def declared(ruleset: Ruleset, table: list[str], **state: int) -> Machine:
    """A position with these cards on the table; everything else in the deck, in the order of declaration."""
    engine = ruleset.engine(2, None)
    game = engine.game
    components = tuple(game.by_label[label][0] for label in table)
    deck, top = game.zone_ranges["deck"][0], game.zone_ranges["table"][0]
    rest = tuple(p for p in game.start_zones[deck] if p not in components)
    return declared_positions.declare(
        engine.rules,
        {deck: rest, top: components},
        {ruleset.program.vars[name].index: value for name, value in state.items()},
    )


def test_watchers_follow_what_is_declared(market: Ruleset) -> None:
    m = declared(market, ["hearts-1", "clubs-2"])
    assert State(market, market.engine(2, None), m).evaluate("top_suit == clubs")


def test_what_is_declared_stays(market: Ruleset) -> None:
    m = declared(market, ["hearts-1", "clubs-2"], top_suit=0)
    assert State(market, market.engine(2, None), m).evaluate("top_suit == hearts")


def test_a_position_in_a_loop(market: Ruleset) -> None:
    engine, play = market.engine(2, None), market.program.phases["play"].index
    m = declared(market, [])
    hand = engine.game.zone_ranges["hand"][0]
    for component, z in ((2, hand), (7, hand + 1)):
        m.zones[m.where[component]] = tuple(p for p in m.zones[m.where[component]] if p != component)
        m.zones[z], m.where[component] = (component,), z
    declared_positions.enter_before_phase(m, play, {"p": 1})
    state = begun_at(market, engine, m)
    assert state.current_player() == 1
    state.apply_action(state.string_to_action(1, "clubs-2"))
    assert state.current_player() == 0  # the loop went on, was left, and began again


@pytest.mark.parametrize(("bound", "problem"), [({}, "missing"), ({"p": 7}, "absent")])
def test_no_entry(market: Ruleset, bound: dict[str, int], problem: str) -> None:
    with pytest.raises(declared_positions.NotEnterable) as caught:
        declared_positions.enter_before_phase(
            declared(market, []), market.program.phases["play"].index, bound
        )
    assert (caught.value.loop, caught.value.problem) == ("p", problem)


def test_a_phase_that_never_suspends(market: Ruleset) -> None:
    m = declared(market, [], points=(3, 4))
    declared_positions.enter_before_phase(m, market.program.phases["scoring"].index, {})
    state = begun_at(market, market.engine(2, None), m)
    assert state.outcome()["scores"] == [3, 4]
    assert [e.text for e in state.events()][-1] == "won by player 2 (player 1: 3, player 2: 4)"


def test_its_history_begins_there_and_can_be_saved(market: Ruleset) -> None:
    engine = market.engine(2, None)
    m = declared(market, ["hearts-1"])
    declared_positions.enter_before_phase(m, market.program.phases["vote"].index, {})
    state = begun_at(market, engine, m)
    state.apply_actions([0, 1])
    again = market.deserialize(state.serialize())
    assert again == state
    assert [e.text for e in again.events()] == [e.text for e in state.events()]
    assert state.events()[0].text == "vote"


def test_what_a_saved_beginning_holds(market: Ruleset) -> None:
    """Before a phase that never waits it names what is called, below zero; a fault ends no beginning."""
    engine, phase = market.engine(2, None), market.program.phases["scoring"].index
    m = declared(market, [])
    declared_positions.enter_before_phase(m, phase, {})
    saved = json.loads(begun_at(market, engine, m).serialize())
    *_, frames, _, fault = saved["start"]
    assert (frames[-1][1], fault) == (-1 - phase, None)
    saved["start"][-1] = 1
    with pytest.raises(ValueError, match="saved position"):
        market.deserialize(json.dumps(saved))


def test_a_call_alone(market: Ruleset) -> None:
    statement, proc, found = check_call(
        market.program, whole(Source("call", "half(n)")), {"n": market.program.vars["bank"].type}
    )
    assert statement is not None and not found
    m = declared(market, [])
    end = declared_positions.enter_at_call(m, statement, proc, [4])
    state = begun_at(market, market.engine(2, None), m)
    assert state.is_terminal() and end.done and end.value == 3
    assert state.outcome()["status"] == "running"  # no result was said


@pytest.mark.parametrize(
    "text", ["bank", "bank + 1", "nothing(3)", "half()", "half(gift(players.first, players.first))"]
)
def test_what_is_no_call(market: Ruleset, text: str) -> None:
    statement, _, found = check_call(market.program, whole(Source("call", text)))
    assert statement is None and found
