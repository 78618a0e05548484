"""Rows that are measured in turn, many short rounds, of which medians are taken.

Seconds are those of the processor that a process used, so that other work on the machine disturbs little;
what takes several processes or threads is measured by the clock (`latency.py`). A machine that is shared is
quicker in one second than in the next all the same, so what is held against each other runs one after the
other, and how many times as quick the one is, is the median of what the rounds say, not the ratio of two
medians.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import median

Measured = Callable[[float], tuple[float, float]]  # for about so many seconds: how often, in how many seconds


@dataclass(frozen=True)
class Subject:
    """A game for a number of players."""

    name: str
    players: int


@dataclass
class Row:
    """One thing that is measured of one game on one system; its rates are times a second, by round."""

    subject: Subject
    system: str
    what: str
    run: Measured
    rates: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The median of the rounds."""
        return median(self.rates)

    def times(self, unit: Row) -> float:
        """Return how many times as often as another row that was measured in the same rounds: the median of
        the rounds.
        """
        return median(mine / other for mine, other in zip(self.rates, unit.rates, strict=True))


def repeated(once: Callable[[], int]) -> Measured:
    """Calls something until the time is over; it says how much it did."""

    def run(seconds: float) -> tuple[float, float]:
        done, started = 0, time.process_time()
        while True:
            done += once()
            spent = time.process_time() - started
            if spent >= seconds:
                return done, spent

    return run


def many(once: Callable[[], object], times: int = 50) -> Callable[[], int]:
    """The same call several times, so that looking at the clock costs little."""

    def run() -> int:
        for _ in range(times):
            once()
        return times

    return run


def measure(rows: Iterable[Row], rounds: int, seconds: float) -> None:
    """All rows in turn, `rounds` times, after each has run once; whole games and steps for so many seconds,
    small things for a fifth of that.

    What was made ready (programs of all games) is frozen first: whoever collects garbage then looks through
    what he made himself.
    """
    rows = beside_each_other(rows)
    for row in rows:
        row.run(0.0)
    gc.collect()
    gc.freeze()
    for _ in range(rounds):
        for row in rows:
            done, spent = row.run(seconds if row.what in ("games", "steps") else seconds / 5)
            row.rates.append(done / spent)
    gc.unfreeze()


def beside_each_other(rows: Iterable[Row]) -> list[Row]:
    """The rows of the same game and the same thing one after the other, in the order in which each came
    first.
    """
    groups: dict[tuple[Subject, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.subject, row.what), []).append(row)
    return [row for group in groups.values() for row in group]
