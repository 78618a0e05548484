"""The aims, as ratios within one run and as times, and what was reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from _bench.latency import Compiling, Times, middle
from _bench.measuring import Row, Subject
from _bench.systems import (
    AS_SIMULATE,
    BY_HAND,
    IN_BATCH,
    NATIVE,
    PLAIN_C,
    PYTHON,
    REFERENCE,
    SPIEL_LOOP,
    SPIEL_ROLLOUTS,
)
from _bench.tables import Table, measured, ratio, times, titled

NATIVE_BY_HAND = {
    "tic_tac_toe": 72,
    "connect_four": 53,
    "breakthrough": 29,
    "witches_of_blackmore": 44,
    "una_notte_da_lupi": 45,
}
SIMULATE_BY_HAND = {
    "tic_tac_toe": 60,
    "connect_four": 45,
    "breakthrough": 28,
    "witches_of_blackmore": 40,
    "una_notte_da_lupi": 40,
}
OF_SIMULATE, PYTHON_BY_HAND = 0.5, 1.2  # the first in a batch
OF_PLAIN_C, STEPS_BY_HAND = 0.5, 0.5
OF_REFERENCE = {NATIVE: 50, PYTHON: 8}  # of every ruleset and variant
ROLL_OUT = 20e-6  # seconds that a call adds to the game
CLONES, CLONES_OF = 4.0, "witches_of_blackmore"  # GB of a million
# seconds; the last is how many times an empty program's
COLD, SMALLEST, CACHED, CHECK, START = 0.9, 0.05, 0.010, 0.7, 1.5

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
        yield from at_least(found, subject, "steps", PYTHON, BY_HAND, STEPS_BY_HAND)
        yield from at_least(found, subject, "games", NATIVE, PLAIN_C, OF_PLAIN_C)
        yield from at_least(found, subject, "steps", NATIVE, SPIEL_LOOP, 1)
        yield from at_least(found, subject, "games", NATIVE, SPIEL_ROLLOUTS, 1)
        one, several = found.get((subject, NATIVE, "roll_out")), found.get((subject, NATIVE, "roll_outs"))
        if one and several:
            added = median(1 / each - 1 / game for each, game in zip(one.rates, several.rates, strict=True))
            what = f"{titled(subject)}: `roll_out` half-way, without the game"
            yield what, f"< {1e6 * ROLL_OUT:.0f} µs", f"{1e6 * added:.0f} µs", met(added < ROLL_OUT)


def of_every(rows: Sequence[Row]) -> Table:
    """The compiled back ends to the reference evaluator, where they are the least times as quick."""
    found, lines = measured(rows), list[Line]()
    for system, least in OF_REFERENCE.items():
        times = {
            row.subject: row.times(found[row.subject, REFERENCE, "games"])
            for row in rows
            if row.system == system
        }
        if times:
            worst = min(times, key=lambda subject: times[subject])
            below = sum(each < least for each in times.values())
            what = f"games, {system} to {REFERENCE}, the least of {len(times)}: {titled(worst)}"
            lines.append(
                (what, f"{least:g} ×", ratio(times[worst]), f"no: {below} below" if below else "yes")
            )
    return Table(("aim", "wanted", "measured", "met"), tuple(lines))


def at_least(
    found: dict[tuple[Subject, str, str], Row],
    subject: Subject,
    what: str,
    system: str,
    unit: str,
    least: float,
) -> Iterator[Line]:
    """One system against another, if both were measured."""
    row, against = found.get((subject, system, what)), found.get((subject, unit, what))
    if row and against:
        times = row.times(against)
        yield (
            f"{titled(subject)}: {what}, {system} to {unit}",
            f"{least:g} ×",
            ratio(times),
            met(times >= least),
        )


def of_waiting(prepared: Sequence[Compiling], whole: Sequence[Times], largest: str) -> Iterator[Line]:
    aimed = (
        ("nothing cached, the slowest", COLD, "cold", max),
        ("nothing cached, the quickest", SMALLEST, "cold", min),
        ("cached, the slowest", CACHED, "cached", max),
    )
    for what, most, kind, extreme in aimed:
        waited = [
            (getattr(one, kind), titled(one.subject)) for one in prepared if getattr(one, kind) is not None
        ]
        if waited:
            value, name = extreme(waited)
            yield (
                f"native code, {what}: {name}",
                f"< {times(most)}",
                times(value / 1000),
                met(value / 1000 < most),
            )
    for one in prepared:
        if one.subject.name == CLONES_OF and one.clone is not None:
            size = one.clone / 1000
            yield (
                f"{titled(one.subject)}: a million clones",
                f"< {CLONES:g} GB",
                f"{size:.1f} GB",
                met(size < CLONES),
            )
    spent = {one.title: middle(one.processor or one.clock) for one in whole}
    empty, start, check = (
        next((s for title, s in spent.items() if part in title), None)
        for part in ("does nothing", "croupier --help", "check")
    )
    if empty and start:
        yield (
            "`croupier --help` to an empty program",
            f"< {START} ×",
            ratio(start / empty),
            met(start < START * empty),
        )
    if check:
        yield f"`croupier check {largest}`, processor", f"< {times(CHECK)}", times(check), met(check < CHECK)


def met(holds: bool) -> str:
    return "yes" if holds else "no"
