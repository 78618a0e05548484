"""What was aimed at, as ratios within one run and as times, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from _bench.latency import Compiling, Times, middle
from _bench.measuring import Row, Subject
from _bench.systems import AS_SIMULATE, BY_HAND, IN_BATCH, NATIVE, PLAIN_C, PYTHON, SPIEL_LOOP
from _bench.tables import Table, measured, ratio, times, titled

NATIVE_BY_HAND = {"tic_tac_toe": 72, "connect_four": 53, "breakthrough": 29, "witches_of_blackmore": 44, "una_notte_da_lupi": 45}
SIMULATE_BY_HAND = {"tic_tac_toe": 60, "connect_four": 45, "breakthrough": 28, "witches_of_blackmore": 40, "una_notte_da_lupi": 40}
OF_SIMULATE, PYTHON_BY_HAND = 0.5, 1.2  # the first in a batch
OF_PLAIN_C = 0.5
COLD, SMALLEST, CACHED, CHECK, START = 0.9, 0.05, 0.010, 0.7, 1.5  # seconds; the last is how many times an empty program's

Line = tuple[str, str, str, str]


def aims(rows: Sequence[Row], prepared: Sequence[Compiling], whole: Sequence[Times], largest: str) -> Table:
    """A line for each aim that this run says something about."""
    lines = [*of_games(rows), *of_waiting(prepared, whole, largest)]
    return Table(("aim", "wanted", "measured", "met"), tuple(lines))


def of_games(rows: Sequence[Row]) -> Iterator[Line]:
    found = measured(rows)
    for subject in dict.fromkeys(row.subject for row in rows):
        least = NATIVE_BY_HAND.get(subject.name)
        if least is not None:
            yield from at_least(found, subject, "games", NATIVE, BY_HAND, least)
        least = SIMULATE_BY_HAND.get(subject.name)
        if least is not None:
            yield from at_least(found, subject, "games", AS_SIMULATE, BY_HAND, least)
        yield from at_least(found, subject, "games", IN_BATCH, AS_SIMULATE, OF_SIMULATE)
        yield from at_least(found, subject, "games", PYTHON, BY_HAND, PYTHON_BY_HAND)
        yield from at_least(found, subject, "games", NATIVE, PLAIN_C, OF_PLAIN_C)
        yield from at_least(found, subject, "steps", NATIVE, SPIEL_LOOP, 1)


def at_least(found: dict[tuple[Subject, str, str], Row], subject: Subject, what: str, system: str, unit: str, least: float) -> Iterator[Line]:
    """One system against another, if both were measured."""
    row, against = found.get((subject, system, what)), found.get((subject, unit, what))
    if row and against:
        times = row.times(against)
        yield f"{titled(subject)}: {what}, {system} to {unit}", f"{least:g} ×", ratio(times), met(times >= least)


def of_waiting(prepared: Sequence[Compiling], whole: Sequence[Times], largest: str) -> Iterator[Line]:
    aimed = (
        ("nothing cached, the slowest", COLD, "cold", max),
        ("nothing cached, the quickest", SMALLEST, "cold", min),
        ("cached, the slowest", CACHED, "cached", max),
    )
    for what, most, kind, extreme in aimed:
        waited = [(getattr(one, kind), titled(one.subject)) for one in prepared if getattr(one, kind) is not None]
        if waited:
            value, name = extreme(waited)
            yield f"native code, {what}: {name}", f"< {times(most)}", times(value / 1000), met(value / 1000 < most)
    spent = {one.title: middle(one.processor or one.clock) for one in whole}
    empty, start, check = (next((s for title, s in spent.items() if part in title), None) for part in ("does nothing", "croupier --help", "check"))
    if empty and start:
        yield "`croupier --help` to an empty program", f"< {START} ×", ratio(start / empty), met(start < START * empty)
    if check:
        yield f"`croupier check {largest}`, processor", f"< {times(CHECK)}", times(check), met(check < CHECK)


def met(holds: bool) -> str:
    return "yes" if holds else "no"
