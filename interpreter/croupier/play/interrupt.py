"""Stopping between two steps instead of in the middle of one, and what happens to workers when their parent is gone.

Inside `with Interrupt() as interrupt`, the first Ctrl-C only sets `interrupt.requested`; whoever plays looks at it when it
has a whole position.  A second Ctrl-C interrupts at once, as usual; where a step goes on for longer than `PATIENCE`, it comes by itself.
Where even that has no effect, in machine code, the process ends.  Outside of the main thread, where Python delivers no signals, nothing changes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

PATIENCE = 0.5  # seconds from Ctrl-C until the step that is under way is given up
LAST_PATIENCE = 0.4  # seconds from then until the process ends
INTERRUPTED = 130  # the exit code of a process that ends so


class Interrupt:
    """Turns the first Ctrl-C into a request to stop."""

    def __init__(self) -> None:
        self.requested = False
        self._before: Any = None
        self._over = threading.Event()

    def is_requested(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self.requested

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
        threading.Thread(target=self._insist, daemon=True).start()

    def _insist(self) -> None:
        """Interrupt the step that is under way, and if it does not end, the process."""
        if self._over.wait(PATIENCE):
            return
        main = threading.main_thread().ident
        if hasattr(signal, "pthread_kill") and main is not None:
            signal.pthread_kill(main, signal.SIGINT)  # wakes it up, too, where it waits
        else:
            signal.raise_signal(signal.SIGINT)
        if not self._over.wait(LAST_PATIENCE):
            sys.stderr.write("interrupted\n")
            sys.stderr.flush()
            os._exit(INTERRUPTED)


def end_with_parent() -> None:
    """In a process that was started as a worker: end when the process that started it is gone, however that ended."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


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
