"""What `tools/bench --readme` writes: all tables into grammar/reference/performance.md, a small one into README.md.

Their numbers are those of one run on one machine: tests look at their shape alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from _bench.latency import Compiling, Times
from _bench.measuring import Row
from _bench.systems import BY_HAND, NATIVE, PYTHON, REFERENCE, SPIEL_LOOP
from _bench.tables import Table, durations, machine, playouts, preparations

BEGIN, END = "<!-- bench -->", "<!-- end of bench -->"


def between(begin: str, end: str) -> re.Pattern[str]:
    """The part of a page between two marks, with them."""
    return re.compile(re.escape(begin) + r"\n.*?" + re.escape(end), re.DOTALL)


PART = between(BEGIN, END)
COMMAND = "tools/bench --readme"
PAGE = "grammar/reference/performance.md"
IN_README = (BY_HAND, REFERENCE, PYTHON, NATIVE, SPIEL_LOOP)


def part(rows: Sequence[Row], prepared: Sequence[Compiling], whole: Sequence[Times], aimed: Table, rounds: int) -> str:
    """All tables, between the marks and with them."""
    return "\n\n".join(
        (
            BEGIN,
            f"Measured by `{COMMAND}` in one run, {date.today().isoformat()}: {machine()}; medians of {rounds} rounds in turn, of ratios the "
            "median of what each round says, of 3 rounds where compiling and whole commands are measured. Seconds are those of the processor, but in "
            "the column `clock`. Names stand with the number of players. Whole random games, with ratios to a class written by hand for that game "
            "alone:",
            playouts(rows).markdown(),
            "Steps from Python, a loop that asks for the legal actions and takes one, in clones of one first state:",
            playouts(rows, "steps").markdown(),
            "Getting ready, without imports; a cached object is one that an earlier run has compiled:",
            preparations(prepared).markdown(),
            "Whole commands, with the start of their process:",
            durations(whole).markdown(),
            "What was aimed at, in the same run:",
            aimed.markdown(),
            END,
        )
    )


def small_part(rows: Sequence[Row]) -> str:
    """One table of whole games, between the marks and with them."""
    return "\n\n".join((BEGIN, small(playouts(rows)).markdown(), END))


def small(games: Table) -> Table:
    """The lines of a table of whole games that the README shows."""
    return Table(games.head, tuple(line for line in games.lines if line[0] in IN_README))


def filled(text: str, new: str) -> str:
    """A page with another part, which begins and ends with its marks. Raises ValueError if they are not there, once."""
    lines = new.splitlines()
    begin, end = lines[0], lines[-1]
    part = between(begin, end)
    if len(part.findall(text)) != 1:
        raise ValueError(f"the page has no part between `{begin}` and `{end}`")
    return part.sub(lambda _: new, text)
