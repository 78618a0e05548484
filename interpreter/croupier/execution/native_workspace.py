"""Workspaces of native code: memory of one thread in which a state takes steps, with the functions of
`printers/llvm_steps.py` bound to it.

At most one state is *resident* in a workspace: the one that took the last step there. Its position lies in
the memory of the workspace, so that a step copies nothing. Another state that needs the workspace evicts it:
the resident then saves its position as bytes.

Threads: only the thread that made a workspace runs its functions. Another thread at most evicts a resident or
copies its words, under `lock`, which the owner takes, too, when residents change. Where Python runs one
thread only, the lock is not taken: it would cost as much as several steps.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Sequence
from typing import Protocol
from weakref import ref

from croupier.core.operations import CHANCE as BY_CHANCE
from croupier.core.operations import NONE, SEVERAL
from croupier.execution.codec import CorePosition, FrameValues
from croupier.execution.llvm_compiler import ExecutionEngine, NativeMemory
from croupier.execution.native_code import NativeCode, TieredCode
from croupier.passes.bitsets import rebuild_bitsets
from croupier.printers.llvm_layout import (
    ACTIONS,
    WEIGHTS,
    FrameHead,
    Header,
    Layout,
    OfferFormat,
    ThreadContext,
)
from croupier.printers.llvm_steps import METHODS, memory_words
from croupier.printers.llvm_streams import KEY, STREAM
from croupier.runtime.streams import CHANCE, seat_purpose, stream_key

SECONDS_PER_RESIDENT = 1e-4  # estimated run time of a resident, which counts towards optimising the code


def read_position(layout: Layout, words: memoryview[int]) -> CorePosition:
    """Read a position by a layout from its words, from the header on."""
    sizes = {m.name: m.size for m in layout.program.memories.values() if not m.constant}
    memories = {name: words[at : at + sizes[name]].tolist() for name, at in layout.at.items() if at >= 0}
    items = words[layout.contents : layout.unordered_bytes].cast("B").cast("H")
    bits = words[layout.unordered_bytes : layout.stack].cast("B")
    zones, loose = [], []
    for z, at in enumerate(layout.zone_at):
        held = items[at : at + words[layout.lengths + z]].tolist()
        zones.append(held)
        loose.append(sum(bits[at + i] << i for i in range(len(held))) if layout.has_unordered else 0)
    frames: list[FrameValues] = []
    at = words[Header.TOP_FRAME]
    while at:
        frames.insert(0, _read_frame(layout, words, at))
        at = words[at + FrameHead.BELOW]
    return CorePosition(memories, zones, loose, frames)


def _read_frame(layout: Layout, words: memoryview[int], at: int) -> FrameValues:
    state = words[at]
    frame = layout.frames[layout.program.states[state].function]
    held = {n: words[at + place] for n, place in frame.words.items()}
    arrays = {
        n: words[at + place : at + place + frame.sizes[n]].tolist() for n, place in frame.arrays.items()
    }
    return FrameValues(state, {n: w for n, w in held.items() if w != NONE}, arrays)


def write_position(
    layout: Layout,
    words: memoryview[int],
    scratch: memoryview[int],
    at: CorePosition,
    seat: int,
    offers: Sequence[tuple[int, int]],
) -> None:
    """Write a position by a layout: to `words`, from the header on, and its legal actions to the
    scratch memory below it.

    `seat`: who acts, a seat, `CHANCE` or `SEVERAL`; `offers`: actions with weights or seats, `MAX_OFFERS` at
    most.
    """
    rebuild_bitsets(at.memories)
    for name, memory in at.memories.items():
        if layout.at[name] >= 0:
            words[layout.at[name] : layout.at[name] + len(memory)] = array("q", memory)
    items = words[layout.contents : layout.unordered_bytes].cast("B").cast("H")
    bits = words[layout.unordered_bytes : layout.stack].cast("B")
    for z, (held, loose) in enumerate(zip(at.zones, at.loose, strict=True)):
        words[layout.lengths + z] = len(held)
        for i, component in enumerate(held):
            items[layout.zone_at[z] + i] = component
            if layout.has_unordered:
                bits[layout.zone_at[z] + i] = loose >> i & 1
    top, end = 0, layout.stack
    for f in at.frames:
        frame = layout.frames[layout.program.states[f.state].function]
        words[end : end + FrameHead.WORDS] = array("q", [f.state, top])
        for name, place in frame.words.items():
            words[end + place] = f.words.get(name, NONE)
        for name, place in frame.arrays.items():
            words[end + place : end + place + frame.sizes[name]] = array("q", f.arrays[name])
        top, end = end, end + frame.size
    header = {
        Header.TOP_FRAME: top,
        Header.STACK_END: end,
        Header.FRAME_COUNT: len(at.frames),
        Header.SEAT: seat,
        Header.OFFER_COUNT: len(offers),
        Header.UNSORTED: 1,
        Header.WEIGHTED: int(seat in (BY_CHANCE, SEVERAL)),
        Header.OFFER_FORMAT: OfferFormat.LIST,
        Header.OFFERS_PREPARED: 0,
        Header.SEARCH_FRAME: 0,
        Header.SEARCH_BLOCK: 0,
        Header.CALL_STACK: 0,
    }
    for word, value in header.items():
        words[word] = value
    for i, (action, weight) in enumerate(offers):
        scratch[len(scratch) + ACTIONS + i], scratch[len(scratch) + WEIGHTS + i] = action, weight


def write_keys(streams: memoryview[int], players: int, seed: int) -> None:
    """Write the keys of the published streams of a run: that of chance, then those of the seats."""
    keys = streams.cast("B").cast("I")
    for k in range(players + 1):
        at = 2 * (k * STREAM + KEY)
        keys[at : at + 2] = array("I", stream_key(seed, seat_purpose(k - 1) if k else CHANCE))


class ThreadMemory:
    """Memory of one thread for playing: a position with its scratch memory, spare memory for look-ahead,
    random streams, behind which what is watched of a game is written down.

    `position` is the address of the position, `words` are its words, `scratch` the words of scratch memory
    below it.
    """

    def __init__(self, code: NativeCode, players: int) -> None:
        self.memory = NativeMemory(memory_words(code.scratch_words, code.position_words))
        self.context = NativeMemory(ThreadContext.WORDS + code.spare_words)
        self._players, self._seed = players, -1
        self.streams = NativeMemory(STREAM * (players + 1) + code.watch_words)
        self.position = self.memory.address + 8 * code.scratch_words
        self.words = self.memory.view[code.scratch_words :]
        self.scratch = self.memory.view[: code.scratch_words]
        self.words[Header.CONTEXT] = self.context.address
        self.context.view[ThreadContext.SPARE] = self.context.address + 8 * ThreadContext.WORDS
        self.context.view[ThreadContext.SPARE_END] = (
            self.context.view[ThreadContext.SPARE] + 8 * code.spare_words
        )

    def use_streams(self, seed: int) -> None:
        """Use the published streams of a run from now on."""
        if seed != self._seed:
            write_keys(self.streams.view, self._players, seed)
            self._seed = seed

    def use_fast_generator(self, state: int) -> None:
        """Use the fast generator (splitmix64) from now on, from this state."""
        self._seed, self.streams.view[0] = -1, state


class Resident(Protocol):
    """A state whose position may lie in a workspace."""

    def evict(self) -> bytes | None:
        """Another state needs the workspace: save the position; return it, None if there was nothing to
        save.
        """


def no_resident() -> None:
    """The weak reference to the resident of an empty workspace."""


class ThreadWorkspace:
    """The workspace of the thread that makes it, with the identity `thread`.

    `words` are those of the position. The attributes that are functions are described in
    `printers/llvm_steps.py`.
    """

    _resident: Callable[[], Resident | None]

    def __init__(self, code: TieredCode, memory: ThreadMemory) -> None:
        self.memory, self.thread, self.lock = memory, threading.get_ident(), threading.RLock()
        self.words, self._scratch = memory.words, memory.scratch
        self._code, self._resident = code, no_resident
        self._bind(code.engine)

    def _bind(self, engine: ExecutionEngine) -> None:
        """Bind the functions of an engine to the memory."""
        self._engine, self._optimized, memory = engine, self._code.code.optimized, self.memory
        methods = {
            name: engine.method(name, arguments, memory, memory.position)
            for name, arguments in METHODS.items()
        }
        self.is_only_thread: Callable[[], int] = methods["is_only_thread"]
        self.start: Callable[[], int] = methods["start"]
        self.set_seat: Callable[[int], int] = methods["set_seat"]
        self.apply: Callable[[int], int] = methods["apply"]
        self.legal_actions: Callable[[], list[int]] = methods["legal_actions"]
        self.prepare_offers: Callable[[], int] = methods["prepare_offers"]
        self.save: Callable[[], bytes] = methods["save"]
        self.load: Callable[[bytes], int] = methods["load"]
        self.previous_position: Callable[[], bytes] = methods["previous_position"]
        methods["claim"]()

    def acquire(self, state: Resident) -> bytes | None:
        """Make a state resident; return what the one before it saved.

        Switches to optimised code when that is ready.
        """
        if self.is_only_thread() and self._optimized:
            previous, self._resident = self._resident(), ref(state)
            return None if previous is None else previous.evict()
        if not self._optimized:
            self._code.add_run_time(SECONDS_PER_RESIDENT)
            if self._engine is not self._code.engine:
                self._bind(self._code.engine)
        with self.lock:
            previous, self._resident = self._resident(), ref(state)
            return None if previous is None else previous.evict()

    def try_acquire(self, state: Resident) -> bool:
        """The same without the lock; False, and nothing happens, unless this is the only thread and the code
        is optimised.
        """
        if not self._optimized or not self.is_only_thread():
            return False
        previous, self._resident = self._resident(), ref(state)
        if previous is not None:
            previous.evict()
        return True

    def write(self, layout: Layout, at: CorePosition, seat: int, offers: Sequence[tuple[int, int]]) -> None:
        """Write a position of the resident, with its legal actions: see `write_position`."""
        write_position(layout, self.words, self._scratch, at, seat, offers)

    def weights(self) -> list[int]:
        """Return a number for each legal action: its weight at a chance event, its seat if several choose.

        Call `prepare_offers` before.
        """
        count = self.words[Header.OFFER_COUNT]
        if not self.words[Header.WEIGHTED]:
            return [1] * count
        return self._scratch[WEIGHTS:][:count].tolist()

    def actions(self) -> list[int]:
        """The legal actions of all seats. Call `prepare_offers` before."""
        return self._scratch[ACTIONS:][: self.words[Header.OFFER_COUNT]].tolist()


__all__ = ["Resident", "ThreadMemory", "ThreadWorkspace", "read_position"]
