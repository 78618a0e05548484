"""A state that keeps time stops at both ends of `for 10 seconds`, and plays the same game as one without."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import croupier
from croupier.runtime.state import SPECTATOR, State
from croupier.runtime.state_view import TIME_RUNS

PROGRAM = Path(__file__).resolve().parents[2] / "data" / "programs" / "for_seconds.yaml"
PLAYERS = 3
SEATS = [*range(PLAYERS), SPECTATOR]


def ends_passed(state: State) -> list[tuple[bool, int]]:
    """Go on to where somebody acts; of each end of a block whether it is the last one, and its seconds."""
    found = []
    while (end := state.time_end()) is not None:
        assert state.current_player() == TIME_RUNS
        assert not state.is_terminal() and not state.pending_seats() and not state.legal_actions()
        found.append((end.is_end, end.lasts(state._m)))
        state.pass_time()
    return found


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("parameters", [{}, {"call": 0}])
def test_it_plays_the_same_game(seed: int, parameters: dict[str, object]) -> None:
    plain = croupier.load(PROGRAM).new_initial_state(PLAYERS, parameters)
    timed, chance = plain.beginning_in_time(), random.Random(seed)
    timed.follow(SEATS)
    ends: list[tuple[bool, int]] = []
    while True:
        ends += ends_passed(timed)
        assert timed == plain and timed.history == plain.history
        for seat in SEATS:
            assert timed.events(seat) == plain.events(seat)
        if plain.is_terminal():
            break
        action = chance.choice(plain.legal_actions())
        plain.apply_action(action)
        timed.apply_action(action)
    assert timed.outcome() == plain.outcome()
    lengths = [seconds for _, seconds in ends]
    assert (10 in lengths) is not bool(parameters)
    begun = [seconds for is_end, seconds in ends if not is_end]
    over = [seconds for is_end, seconds in ends if is_end]
    assert over == begun[: len(over)] and len(begun) - len(over) <= 1, "a game may end within a block"


def test_what_is_seen_at_an_end_is_what_has_happened_until_then() -> None:
    """Also if somebody begins to follow there."""
    state = croupier.load(PROGRAM).new_initial_state(PLAYERS).beginning_in_time()
    chance = random.Random(3)
    while state.time_end() is None or not state.time_end().is_end:  # type: ignore[union-attr]
        if state.time_end() is not None:
            state.pass_time()
        else:
            state.apply_action(chance.choice(state.legal_actions()))
    for _ in range(2):
        state.follow(SEATS)
        before = {seat: state.events(seat) for seat in SEATS}
        state.follow(SEATS)
        assert {seat: state.events(seat) for seat in SEATS} == before
        state.pass_time()


def test_a_copy_does_not_stop() -> None:
    timed = croupier.load(PROGRAM).new_initial_state(PLAYERS).beginning_in_time()
    chance = random.Random(1)
    while timed.time_end() is None:
        timed.apply_action(chance.choice(timed.legal_actions()))
    copy = timed.clone()
    copy.pass_time()
    while not copy.is_terminal():
        assert copy.time_end() is None
        copy.apply_action(chance.choice(copy.legal_actions()))
    with pytest.raises(ValueError, match="no time runs here"):
        copy.pass_time()
