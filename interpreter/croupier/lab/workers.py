"""Rows of many games, in game order: by native code where that plays them, here, or in several processes."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from croupier.diagnostics import JsonObject
from croupier.kernel.tree import FinishStmt
from croupier.lab.logs import stepping_state
from croupier.lab.rows import Row, TailFigures, Watch, play_row, row_of
from croupier.pipeline import load
from croupier.play import native_games
from croupier.play.agents import admitted_names, clock_note, is_timed
from croupier.play.match import MatchConfig, never, ruleset_label
from croupier.play.plain import plain
from croupier.play.processes import in_processes, is_told_to_stop, jobs_of_pool
from croupier.play.results import FinishedRows, results_with_tails
from croupier.play.watching import TailReader
from croupier.semantics.walk import statements

if TYPE_CHECKING:
    from croupier.execution.native_game import NativeGame
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State

T = TypeVar("T")
_MEASURED = 1.0  # seconds of playing before more processes are considered
_WORTH_PROCESSES = 20.0  # seconds that are left
_WORTH_COMPILING = 200  # games
_SECONDS = 0.5  # of a batch in another process


@dataclass(frozen=True)
class RunConfig:
    """The games of a question: a ruleset by its name or path, a set-up, and what is recorded; plain
    values.
    """

    source: str
    setup: MatchConfig
    watch: Watch = Watch()

    def with_bots(self, bots: tuple[str, ...]) -> RunConfig:
        """The run with other bots."""
        return replace(self, setup=replace(self.setup, bots=bots))


@lru_cache(maxsize=16)
def load_ruleset(source: str) -> Ruleset:
    """The ruleset of a name or path, read once. Raises RulesetError."""
    return load(source)


def has_payments(source: str) -> bool:
    """Return whether the rules pay players (`finish pay`), so that who wins says less than what they are
    paid.

    Raises RulesetError.
    """
    return any(
        isinstance(s, FinishStmt) and s.result == "pay"
        for proc in load_ruleset(source).program.procs
        for s in statements(proc.body)
    )


def players_of(run: RunConfig) -> int:
    """Return the number of players.

    Raises RulesetError for an impossible set-up, UnknownAgent for impossible bots.
    """
    game = load_ruleset(run.source).game(run.setup.players, run.setup.parameters)
    admitted_names(run.setup.bots, game)
    return game.players


def every_parameter(run: RunConfig) -> JsonObject:
    """Return every parameter as a JSON value, those that have their defaults, too.

    Raises RulesetError for an impossible set-up.
    """
    game = load_ruleset(run.source).game(run.setup.players, run.setup.parameters)
    found: JsonObject = plain(
        {p.name: game.to_json(game.parameters[p.name], p.type) for p in game.program.params.values()}
    )
    return found


def side_of(run: RunConfig) -> JsonObject:
    """Return the header of an output for a run: the ruleset, its hash, all parameters, players, and the bot
    of each seat.

    Raises RulesetError for an impossible set-up, UnknownAgent for impossible bots.
    """
    ruleset = load_ruleset(run.source)
    game = ruleset.game(run.setup.players, run.setup.parameters)
    bots = admitted_names(run.setup.bots, game)
    return {
        "ruleset": ruleset_label(ruleset),
        "hash": ruleset.ruleset_hash,
        "parameters": every_parameter(run),
        "players": game.players,
        "bots": bots,
        **clock_note(bots),
    }


class _Receivers:
    """Who is told of each game that is over, and of what plays instead of native code."""

    advance: Callable[[], None] = staticmethod(lambda: None)
    tell: Callable[[str], None] = staticmethod(lambda text: None)


@contextmanager
def report_progress(advance: Callable[[], None]) -> Iterator[None]:
    """A context in which `advance` is called for each game that `rows` yields: for a progress bar."""
    before, _Receivers.advance = _Receivers.advance, advance
    try:
        yield
    finally:
        _Receivers.advance = before


@contextmanager
def notes_told(tell: Callable[[str], None]) -> Iterator[None]:
    """Call `tell`, inside this context, once with each line that says what plays instead of native code, and
    why.
    """
    told = set[str]()

    def once(text: str) -> None:
        if text not in told:
            told.add(text)
            tell(text)

    before, _Receivers.tell = _Receivers.tell, once
    try:
        yield
    finally:
        _Receivers.tell = before


def last_of(found: Iterable[T]) -> T | None:
    """The last of what a question yields again and again while it grows; `None` if it yields nothing."""
    last = deque(found, maxlen=1)
    return last[0] if last else None


def rows(
    run: RunConfig,
    numbers: range,
    *,
    jobs: int | None = None,
    should_stop: Callable[[], bool] = never,
    of: int = 0,
) -> Iterator[Row]:
    """The rows of games by number, in this order; ends early if `should_stop`, in the middle of a step if it
    is interrupted then. Without `jobs` as many processes as pay off. Where they are a part of more games with
    the same rules, `of` says of how many: these decide what pays off.

    Raises RulesetError for an impossible set-up, UnknownAgent for impossible bots.
    """
    for some in batches(run, numbers, jobs=jobs, should_stop=should_stop, of=of):
        for row in rows_of(some, run.watch) if isinstance(some, FinishedRows) else (some,):
            _Receivers.advance()
            yield row


def batches(
    run: RunConfig,
    numbers: range,
    *,
    jobs: int | None = None,
    should_stop: Callable[[], bool] = never,
    of: int = 0,
) -> Iterator[Row | FinishedRows]:
    """Yield rows as `rows` does, but games of native code that all finished stay together."""
    try:
        yield from _batches(run, numbers, jobs, should_stop, of)
    except KeyboardInterrupt:
        if not should_stop():
            raise


def _batches(
    run: RunConfig, numbers: range, jobs: int | None, should_stop: Callable[[], bool], of: int
) -> Iterator[Row | FinishedRows]:
    ruleset = load_ruleset(run.source)
    first, started = numbers.start, time.monotonic()
    may_be_native = run.watch.is_compiled and native_games.native_supports(run.setup)
    if may_be_native:
        initial = native_games.first_state(ruleset, run.setup)
    elif run.watch.is_logged:
        initial = stepping_state(ruleset, run.setup, compile=max(len(numbers), of) >= _WORTH_COMPILING)
    else:
        initial = run.setup.initial_state(ruleset)
    for bot in admitted_names(run.setup.bots, initial.game):
        if is_timed(bot):
            _Receivers.tell(f"`{bot}` thinks by the clock: the same seed gives other games each time")
    if may_be_native:
        probing, compile = run.watch.probing(initial.engine), max(len(numbers), of) >= _WORTH_COMPILING
        native = native_games.native_code_for(ruleset, run.setup, initial, compile=compile, probing=probing)
        if native is not None:
            yield from _native_batches(native, ruleset, run, initial, numbers, jobs, should_stop)
            return
        initial = run.setup.initial_state(ruleset)
        for note in native_games.native_refusal(initial):
            _Receivers.tell(note)
    jobs = jobs_of_pool() if jobs is None else jobs
    while first < numbers.stop and (jobs is None or jobs == 1):
        if should_stop():
            return
        row = play_row(ruleset, run.setup, initial, run.watch, first, should_stop)
        if row is None:
            return
        yield row
        first += 1
        seconds = time.monotonic() - started
        left = max(numbers.stop - first, of - len(numbers))
        if (
            jobs is None
            and seconds >= _MEASURED
            and seconds / (first - numbers.start) * left > _WORTH_PROCESSES
        ):
            jobs = os.cpu_count() or 1
    if first < numbers.stop:
        yield from _rows_in_processes(
            run,
            range(first, numbers.stop),
            jobs or 1,
            should_stop,
            time.monotonic() - started,
            first - numbers.start,
        )


def _native_batches(
    native: NativeGame,
    ruleset: Ruleset,
    run: RunConfig,
    initial: State,
    numbers: range,
    jobs: int | None,
    should_stop: Callable[[], bool],
) -> Iterator[Row | FinishedRows]:
    """Games in native code, in order; those that it leaves are played step by step from `initial`."""
    tails = None if native.probing is None else TailReader(native)
    figures = TailFigures(run.watch, native.game.players)
    for some in native_games.native_batches(native, run.setup.seed, numbers, jobs, should_stop, tails):
        if isinstance(some, FinishedRows):
            yield some
            continue
        for number, game, tail in results_with_tails(some, tails):
            if game is None:
                row = play_row(ruleset, run.setup, initial, run.watch, number, should_stop)
            else:
                row = row_of(game) if tail is None else figures.row(game, tail)
            if row is not None:
                yield row


def rows_of(some: FinishedRows, watch: Watch) -> Iterator[Row]:
    """The rows of games that stayed together."""
    figures = TailFigures(watch, some.rows.players)
    for _, game, tail in results_with_tails(some.rows, some.tails):
        assert game is not None
        yield row_of(game) if tail is None else figures.row(game, tail)


def _rows_in_processes(
    run: RunConfig, numbers: range, jobs: int, should_stop: Callable[[], bool], seconds: float, played: int
) -> Iterator[Row]:
    """Games in several processes, in order."""
    rate = played / seconds if seconds > 0 and played else 10.0
    size = max(1, min(200, int(rate * _SECONDS), -(-len(numbers) // (2 * jobs))))
    pieces = (
        (run, range(first, min(first + size, numbers.stop)), len(numbers))
        for first in range(numbers.start, numbers.stop, size)
    )
    for found in in_processes(_play, pieces, jobs, should_stop):
        yield from found


def _play(run: RunConfig, numbers: range, of: int) -> list[Row]:
    return list(rows(run, numbers, jobs=1, should_stop=is_told_to_stop, of=of))
