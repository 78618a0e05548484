"""Many games, in this process or in several.

Game k of a run depends on the seed and on k alone, so the games can be shared out in any way: every process reads the
ruleset once and plays batches of game numbers, and the results are put in order.  Whatever the number of processes, the
digest is the same.  Processes are spawned, never forked, so that all systems do the same; what goes to them and what comes
back are plain values.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from multiprocessing.synchronize import Event as StopSign
from typing import TYPE_CHECKING, Any

from croupier.diagnostics import RulesetError, diagnose
from croupier.play.interrupt import held_back
from croupier.play.match import Match, never
from croupier.play.plain import plain
from croupier.play.setup import Setup

if TYPE_CHECKING:
    from croupier.backends.native import Native
    from croupier.load import Ruleset
    from croupier.runtime.state import State

Loader = Callable[[str], "Ruleset"]
_LONGEST_BATCH = 50
_NATIVE_BATCH = 500
_MEASURED = 0.5  # seconds of playing before more processes are considered
_WORTH_PROCESSES = 4.0  # seconds that are left: starting processes costs about one
_WAITING = 4  # batches a process, running and waiting
_PATIENCE = 0.2  # seconds until Ctrl-C is noticed


@dataclass(frozen=True)
class Game:
    """What is kept of one simulated game.  `game` counts from 1, winners are seats from 0, returns as in a record."""

    game: int
    final_hash: str
    status: str
    returns: tuple[int | str, ...]
    winners: tuple[int, ...]
    scores: tuple[int | str, ...] | None
    decisions: int
    chance_events: int
    reason: str | None


def simulate(
    ruleset: Ruleset, source: str, setup: Setup, games: int, *, jobs: int | None = 1, load: Loader, should_stop: Callable[[], bool] = never
) -> Iterator[Game]:
    """Play games 1 to `games` and yield each when it is over, in no particular order; ends early if `should_stop`.

    `source` is what `load` makes the ruleset of, in other processes too, where `load` is imported by its name.  `jobs` is the
    number of processes; 1 plays here, None plays here for a moment and then starts what pays off.
    Raises RulesetError for an impossible set-up, UnknownAgent for impossible bots.
    """
    initial = setup.initial_state(ruleset)
    Match(ruleset, setup, initial=initial)
    numbers = range(1, games + 1)
    started, played = time.monotonic(), 0
    while jobs is None and played < games and not should_stop():
        yield from _play(ruleset, setup, initial, numbers[played : played + 1], should_stop)
        played += 1
        jobs = sensible_jobs(played, time.monotonic() - started, games)
    if jobs is None or jobs <= 1:
        yield from _play(ruleset, setup, initial, numbers[played:], should_stop)
    else:
        yield from _share_out(ruleset, source, setup, numbers[played:], min(jobs, games), load, should_stop)


def sensible_jobs(played: int, seconds: float, games: int) -> int | None:
    """How many processes to play the rest with, after `played` games took `seconds`; None to go on measuring."""
    if seconds < _MEASURED:
        return None
    return (os.cpu_count() or 1) if seconds / played * (games - played) > _WORTH_PROCESSES else 1


def _play(ruleset: Ruleset, setup: Setup, initial: State, numbers: Sequence[int], should_stop: Callable[[], bool]) -> Iterator[Game]:
    batches = compiled_games(initial, setup, numbers)
    if batches is not None:
        for number, game in batches:
            if should_stop():
                return
            game = game or _play_one(ruleset, setup, initial, number, should_stop)
            if game is not None:
                yield game
        return
    for number in numbers:
        if should_stop():
            return
        game = _play_one(ruleset, setup, initial, number, should_stop)
        if game is not None:
            yield game


def compiled_games(initial: State, setup: Setup, numbers: Sequence[int]) -> Iterator[tuple[int, Game | None]] | None:
    """Games in native code, which knows seats that choose by chance and nothing else; none where games are to be played one by one.

    A number comes without a game if something unusual happened in it: then it is played again, step by step.
    """
    if setup.backend != "native" or setup.invariants or any(agent != "random" for agent in setup.bots):
        return None
    from croupier.backends.native import NativeState

    if not isinstance(initial, NativeState) or initial.history or not numbers:
        return None
    return _native(initial.native, setup.seed, numbers)


def _native(native: Native, seed: int, numbers: Sequence[int]) -> Iterator[tuple[int, Game | None]]:
    for first in range(0, len(numbers), _NATIVE_BATCH):
        batch = numbers[first : first + _NATIVE_BATCH]
        for number, played in native.play(seed, batch[0], len(batch)):
            if played is None:
                yield number, None
                continue
            yield number, Game(
                game=number,
                final_hash=played.final_hash,
                status="finished",
                returns=played.returns,
                winners=played.winners,
                scores=played.scores,
                decisions=played.decisions,
                chance_events=played.chance_events,
                reason=None,
            )


def _reason(outcome: Mapping[str, Any]) -> str | None:
    """Why a game did not finish; of a fault the code and the author's line too."""
    reason: str | None = outcome.get("reason")
    fault = outcome.get("fault")
    if not isinstance(fault, Mapping) or "line" not in fault:
        return reason
    return f"{reason}; {fault['code']} at {fault['file']}:{fault['line']}"


