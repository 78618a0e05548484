"""Where one thread plays games step by step: memory of its own, with the functions of `printers/llvm_steps.py` over it.

The state that went on last is at home there; whoever comes after makes it move out. A thread changes its own desk only. Of another one it takes at
most a state away that is at home there, or copies its words: under the `lock`, as whoever has the desk does when somebody moves in or out. Where no
other thread is there is no need of it: taking it would cost as much as some steps.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable
from typing import Protocol
from weakref import ref

from croupier.core.operations import NONE
from croupier.execution.codec import FrameWords
from croupier.execution.llvm_compiler import Engine, NativeMemory
from croupier.execution.native_code import NativeCode, Tiered
from croupier.printers import llvm_layout as l
from croupier.printers.llvm_layout import Layout
from croupier.printers.llvm_steps import ACTIONS, METHODS, WEIGHTS, memory
from croupier.printers.llvm_streams import KEY, STREAM
from croupier.runtime.streams import CHANCE, seat_purpose, stream_key

ARRIVAL = 1e-4  # seconds that a state runs until the next one comes, more or less


class NativeReading:
    """What lies where in some words, of which the first is that of the header."""

    def __init__(self, layout: Layout, words: memoryview[int]) -> None:
        self.layout, self.words = layout, words

    @property
    def memories(self) -> dict[str, list[int]]:
        """The arrays of the state."""
        layout = self.layout
        sizes = {m.name: m.size for m in layout.program.memories.values() if not m.constant}
        return {name: self.words[at : at + sizes[name]].tolist() for name, at in layout.at.items() if at >= 0}

    @property
    def zones(self) -> list[list[int]]:
        """What lies in the zones."""
        layout = self.layout
        items = self.words[layout.contents : layout.bits].cast("B").cast("H")
        return [items[at : at + self.words[layout.lengths + z]].tolist() for z, at in enumerate(layout.zone_at)]

    @property
    def loose(self) -> list[int]:
        """Which places of the zones go on in an unordered part."""
        layout = self.layout
        bits = self.words[layout.bits : layout.stack].cast("B")
        if not layout.loosened:
            return [0] * len(layout.zone_at)
        return [sum(bits[at + i] << i for i in range(self.words[layout.lengths + z])) for z, at in enumerate(layout.zone_at)]

    @property
    def frames(self) -> list[FrameWords]:
        """The frames, lowest first."""
        found: list[FrameWords] = []
        at = self.words[l.TOP]
        while at:
            found.insert(0, self._frame(at))
            at = self.words[at + l.BELOW]
        return found

    def _frame(self, at: int) -> FrameWords:
        state = self.words[at]
        layout = self.layout.frames[self.layout.program.states[state].function]
        words = {n: self.words[at + place] for n, place in layout.words.items()}
        arrays = {n: self.words[at + place : at + place + layout.sizes[n]].tolist() for n, place in layout.arrays.items()}
        return FrameWords(state, {n: w for n, w in words.items() if w != NONE}, arrays)


class Room:
    """The memory that native code plays in: one for each thread. `position` is where a position begins, `words` are its words."""

    def __init__(self, code: NativeCode, players: int) -> None:
        self.memory, self.context = NativeMemory(memory(code.before, code.end)), NativeMemory(l.CONTEXT_WORDS + code.spare)
        self.streams, self._seed = NativeMemory(STREAM * (players + 1)), -1
        self.position = self.memory.address + 8 * code.before
        self.words = self.memory.view[code.before :]
        self.before = self.memory.view[: code.before]
        self.words[l.CONTEXT] = self.context.address
        self.context.view[l.SPARE] = self.context.address + 8 * l.CONTEXT_WORDS
        self.context.view[l.SPARE_END] = self.context.view[l.SPARE] + 8 * code.spare

    def seed(self, seed: int) -> None:
        """The streams of a run begin."""
        if seed != self._seed:
            keys = self.streams.view.cast("B").cast("I")
            for k in range(len(self.streams.view) // STREAM):
                at = 2 * (k * STREAM + KEY)
                keys[at : at + 2] = array("I", stream_key(seed, seat_purpose(k - 1) if k else CHANCE))
            self._seed = seed

    def unseed(self, state: int) -> None:
        """The quick generator begins."""
        self._seed, self.streams.view[0] = -1, state


class Tenant(Protocol):
    """Who has a game in the memory of its native code."""

    def moves_out(self) -> bytes | None:
        """Somebody else needs the memory: keep what is in it."""


def nobody() -> None:
    """Who has the memory when nobody has."""


class Desk:
    """That of the thread that makes it, which is `thread` to Python. `words` are those of the position; `llvm_steps.py` tells what functions do."""

    _tenant: Callable[[], Tenant | None]

    def __init__(self, tiered: Tiered, room: Room) -> None:
        self.room, self.thread, self.lock = room, threading.get_ident(), threading.RLock()
        self.words, self._before = room.words, room.before
        self._tiered, self._tenant = tiered, nobody
        self._bind(tiered.engine)

    def _bind(self, engine: Engine) -> None:
        """The functions are those of an engine from now on."""
        self._engine, self._careful, room = engine, self._tiered.code.careful, self.room
        methods = {name: engine.method(name, arguments, room, room.position) for name, arguments in METHODS.items()}
        self.alone: Callable[[], int] = methods["alone"]
        self.start: Callable[[], int] = methods["start"]
        self.of: Callable[[int], int] = methods["of"]
        self.take: Callable[[int], int] = methods["take"]
        self.offered: Callable[[], list[int]] = methods["offered"]
        self.settle: Callable[[], int] = methods["settle"]
        self.keep: Callable[[], bytes] = methods["keep"]
        self.put: Callable[[bytes], int] = methods["put"]
        self.before: Callable[[], bytes] = methods["before"]
        methods["own"]()

    def let(self, tenant: Tenant) -> bytes | None:
        """The memory is somebody's from now on; whoever had it before keeps what is in it, which is given then."""
        if self.alone() and self._careful:
            before, self._tenant = self._tenant(), ref(tenant)
            return None if before is None else before.moves_out()
        if not self._careful:
            self._tiered.ran(ARRIVAL)
            if self._engine is not self._tiered.engine:
                self._bind(self._tiered.engine)
        with self.lock:
            before, self._tenant = self._tenant(), ref(tenant)
            return None if before is None else before.moves_out()

    def is_given(self, tenant: Tenant) -> bool:
        """The same at once, if this is the only thread, and nothing better can be bound."""
        if not self._careful or not self.alone():
            return False
        before, self._tenant = self._tenant(), ref(tenant)
        if before is not None:
            before.moves_out()
        return True

    def weights(self) -> list[int]:
        """Of the things on offer: how likely each is by chance, or whose it is where several choose. They have to be settled."""
        count = self.words[l.COUNT]
        if not self.words[l.WEIGHED]:
            return [1] * count
        return self._before[WEIGHTS:][:count].tolist()

    def actions(self) -> list[int]:
        """The things on offer, whosever they are. They have to be settled."""
        return self._before[ACTIONS:][: self.words[l.COUNT]].tolist()


__all__ = ["Desk", "Room", "Tenant"]
