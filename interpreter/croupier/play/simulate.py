"""Many games, with the same result whatever plays them: in this process or in several, by native code where
that is worth it.

Game k of a run depends on the seed and on k alone, so the games can be shared out in any way: every process
reads the ruleset once and plays batches of game numbers, and the results are put in order.  Whatever the
number of processes and whatever plays, the digest is the same.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from croupier.execution.backends import new_state, python_compiles
from croupier.play.agents import admitted_names
from croupier.play.left_games import LeftGames, counted, left_by_python
from croupier.play.match import MatchConfig, never
from croupier.play.native_games import (
    first_state,
    native_batches,
    native_code_for,
    native_refusal,
    native_supports,
    probing_for,
)
from croupier.play.one_game import play_one
from croupier.play.processes import Loader, play_here, play_in_processes
from croupier.play.results import FinishedRows, GameResult, results_of_rows
from croupier.play.watching import TailReader
from croupier.runtime.state import State

if TYPE_CHECKING:
    from croupier.execution.native_game import NativeGame
    from croupier.ruleset import Ruleset


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
    name.  `jobs` is the number of processes, or of threads in native code; 1 plays here, `None` plays here
    for a moment and then starts what pays off. Raises RulesetError for an impossible set-up, UnknownAgent for
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
    admitted_names(setup.bots, initial.game)
    suits, first = native_supports(setup) and isinstance(initial, State), 1
    probing = probing_for(initial.engine, setup)
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
        """One game; `None` if it was told to stop before its end."""
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
        backend = "python" if python_compiles(self.initial.engine) else "reference"
        self.setup = replace(self.setup, backend=backend)
        self.initial = new_state(self.ruleset, self.initial.engine, backend)


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
