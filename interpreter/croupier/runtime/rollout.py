"""A game that random agents play to its end, by the streams of a run: the same on every back end."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING, Any

from croupier.runtime.streams import CHANCE, Stream, seat_purpose

if TYPE_CHECKING:
    from croupier.runtime.state import State


@dataclass(frozen=True, slots=True)
class RolledOut:
    """How a game ended that was played out: its `outcome()`, the hash of its last position, and how many decisions and chance events it took."""

    outcome: dict[str, Any]
    final_hash: str
    decisions: int
    chance_events: int


def rolled_out(state: State, seed: int, game: int) -> RolledOut:
    """Play a state to its end, which changes it: every seat takes each of its legal actions with the same chance.

    Everybody's streams begin here. Where a seat must act and has no legal action, the game is stuck and ends.
    """
    chance, seats = Stream(seed, game, CHANCE), [Stream(seed, game, seat_purpose(seat)) for seat in range(state.players)]
    decisions = events = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state._weights()
            if not outcomes:
                continue
            shares = gcd(*[weight for _, weight in outcomes])
            state.apply_action(outcomes[chance.weighted([weight // shares for _, weight in outcomes])][0])
            events += 1
            continue
        several = state.is_simultaneous_node()
        options = {seat: state.legal_actions(seat) for seat in state.pending_seats()}
        if not all(options.values()):
            break
        actions = [legal[seats[seat].uniform(len(legal))] for seat, legal in options.items()]
        decisions += len(actions)
        if several:
            state.apply_actions(actions)
        else:
            state.apply_action(actions[0])
    return RolledOut(state.outcome(), state.hash(), decisions, events)
