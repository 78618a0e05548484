"""Many games, or other work, in this process or shared out over several.

Processes are spawned, never forked, so that all systems do the same; what goes to them and what comes back
are plain values. One pool of them is kept for as long as somebody uses it (`shared_pool`).
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from itertools import islice
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast

from croupier.diagnostics import RulesetError, diagnose
from croupier.play.interrupt import StopFlag, WorkerContext, interrupts_blocked, leave_interrupts_to_parent
from croupier.play.match import MatchConfig
from croupier.play.one_game import play_one
from croupier.play.results import GameResult

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State

P = ParamSpec("P")
T = TypeVar("T")
Loader = Callable[[str], "Ruleset"]
_LONGEST_BATCH = 50
_WAITING = 4  # pieces of work a process, running and waiting
_PATIENCE = 0.2  # seconds until Ctrl-C is noticed


# ---------------------------------------------------------------- games
def play_here(
    ruleset: Ruleset,
    setup: MatchConfig,
    initial: State,
    numbers: Sequence[int],
    should_stop: Callable[[], bool],
) -> Iterator[GameResult]:
    """Games in this process, one after another."""
    for number in numbers:
        if should_stop():
            return
        game = play_one(ruleset, setup, initial, number, should_stop)
        if game is not None:
            yield game


def play_in_processes(
    ruleset: Ruleset,
    source: str,
    setup: MatchConfig,
    numbers: range,
    jobs: int,
    load: Loader,
    should_stop: Callable[[], bool],
) -> Iterator[GameResult]:
    """Games in `jobs` processes, in no particular order.

    Raises RulesetError if one of them reads another ruleset.
    """
    size = max(1, min(_LONGEST_BATCH, len(numbers) // (jobs * 4)))
    task = GameTask(load, source, setup, ruleset.ruleset_hash)
    batches = ((task, numbers[first : first + size]) for first in range(0, len(numbers), size))
    try:
        for played in in_processes(_play_batch, batches, jobs, should_stop, in_order=False):
            yield from played
    except ChangedRuleset:
        raise RulesetError([diagnose("X541", None, name=ruleset.name)]) from None


class ChangedRuleset(Exception):
    """A process could not read the same ruleset as this one: somebody changed it in the meantime."""


@dataclass(frozen=True)
class GameTask:
    """The data that every process needs; plain values."""

    load: Loader
    source: str
    setup: MatchConfig
    ruleset_hash: str

    def prepared(self) -> tuple[Ruleset, State]:
        """The ruleset, and the position before the first event. Raises ChangedRuleset."""
        try:
            ruleset = self.load(self.source)
            initial = self.setup.initial_state(ruleset)
        except RulesetError:
            raise ChangedRuleset from None
        if ruleset.ruleset_hash != self.ruleset_hash:
            raise ChangedRuleset
        return ruleset, initial


def _play_batch(task: GameTask, numbers: range) -> list[GameResult]:
    ruleset, initial = kept_in_worker(GameTask.prepared, task)
    return list(play_here(ruleset, task.setup, initial, numbers, is_told_to_stop))


# ---------------------------------------------------------------- the pool
class Pool:
    """Processes that do work of any kind."""

    def __init__(self, jobs: int) -> None:
        context = WorkerContext()
        self.jobs, self._stop, self._others = jobs, StopFlag(context), set(multiprocessing.active_children())
        self.executor = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_start, initargs=(self._stop,)
        )

    def stop(self) -> None:
        """Let the work that was begun end early."""
        self._stop.set()

    def close(self, *, at_once: bool = False) -> None:
        """End the processes, `at_once` in the middle of a step."""
        self.stop()
        for process in set(multiprocessing.active_children()) - self._others if at_once else ():
            process.kill()
        self.executor.shutdown(wait=True, cancel_futures=True)


class _SharedPool:
    """The pool that is kept, and how many use it."""

    pool: Pool | None = None
    users = 0


@contextmanager
def shared_pool() -> Iterator[None]:
    """A context in which all work is done by one pool of processes, started when first needed: to start it
    takes about a second.
    """
    _SharedPool.users += 1
    try:
        yield
    finally:
        _SharedPool.users -= 1
        if not _SharedPool.users and _SharedPool.pool is not None:
            pool, _SharedPool.pool = _SharedPool.pool, None
            pool.close()


def with_shared_pool(ask: Callable[P, Iterator[T]]) -> Callable[P, Iterator[T]]:
    """A decorator: all work for what it yields is done by one pool."""

    @wraps(ask)
    def asked(*args: P.args, **options: P.kwargs) -> Iterator[T]:
        with shared_pool():
            yield from ask(*args, **options)

    return asked


def jobs_of_pool() -> int | None:
    """The number of processes of the pool that is kept; `None` if there is none."""
    return None if _SharedPool.pool is None else _SharedPool.pool.jobs


def _acquire_pool(jobs: int) -> Pool:
    """The pool that is kept, or a new one."""
    if _SharedPool.pool is None or _SharedPool.pool.jobs != jobs:
        if _SharedPool.pool is not None:
            _SharedPool.pool.close()
        _SharedPool.pool = Pool(jobs)
    return _SharedPool.pool


def in_processes(
    work: Callable[..., T],
    pieces: Iterator[tuple[object, ...]],
    jobs: int,
    should_stop: Callable[[], bool],
    *,
    in_order: bool = True,
) -> Iterator[T]:
    """Yield the results of a function of a module for each piece of work, which is its arguments; in their
    order, or else each when it is there.

    If `should_stop`, the pieces that were begun end early (they ask `is_told_to_stop`), and no other begins.
    After Ctrl-C the processes end in the middle of a step.
    """
    with shared_pool():
        running: list[Future[T]] = []
        is_stopped = False
        pool = _acquire_pool(jobs)
        try:
            while True:
                if should_stop() and not is_stopped:
                    is_stopped = True
                    pool.stop()
                with interrupts_blocked():
                    fresh = () if is_stopped else islice(pieces, jobs * _WAITING - len(running))
                    running += [pool.executor.submit(work, *piece) for piece in fresh]
                if not running:
                    return
                awaited = running[:1] if in_order else running
                for future in wait(awaited, _PATIENCE, FIRST_COMPLETED).done:
                    running.remove(future)
                    yield future.result()
        except BaseException as error:
            _SharedPool.pool = None
            pool.close(at_once=isinstance(error, KeyboardInterrupt))
            # somebody ended processes, these perhaps with this one
            if not isinstance(error, BrokenProcessPool) or not should_stop():
                raise


class _Worker:
    """The worker of a process: its flag to stop, and what it keeps from one piece of its work to the next."""

    stop: StopFlag
    kept: tuple[object, object] | None = None


def _start(stop: StopFlag) -> None:
    leave_interrupts_to_parent()
    _Worker.stop = stop


def is_told_to_stop() -> bool:
    """In a worker: return whether it should end early."""
    return _Worker.stop.is_set()


def kept_in_worker(make: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """In a worker: what `make` makes of these arguments, made for the first piece of work that needs it, so
    that whatever goes wrong is an error of that piece.
    """
    wanted = (make, args, options)
    if _Worker.kept is None or _Worker.kept[0] != wanted:
        _Worker.kept = wanted, make(*args, **options)
    return cast("T", _Worker.kept[1])
