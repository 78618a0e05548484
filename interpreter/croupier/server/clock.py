"""The clock of the server: what time it is, and what is to be done when.

Time that is kept for players (`match_time.py`) and the signs of life of open pages go by it, so that a test
can let time pass without waiting.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """Something that is to be done later."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """Time in seconds, from whenever on; and calls of functions at a time to come."""

    def now(self) -> float: ...

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer: ...


class LoopClock:
    """The clock of the event loop that runs; it can be asked only within one."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        return asyncio.get_running_loop().call_at(when, callback)
