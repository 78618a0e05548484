"""Whole games between random players, by compiled Python alone: the same streams, choices and results as a match of random agents.

The numbers are those of `runtime/streams.py`; what was printed takes words by itself, where one is enough for so many options.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING, Protocol

from croupier.core import operations as op
from croupier.runtime.streams import CHANCE, WORD, Stream, seat_purpose, stream_key, words

if TYPE_CHECKING:
    from croupier.execution.python_engine import PythonProgram

LOW = 2**WORD - 1


class Unusual(Exception):
    """A game that is played step by step: it fails, or passes a limit."""


@dataclass(slots=True)
class Rollout:
    """How a game went that came to its result: where it ended, and its steps."""

    position: object
    decisions: int
    chance_events: int


class Chooser(Stream):
    """A stream whose words at hand anybody may take: `words`, the next one last."""

    __slots__ = ("words",)

    def __init__(self, seed: int, game: int, purpose: str) -> None:
        self.game, self._key, self._block = game, stream_key(seed, purpose), 0
        self.words: list[int] = []

    def more(self) -> list[int]:
        """`words`, with new ones."""
        self.words, self._block = words(self._key, self.game, self._block)
        return self.words

    def word(self) -> int:
        return (self.words or self.more()).pop()

    def again(self, product: int, n: int) -> int:
        """A word times `n`, if it counts; otherwise that of the next one that does."""
        while product & LOW < n and product & LOW < (LOW + 1) % n:
            product = self.word() * n
        return product


class Words(Protocol):
    """A source of random numbers: `words` have 32 bits and are at hand, `more` makes new ones, `again` is that of `Chooser`."""

    words: list[int]

    def more(self) -> list[int]: ...
    def again(self, product: int, n: int) -> int: ...
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
