"""Stopping between two steps instead of in the middle of one.

Inside `with Interrupt() as interrupt`, the first Ctrl-C only sets `interrupt.requested`; whoever plays looks at it when it
has a whole position.  A second Ctrl-C interrupts at once, as usual.  Outside of the main thread, where Python delivers no
signals, nothing changes.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any


class Interrupt:
    """Turns the first Ctrl-C into a request to stop."""

    def __init__(self) -> None:
        self.requested = False
        self._before: Any = None

    def is_requested(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self.requested

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True


@contextmanager
def held_back() -> Iterator[None]:
    """While processes are started: they inherit that Ctrl-C is not theirs, and this process receives it afterwards."""
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