def _play_one(ruleset: Ruleset, setup: Setup, initial: State, number: int, should_stop: Callable[[], bool]) -> Game | None:
    """One whole game; None if it was told to stop before its end, because half a game is no result."""
    if setup.bots == ("random",) and not setup.invariants:
        rolled = _rolled(initial, setup.seed, number)
        if rolled is not None:
            return rolled
    try:
        match = Match(ruleset, setup, number, initial=initial.clone(), light=True)
        while match.step():
            if should_stop():
                return None
        record = match.record()
    except Exception as error:
        error.add_note(f"in game {number} with seed {setup.seed}")
        raise
    scores = record.outcome.get("scores")
    return Game(
        game=number,
        final_hash=record.final_hash,
        status=record.status,
        returns=tuple(record.returns),
        winners=tuple(record.outcome["winners"] or ()),
        scores=tuple(scores) if scores is not None else None,
        decisions=record.decisions,
        chance_events=record.chance_events,
        reason=_reason(record.outcome),
    )


def _rolled(initial: State, seed: int, number: int) -> Game | None:
    """The same game played by the back end alone, where it can play whole games: only those that finish, because others need words."""
    result = initial.roll_out(seed, number)
    if result is None or result.outcome["status"] != "finished":
        return None
    outcome = plain(result.outcome)
    return Game(
        game=number,
        final_hash=result.final_hash,
        status="finished",
        returns=tuple(outcome["returns"]),
        winners=tuple(outcome["winners"] or ()),
        scores=None if outcome["scores"] is None else tuple(outcome["scores"]),
        decisions=result.decisions,
        chance_events=result.chance_events,
        reason=None,
    )


def _share_out(
    ruleset: Ruleset, source: str, setup: Setup, numbers: range, jobs: int, load: Loader, should_stop: Callable[[], bool]
) -> Iterator[Game]:
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    size = max(1, min(_LONGEST_BATCH, len(numbers) // (jobs * 4)))
    batches = (numbers[first : first + size] for first in range(0, len(numbers), size))
    task = Task(load, source, setup, ruleset.ruleset_hash)
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker, initargs=(task, stop)) as pool:
        running: set[Future[list[Game]]] = set()
        try:
            while True:
                if should_stop():
                    stop.set()
                with held_back():
                    fresh = () if stop.is_set() else islice(batches, jobs * _WAITING - len(running))
                    running |= {pool.submit(_play_batch, batch) for batch in fresh}
                if not running:
                    return
                done, running = wait(running, _PATIENCE, FIRST_COMPLETED)
                for future in done:
                    yield from future.result()
        except ChangedRuleset:
            raise RulesetError([diagnose("X541", None, name=ruleset.name)]) from None
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


class ChangedRuleset(Exception):
    """A process could not read the same ruleset as this one: somebody changed it in the meantime."""


@dataclass(frozen=True)
class Task:
    """What every process has to know; plain values."""

    load: Loader
    source: str
    setup: Setup
    ruleset_hash: str


class _Worker:
    """The one of each process.  The ruleset is read with the first batch, so that whatever goes wrong is an error of that batch."""

    task: Task
    stop: StopSign
    ready: tuple[Ruleset, State] | None = None


def _start_worker(task: Task, stop: StopSign) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Worker.task, _Worker.stop = task, stop


def _play_batch(numbers: range) -> list[Game]:
    task = _Worker.task
    if _Worker.ready is None:
        try:
            ruleset = task.load(task.source)
            _Worker.ready = ruleset, task.setup.initial_state(ruleset)
        except RulesetError:
            raise ChangedRuleset from None
    ruleset, initial = _Worker.ready
    if ruleset.ruleset_hash != task.ruleset_hash:
        raise ChangedRuleset
    return list(_play(ruleset, task.setup, initial, numbers, _Worker.stop.is_set))
