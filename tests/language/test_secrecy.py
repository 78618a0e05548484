"""What happens secretly is perceived by the players named, by nobody if none is named, by all if all are."""

from __future__ import annotations

from typing import Any

import croupier
from cases import LANGUAGE


def told(state: Any) -> list[list[str]]:
    """What each seat was told, without the names of phases."""
    return [[e.text for e in state.events(seat) if e.kind != "phase"] for seat in range(3)]


def test_who_perceives_what_happens_secretly() -> None:
    state = croupier.load(LANGUAGE / "secrecy.yaml").new_initial_state(3)
    state.apply_action(state.string_to_action(0, "gold"))
    mine = ["player 1: gold", "gold leaves heap"]
    theirs = ["player 1: gold", "gold goes from heap to purse of player 2"]
    assert told(state) == [mine, theirs, []]
    assert state.is_chance_node()
    state.apply_action(3)
    assert told(state) == [mine, theirs, []], "nobody perceives chance"
    assert any(e.text.endswith("4") and e.kind == "chance" for e in state.events()), "but the referee does"
    state.apply_action(state.string_to_action(2, "silver"))
    assert [seat[-2] for seat in told(state)] == ["player 3: silver"] * 3


def test_it_goes_on_alike_from_a_saved_state() -> None:
    rules = croupier.load(LANGUAGE / "secrecy.yaml")
    state = rules.new_initial_state(3)
    again = rules.deserialize(state.serialize())
    for s in (state, again):
        s.apply_action(2)
    assert state.hash() == again.hash() and told(state) == told(again)


def test_what_is_read_decides_and_not_what_might_be() -> None:
    """Powers in zones that all see hide nothing; what a definition reads of somebody's own hides its value
    from others.
    """
    state = croupier.load(LANGUAGE / "read_or_not.yaml").new_initial_state(2)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    chosen = [[e.text for e in state.events(seat) if e.kind == "decision"] for seat in range(2)]
    assert chosen[0] == ["player 1: needs 4, is worth 3", "player 1: needs 2, is worth 5"]
    assert chosen[1] == ["player 1: needs 4, is worth 3", "player 1: needs 2, is worth …"]
