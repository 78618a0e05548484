"""Memory layout of a native position: one block of 64-bit words.

Upwards from the address of the position lie a header and what makes the position: arrays of the state, zones,
the stack of frames. Copying the words from 0 to `Header.STACK_END` copies the position. Below it, at negative
offsets, lies scratch memory that belongs to one action only: arguments and results of functions that wait,
the legal actions, the memo table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from croupier.core import operations as op
from croupier.core.operations import NONE, Body
from croupier.core.types import CoreProgram, Function, Memory
from croupier.core.walk import statements
from croupier.passes.liveness import Names, kept_in_frames, live_at_start
from croupier.passes.zones import loose_zones
from croupier.printers.llvm_builder import FunctionBuilder, Operand

MAX_OFFERS = 1 << 14
# where the list of legal actions lies, and their weights or seats: words below the header
ACTIONS, WEIGHTS = -2 * MAX_OFFERS, -MAX_OFFERS
SHIFT_LANES = 16  # components that one vector instruction moves; so many places behind a zone are padding
READ_SLACK = 8  # words of padding at the end, for vector loads
RECURSION_WORDS = 1 << 14  # for frames of functions that enter themselves


class Header:
    """Words of the header, by index."""

    SEAT = 0  # the seat to act, `CHANCE` or `SEVERAL`
    OFFER_COUNT = 1  # how many actions are legal
    UNSORTED = 2  # 1 if the actions may be out of order or have duplicates
    WEIGHTED = 3  # 1 if the actions have weights (chance) or seats (several)
    CHOSEN = 4  # the action that was chosen last
    CHOSEN_SEAT = 5  # by which seat
    FUEL = 6  # steps that this action may still take
    TOP_FRAME = 7  # index of the top frame; 0: none, the game is over
    STACK_END = 8  # index behind the top frame
    FRAME_COUNT = 9
    SEARCH_FRAME = 10  # in a look-ahead: number of the frame whose block is searched; 0: no search
    SEARCH_BLOCK = 11  # and number of the block whose end is searched for
    EXAMINED = 12  # positions that this action has examined
    SEARCH_FUEL = 13  # steps that searches of this action may still take
    CONTEXT = 14  # address of the `ThreadContext` of the thread
    CALL_STACK = 15  # bytes of machine stack used by recursive calls
    OWNER_THREAD = 16  # the thread of Python that may take steps here
    OFFER_FORMAT = 17  # an `OfferFormat`
    OFFERS_PREPARED = 18  # 1 if the actions are a sorted list, filtered by the look-ahead
    DRAWN_FROM = 19  # where the component drawn last lay, among the places of all zones
    WORDS = 20


class OfferFormat:
    """The representations of the legal actions at `ACTIONS`."""

    LIST = 0  # one action a word
    BITSET = 1  # the bits of the first word; the second is added to each index
    ZONE_RANGE = 2  # components of a zone: the first word is a place among those of all zones
    MEMO = 3  # a list in the memo table: the first word is its offset from the header


class FrameHead:
    """Words at the beginning of a frame, by index."""

    STATE = 0  # in which it resumes
    BELOW = 1  # index of the frame below
    WORDS = 2


class Status:
    """The values that printed functions return."""

    OK = 0
    WAITS = 1  # a seat or chance has to choose
    CONTINUE = 2  # the frame on top changed: the driver runs that
    OVER = 3  # the game is over
    FAILED = 4  # the action bails out to the evaluator
    DEAD_END = 5  # a look-ahead cannot end this way
    REACHED = 6  # the end of the block that a look-ahead searches for
    LIMIT = 7  # a playout has as many decisions or chance events as it may


class ThreadContext:
    """Words of the context of a thread, by index."""

    SPARE = 0  # address of free memory for copies of positions
    SPARE_END = 1
    WORDS = 2


@dataclass(frozen=True, slots=True)
class FrameLayout:
    """Layout of the frames of a function: indices of locals and arrays, sizes of the arrays, words of a
    frame.
    """

    words: dict[str, int]
    arrays: dict[str, int]
    sizes: dict[str, int]
    size: int


class Layout:
    """The layout of one program, after the passes."""

    def __init__(self, program: CoreProgram, memo_words: int = 0, shared_scratch: bool = False) -> None:
        """`memo_words`: words of the memo table, below all other scratch memory; `shared_scratch`: scratch
        memory lies below the address in `Header.CONTEXT` rather than below the header, so that many positions
        share it.
        """
        self.program, self.shared_scratch = program, shared_scratch
        self.live: dict[int, Names] = live_at_start(program)
        self.at: dict[str, int] = {}
        below = ACTIONS
        for name in ("passed", "returned"):
            below -= program.memories[name].size if name in program.memories else 0
            self.at[name] = below
        self.memo_offset = below - memo_words
        self.scratch_words = -self.memo_offset
        at = Header.WORDS
        for m in program.memories.values():
            if not m.constant and m.name not in self.at:
                self.at[m.name] = at
                at += m.size
        self.lengths = at
        at += len(program.zones.capacities)
        self.has_zones = bool(program.zones.capacities)
        self.component_bytes = 2
        # of zones: components as 16 bits, by `zone_at`; then a byte for each: 1 if it belongs to one
        # unordered part with the next
        self.contents = at
        self.zone_at: list[int] = []
        places = 0
        strides = [capacity + (SHIFT_LANES if capacity > 1 else 0) for capacity in program.zones.capacities]
        # places from a zone to the next, if that is the same for all
        self.stride = strides[0] if len(set(strides)) == 1 else None
        for stride in strides:
            self.zone_at.append(places)
            places += stride
        at += -(-places * self.component_bytes // 8)
        self.may_be_unordered = loose_zones(program)
        self.has_unordered = bool(self.may_be_unordered)
        self.has_trials = any(
            isinstance(s, (op.Explore, op.Try)) for body in bodies_of(program) for s in statements(body)
        )
        self.unordered_bytes = at
        if self.has_unordered:
            at += -(-places // 8)
        self.stack = at
        self.frames: dict[str, FrameLayout] = {}
        if program.states:
            self.frames = {f.name: self._frame(f) for f in program.functions.values() if f.waits}
        self.end = at + self._max_stack_words() + READ_SLACK

    def _frame(self, f: Function) -> FrameLayout:
        words, sizes = kept_in_frames(self.program, f, self.live)
        at = FrameHead.WORDS + len(words)
        places = {}
        for name, size in sizes.items():
            places[name] = at
            at += size
        return FrameLayout({name: i for i, name in enumerate(words, FrameHead.WORDS)}, places, sizes, at)

    def _max_stack_words(self) -> int:
        """Words for the deepest stack of frames."""
        below: dict[str, set[str]] = {name: set() for name in self.frames}
        for state in self.program.states.values():
            below[state.function] |= {s.function for s in statements(state.body) if isinstance(s, op.Enter)}
        known: dict[str, int] = {}
        circle = False

        def stack_words(name: str, above: tuple[str, ...]) -> int:
            nonlocal circle
            if name in above:
                circle = True
                return 0
            if name not in known:
                known[name] = self.frames[name].size + max(
                    (stack_words(n, (*above, name)) for n in below[name]), default=0
                )
            return known[name]

        if not self.frames:
            return 0
        deepest = stack_words(self.program.main, ())
        return deepest + RECURSION_WORDS if circle else deepest

    @cached_property
    def initial(self) -> list[int]:
        """The words of the initial position, with the frame of `main` if there are frames."""
        p = self.program
        words = [0] * self.stack
        for m in p.memories.values():
            if not m.constant and self.at[m.name] >= 0:
                words[self.at[m.name] : self.at[m.name] + m.size] = initial_words(m)
        raw = bytearray(8 * (self.stack - self.contents))
        bits = 8 * (self.unordered_bytes - self.contents)
        for z, items in enumerate(p.zones.contents):
            words[self.lengths + z] = len(items)
            for i, component in enumerate(items):
                at = (self.zone_at[z] + i) * self.component_bytes
                raw[at : at + self.component_bytes] = component.to_bytes(self.component_bytes, "little")
                if self.has_unordered:
                    raw[bits + self.zone_at[z] + i] = p.zones.loose[z] >> i & 1
        words[self.contents :] = memoryview(bytes(raw)).cast("q").tolist()
        if not self.frames:
            return words
        frame = self.frames[p.main]
        words[Header.TOP_FRAME] = self.stack
        words[Header.STACK_END] = self.stack + frame.size
        words[Header.FRAME_COUNT] = 1
        return [*words, *new_frame(frame, p.entries[p.main])]


def initial_words(m: Memory) -> tuple[int, ...]:
    """The initial words of an array."""
    return m.initial or (0,) * m.size


def new_frame(frame: FrameLayout, entry: int) -> list[int]:
    """The words of a new frame."""
    return [entry, 0, *[NONE] * len(frame.words), *[0] * sum(frame.sizes.values())]


def bodies_of(program: CoreProgram) -> list[Body]:
    """The bodies of all functions and states."""
    return [f.body for f in program.functions.values() if f.body] + [s.body for s in program.states.values()]


def begin_action(f: FunctionBuilder, layout: Layout, fuel: Operand) -> None:
    """Emit the start of an action: it has this fuel for itself, and as much for its searches."""
    f.store_at(fuel, "%S", Header.FUEL)
    if layout.has_trials:
        f.store_at(0, "%S", Header.EXAMINED)
        f.store_at(fuel, "%S", Header.SEARCH_FUEL)
