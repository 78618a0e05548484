"""Stopping between two steps instead of in the middle of one, and what happens to workers when their parent
is gone.

Inside `with Interrupt() as interrupt`, the first Ctrl-C only sets `interrupt.requested`; whoever plays looks
at it when it has a whole position.  A second Ctrl-C interrupts at once, as usual; where a step goes on for
longer than `PATIENCE`, it comes by itself. SIGTERM, with which `timeout` and others end processes, does the
same, but for the exit code. Where even that has no effect, in machine code, the process ends.  Outside of the
main thread, where Python delivers no signals, nothing changes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.context import SpawnContext, SpawnProcess
from types import FrameType, TracebackType
from typing import Any

PATIENCE = 0.5  # seconds from Ctrl-C until the step that is under way is given up
LAST_PATIENCE = 0.4  # seconds from then until the process ends
PERIOD = 0.2  # seconds between two looks of a worker at its parent
_PR_SET_PDEATHSIG = 1
INTERRUPTED, TERMINATED = 130, 143  # the exit codes of a process that ends by Ctrl-C, and by SIGTERM
WORKERS_PATIENCE = 1.0  # seconds from SIGTERM until a worker ends: what it played may still be fetched


class Interrupt:
    """Turns the first Ctrl-C, or SIGTERM, into a request to stop."""

    exit_code = INTERRUPTED  # of the process, by the signal that came first
    terminated_at: float | None = None  # when the last SIGTERM came, by the monotonic clock

    def __init__(self) -> None:
        self.requested = False
        self._before: dict[signal.Signals, Any] = {}
        self._over = threading.Event()
        self._ending = threading.Lock()  # held while a step is interrupted, and while the context ends
        self._is_left = False

    def is_requested(self) -> bool:
        """Tell whether Ctrl-C was pressed, or SIGTERM came."""
        return self.requested

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = {
                number: signal.signal(number, self._note) for number in (signal.SIGINT, signal.SIGTERM)
            }
            Interrupt.exit_code = INTERRUPTED
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_left = True
        with self._ending:
            self._over.set()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGTERM:
            Interrupt.terminated_at = time.monotonic()
        # `timeout` sends it to the process and to its group
        if self.requested and (number == signal.SIGTERM or self._is_left):
            return
        if self.requested:
            self._over.set()  # whoever hears this is not in machine code
            raise KeyboardInterrupt
        self.requested = True
        Interrupt.exit_code = TERMINATED if number == signal.SIGTERM else INTERRUPTED
        threading.Thread(target=self._interrupt_again, daemon=True).start()

    def _interrupt_again(self) -> None:
        """Interrupt the step that is under way, and if it does not end, the process."""
        if self._over.wait(PATIENCE):
            return
        main = threading.main_thread().ident
        with self._ending:
            if self._over.is_set():
                return
            if hasattr(signal, "pthread_kill") and main is not None:
                signal.pthread_kill(main, signal.SIGINT)  # wakes it up, too, where it waits
            else:
                signal.raise_signal(signal.SIGINT)
        if not self._over.wait(LAST_PATIENCE):
            sys.stderr.write("interrupted\n")
            sys.stderr.flush()
            os._exit(Interrupt.exit_code)


class _WatchingProcess(SpawnProcess):
    """A worker that ends when the process that started it is gone, however that ended: it watches from before
    it imports what it works with.

    A started process unpickles this object, and what makes it comes before what it holds.
    """

    def __reduce__(self) -> tuple[object, ...]:
        return (
            _revived,
            (type(self), os.getpid(), threading.current_thread() is threading.main_thread()),
            self.__dict__,
        )

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        sys.excepthook = sys.__excepthook__


def _revived(kind: type[_WatchingProcess], parent: int, by_main_thread: bool) -> _WatchingProcess:
    exit_with_parent(parent, by_main_thread)
    sys.excepthook = _hide_closed_pool_error
    return kind.__new__(kind)


def _hide_closed_pool_error(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Show an error of a process that starts, but for the one that says that its pool is closed already: the
    semaphores they share are gone.
    """
    if not issubclass(kind, FileNotFoundError):
        sys.__excepthook__(kind, error, trace)


def leave_interrupts_to_parent() -> None:
    """In a worker that begins: Ctrl-C is for its parent. SIGTERM, which a group of processes gets together,
    ends it only after `WORKERS_PATIENCE`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end_later)


def _end_later(number: int, frame: FrameType | None) -> None:
    timer = threading.Timer(WORKERS_PATIENCE, os._exit, (TERMINATED,))
    timer.daemon = True
    timer.start()


class StopFlag:
    """Tells the workers of a pool to stop: a byte that they share with this process, without a lock.

    With one (`multiprocessing.Event`) a worker that is killed while it looks holds it for ever, and everybody
    waits.
    """

    def __init__(self, context: SpawnContext) -> None:
        self._byte = context.RawValue("b", 0)

    def set(self) -> None:
        """Tell the workers to stop."""
        self._byte.value = 1

    def is_set(self) -> bool:
        """Tell whether the workers were told to stop."""
        return bool(self._byte.value)


class WorkerContext(SpawnContext):
    """Starts processes as `multiprocessing.get_context("spawn")` does, which end when this one is gone."""

    Process = _WatchingProcess


def exit_with_parent(parent: int, by_main_thread: bool = False) -> None:
    """End this process when the process `parent`, which started it, is gone; `by_main_thread`: its main
    thread did.

    Linux tells processes that the thread which started them has ended, so that is asked for where it is the
    main thread.  Elsewhere, and besides, a thread asks every `PERIOD` seconds whether the parent is still the
    same; on Windows, where processes keep it, it waits for the parent's end.
    """
    if by_main_thread and sys.platform == "linux":
        _signal_at_parents_end()

    def watch() -> None:
        if sys.platform == "win32":
            while (started_by := multiprocessing.parent_process()) is None:
                time.sleep(PERIOD)
            started_by.join()
        while sys.platform != "win32" and os.getppid() == parent:
            time.sleep(PERIOD)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _signal_at_parents_end() -> None:
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """A context for starting processes: they ignore Ctrl-C, and this process receives it when the context
    ends.
    """
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
