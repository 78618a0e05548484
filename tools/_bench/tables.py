"""The tables that are printed: their cells are text, for a terminal or as Markdown."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from _bench.latency import Compiling, Times, middle
from _bench.measuring import Row, Subject
from _bench.systems import BY_HAND, PER_STATE, REFERENCE, SYSTEMS


@dataclass(frozen=True)
class Table:
    """A heading line and lines under it; the first column is words, the others are numbers."""

    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    def text(self) -> str:
        """For a terminal."""
        widths = [max(len(line[k]) for line in (self.head, *self.lines)) for k in range(len(self.head))]
        shown = []
        for first, *others in (self.head, *self.lines):
            figures = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
            shown.append("  ".join((first.ljust(widths[0]), *figures)).rstrip())
        return "\n".join(shown)

    def markdown(self) -> str:
        """For documents."""
        under = ("---", *("---:" for _ in self.head[1:]))
        return "\n".join("| " + " | ".join(line) + " |" for line in (self.head, under, *self.lines))


def machine() -> str:
    """Return the words for what the numbers were measured on, no more than needed."""
    return (
        f"{os.cpu_count()} cores, {platform.machine() or 'unknown processor'}, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )


def number(value: float | None) -> str:
    """Three figures are enough; a dash for what is not there."""
    if value is None:
        return "–"
    if value >= 1e6:
        return f"{value / 1e6:.2f} M" if value < 1e7 else f"{value / 1e6:.1f} M"
    if value >= 1e4:
        return f"{value / 1e3:.1f} k" if value < 1e5 else f"{value / 1e3:.0f} k"
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def ratio(times: float) -> str:
    """Return a ratio in words: `2.5 ×`."""
    if times >= 1:
        digits = 0 if times >= 10 else 1
    else:
        digits = 2 if times >= 0.01 else 3
    return f"{times:.{digits}f} ×"


def times(seconds: float | None) -> str:
    """A time in milliseconds or seconds."""
    if seconds is None:
        return "–"
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def measured(rows: Iterable[Row]) -> dict[tuple[Subject, str, str], Row]:
    return {(row.subject, row.system, row.what): row for row in rows if row.rates}


def titled(subject: Subject) -> str:
    return f"{subject.name}, {subject.players}"


def playouts(rows: Sequence[Row], what: str = "games") -> Table:
    """Systems by games: times a second, and how many times the hand-written class, or the reference evaluator
    where there is none.
    """
    found, subjects = measured(rows), list(dict.fromkeys(row.subject for row in rows))

    def cell(subject: Subject, system: str) -> str:
        row = found.get((subject, system, what))
        if row is None:
            return "–"
        unit, mark = found.get((subject, BY_HAND, what)), ""
        if unit is None:
            unit, mark = found.get((subject, REFERENCE, what)), " ref."
        return f"{number(row.rate)} ({ratio(row.times(unit))}{mark})" if unit else number(row.rate)

    systems = [s for s in SYSTEMS if any((subject, s, what) in found for subject in subjects)]
    lines = tuple((system, *(cell(subject, system) for subject in subjects)) for system in systems)
    return Table((f"{what} a second", *map(titled, subjects)), lines)


def playouts_by_game(rows: Sequence[Row]) -> Table:
    """Games by systems, as `playouts` has them, for many games."""
    tables = [
        playouts([row for row in rows if row.subject == subject])
        for subject in dict.fromkeys(row.subject for row in rows)
    ]
    head = ("games a second: ruleset, players", *(line[0] for line in tables[0].lines))
    return Table(head, tuple((table.head[1], *(line[1] for line in table.lines)) for table in tables))


def small_things(rows: Sequence[Row]) -> Table:
    """Steps, copies, hashes, legal actions a second, of each system in each game."""
    found = {key: row.rate for key, row in measured(rows).items()}
    lines = []
    for subject, system in dict.fromkeys((row.subject, row.system) for row in rows):
        values = [found.get((subject, system, what)) for what in PER_STATE]
        if any(value is not None for value in values[1:]):
            lines.append((f"{titled(subject)}: {system}", *map(number, values)))
    return Table(("a second", *PER_STATE), tuple(lines))


def preparations(found: Sequence[Compiling]) -> Table:
    """Loading and compiling in milliseconds, positions in bytes."""
    head = (
        "ruleset, players",
        "load",
        "to Python",
        "native, cold",
        "native, cached",
        "position",
        "native position",
    )
    lines = []
    for one in found:
        durations = (one.load, one.python, one.cold, one.cached)
        milliseconds = [times(None if value is None else value / 1000) for value in durations]
        sizes = ["–" if value is None else f"{value:,} B" for value in (one.position, one.native)]
        lines.append((titled(one.subject), *milliseconds, *sizes))
    return Table(head, tuple(lines))


def durations(found: Sequence[Times]) -> Table:
    """Whole commands, by the clock and in seconds of the processor."""
    return Table(
        ("command", "clock", "processor"),
        tuple((one.title, times(middle(one.clock)), times(middle(one.processor))) for one in found),
    )


def by_players(rows: Sequence[Row]) -> Table:
    """Games a second of every game at every number of players."""
    found, subjects = measured(rows), list(dict.fromkeys(row.subject for row in rows))
    shown = [s for s in SYSTEMS if any(row.system == s for row in rows)]
    lines = []
    for subject in subjects:
        there = [found.get((subject, system, "games")) for system in shown]
        lines.append((titled(subject), *(number(row.rate if row else None) for row in there)))
    return Table(("games a second: ruleset, players", *shown), tuple(lines))
