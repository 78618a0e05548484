"""Rows of many games, in game order: by native code where that plays them, here, or in several processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing.synchronize import Event as StopSign
from typing import TYPE_CHECKING

from croupier.lab.rows import Row, Watch, play_row, row_of
from croupier.pipeline import load
from croupier.play import simulate
from croupier.play.agents import agent_names
from croupier.play.interrupt import WorkerContext, held_back
from croupier.play.match import Setup, never
from croupier.play.results import Batch, of_rows

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset

_MEASURED = 1.0  # seconds of playing before more processes are considered
_WORTH_PROCESSES = 20.0  # seconds that are left
_WORTH_COMPILING = 200  # games
_SECONDS = 0.5  # of a batch in another process
_PATIENCE = 0.2


@dataclass(frozen=True)
class Run:
    """What is played: a ruleset by its name or path, a set-up, and what is taken down; plain values."""

    source: str
    setup: Setup
    watch: Watch = Watch()

    def with_bots(self, bots: tuple[str, ...]) -> Run:
        """The same with other bots."""
        return replace(self, setup=replace(self.setup, bots=bots))


@lru_cache(maxsize=16)
def loaded(source: str) -> Ruleset:
    """The ruleset of a name or path, read once. Raises RulesetError."""
    return load(source)


def players_of(run: Run) -> int:
    """How many play. Raises RulesetError for an impossible set-up, UnknownAgent for impossible bots."""
    players = loaded(run.source).game(run.setup.players, run.setup.parameters).players
    agent_names(run.setup.bots, players)
    return players


def rows(run: Run, numbers: range, *, jobs: int | None = None, should_stop: Callable[[], bool] = never) -> Iterator[Row]:
    """The rows of games by number, in this order; ends early if `should_stop`. Without `jobs` as many processes as pay off.

    Raises RulesetError for an impossible set-up, UnknownAgent for impossible bots.
    """
    ruleset = loaded(run.source)
    initial = run.setup.initial_state(ruleset)
    agent_names(run.setup.bots, initial.players)
    first, started = numbers.start, time.monotonic()
    if not run.watch.is_needed and simulate.suits_native(run.setup, initial):
        native = simulate.native_code_for(ruleset, run.setup, initial, compile=len(numbers) >= _WORTH_COMPILING)
        if native is not None:
            for some in simulate.native_batches(native, run.setup.seed, numbers, jobs, should_stop):
                played = ((game.game, game) for game in some.games()) if isinstance(some, Batch) else of_rows(some)
                for number, game in played:
                    row = row_of(game) if game is not None else play_row(ruleset, run.setup, initial, run.watch, number, should_stop)
                    if row is not None:
                        yield row
            return
    while first < numbers.stop and (jobs is None or jobs == 1):
        if should_stop():
            return
        row = play_row(ruleset, run.setup, initial, run.watch, first, should_stop)
        if row is None:
            return
        yield row
        first += 1
        seconds = time.monotonic() - started
        if jobs is None and seconds >= _MEASURED and seconds / (first - numbers.start) * (numbers.stop - first) > _WORTH_PROCESSES:
            jobs = os.cpu_count() or 1
    if first < numbers.stop:
        yield from _shared(run, range(first, numbers.stop), jobs or 1, should_stop, time.monotonic() - started, first - numbers.start)


def _shared(run: Run, numbers: range, jobs: int, should_stop: Callable[[], bool], seconds: float, played: int) -> Iterator[Row]:
    """Games in several processes, in order."""
    rate = played / seconds if seconds > 0 and played else 10.0
    size = max(1, min(200, int(rate * _SECONDS), -(-len(numbers) // (2 * jobs))))
    context = WorkerContext()
    stop = context.Event()
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=(run, stop)) as pool:
        before, running, first = set(multiprocessing.active_children()), deque[Future[list[Row]]](), numbers.start
        try:
            while True:
                if should_stop():
                    stop.set()
                with held_back():
                    while first < numbers.stop and len(running) < 4 * jobs and not stop.is_set():
                        running.append(pool.submit(_play, range(first, min(first + size, numbers.stop))))
                        first += size
                if not running:
                    return
                try:
                    found = running[0].result(_PATIENCE)
                except NotYet:
                    continue
                running.popleft()
                yield from found
        except KeyboardInterrupt:
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()
            raise
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


class _Worker:
    """The one of each process."""

    run: Run
    stop: StopSign


def _start(run: Run, stop: StopSign) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Worker.run, _Worker.stop = run, stop


def _play(numbers: range) -> list[Row]:
    return list(rows(_Worker.run, numbers, jobs=1, should_stop=_Worker.stop.is_set))


__all__ = ["Run", "loaded", "players_of", "rows"]
