"""Threads inside the compiler: no call of LLVM keeps a process from being interrupted, and no process ends
inside one.

Python delivers Ctrl-C to its main thread between two instructions, and a call of LLVM, which takes seconds,
is one instruction. So the main thread leaves such calls to a thread and waits, where an interruption reaches
it. The thread cannot be stopped: it is *abandoned*, and its result is lost.

A process that runs its destructors while a thread is inside of LLVM may crash. So an exit waits for these
threads; after an interruption (`end_at_once`), which must not wait, it ends the process without destructors.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TypeVar

Result = TypeVar("Result")
_PERIOD = 0.1  # seconds between two looks at a signal that another thread received
_running: set[threading.Thread] = set()
_exit_code: int | None = None  # with which the process ends at once


def start_compiling(work: Callable[[], None]) -> threading.Thread:
    """Start a thread for work inside the compiler."""

    def run() -> None:
        try:
            work()
        finally:
            _running.discard(thread)

    # `_wait_at_exit` waits for it
    thread = threading.Thread(target=run, name="croupier compiles", daemon=True)
    _running.add(thread)
    thread.start()
    return thread


def call_compiler(work: Callable[[], Result]) -> Result:
    """The result of work inside the compiler.

    In the main thread KeyboardInterrupt abandons it at once. Raises what `work` raises.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    found = Future[Result]()

    def run() -> None:
        try:
            found.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
            found.set_exception(error)

    thread = start_compiling(run)
    while thread.is_alive():
        thread.join(_PERIOD)
    return found.result()


def end_at_once(exit_code: int | None) -> None:
    """Set the exit code with which the process ends at once, rather than wait for threads inside the
    compiler.

    `None`: it waits for them.
    """
    global _exit_code
    _exit_code = exit_code


@atexit.register
def _wait_at_exit() -> None:
    if _exit_code is not None and _running:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(_exit_code)
    for thread in tuple(_running):
        thread.join()
