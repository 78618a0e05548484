"""Whole games between random players, by compiled code alone: the same streams, choices and results as a match of random agents.

The functions are those of `Compiled.whole`: they pick for players and chance themselves wherever they can (`picking.py`), and wait here for the rest.
The numbers are those of `runtime/streams.py`, worked out with less to do: one word is enough for any number of options that fits in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from struct import Struct
from typing import TYPE_CHECKING, Any, Protocol

from croupier.backends.python.position import Deviation, Position
from croupier.backends.python.shares import weighted
from croupier.runtime.faults import Fault, GameOver
from croupier.runtime.streams import CHANCE

if TYPE_CHECKING:
    from croupier.backends.python import Compiled

WORDS = Struct(">4Q").unpack
NEARLY = 2**64 - 2**32  # below it a word counts for every number of options up to 2^32


@dataclass(slots=True)
class Rollout:
    """How a game went: where it ended, and its steps. `over` is false if a limit of the ruleset ended it."""

    position: Position
    decisions: int
    chance_events: int
    over: bool


class Chooser:
    """`uniform` of a stream; `words` are those of the block that is being used up, the next one last. One that might not count deviates."""

    __slots__ = ("keys", "words", "block")

    def __init__(self, seed: int, game: int, purpose: str) -> None:
        self.keys, self.block = (seed, game, purpose), 0
        self.words: list[int] = []

    def more(self) -> list[int]:
        """The words of the next block. Raises `Deviation`."""
        text = b"croupier-stream-1 %d %d %b %d" % (self.keys[0], self.keys[1], self.keys[2].encode(), self.block)
        d, c, b, a = WORDS(sha256(text).digest())
        if a >= NEARLY or b >= NEARLY or c >= NEARLY or d >= NEARLY:
            raise Deviation
        self.block += 1
        self.words = [a, b, c, d]
        return self.words

    def uniform(self, n: int) -> int:
        if n <= 1:
            return 0
        if n > 2**32:
            raise Deviation
        return (self.words or self.more()).pop() % n


class Words(Protocol):
    """A source of random numbers: `words` are of 64 bits, below `NEARLY` and at hand, `more` makes new ones."""

    words: list[int]

    def more(self) -> list[int]: ...
    def uniform(self, n: int) -> int: ...


Source = Callable[[int, int, str], Words]


def roll_out(compiled: Compiled, seed: int, game: int, source: Source = Chooser) -> Rollout:
    """Play game number `game` of a run with this seed. Raises `Deviation`: then the evaluator has to play it."""
    run: Any
    step: Any
    seats: list[Words] = []
    p = compiled.start()
    stands, fuel, search, looks, most, most_chances = compiled.whole_game()
    frames = p.frames
    for purpose in compiled.purposes:
        seats.append(source(seed, game, purpose))
    p.streams, p.chance, p.left, p.rolls = seats, source(seed, game, CHANCE), most, most_chances
    chance = p.chance
    try:
        while frames:
            if p.rolls <= 0 or p.left <= 0:
                return Rollout(p, most - p.left, most_chances - p.rolls, False)
            stand = stands[frames[-1][-2]]
            p.fuel = fuel
            if stand.plain and not looks:
                if stand.seats == "one":
                    p.left -= 1
                    chooser = seats[p.seat]
                else:
                    p.rolls -= 1
                    chooser = chance
                n = len(p.offer)
                step = stand.chosen, p.offer[(chooser.words or chooser.more()).pop() % n if n > 1 else 0]
            elif stand.seats == "one":
                p.left -= 1
                allowed = None
                if looks:
                    search.begin(p)
                    allowed = search.allowed(p, stand.actions(p)) if search.active(p) else None
                chooser = seats[p.seat]
                if allowed is not None:
                    step = stand.go_on(p, allowed[chooser.uniform(len(allowed))])
                    search.begin(p)
                else:
                    step = stand.at(p, chooser.uniform(len(p.offer) + stand.shift))
            elif stand.seats == "chance":
                if looks:
                    search.begin(p)
                p.rolls -= 1
                weights = p.weights if stand.form in ("pair", "agent") else None
                step = stand.at(p, chance.uniform(len(p.offer)) if weights is None else weighted(chance, weights))
            else:
                if looks:
                    search.begin(p)
                pending = stand.pending(p, frames[-1])
                p.left -= len(pending)
                if p.left < 0:
                    raise Deviation
                step = everybody(p, stand, seats, pending)
            if step is not None:
                run, value = step
                while run is not None:
                    run = run(p, value)
    except GameOver:
        frames.clear()
    except (Fault, RecursionError):
        raise Deviation from None
    return Rollout(p, most - p.left, most_chances - p.rolls, True)


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
