"""Where everything lies in the memory of a native position: one block of 64-bit words.

First a header, then what makes the position: the arrays of the state, the zones, the frames. What belongs to one action only lies before the header,
at places below 0: what is passed and returned, and what is on offer. A copy of the words from 0 to `END` is a copy of the position.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from croupier.core import operations as op
from croupier.core.operations import NONE, Body
from croupier.core.types import CoreProgram, Function, Memory
from croupier.core.walk import expressions, statements
from croupier.passes.liveness import Names, live_at_start
from croupier.passes.zones import loose_zones
from croupier.printers.assembly import Fn

(
    SEAT, COUNT, MESSY, WEIGHED, CHOSEN, CHOSEN_SEAT, FUEL, TOP, END, DEPTH, SEARCH, SOUGHT, EXAMINED, TRIED, CONTEXT, NESTED, OWNER, FORM, SETTLED,
    DRAWN, HEADER,
) = range(21)  # fmt: skip
"""The header: who acts; how many actions are on offer, whether they are out of order, whether they have weights; what was chosen, and by whom; fuel;
where the top frame begins (0: none) and ends; how many frames there are; of a look-ahead the frame (0: nobody looks) and the block whose end is
sought; how many positions this action examined, and the fuel that is left for what it tries; the address of what belongs to the thread; how deep
calls stand in each other; the thread that may take steps here, as Python knows it; in which form things are on offer; is it known that all of it
leads somewhere; where the component lay that was drawn last, among those of all zones."""
LISTED, BITS, PART, KEPT = range(4)
"""Forms: one by one; as bits of the first word, the second more; components of a zone from a place on; one by one, from a place that is kept."""
STATE, BELOW, FRAME = range(3)  # the head of a frame: the state it goes on in, where the frame below begins
MOST_OFFERS = 4096
OK, WAITS, GOES, OVER, FAILED, DEAD, REACHED, LIMITED = range(8)  # what functions give back; `LIMITED`: a game has as many decisions as it may
SHIFTED = 16  # components that are moved together: so many places behind a zone hold anything
SLACK = 8  # words behind everything that may be read together with what is there
RECURSIVE_ROOM = 1 << 14  # words for frames of functions that enter themselves
SPARE, SPARE_END, CONTEXT_WORDS = range(3)  # what belongs to the thread: free memory for copies, its end


@dataclass(frozen=True, slots=True)
class FrameLayout:
    """Where words and arrays lie in the frames of a function, and how many words a frame has."""

    words: dict[str, int]
    arrays: dict[str, int]
    sizes: dict[str, int]
    size: int


def arrays_of(body: Body) -> set[str]:
    """The arrays that a body mentions."""
    found: set[str] = set()
    for s in statements(body):
        match s:
            case op.Store(memory) | op.Sort(memory):
                found.add(memory)
            case op.Copy(target, _, source):
                found |= {target, source}
            case op.Call(arguments=arguments) | op.Enter(arguments=arguments):
                found |= {a.memory for a in arguments if isinstance(a, op.Array)}
        found |= {e.memory for e in expressions(s) if isinstance(e, (op.Load, op.Holds))}
    return found


class Layout:
    """The layout of one program that went through the passes."""

    def __init__(self, program: CoreProgram, kept: int = 0, apart: bool = False) -> None:
        """`kept`: words for what was offered before, in front of everything; `apart`: what is before the header lies before another address, that
        in the word `CONTEXT`, for all positions."""
        self.program, self.apart = program, apart
        self.live: dict[int, Names] = live_at_start(program)
        self.at: dict[str, int] = {}
        before = -2 * MOST_OFFERS
        for name in ("passed", "returned"):
            before -= program.memories[name].size if name in program.memories else 0
            self.at[name] = before
        self.memos = before - kept
        self.before = -self.memos
        at = HEADER
        for m in program.memories.values():
            if not m.constant and m.name not in self.at:
                self.at[m.name] = at
                at += m.size
        self.lengths = at
        at += len(program.zones.capacities)
        self.has_zones = bool(program.zones.capacities)
        self.piece_bytes = 2
        self.contents = at  # of zones: `piece_bytes` for each component, by `zone_at`; then a byte for each: does an unordered part go on?
        self.zone_at: list[int] = []
        places = 0
        strides = [capacity + (SHIFTED if capacity > 1 else 0) for capacity in program.zones.capacities]
        self.stride = strides[0] if len(set(strides)) == 1 else None  # places from each zone to the next, if they are all the same
        for stride in strides:
            self.zone_at.append(places)
            places += stride
        at += -(-places * self.piece_bytes // 8)
        self.may_loosen = loose_zones(program)
        self.loosened = bool(self.may_loosen)
        self.tries = any(isinstance(s, (op.Explore, op.Try)) for body in bodies_of(program) for s in statements(body))
        self.bits = at
        if self.loosened:
            at += -(-places // 8)
        self.stack = at
        self.frames = {f.name: self._frame(f) for f in program.functions.values() if f.waits} if program.states else {}
        self.end = at + self._stack_room() + SLACK

    def _frame(self, f: Function) -> FrameLayout:
        states = [s for s in self.program.states.values() if s.function == f.name]
        kept = {n for s in states for w in statements(s.body) if isinstance(w, (op.Wait, op.Enter)) for n in w.keeps}
        words = sorted({name for s in states for name in self.live[s.number]} | kept)
        sizes = {m.name: m.size for m in f.memories} | {p.name: p.size for p in f.parameters if p.size is not None}
        used = [arrays_of(s.body) for s in states]
        arrays = [name for name in sizes if sum(name in u for u in used) > 1 or not name.partition("_")[2]]
        at = FRAME + len(words)
        places = {}
        for name in arrays:
            places[name] = at
            at += sizes[name]
        return FrameLayout({name: FRAME + i for i, name in enumerate(words)}, places, {a: sizes[a] for a in arrays}, at)

    def _stack_room(self) -> int:
        """Words for as many frames as may stand on each other."""
        below: dict[str, set[str]] = {name: set() for name in self.frames}
        for state in self.program.states.values():
            below[state.function] |= {s.function for s in statements(state.body) if isinstance(s, op.Enter)}
        room: dict[str, int] = {}
        circle = False

        def tall(name: str, above: tuple[str, ...]) -> int:
            nonlocal circle
            if name in above:
                circle = True
                return 0
            if name not in room:
                room[name] = self.frames[name].size + max((tall(n, (*above, name)) for n in below[name]), default=0)
            return room[name]

        return 0 if not self.frames else tall(self.program.main, ()) + (RECURSIVE_ROOM if circle else 0)

    @cached_property
    def initial(self) -> list[int]:
        """The words of the position at the start, with the frame of `main` if there are frames."""
        p = self.program
        words = [0] * self.stack
        for m in p.memories.values():
            if not m.constant and self.at[m.name] >= 0:
                words[self.at[m.name] : self.at[m.name] + m.size] = initial_words(m)
        raw = bytearray(8 * (self.stack - self.contents))
        bits = 8 * (self.bits - self.contents)
        for z, items in enumerate(p.zones.contents):
            words[self.lengths + z] = len(items)
            for i, piece in enumerate(items):
                at = (self.zone_at[z] + i) * self.piece_bytes
                raw[at : at + self.piece_bytes] = piece.to_bytes(self.piece_bytes, "little")
                if self.loosened:
                    raw[bits + self.zone_at[z] + i] = p.zones.loose[z] >> i & 1
        words[self.contents :] = memoryview(bytes(raw)).cast("q").tolist()
        if not self.frames:
            return words
        frame = self.frames[p.main]
        words[TOP], words[END], words[DEPTH] = self.stack, self.stack + frame.size, 1
        return [*words, *fresh_frame(frame, p.entries[p.main])]


def initial_words(m: Memory) -> tuple[int, ...]:
    """What an array holds at the start."""
    return m.initial or (0,) * m.size


def fresh_frame(frame: FrameLayout, entry: int) -> list[int]:
    """The words of a frame that begins."""
    return [entry, 0, *[NONE] * len(frame.words), *[0] * sum(frame.sizes.values())]


def bodies_of(program: CoreProgram) -> list[Body]:
    """All bodies of functions and states."""
    return [f.body for f in program.functions.values() if f.body] + [s.body for s in program.states.values()]


def begin_action(f: Fn, layout: Layout, fuel: str) -> None:
    """An action begins: so many steps for itself, and as many for what it tries."""
    f.store(fuel, f.at("%S", FUEL))
    if layout.tries:
        f.store("0", f.at("%S", EXAMINED))
        f.store(fuel, f.at("%S", TRIED))
