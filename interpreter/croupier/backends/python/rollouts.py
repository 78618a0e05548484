"""Whole games between random players, by compiled code alone: the same streams, choices and results as a match of random agents.

The numbers are those of `runtime/streams.py`, worked out with less to do: one word is enough for any number of options that fits in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from struct import Struct
from typing import Any, Protocol

from croupier.backends.python.position import Deviation, Position
from croupier.runtime.faults import Fault, GameOver
from croupier.runtime.streams import CHANCE

WORDS = Struct(">4Q").unpack
SPACE = 2**64
NEARLY = SPACE - 2**32  # below it a word counts for every number of options up to 2^32


@dataclass(slots=True)
class Rollout:
    """How a game went: where it ended, and its steps. `over` is false if a limit of the ruleset ended it."""

    position: Position
    decisions: int
    chance_events: int
    over: bool


class Chooser:
    """`uniform` of a stream; `words` are those of the block that is being used up, the next one last."""

    __slots__ = ("keys", "words", "block")

    def __init__(self, seed: int, game: int, purpose: str) -> None:
        self.keys, self.block = (seed, game, purpose), 0
        self.words: list[int] = []

    def more(self) -> list[int]:
        """The words of the next block."""
        text = b"croupier-stream-1 %d %d %b %d" % (self.keys[0], self.keys[1], self.keys[2].encode(), self.block)
        d, c, b, a = WORDS(sha256(text).digest())
        self.block += 1
        self.words = [a, b, c, d]
        return self.words

    def uniform(self, n: int) -> int:
        if n <= 1:
            return 0
        if n > 2**32:
            raise Deviation
        while True:
            value = (self.words or self.more()).pop()
            if value < SPACE - n or value < SPACE - SPACE % n:
                return value % n


class Words(Protocol):
    """A source of random numbers: `words` are of 64 bits and at hand, `more` makes new ones."""

    words: list[int]

    def more(self) -> list[int]: ...
    def uniform(self, n: int) -> int: ...


Source = Callable[[int, int, str], Words]


def roll_out(compiled: Any, seed: int, game: int, source: Source = Chooser) -> Rollout:
    """Play game number `game` of a run with this seed. Raises `Deviation`: then the evaluator has to play it."""
    p: Position = compiled.start()
    stands, frames, fuel, search = compiled.stands, p.frames, compiled.fuel, compiled.search
    looks = search.looks
    limits = compiled.game.program.limits
    seats = [source(seed, game, purpose) for purpose in compiled.purposes]
    chance = source(seed, game, CHANCE)
    decisions = chances = 0
    most, most_chances = limits["decisions"], limits["chance"]
    try:
        while frames:
            if chances >= most_chances or decisions >= most:
                return Rollout(p, decisions, chances, False)
            stand = stands[frames[-1][-2]]
            p.fuel = fuel
            if looks:
                search.begin(p)
                allowed = search.allowed(p, stand.actions(p)) if stand.seats == "one" and search.active(p) else None
                if allowed is not None:
                    decisions += 1
                    step = stand.go_on(p, allowed[seats[p.seat].uniform(len(allowed))])
                    search.begin(p)
                    run, value = (None, None) if step is None else step
                    while run is not None:
                        run = run(p, value)
                    continue
            if stand.plain:
                offer = p.offer
                if stand.seats == "one":
                    decisions += 1
                    from_ = seats[p.seat]
                else:
                    chances += 1
                    from_ = chance
                n = len(offer)
                if n > 1:
                    value = (from_.words or from_.more()).pop()
                    value = offer[value % n if value < NEARLY else again(from_, value, n)]
                else:
                    value = offer[0]
                run = stand.chosen
            else:
                if stand.seats == "every":
                    pending = stand.pending(p, frames[-1])
                    decisions += len(pending)
                    if decisions > most:
                        raise Deviation
                    step = everybody(p, stand, seats, pending)
                elif stand.seats == "one":
                    decisions += 1
                    step = stand.at(p, seats[p.seat].uniform(len(p.offer) + stand.shift))
                else:
                    chances += 1
                    weights = p.weights if stand.form in ("pair", "agent") else None
                    step = stand.at(p, chance.uniform(len(p.offer)) if weights is None else weighted(chance, weights))
                if step is None:
                    continue
                run, value = step
            while run is not None:
                run = run(p, value)
    except GameOver:
        frames.clear()
    except (Fault, RecursionError):
        raise Deviation from None
    return Rollout(p, decisions, chances, True)


def again(chooser: Words, value: int, n: int) -> int:
    """A word near the end of their space: perhaps it counts, perhaps the next one does."""
    if n > 2**32:
        raise Deviation
    return value % n if value < SPACE - SPACE % n else chooser.uniform(n)


def weighted(chooser: Words, weights: list[int]) -> int:
    """The place of a weight, each as likely as it weighs: as shares of the whole in lowest terms."""
    scaled = shares(weights)
    drawn = chooser.uniform(sum(scaled))
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


def everybody(p: Position, stand: Any, seats: list[Words], pending: list[int]) -> Any:
    """All who choose at once: each chooses before anybody's choice counts."""
    chosen = []
    for seat in pending:
        offer = stand.offer_to(p, seat)
        element = offer[seats[seat].uniform(len(offer))]
        chosen.append((seat, element[1] if stand.form == "pair" else element))
    step = None
    for seat, value in chosen:
        step = stand.commit(p, seat, value)
    return step


__all__ = ["Rollout", "roll_out"]
