"""How long a run will take: estimated from its first games, and told before, with what would make it
shorter.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from croupier.records import dataclass

MUCH = 20.0  # seconds that are left: what costs less needs no words before
HOURS = 3600.0  # seconds: what takes longer is told with what makes it shorter
FITTING = 600.0  # seconds: how many games take so long is told beside that
NOTHING_YET = 10.0  # seconds without one game that is over, after which that is told


@dataclass(frozen=True)
class Cost:
    """What makes each game of a run slow (`reasons`), and what makes them faster (`faster`), in words."""

    reasons: tuple[str, ...] = ()
    faster: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pace:
    """How far a run is: `done` of `total`, called `what`, after `elapsed` seconds.

    `since`: how many seconds ago, and at which number, what the rate is measured by began. `work`: how much
    work the first so many are; each is the same by default.
    """

    what: str
    done: int
    total: int
    elapsed: float
    since: tuple[float, int]
    work: Callable[[int], float] = float

    @property
    def left(self) -> float | None:
        """The seconds that are left; `None` if that is not known."""
        seconds, before = self.since
        worked = self.work(self.done) - self.work(before)
        if not self.total or worked <= 0:
            return None
        return seconds * (self.work(self.total) - self.work(self.done)) / worked


def forecast(pace: Pace, cost: Cost) -> str | None:
    """What to say of the time that a run takes: empty if it is short, `None` if that is not known yet."""
    if not pace.total:
        return ""
    if pace.left is not None:
        if pace.left <= MUCH:
            return ""
        whole = pace.elapsed + pace.left
        told = f"about {duration(whole)} for {pace.total:,} {pace.what}"
        return told + _reasons(cost) + _shorter(pace, cost, whole)
    if pace.done or pace.elapsed < NOTHING_YET:
        return None
    least = pace.elapsed * pace.total / (os.cpu_count() or 1)
    told = f"nothing is over after {duration(pace.elapsed)}: {pace.total:,} {pace.what} take"
    return f"{told} {duration(least)} or more{_reasons(cost)}{_shorter(pace, cost, least)}"


def _reasons(cost: Cost) -> str:
    return f": {'; '.join(cost.reasons)}" if cost.reasons else ""


def _shorter(pace: Pace, cost: Cost, whole: float) -> str:
    """Return what makes a run shorter that takes hours, on a line of its own."""
    if whole <= HOURS:
        return ""
    fitting = int(pace.total * FITTING / whole)
    fewer = f"fewer {pace.what}"
    if fitting:
        unit = 10 ** (len(str(fitting)) - 1)
        fewer += f" (about {fitting // unit * unit:,} take {duration(FITTING)})"
    return f"\nshorter: {', '.join((fewer, *cost.faster))}; Ctrl-C shows what there is by then"


def duration(seconds: float) -> str:
    """A time in words: `40 s`, `12 min`, `3 h 20 min`, `5 days`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{round(hours / 24):,} days"
