"""Where one thread plays games step by step: memory of its own, with the functions of `stepping.py` over it.

The state that went on last is at home there; whoever comes after makes it move out. A thread changes its own desk only. Of another one it takes at
most a state away that is at home there, or copies its words: under the `lock`, as whoever has the desk does when somebody moves in or out.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol
from weakref import ref

from croupier.backends.native import plan as p
from croupier.backends.native.code import Code
from croupier.backends.native.engine import Engine, Memory
from croupier.backends.native.stepping import METHODS
from croupier.backends.native.streams import STREAM


class Room:
    """The memory that native code plays in: one for each thread. `position` is where a position begins."""

    def __init__(self, code: Code, players: int) -> None:
        self.memory, self.streams, self.text = Memory(2 * code.end + 1 - p.ARENA), Memory(STREAM * (players + 1)), Memory(code.text)
        self.position = self.memory.address - 8 * p.ARENA


class Tenant(Protocol):
    """Who has a game in the memory of its native code."""

    def moves_out(self) -> bytes | None:
        """Somebody else needs the memory: keep what is in it."""


def nobody() -> None:
    """Who has the memory when nobody has."""


class Desk:
    """That of the thread that makes it, which is `thread` to Python. `words` are those of the position; `stepping.py` tells what the functions do."""

    def __init__(self, engine: Engine, room: Room) -> None:
        self.room, self.thread, self.lock = room, threading.get_ident(), threading.RLock()
        self.words = room.memory.view[-p.ARENA :]
        methods = {name: engine.method(name, arguments, room.memory, room.position) for name, arguments in METHODS.items()}
        self.start: Callable[[], int] = methods["start"]
        self.take: Callable[[int], int] = methods["take"]
        self.ask: Callable[[int], int] = methods["ask"]
        self.offered: Callable[[], list[int]] = methods["offered"]
        self.keep: Callable[[], bytes] = methods["keep"]
        self.put: Callable[[bytes], int] = methods["put"]
        self.before: Callable[[], bytes] = methods["before"]
        self._tenant: Callable[[], Tenant | None] = nobody
        methods["own"]()

    def let(self, tenant: Tenant) -> bytes | None:
        """The memory is somebody's from now on; whoever had it before keeps what is in it, which is given then."""
        with self.lock:
            before = self._tenant()
            self._tenant = ref(tenant)
            return None if before is None else before.moves_out()

    def empty(self) -> None:
        """The memory is nobody's."""
        with self.lock:
            before = self._tenant()
            if before is not None:
                before.moves_out()
                self._tenant = nobody

    def weights(self, count: int) -> list[int]:
        """Of the things on offer, of which there are so many."""
        first = p.OFFERS - p.ARENA + p.WEIGHT
        return self.room.memory.view[first : first + count * p.STRIDE : p.STRIDE].tolist()


__all__ = ["Desk", "Room", "Tenant"]
