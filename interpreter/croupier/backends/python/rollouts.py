"""Whole games between random players, by compiled code alone: the same streams, choices and results as a match of random agents.

The numbers are those of `runtime/streams.py`, worked out with less to do: one word is enough for any number of options that fits in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from struct import Struct
from typing import Any

from croupier.backends.python.position import Deviation, Position
from croupier.runtime.faults import Fault, GameOver
from croupier.runtime.streams import CHANCE, seat_purpose

WORDS = Struct(">4Q").unpack
SPACE = 2**64


@dataclass(slots=True)
class Rollout:
    """How a game went: where it ended, and its steps. `over` is false if a limit of the ruleset ended it."""

    position: Position
    decisions: int
    chance_events: int
    over: bool


def chooser(seed: int, game: int, purpose: str) -> Callable[[int], int]:
    """`uniform` of a stream."""
    prefix = f"croupier-stream-1 {seed} {game} {purpose} "
    words: list[int] = []
    block = used = 0

    def uniform(n: int) -> int:
        nonlocal block, used
        if n <= 1:
            return 0
        if n > 2**32:
            raise Deviation
        while True:
            if not words:
                words.extend(WORDS(sha256(f"{prefix}{block}".encode("ascii")).digest())[::-1])
                block += 1
            value = words.pop()
            if value < SPACE - n or value < SPACE - SPACE % n:
                return value % n

    return uniform


def roll_out(compiled: Any, seed: int, game: int) -> Rollout:
    """Play game number `game` of a run with this seed. Raises `Deviation`: then the evaluator has to play it."""
    p: Position = compiled.start()
    stands, frames, fuel = compiled.stands, p.frames, compiled.fuel
    limits = compiled.game.program.limits
    seats = [chooser(seed, game, seat_purpose(s)) for s in range(compiled.game.players)]
    chance = chooser(seed, game, CHANCE)
    decisions = chances = 0
    most, most_chances = limits["decisions"], limits["chance"]
    while frames:
        if chances >= most_chances or decisions >= most:
            return Rollout(p, decisions, chances, False)
        stand = stands[frames[-1][-2]]
        p.fuel = fuel
        try:
            if stand.seats == "one":
                decisions += 1
                step = stand.at(p, seats[p.seat](len(p.offer) + stand.shift))
            elif stand.seats == "chance":
                chances += 1
                weights = p.weights if stand.form in ("pair", "agent") else None
                step = stand.at(p, chance(len(p.offer)) if weights is None else weighted(chance, weights))
            else:
                decisions += 1
                step = everybody(p, stand, seats)
            while step is not None:
                run, value = step
                while run is not None:
                    run = run(p, value)
                step = None
        except GameOver:
            frames.clear()
        except (Fault, RecursionError):
            raise Deviation from None
    return Rollout(p, decisions, chances, True)


def weighted(uniform: Callable[[int], int], weights: list[int]) -> int:
    """The place of a weight, each as likely as it weighs: as shares of the whole in lowest terms."""
    scaled = shares(weights)
    drawn = uniform(sum(scaled))
    for place, weight in enumerate(scaled):
        drawn -= weight
        if drawn < 0:
            return place
    raise AssertionError("the weights add up to more than was drawn")


def shares(weights: list[int]) -> list[int]:
    """Weights without what all of them and their sum have in common."""
    from math import gcd

    common = gcd(*weights)
    return [w // common for w in weights]


def everybody(p: Position, stand: Any, seats: list[Callable[[int], int]]) -> Any:
    """All who choose at once: each chooses before anybody's choice counts."""
    pending = stand.pending(p, p.frames[-1])
    chosen = []
    for seat in pending:
        offer = stand.offer_to(p, seat)
        element = offer[seats[seat](len(offer))]
        chosen.append((seat, element[1] if stand.form == "pair" else element))
    step = None
    for seat, value in chosen:
        step = stand.commit(p, seat, value)
    return step


__all__ = ["Rollout", "roll_out"]
