"""Many games, with the same result whatever plays them: here, in several processes, in native code."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from itertools import islice
from queue import SimpleQueue
from typing import TYPE_CHECKING

from croupier.diagnostics import RulesetError, diagnose
from croupier.execution.backends import load_native, load_watched, new_state, python_compiles, why_not_native
from croupier.execution.llvm_compiler import InvalidAssembly
from croupier.play.agents import agent_names
from croupier.play.interrupt import StopFlag, WorkerContext, interrupts_blocked, leave_interrupts_to_parent
from croupier.play.left_games import LeftGames, counted, left_by_python
from croupier.play.match import GameMatch, MatchConfig, never
from croupier.play.measure import Grouping
from croupier.play.record import RecordedStep, plain, reason_of
from croupier.play.results import FinishedRows, GameResult, results_of_rows
from croupier.play.watching import TailReader, probing_of
from croupier.runtime.state import State

# ---------------------------------------------------------------- single
# One simulated game, played step by step or by a back end alone.
if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State


def play_one(
    ruleset: Ruleset, setup: MatchConfig, initial: State, number: int, should_stop: Callable[[], bool]
) -> GameResult | None:
    """One whole game; None if it was told to stop before its end, because half a game is no result."""
    if setup.bots == ("random",) and not setup.turn_order and not setup.by:
        rolled = _rolled_out(initial, setup, number)
        if rolled is not None:
            return rolled
    try:
        match = GameMatch(ruleset, setup, number, initial=initial.clone(), light=True)
        while match.step():
            if should_stop():
                return None
        record = match.record()
    except Exception as error:
        error.add_note(f"in game {number} with seed {setup.seed}")
        raise
    scores = record.outcome.get("scores")
    return GameResult(
        game=number,
        status=record.status,
        returns=tuple(record.returns),
        winners=tuple(record.outcome["winners"] or ()),
        scores=tuple(scores) if scores is not None else None,
        grade=record.outcome.get("grade"),
        decisions=record.decisions,
        chance_events=record.chance_events,
        reason=reason_of(record.outcome),
        order=turn_order(match.steps, match.players) if setup.turn_order else None,
        by=Grouping(match.state.game, setup.by).values(match.state) if setup.by else None,
        verified_hash=record.final_hash if setup.verify else None,
        left_to_evaluator=isinstance(match.state, State) and match.state.left_to_evaluator(),
    )


def turn_order(steps: Sequence[RecordedStep], players: int) -> tuple[int, ...]:
    """The seats in the order of their first decisions; who decides at once with others, and who decides
    nothing, in the order of seats.
    """
    decided = dict.fromkeys(choice.seat for step in steps if not step.is_chance for choice in step.choices)
    return tuple(dict.fromkeys((*decided, *range(players))))


def _rolled_out(initial: State, setup: MatchConfig, number: int) -> GameResult | None:
    """Return the result of a game that its back end plays whole; `None` if it cannot, or if the game does not
    finish: such games need a reason in words.
    """
    result = initial._whole_game(setup.seed, number, setup.invariants)
    if result is None or result.outcome["status"] != "finished":
        return None
    outcome = plain(result.outcome)
    return GameResult(
        game=number,
        status="finished",
        returns=tuple(outcome["returns"]),
        winners=tuple(outcome["winners"] or ()),
        scores=None if outcome["scores"] is None else tuple(outcome["scores"]),
        grade=outcome["grade"],
        decisions=result.decisions,
        chance_events=result.chance_events,
        reason=None,
        verified_hash=result.final_hash if setup.verify else None,
    )


# ---------------------------------------------------------------- sharing
# Games in several processes.
#
# Processes are spawned, never forked, so that all systems do the same; what goes to them and what comes back
# are plain values.
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


# ---------------------------------------------------------------- natively
# Games in native code, many at a time.
#
# Native code plays whole games of seats that choose by chance, without the interpreter's lock: several jobs
# are threads of this process, each with memory of its own. A game that holds something unusual comes back
# without a result, and is played step by step.
if TYPE_CHECKING:
    from croupier.execution.native_game import NativeGame
    from croupier.execution.native_workspace import ThreadMemory
    from croupier.execution.rows import ResultRows
    from croupier.lowering.probes import Probing
    from croupier.ruleset import Ruleset
    from croupier.runtime.game import Game

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


def probing_for(game: Game, setup: MatchConfig) -> Probing | None:
    """Return what a simulation of a set-up watches of its games; `None` if nobody asks for more than their
    results.

    Raises RulesetError for `by`.
    """
    return probing_of(game, by=setup.by) if setup.by or setup.turn_order else None


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
        if probing is None:
            found = load_native(ruleset, initial.game, compile=compile, checked=setup.invariants)
        else:
            found = load_watched(ruleset, initial.game, probing, compile=compile, checked=setup.invariants)
        return None if found is None or not found.playout_code.engine else found
    except InvalidAssembly:
        if setup.backend == "native":
            raise
        return None


def native_refusal(initial: State) -> list[str]:
    """Return which back end plays instead of native code, and why, in a line; empty if native code plays."""
    found = why_not_native(initial.game, initial.backend)
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


# ---------------------------------------------------------------- simulate
# Many games, in this process or in several, by native code where that is worth it.
#
# Game k of a run depends on the seed and on k alone, so the games can be shared out in any way: every process
# reads the ruleset once and plays batches of game numbers, and the results are put in order.  Whatever the
# number of processes and whatever plays, the digest is the same.
if TYPE_CHECKING:
    from croupier.execution.native_game import NativeGame
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State

_MEASURED = 0.5  # seconds of playing before more processes are considered
_WORTH_PROCESSES = 4.0  # seconds that are left: starting processes costs about one
# the same for native code, which is much faster: the largest rulesets take about as long to compile
_WORTH_COMPILING = 0.7
_TRIED = 200  # if many of so many games are left to the evaluator, native code is of no use


def simulate(
    ruleset: Ruleset,
    source: str,
    setup: MatchConfig,
    games: int,
    *,
    jobs: int | None = 1,
    load: Loader,
    should_stop: Callable[[], bool] = never,
) -> Iterator[GameResult]:
    """Play games 1 to `games` and yield each when it is over, in no particular order; ends early if
    `should_stop`.

    `source` is what `load` makes the ruleset of, in other processes too, where `load` is imported by its
    name.  `jobs` is the number of processes, or of threads in native code; 1 plays here, None plays here for
    a moment and then starts what pays off. Raises RulesetError for an impossible set-up, UnknownAgent for
    impossible bots.
    """
    for some in simulate_batches(
        ruleset, source, setup, games, jobs=jobs, load=load, should_stop=should_stop
    ):
        if isinstance(some, FinishedRows):
            yield from some.games()
        else:
            yield some


def simulate_batches(
    ruleset: Ruleset,
    source: str,
    setup: MatchConfig,
    games: int,
    *,
    jobs: int | None = 1,
    load: Loader,
    should_stop: Callable[[], bool] = never,
    notes: list[str] | None = None,
) -> Iterator[GameResult | FinishedRows]:
    """As `simulate`, but games of native code stay together as rows.

    `notes` receives a line that says what plays instead of native code, and why.
    """
    notes = [] if notes is None else notes
    initial = first_state(ruleset, setup)
    agent_names(setup.bots, initial.players)
    suits, first = native_supports(setup) and isinstance(initial, State), 1
    probing = probing_for(initial.game, setup)
    native = (
        native_code_for(ruleset, setup, initial, compile=setup.backend == "native", probing=probing)
        if suits
        else None
    )
    suits = suits and native is None
    left, pace = left_by_python(initial), Pace(initial)
    while native is None and first <= games and (jobs is None or suits) and not should_stop():
        yield from counted(left, play_here(ruleset, setup, initial, range(first, first + 1), should_stop))
        first += 1
        pace.count()
        expected = pace.played + games - first + 1
        if suits and worth_compiling(pace.played, pace.seconds, expected):
            native, suits = native_code_for(ruleset, setup, initial, compile=True, probing=probing), False
            notes += native_refusal(initial)
            if native is None:  # then what else there is is worth compiling
                initial = setup.initial_state(ruleset)
                left, pace = left_by_python(initial), Pace(initial)
        elif jobs is None and pace.seconds >= _MEASURED:
            jobs, suits = sensible_jobs(pace.played, pace.seconds, expected), False
        elif pace.seconds >= _MEASURED:
            suits = False
    rest = range(first, games + 1)
    if native is not None:
        stand_in = StandIn(ruleset, setup, initial)
        stopped = yield from _native_games(native, stand_in, rest, jobs, should_stop, notes)
        rest = range(stopped, games + 1)
        jobs = jobs or os.cpu_count() or 1
        if rest:
            stand_in.use_python()
            setup, initial = stand_in.setup, stand_in.initial
            left = left_by_python(initial)
    if rest and jobs is not None and jobs > 1:
        yield from counted(
            left, play_in_processes(ruleset, source, setup, rest, min(jobs, games), load, should_stop)
        )
    elif rest:
        yield from counted(left, play_here(ruleset, setup, initial, rest, should_stop))
    if left is not None and left.first is not None and left.are_many and not should_stop():
        notes.append(left.note(ruleset, setup))


class StandIn:
    """Plays the games that native code leaves: on `initial`, then, if they take so long that it is worth
    compiling, on compiled Python.

    `setup` and `initial` are what plays now.
    """

    def __init__(self, ruleset: Ruleset, setup: MatchConfig, initial: State) -> None:
        self.ruleset, self.setup, self.initial = ruleset, setup, initial
        self._seconds = 0.0
        self._has_chosen = False  # whether compiled Python plays, if it can

    def play(self, number: int, should_stop: Callable[[], bool]) -> GameResult | None:
        """One game; None if it was told to stop before its end."""
        started = time.monotonic()
        found = play_one(self.ruleset, self.setup, self.initial, number, should_stop)
        self._seconds += time.monotonic() - started
        if self._seconds > _WORTH_COMPILING:
            self.use_python()
        return found

    def use_python(self) -> None:
        """Play on compiled Python from now on; on the evaluator if the ruleset does not compile."""
        if self._has_chosen:
            return
        self._has_chosen = True
        backend = "python" if python_compiles(self.initial.game) else "reference"
        self.setup = replace(self.setup, backend=backend)
        self.initial = new_state(self.ruleset, self.initial.game, backend)


class Pace:
    """The time that games take on what plays them.

    Compiled Python makes itself ready in the first game, which does not count.
    """

    def __init__(self, initial: State) -> None:
        self.played = 0 if initial.backend == "reference" else -1
        self._started = time.monotonic()

    def count(self) -> None:
        """One more game has been played."""
        self.played += 1
        if self.played == 0:
            self._started = time.monotonic()

    @property
    def seconds(self) -> float:
        """Return the seconds that the games that count have taken."""
        return time.monotonic() - self._started if self.played > 0 else 0.0


def sensible_jobs(played: int, seconds: float, games: int) -> int | None:
    """Return the number of processes to play the rest with, after `played` games took `seconds`; `None` to go
    on measuring.
    """
    if seconds < _MEASURED:
        return None
    return (os.cpu_count() or 1) if seconds / played * (games - played) > _WORTH_PROCESSES else 1


def worth_compiling(played: int, seconds: float, games: int) -> bool:
    """Tell whether so much is left to play, after `played` games took `seconds`, that compiling native code
    is worth it.
    """
    return seconds >= _MEASURED / 5 and seconds / played * (games - played) > _WORTH_COMPILING


def _native_games(
    native: NativeGame,
    stand_in: StandIn,
    numbers: range,
    jobs: int | None,
    should_stop: Callable[[], bool],
    notes: list[str],
) -> Generator[GameResult | FinishedRows, None, int]:
    """Plays games in native code, and those that it leaves on `stand_in`; gives the number of the first that
    is still to be played.
    """
    ruleset, setup, left = stand_in.ruleset, stand_in.setup, LeftGames("native code")
    tails = None if native.probing is None else TailReader(native, orders=setup.turn_order)
    for some in native_batches(native, setup.seed, numbers, jobs, should_stop, tails):
        if isinstance(some, FinishedRows):
            left.count(len(some))
            yield from [some] if tails is None else some.games()
            continue
        for number, game in results_of_rows(some, tails):
            if should_stop():
                return numbers.stop
            if game is not None:
                left.count(1)
                yield game
                continue
            with_python = stand_in.initial.backend == "python"
            game = stand_in.play(number, should_stop)
            if game is not None:
                left.add(game, compiled=with_python and not game.left_to_evaluator)
                yield game
        if left.tried >= _TRIED and left.are_many:
            notes.append(left.note(ruleset, setup))
            return some.first + some.count
    if left.are_many:
        notes.append(left.note(ruleset, setup))
    return numbers.stop
