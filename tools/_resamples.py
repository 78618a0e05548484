"""Draws of states that a seat cannot tell from the real one, and what is wrong with them."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from dataclasses import dataclass, field

import croupier
from croupier.runtime.state import State
from croupier.runtime.streams import Stream
from croupier.runtime.visibility import sees_piece


@dataclass
class Draws:
    """What was found of one ruleset: how many draws there were, how many were wrong, how many components are hidden from the seat, how many of
    these lay elsewhere in some draw, and which never did though one of their kind did leave their place."""

    name: str
    draws: int = 0
    wrong: int = 0
    hidden: int = 0
    moved: int = 0
    stuck: list[str] = field(default_factory=list)
    seconds: float = 0.0
    is_exact: bool = True

    def line(self) -> str:
        """All of it in a line."""
        how = "exact" if self.is_exact else "chain"
        never = f", never: {', '.join(self.stuck)}" if self.stuck else ""
        found = f"{self.draws:5,} draws ({how}), {self.wrong} wrong; {self.moved} of {self.hidden} hidden components moved{never}"
        return f"{self.name:24} {found}; {self.seconds:.1f} s"


def after(name: str, steps: int, seed: int) -> State:
    """A state after some random steps, at somebody's decision; earlier where the game is over."""
    state, chance = croupier.load(name).new_initial_state(), random.Random(seed)
    best = state.clone()
    while not state.is_terminal() and (len(state.history) < steps or state.is_chance_node()):
        if not state.is_chance_node():
            best = state.clone()
            seat = state.pending_seats()[0]
            state.apply_action(chance.choice(state.legal_actions(seat)), seat)
        else:
            state.apply_action(chance.choice(state.chance_outcomes())[0])
    return best if state.is_terminal() else state


def draw_many(name: str, draws: int, steps: int = 24, seconds: int | None = None, seed: int = 7) -> Draws:
    """Draw from one state of a ruleset, for at most so many seconds."""
    state, found, started = after(name, steps, seed), Draws(name), time.monotonic()
    seat = (state.pending_seats() or [0])[0]
    resampler, stream = state.resampler(seat), Stream(3, 1, "seat 1")
    known, legal, pending = state.information_state(seat), state.legal_actions(seat), state.pending_seats()
    real = list(state._m.where)
    places: list[set[int]] = [{place} for place in real]
    for _ in range(draws):
        drawn = resampler.draw(stream)
        found.draws += 1
        found.wrong += drawn.information_state(seat) != known or drawn.legal_actions(seat) != legal or drawn.pending_seats() != pending
        for piece, place in enumerate(drawn._m.where):
            places[piece].add(place)
        if seconds is not None and time.monotonic() - started > seconds:
            break
    game = state.game
    hidden = [piece for piece, place in enumerate(real) if place >= 0 and not sees_piece(state._m, piece, seat)]
    changed: dict[str, set[int]] = defaultdict(set)  # by class, the places that some component left or came to
    for piece in hidden:
        if len(places[piece]) > 1:
            changed[game.pieces[piece].kind] |= places[piece]
    found.hidden, found.moved = len(hidden), sum(len(places[piece]) > 1 for piece in hidden)
    found.stuck = [game.handle(p) for p in hidden if len(places[p]) == 1 and real[p] in changed[game.pieces[p].kind]]
    found.seconds, found.is_exact = time.monotonic() - started, resampler.is_exact
    return found
