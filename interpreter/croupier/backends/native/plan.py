"""Where everything lies in the memory of a native game: one array of words.

First the header, then the rest of the position: state, zones, where components lie, what watchers saw, frames. What belongs to one action only lies
before the header, at places below 0: values handed back, what is on offer, and the arena that lists are made in. A frame is the place of the frame
below, the site it stands at, who alone sees what happens (bits, or -1), and the slots that it keeps.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.backends.facts import Facts
from croupier.backends.native.words import Words
from croupier.ir.layout.bounds import Bounds
from croupier.ir.routines import Routine

FRAME, WHERE, SEAT, COUNT, CHOSEN, TOP, RESULT, GRADE, FUEL, DIRTY, WATCHING, WINNERS, SCORED, EVERY, ASKED, WEIGHED, RETURNS = range(17)
"""The header: the top frame (0: none), where control goes on, who acts, how many things are on offer, which of them was chosen, the top of the arena,
how the game ended, its grade, fuel, watchers that have to look as bits, are they looking, winners as bits, are there scores, those who
choose at the same time as bits, which of them is to be asked (or -1), have the things on offer weights of their own (at chance), returns."""

CHANCE = -1
OK, OVER, DEVIATES, WAITS, GOES = range(5)  # what functions give back
RESULTS = ("", "win", "rank", "pay", "lose", "draw")
MOST_OFFERS, WIDEST, HANDED, LISTS = 4096, 8, 256, 1 << 17
"""Room for offers, for the words of one, for words handed back, for words of lists made in one action."""
FRAME_HEAD = 3
WEIGHT, HEAD = 2, 3  # an offer is its action, the way it goes on, its weight (where offers have weights), and its words
HEAVIEST = 2**40  # a greater weight, and a game deviates
STRIDE = HEAD + WIDEST
RET = -HANDED
OFFERS = RET - MOST_OFFERS * STRIDE
ARENA = OFFERS - LISTS


@dataclass
class FramePlan:
    """The frame of a routine that may wait: its size, and where each slot is kept."""

    size: int
    slots: dict[int, int] = field(default_factory=dict)
    longest: dict[int, int | None] = field(default_factory=dict)  # how long the lists in them may get


class Plan:
    """The plan for one game."""

    def __init__(self, facts: Facts, words: Words) -> None:
        game = facts.game
        self.words = words
        at = RETURNS + 2 * game.players
        self.scores = RETURNS + game.players
        self.vars: list[int] = []
        for v in game.variables:
            self.vars.append(at)
            at += words.room(v.type)
        self.zones: list[int] = []
        self.capacity: list[int] = []
        for place in game.places:
            most = sum(game.kinds[k][1] for k in facts.program.zones[place.zone].kinds)
            self.capacity.append(most if place.capacity is None else min(most, place.capacity))
            self.zones.append(at)
            at += 1 + 2 * self.capacity[-1]
        self.where = at
        at += len(game.pieces)
        self.seen: list[int] = []
        for w in facts.module.watchers:
            self.seen.append(at)
            at += words.room(facts.program.watchers[w.index].value.type)
        self.stack = at
        self.frames: dict[int, FramePlan] = {}

    def frame(self, routine: Routine, known: dict[int, object]) -> FramePlan:
        """The frame of a routine, whose slots in `known` are constants."""
        if routine.index not in self.frames:
            plan = FramePlan(FRAME_HEAD)
            bounds = Bounds(self.words.facts.program, self.words.game, routine)
            for s in sorted({*routine.takes, *(i for live in routine.live.values() for i in live)}):
                if s not in known:
                    plan.slots[s], plan.longest[s] = plan.size, bounds.found[s]
                    plan.size += self.words.room(routine.slots[s].type, bounds.found[s])
            self.frames[routine.index] = plan
        return self.frames[routine.index]

    @property
    def end(self) -> int:
        """Where a position ends: nothing calls itself, so that each frame is there once at most."""
        return self.stack + sum(f.size for f in self.frames.values())
