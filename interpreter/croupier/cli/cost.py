"""What a run will cost, told once on stderr before most of it is played.

The first games of a run are those that it is estimated from; nothing is played twice. Only runs whose cost depends on what was asked for are
estimated, with bots that think or figures that are taken while games are played, and only where they take longer than some seconds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from croupier.cli.console import say

if TYPE_CHECKING:
    from croupier.lab.workers import RunConfig

SAMPLE_SECONDS = 1.0  # of playing from which a run is estimated
WORTH_TELLING = 10.0  # seconds that a run takes
WORTH_PROCESSES = 20.0  # seconds from which as many processes play as there are processors
CHEAP = "random"  # the bot that needs no thinking


class CostLine:
    """Counts games, and says once what all of them will cost. `advance` is told of each, too; `clock` gives seconds."""

    def __init__(
        self, games: int, reason: str, advance: Callable[[int], None], *, jobs: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._games, self._reason, self._advance, self._jobs, self._clock = games, reason, advance, jobs, clock
        self._begun: float | None = None  # when the first games were over: until then code was compiled, too
        self._done, self._told = 0, not reason

    def advance(self, more: int = 1) -> None:
        """So many more games are over."""
        if not self._told:
            self._tell(more)
        self._advance(more)

    def _tell(self, more: int) -> None:
        now = self._clock()
        if self._begun is None:
            self._begun = now
            return
        self._done += more
        seconds = now - self._begun
        if seconds < SAMPLE_SECONDS:
            return
        self._told = True
        rate = self._done / seconds
        if self._jobs is None and self._games / rate - seconds > WORTH_PROCESSES:
            rate *= os.cpu_count() or 1
        whole = self._games / rate
        if whole > WORTH_TELLING:
            say(f"about {duration(whole)}: {self._games:,} games at {speed(rate)}, with {self._reason}")


def duration(seconds: float) -> str:
    """How long something takes, in the unit that fits."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} days"


def speed(rate: float) -> str:
    """How many games are played in a second, or in a minute if these are few."""
    return f"{rate:,.0f} a second" if rate >= 2 else f"{60 * rate:.2g} a minute"


def reason_of(run: RunConfig) -> str:
    """What makes a run slower than games between random players; empty if nothing does."""
    bots = [f"`{bot}`" for bot in dict.fromkeys(run.setup.bots) if bot != CHEAP]
    watch = run.watch
    found = [" and ".join(bots)] if bots else []
    if watch.measures:
        count = "a measure" if len(watch.measures) == 1 else f"{len(watch.measures)} measures"
        found.append(f"{count} along the way" if watch.every is not None else count)
    elif watch.steps:
        found.append("a count of turns and options")
    if run.setup.by or run.setup.turn_order:
        found.append("what games are grouped by")
    return " and ".join(found)


@contextmanager
def cost_told(run: RunConfig, games: int, advance: Callable[[int], None], jobs: int | None = None) -> Iterator[CostLine]:
    """A context in which games are counted, and a line says what a run will cost. Once it is over, or earlier, a line says what is not compiled."""
    from croupier.lab.workers import notes_told

    with notes_told(say):
        yield CostLine(games, reason_of(run), advance, jobs=jobs)
