"""Many games in this process, one after another, or shared out over several processes.

Processes are spawned, never forked, so that all systems do the same; what goes to them and what comes back
are plain values.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from croupier.diagnostics import RulesetError, diagnose
from croupier.play.interrupt import StopFlag, WorkerContext, interrupts_blocked, leave_interrupts_to_parent
from croupier.play.match import MatchConfig
from croupier.play.one_game import play_one
from croupier.play.results import GameResult

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State


Loader = Callable[[str], "Ruleset"]
_LONGEST_BATCH = 50
_WAITING = 4  # batches a process, running and waiting
_PATIENCE = 0.2  # seconds until Ctrl-C is noticed


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
    context = WorkerContext()
    stop = StopFlag(context)
    size = max(1, min(_LONGEST_BATCH, len(numbers) // (jobs * 4)))
    batches = (numbers[first : first + size] for first in range(0, len(numbers), size))
    task = GameTask(load, source, setup, ruleset.ruleset_hash)
    with ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_start_worker, initargs=(task, stop)
    ) as pool:
        running: set[Future[list[GameResult]]] = set()
        before = set(multiprocessing.active_children())
        try:
            while True:
                if should_stop():
                    stop.set()
                with interrupts_blocked():
                    fresh = () if stop.is_set() else islice(batches, jobs * _WAITING - len(running))
                    running |= {pool.submit(_play_batch, batch) for batch in fresh}
                if not running:
                    return
                done, running = wait(running, _PATIENCE, FIRST_COMPLETED)
                for future in done:
                    yield from future.result()
        except ChangedRuleset:
            raise RulesetError([diagnose("X541", None, name=ruleset.name)]) from None
        except BrokenProcessPool:  # somebody ended processes, these perhaps with this one
            if not should_stop():
                raise
        except KeyboardInterrupt:  # a step that does not end
            for process in set(multiprocessing.active_children()) - before:
                process.kill()
            raise
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


class ChangedRuleset(Exception):
    """A process could not read the same ruleset as this one: somebody changed it in the meantime."""


@dataclass(frozen=True)
class GameTask:
    """The data that every process needs; plain values."""

    load: Loader
    source: str
    setup: MatchConfig
    ruleset_hash: str


class _GameWorker:
    """The worker of a process.

    It reads the ruleset with the first batch, so that whatever goes wrong is an error of that batch.
    """

    task: GameTask
    stop: StopFlag
    ready: tuple[Ruleset, State] | None = None


def _start_worker(task: GameTask, stop: StopFlag) -> None:
    leave_interrupts_to_parent()
    _GameWorker.task, _GameWorker.stop = task, stop


def _play_batch(numbers: range) -> list[GameResult]:
    task = _GameWorker.task
    if _GameWorker.ready is None:
        try:
            ruleset = task.load(task.source)
            _GameWorker.ready = ruleset, task.setup.initial_state(ruleset)
        except RulesetError:
            raise ChangedRuleset from None
    ruleset, initial = _GameWorker.ready
    if ruleset.ruleset_hash != task.ruleset_hash:
        raise ChangedRuleset
    return list(play_here(ruleset, task.setup, initial, numbers, _GameWorker.stop.is_set))
