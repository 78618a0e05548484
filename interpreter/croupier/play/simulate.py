"""Many games, in this process or in several, by native code where that is worth it.

Game k of a run depends on the seed and on k alone, so the games can be shared out in any way: every process reads the
ruleset once and plays batches of game numbers, and the results are put in order.  Whatever the number of processes and
whatever plays, the digest is the same.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING

from croupier.play import natively
from croupier.play.agents import agent_names
from croupier.play.game import Batch, Game, of_rows
from croupier.play.match import never
from croupier.play.setup import Setup
from croupier.play.sharing import Loader, play_here, share_out
from croupier.play.single import play_one

if TYPE_CHECKING:
    from croupier.backends.native import Native
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State

_MEASURED = 0.5  # seconds of playing before more processes are considered
_WORTH_PROCESSES = 4.0  # seconds that are left: starting processes costs about one
_WORTH_COMPILING = 1.5  # the same for native code, which is much faster: the largest rulesets take about as long to compile
_UNUSUAL, _TRIED = 0.1, 200  # if more of the first games than this part are unusual, native code is of no use


def simulate(
    ruleset: Ruleset, source: str, setup: Setup, games: int, *, jobs: int | None = 1, load: Loader, should_stop: Callable[[], bool] = never
) -> Iterator[Game]:
    """Play games 1 to `games` and yield each when it is over, in no particular order; ends early if `should_stop`.

    `source` is what `load` makes the ruleset of, in other processes too, where `load` is imported by its name.  `jobs` is the
    number of processes, or of threads in native code; 1 plays here, None plays here for a moment and then starts what pays off.
    Raises RulesetError for an impossible set-up, UnknownAgent for impossible bots.
    """
    for some in played(ruleset, source, setup, games, jobs=jobs, load=load, should_stop=should_stop):
        if isinstance(some, Batch):
            yield from some.games()
        else:
            yield some


def played(
    ruleset: Ruleset,
    source: str,
    setup: Setup,
    games: int,
    *,
    jobs: int | None = 1,
    load: Loader,
    should_stop: Callable[[], bool] = never,
    notes: list[str] | None = None,
) -> Iterator[Game | Batch]:
    """The same, but games of native code stay together. `notes` is told, in a line, what plays instead of native code, and why."""
    notes = [] if notes is None else notes
    initial = setup.initial_state(ruleset)
    agent_names(setup.bots, initial.players)
    suits, first = natively.suits(setup, initial), 1
    native = natively.code_for(ruleset, setup, initial, compile=setup.backend == "native") if suits else None
    suits = suits and native is None
    started = time.monotonic()
    while native is None and first <= games and (jobs is None or suits) and not should_stop():
        yield from play_here(ruleset, setup, initial, range(first, first + 1), should_stop)
        first += 1
        seconds = time.monotonic() - started
        if suits and worth_compiling(first - 1, seconds, games):
            native, suits = natively.code_for(ruleset, setup, initial, compile=True), False
            notes += natively.refusal(initial)
        elif jobs is None and seconds >= _MEASURED:
            jobs, suits = sensible_jobs(first - 1, seconds, games), False
        elif seconds >= _MEASURED:
            suits = False
    rest = range(first, games + 1)
    if native is not None:
        stopped = yield from _natively(native, ruleset, setup, initial, rest, jobs, should_stop, notes)
        rest = range(stopped, games + 1)
        jobs = jobs or os.cpu_count() or 1
    if not rest:
        return
    if jobs is None or jobs <= 1:
        yield from play_here(ruleset, setup, initial, rest, should_stop)
    else:
        yield from share_out(ruleset, source, setup, rest, min(jobs, games), load, should_stop)


def _handed_over(unusual: int, tried: int) -> str:
    return f"native code handed {unusual} of {tried} games over, which are played step by step: they may need more fuel or memory than it counts on"


def sensible_jobs(played: int, seconds: float, games: int) -> int | None:
    """How many processes to play the rest with, after `played` games took `seconds`; None to go on measuring."""
    if seconds < _MEASURED:
        return None
    return (os.cpu_count() or 1) if seconds / played * (games - played) > _WORTH_PROCESSES else 1


def worth_compiling(played: int, seconds: float, games: int) -> bool:
    """Is so much left to play, after `played` games took `seconds`, that compiling native code is worth it?"""
    return seconds >= _MEASURED / 5 and seconds / played * (games - played) > _WORTH_COMPILING


def _natively(
    native: Native,
    ruleset: Ruleset,
    setup: Setup,
    initial: State,
    numbers: range,
    jobs: int | None,
    should_stop: Callable[[], bool],
    notes: list[str],
) -> Generator[Game | Batch, None, int]:
    """Plays games in native code; gives the number of the first that is still to be played."""
    tried = unusual = 0
    for some in natively.batches(native, setup.seed, numbers, jobs, should_stop):
        if isinstance(some, Batch):
            tried += len(some)
            yield some
            continue
        tried, unusual = tried + some.count, unusual + some.missing()
        for number, game in of_rows(some):
            if should_stop():
                return numbers.stop
            game = game or play_one(ruleset, setup, initial, number, should_stop)
            if game is not None:
                yield game
        if tried >= _TRIED and unusual > _UNUSUAL * tried:
            notes.append(_handed_over(unusual, tried))
            return some.first + some.count
    if unusual > _UNUSUAL * tried:
        notes.append(_handed_over(unusual, tried))
    return numbers.stop
