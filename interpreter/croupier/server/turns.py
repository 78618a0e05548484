"""Turns: how many requests of one visitor are worked on at once.

What takes a while, such as reading a ruleset that nobody has asked for yet, is done in threads, and there are
so many of these. The rest of a visitor's requests wait for each other, in order; those of others do not wait
for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from croupier.server.addresses import surroundings
from croupier.server.refusals import RefusedRequest

MAX_AT_ONCE = 4  # requests of one visitor; there are 40 threads
MAX_WAITING = 100  # more than may come at once (`access.MAX_BURST`)
MAX_AT_ONCE_AROUND = 12  # requests of all visitors of one network, `addresses.surroundings`
MAX_WAITING_AROUND = 500


@dataclass
class _Queue:
    """The requests of one place: how many there are, and the turns that they wait for."""

    turns: asyncio.Semaphore
    count: int = 0


class _Queues:
    """A queue for each place where there are requests."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._at_once, self._waiting = at_once, waiting
        self._of: dict[str, _Queue] = {}

    def __len__(self) -> int:
        return len(self._of)

    @asynccontextmanager
    async def take(self, place: str) -> AsyncIterator[None]:
        """Wait for a turn, and have it. Raises `RefusedRequest` where too many wait."""
        queue = self._of.setdefault(place, _Queue(asyncio.Semaphore(self._at_once)))
        if queue.count >= self._at_once + self._waiting:
            raise RefusedRequest("too many requests wait for an answer; wait a moment", 429)
        queue.count += 1
        try:
            async with queue.turns:
                yield
        finally:
            queue.count -= 1
            if not queue.count:
                del self._of[place]


class Turns:
    """The turns of all visitors."""

    def __init__(self) -> None:
        self._own = _Queues(MAX_AT_ONCE, MAX_WAITING)
        self._around = _Queues(MAX_AT_ONCE_AROUND, MAX_WAITING_AROUND)

    def __len__(self) -> int:
        """How many visitors have requests."""
        return len(self._own)

    @asynccontextmanager
    async def take(self, who: str) -> AsyncIterator[None]:
        """Wait until a request of this visitor may be worked on.

        Raises `RefusedRequest` where too many wait.
        """
        async with self._own.take(who), self._around.take(surroundings(who)):
            yield
