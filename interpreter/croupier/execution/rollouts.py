"""Whole games between random players, by compiled Python alone: the same streams, choices and results as a match of random agents.

The numbers are those of `runtime/streams.py`, worked out with less to do: one word is enough for any number of options that fits in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import gcd
from struct import Struct
from typing import TYPE_CHECKING, Any, Protocol

from croupier.core import operations as op
from croupier.runtime.streams import CHANCE, seat_purpose

if TYPE_CHECKING:
    from croupier.execution.python_engine import PythonProgram

WORDS = Struct(">4Q").unpack
NEARLY = 2**64 - 2**32  # below it a word counts for every number of options up to 2^32


class Unusual(Exception):
    """A game that is played step by step: it fails, passes a limit, or needs more than one word of a stream for a choice."""


@dataclass(slots=True)
class Rollout:
    """How a game went that came to its result: where it ended, and its steps."""

    position: Any
    decisions: int
    chance_events: int


class Chooser:
    """`uniform` of a stream; `words` are those of the block that is being used up, the next one last. One that might not count is unusual."""

    __slots__ = ("keys", "words", "block")

    def __init__(self, seed: int, game: int, purpose: str) -> None:
        self.keys, self.block = (seed, game, purpose), 0
        self.words: list[int] = []

    def more(self) -> list[int]:
        """The words of the next block. Raises `Unusual`."""
        text = b"croupier-stream-1 %d %d %b %d" % (self.keys[0], self.keys[1], self.keys[2].encode(), self.block)
        d, c, b, a = WORDS(sha256(text).digest())
        if a >= NEARLY or b >= NEARLY or c >= NEARLY or d >= NEARLY:
            raise Unusual
        self.block += 1
        self.words = [a, b, c, d]
        return self.words

    def uniform(self, n: int) -> int:
        """A number below `n`. Raises `Unusual`."""
        if n <= 1:
            return 0
        if n > 2**32:
            raise Unusual
        return (self.words or self.more()).pop() % n


class Words(Protocol):
    """A source of random numbers: `words` are of 64 bits, below `NEARLY` and at hand, `more` makes new ones."""

    words: list[int]

    def more(self) -> list[int]: ...
    def uniform(self, n: int) -> int: ...


Source = Callable[[int, int, str], Words]


def weighted(source: Words, weights: Sequence[int]) -> int:
    """The place of a weight, each as likely as it weighs: as shares of the whole in lowest terms."""
    common = gcd(*weights)
    drawn = source.uniform(sum(weights) // common)
    for place, weight in enumerate(weights):
        drawn -= weight // common
        if drawn < 0:
            return place
    raise AssertionError("the weights add up to more than was drawn")


def roll_out(program: PythonProgram, seed: int, game: int, source: Source = Chooser) -> Rollout:
    """Play game number `game` of a run with this seed, from its beginning. Raises `Unusual`."""
    seats = [source(seed, game, seat_purpose(seat)) for seat in range(program.players)]
    chance = source(seed, game, CHANCE)
    if program.whole is None:
        return _stepped(program, seats, chance)
    S = program.initial()
    most, most_chances = program.limits
    try:
        program.whole(S, seats, chance, most, most_chances)
    except program.finished:
        S.frames = []
        return Rollout(S, most - S.left, most_chances - S.rolls)
    except program.failures:
        raise Unusual from None
    raise Unusual


def _stepped(program: PythonProgram, seats: Sequence[Words], chance: Words) -> Rollout:
    """The same, step by step, where something is looked ahead. Raises `Unusual`."""
    p = program.position()
    decisions = events = 0
    most, most_chances = program.limits
    while p.S.frames:
        if decisions > most or events > most_chances:
            raise Unusual
        match p.S.seat:
            case op.CHANCE:
                outcomes = p.outcomes()
                p.apply(outcomes[weighted(chance, [weight for _, weight in outcomes])][0])
                events += 1
            case op.SEVERAL:
                actions = [(seat, _drawn(seats[seat], p.options(seat))) for seat in sorted(set(p.S.K))]
                decisions += len(actions)
                for seat, action in actions:
                    p.apply(action, seat)
            case seat:
                p.apply(_drawn(seats[seat], p.options(seat)), seat)
                decisions += 1
    if p.failed or decisions > most or events > most_chances:
        raise Unusual
    return Rollout(p.S, decisions, events)


def _drawn(stream: Words, options: Sequence[int]) -> int:
    if not options:
        raise Unusual
    return options[stream.uniform(len(options))]
