"""The tables that `tools/bench --readme` writes: all of them into grammar/reference/performance.md, a small
one into README.md.

Their numbers are those of one run on one machine: tests look at their shape alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from _bench.latency import Compiling, Times
from _bench.measuring import Row
from _bench.systems import NATIVE, PYTHON, REFERENCE
from _bench.tables import Table, durations, machine, playouts, preparations

BEGIN, END = "<!-- bench -->", "<!-- end of bench -->"


def between(begin: str, end: str) -> re.Pattern[str]:
    """The part of a page between two marks, with them."""
    return re.compile(re.escape(begin) + r"\n.*?" + re.escape(end), re.DOTALL)


PART = between(BEGIN, END)
COMMAND = "tools/bench --readme"
PAGE = "grammar/reference/performance.md"
RATIO = re.compile(r"\(([\d.]+) ×\)")
IN_README = {
    NATIVE: "many games: `simulate` and all of the lab take it by themselves (`auto`), where llvmlite is "
    "installed",
    PYTHON: "many games without llvmlite; steps from Python",
    REFERENCE: "one game: scenarios, `run`, `play`; it defines what a rule means",
}
"""The back ends that the README shows, and what each is for."""


def part(
    rows: Sequence[Row], prepared: Sequence[Compiling], whole: Sequence[Times], aimed: Table, rounds: int
) -> str:
    """All tables, between the marks and with them."""
    return "\n\n".join(
        (
            BEGIN,
            f"Measured by `{COMMAND}` in one run, {date.today().isoformat()}: {machine()}; medians of "
            f"{rounds} rounds in turn, of ratios the "
            "median of what each round says, of 3 rounds where compiling and whole commands are measured. "
            "Seconds are those of the processor, but in "
            "the column `clock`. Names stand with the number of players. Whole random games, with ratios to "
            "a class written by hand for that game "
            "alone:",
            playouts(rows).markdown(),
            "Steps from Python, a loop that asks for the legal actions and takes one, in clones of one first "
            "state:",
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
    """A row for each back end with the range of its ratios, between the marks and with them."""
    return "\n\n".join((BEGIN, small(playouts(rows)).markdown(), END))


def small(games: Table) -> Table:
    """Return a summary of a table of whole games: for each back end the least and the largest ratio to a
    class written by hand, and what it is for.
    """
    shares = {
        line[0]: sorted(float(ratio) for cell in line[1:] for ratio in RATIO.findall(cell))
        for line in games.lines
    }
    rows = tuple(
        (name, _range(shares[name]), purpose) for name, purpose in IN_README.items() if shares.get(name)
    )
    return Table(("back end", "speed", "for"), rows)


def _range(ratios: Sequence[float]) -> str:
    """The least and the largest of some ratios in words."""
    low, high = f"{ratios[0]:g}", f"{ratios[-1]:g}"
    return f"{low} ×" if low == high else f"{low} to {high} ×"


def filled(text: str, new: str) -> str:
    """A page with another part, which begins and ends with its marks.

    Raises ValueError if they are not there, once.
    """
    lines = new.splitlines()
    begin, end = lines[0], lines[-1]
    part = between(begin, end)
    if len(part.findall(text)) != 1:
        raise ValueError(f"the page has no part between `{begin}` and `{end}`")
    return part.sub(lambda _: new, text)


def write_part(page: Path, new: str) -> None:
    """Write another part into a page. Raises ValueError as `filled` does."""
    text = filled(page.read_text(encoding="utf-8"), new)
    page.write_text(text, encoding="utf-8", newline="\n")
