"""Many games in native code, a batch at a time.

Native code plays whole games of seats that choose by chance, without the interpreter's lock: several jobs are
threads of this process, each with memory of its own. A game that holds something unusual comes back without a
result, and is played step by step.
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

from croupier.execution.backends import load_native, why_not_native
from croupier.execution.llvm_compiler import InvalidAssembly
from croupier.play.match import MatchConfig
from croupier.play.results import FinishedRows
from croupier.play.watching import TailReader, probing_of

if TYPE_CHECKING:
    from croupier.execution.native_game import NativeGame
    from croupier.execution.native_workspace import ThreadMemory
    from croupier.execution.rows import ResultRows
    from croupier.lowering.probes import Probing
    from croupier.ruleset import Ruleset
    from croupier.runtime.engine import Engine
    from croupier.runtime.state import State


_BACKENDS = ("auto", "native")
_FIRST_BATCH = 50
_SECONDS = 0.05  # of a batch: how soon Ctrl-C is noticed
_LARGEST_BATCH = 20_000
_LARGEST_BATCH_WORDS = 1 << 21  # 16 MB of results: texts that end games may be long
_WAITING_BATCHES = 2  # batches a thread, running and waiting


def native_supports(setup: MatchConfig) -> bool:
    """Tell whether native code can play games of this set-up at all."""
    step_by_step = setup.verify or any(name != "random" for name in setup.bots)
    return setup.backend in _BACKENDS and not step_by_step


def probing_for(engine: Engine, setup: MatchConfig) -> Probing | None:
    """Return what a simulation of a set-up watches of its games; `None` if nobody asks for more than their
    results.

    Raises RulesetError for `by`.
    """
    return probing_of(engine, by=setup.by) if setup.by or setup.turn_order else None


def first_state(ruleset: Ruleset, setup: MatchConfig) -> State:
    """The position before the first event, on what plays the first games: where native code may take over, on
    the evaluator, for which nothing has to be compiled. Raises RulesetError for an impossible set-up.
    """
    if setup.backend == "auto" and native_supports(setup):
        return ruleset.new_initial_state(setup.players, setup.parameters)
    return setup.initial_state(ruleset)


def native_code_for(
    ruleset: Ruleset, setup: MatchConfig, initial: State, *, compile: bool, probing: Probing | None = None
) -> NativeGame | None:
    """Return the code of a set-up that native code supports, with what is watched; `None` if native code does
    not play it or, unless `compile`, was not compiled before.

    What the compiler does not accept is a mistake of the back end: with `auto` the games are played without
    it. Raises `Misprinted` otherwise.
    """
    try:
        found = load_native(
            ruleset, initial.engine, compile=compile, checked=setup.invariants, probing=probing
        )
        return None if found is None or not found.playout_code.engine else found
    except InvalidAssembly:
        if setup.backend == "native":
            raise
        return None


def native_refusal(initial: State) -> list[str]:
    """Return which back end plays instead of native code, and why, in a line; empty if native code plays."""
    found = why_not_native(initial.engine, initial.backend)
    return [] if found is None else [found]


def native_batches(
    native: NativeGame,
    seed: int,
    numbers: range,
    jobs: int | None,
    should_stop: Callable[[], bool],
    tails: TailReader | None = None,
) -> Iterator[FinishedRows | ResultRows]:
    """Games by number, in order; rows where some held something unusual.

    Ends early if `should_stop`. Without `jobs` there are as many threads as processors. `tails` reads what is
    watched of the games.
    """
    threads, size, first = jobs or os.cpu_count() or 1, _FIRST_BATCH, numbers.start
    largest = max(1, min(_LARGEST_BATCH, _LARGEST_BATCH_WORDS // native.row_words))
    memories: SimpleQueue[ThreadMemory] = SimpleQueue()
    for _ in range(threads):
        memories.put(native.new_memory())

    def play(first: int, count: int) -> tuple[FinishedRows | ResultRows, float]:
        started, memory = time.monotonic(), memories.get()
        try:
            rows = native.play_rows(seed, first, count, memory)
        finally:
            memories.put(memory)
        whole = rows.all_finished()
        return (
            FinishedRows(rows, native.digest_lines(rows), tails) if whole else rows
        ), time.monotonic() - started

    waiting: SimpleQueue[tuple[Future[tuple[FinishedRows | ResultRows, float]], int, int] | None] = (
        SimpleQueue()
    )

    def work() -> None:
        while (task := waiting.get()) is not None:
            future, *batch = task
            try:
                future.set_result(play(*batch))
            except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
                future.set_exception(error)

    for _ in range(threads):  # of an executor the process would wait at its end, however long a batch takes
        threading.Thread(target=work, daemon=True).start()
    running: deque[Future[tuple[FinishedRows | ResultRows, float]]] = deque()
    try:
        while True:
            while first < numbers.stop and len(running) < threads * _WAITING_BATCHES and not should_stop():
                count = min(size, numbers.stop - first)
                running.append(Future())
                waiting.put((running[-1], first, count))
                first += count
            if not running:
                return
            played, seconds = running.popleft().result()
            if seconds < _SECONDS / 2:
                size = min(largest, size * 2)
            elif seconds > _SECONDS * 2:
                size = max(1, size // 2)
            yield played
    finally:
        for _ in range(threads):
            waiting.put(None)
