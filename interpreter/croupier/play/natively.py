"""Games in native code, many at a time.

Native code plays whole games of seats that choose by chance, without the interpreter's lock: several jobs are threads of this process, each with
memory of its own. A game that holds something unusual comes back without a result, and is played step by step.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TYPE_CHECKING

from croupier.backends.choice import native_code, why_not_native
from croupier.backends.native.engine import Misprinted
from croupier.play.game import Batch
from croupier.play.setup import Setup
from croupier.runtime.state import State

if TYPE_CHECKING:
    from croupier.backends.native import Native, Room
    from croupier.backends.native.rows import Rows
    from croupier.ruleset import Ruleset

_BACKENDS = ("auto", "native")
_FIRST_BATCH = 50
_SECONDS = 0.05  # of a batch: how soon Ctrl-C is noticed
_LARGEST_BATCH = 20_000
_WAITING = 2  # batches a thread, running and waiting


def suits(setup: Setup, initial: State) -> bool:
    """May native code play games of this set-up at all?"""
    return setup.backend in _BACKENDS and not setup.turn_order and all(name == "random" for name in setup.bots) and isinstance(initial, State)


def code_for(ruleset: Ruleset, setup: Setup, initial: State, *, compile: bool) -> Native | None:
    """The code of a set-up that `suits`; none if native code does not play it or, unless `compile`, was not compiled before.

    What the compiler does not accept is a mistake of the back end: with `auto` the games are played without it. Raises `Misprinted` otherwise.
    """
    try:
        return native_code(ruleset, initial.game, compile=compile, checked=setup.invariants)
    except Misprinted:
        if setup.backend == "native":
            raise
        return None


def refusal(initial: State) -> list[str]:
    """Which back end plays instead of native code, and why, in a line; nothing where native code plays."""
    found = why_not_native(initial.game, initial.backend)
    return [] if found is None else [found]


def batches(native: Native, seed: int, numbers: range, jobs: int | None, should_stop: Callable[[], bool]) -> Iterator[Batch | Rows]:
    """Games by number, in order; rows where some held something unusual. Ends early if `should_stop`. Without `jobs` there are as many threads as
    processors."""
    threads, size, first = jobs or os.cpu_count() or 1, _FIRST_BATCH, numbers.start
    rooms: SimpleQueue[Room] = SimpleQueue()
    for _ in range(threads):
        rooms.put(native.room())

    def play(first: int, count: int) -> tuple[Batch | Rows, float]:
        started, room = time.monotonic(), rooms.get()
        try:
            rows = native.rows(seed, first, count, room)
        finally:
            rooms.put(room)
        return (rows if rows.missing() else Batch(rows, native.lines(rows))), time.monotonic() - started

    waiting: SimpleQueue[tuple[Future[tuple[Batch | Rows, float]], int, int] | None] = SimpleQueue()

    def work() -> None:
        while (task := waiting.get()) is not None:
            future, *batch = task
            try:
                future.set_result(play(*batch))
            except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
                future.set_exception(error)

    for _ in range(threads):  # of an executor the process would wait at its end, however long a batch takes
        threading.Thread(target=work, daemon=True).start()
    running: deque[Future[tuple[Batch | Rows, float]]] = deque()
    try:
        while True:
            while first < numbers.stop and len(running) < threads * _WAITING and not should_stop():
                count = min(size, numbers.stop - first)
                running.append(Future())
                waiting.put((running[-1], first, count))
                first += count
            if not running:
                return
            played, seconds = running.popleft().result()
            if seconds < _SECONDS / 2:
                size = min(_LARGEST_BATCH, size * 2)
            elif seconds > _SECONDS * 2:
                size = max(1, size // 2)
            yield played
    finally:
        for _ in range(threads):
            waiting.put(None)
