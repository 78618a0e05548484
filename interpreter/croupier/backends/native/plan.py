"""Where everything lies in the memory of a native game: one array of words.

First the header, then the rest of the position: state, zones, where components lie, what watchers saw, frames. What belongs to one action only lies
before the header, at places below 0: values handed back, what is on offer, and the arena that lists are made in. A frame is the place of the frame
below, the site it stands at, who alone sees what happens (bits, or -1), which hook began the frame above (0: none), and the slots that it keeps.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.backends.facts import Facts
from croupier.backends.native.words import Words
from croupier.ir.dataflow import live_at_start, members
from croupier.ir.layout.bounds import Bounds
from croupier.ir.layout.stack import stack_room
from croupier.ir.routines import Routine
from croupier.ir.terminators import Foresee
from croupier.semantics import types as t

(
    FRAME, WHERE, SEAT, COUNT, CHOSEN, TOP, RESULT, GRADE, FUEL, DIRTY, WATCHING, WINNERS,
    SCORED, EVERY, ASKED, WEIGHED, LEAN, SOURCE, RETURNS,
) = range(19)  # fmt: skip
"""The header: the top frame (0: none), where control goes on, who acts, how many things are on offer, which of them was chosen, the top of the arena,
how the game ended, its grade, fuel, watchers that have to look as bits, are they looking, winners as bits, are there scores, those who
choose at the same time as bits, which of them is to be asked (or -1), have the things on offer weights of their own (at chance), in which way a
whole is on offer, and where it lies (`whole.py`), returns."""
BITS, LIST, ZONE, SAYINGS, LEAN_BITS = 1, 2, 3, 4, 8

LONGEST = {"asked": 32, "used": 64, "chain": 32, "places": 96}  # how long lists get that are kept in slots of these roles; longer ones deviate
CHANCE = -1
OK, OVER, DEVIATES, WAITS, GOES, DEAD, REACHED = range(7)  # what functions give back; the last two only while somebody looks ahead
RESULTS = ("", "win", "rank", "pay", "lose", "draw")
MOST_OFFERS, WIDEST, HANDED, LISTS = 4096, 8, 256, 1 << 17
"""Room for offers, for the words of one, for words handed back, for words of lists made in one action."""
CASES = 12  # CASES: bits of a place where control goes on that say where in its function
ABOVE, STAGE, FRAME_HEAD = 3, 4, 4
WEIGHT, HEAD = 2, 3  # an offer is its action, the way it goes on, its weight (where offers have weights), and its words
BLOCK = 8  # words that a short copy moves at once
HEAVIEST = 2**40  # a greater weight, and a game deviates
STRIDE = HEAD + WIDEST
DEPTHS = -64  # how deep routines that never wait and may call themselves stand in themselves: first all of them together
OWNER = -4  # the thread that may take steps in this memory, as Python knows it
SEARCH, SOUGHT, EXAMINED, TRIED = -8, -7, -6, -5
"""Looking ahead: the frame (0: nobody looks, -1: at what never waits) and the slot of the block whose end is sought; positions examined; fuel."""
RET = DEPTHS - HANDED
OFFERS = RET - MOST_OFFERS * STRIDE
ARENA = OFFERS - LISTS


@dataclass
class FramePlan:
    """The frame of a routine that may wait: its size, and where each slot is kept."""

    size: int
    slots: dict[int, int] = field(default_factory=dict)
    longest: dict[int, int | None] = field(default_factory=dict)  # how long the lists in them may get


@dataclass(frozen=True)
class AroundPlan:
    """The frame of a call with hooks that may wait: where its arguments, its value and the hooks still to run lie, of which there are `most`."""

    frame: FramePlan
    args: tuple[int, ...]
    value: int
    rest: int
    most: int


def foreseen(routine: Routine) -> set[int]:
    """The slots that a frame keeps for look-aheads."""
    ends = [b.end for b in routine.blocks if isinstance(b.end, Foresee)]
    live = live_at_start(routine) if ends else []
    return {s for end in ends for s in (end.slot, *members(live[end.body]))}


class Plan:
    """The plan for one game."""

    def __init__(self, facts: Facts, words: Words) -> None:
        game = facts.game
        self.words, self.unordered = words, facts.unordered
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
            kind = facts.program.watchers[w.index].value.type
            at += words.room(kind, words.likely(kind, None))
        self.stack = at
        self.spared = 0
        self.frames: dict[int, FramePlan] = {}
        self.arounds: dict[int, AroundPlan] = {}
        self.module = facts.module

    @property
    def arena(self) -> int:
        """Where the arena begins in which an action makes lists: after what is kept from one action to others and is no part of a position."""
        return ARENA + self.spared

    def more(self, words: int) -> int:
        """Room for words that follow from the rest of the state, before any frame is planned."""
        at = self.stack
        self.stack += words
        return at

    def frame(self, routine: Routine, known: dict[int, object]) -> FramePlan:
        """The frame of a routine, whose slots in `known` are constants."""
        if routine.index not in self.frames:
            plan = FramePlan(FRAME_HEAD)
            bounds = Bounds(self.words.facts.program, self.words.game, routine)
            for s in sorted({*routine.takes, *(i for live in routine.live.values() for i in live), *foreseen(routine)}):
                if s not in known:
                    longest = LONGEST.get(routine.slots[s].role, self.words.likely(routine.slots[s].type, bounds.found[s]))
                    plan.slots[s], plan.longest[s] = plan.size, longest
                    plan.size += self.words.room(routine.slots[s].type, longest)
            self.frames[routine.index] = plan
        return self.frames[routine.index]

    def around(self, target: int, kinds: list[t.Type], most: int) -> AroundPlan:
        """The frame of calls with hooks of a routine, whose parameters are of these types."""
        if target not in self.arounds:
            returns, at, args = self.module.routines[target].returns, STAGE + 1, []
            for kind in kinds:
                args.append(at)
                at += self.words.room(kind)
            value, at = at, at + (0 if isinstance(returns, t.Nothing) else self.words.room(returns))
            self.arounds[target] = AroundPlan(FramePlan(at + 1 + most), tuple(args), value, at, most)
        return self.arounds[target]

    @property
    def end(self) -> int:
        """Where a position ends, with as many frames as may stand on each other, and what a short copy may read behind them (`copying.py`)."""

        def size(node: tuple[str, int]) -> int:
            kind, index = node
            if kind == "around":
                return self.arounds[index].frame.size if index in self.arounds else 0
            return self.frames[index].size if index in self.frames else 0

        first = [self.frames[self.module.main].size] if self.module.main in self.frames else []
        return self.stack + sum(first) + stack_room(self.module, size) + BLOCK
