"""How often intervals and tests of `croupier compare` erred when that was last simulated (`_calibration.py`):
what is kept in a file, and the table that the reference shows.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = Path(__file__).with_name("calibration.csv")
COUNTED = ("signs", "signs_table", "told", "planned", "planned_table", "interval", "interval_table")


@dataclass(frozen=True)
class Calibration:
    """How many of the repetitions erred, alone and in a table; `None` where there is no interval.

    `told` of `repetitions` planned comparisons had a test of the first measure.
    """

    case: str
    repetitions: int
    mean: int | None
    mean_table: int | None
    signs: int
    signs_table: int
    told: int
    planned: int
    planned_table: int
    interval: int
    interval_table: int

    @property
    def errors(self) -> tuple[int, ...]:
        """The numbers of errors of all that is said."""
        found = (self.mean, self.mean_table, *(getattr(self, key) for key in COUNTED if key != "told"))
        return tuple(errors for errors in found if errors is not None)


def write(found: list[Calibration]) -> None:
    """Keep what was found."""
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(asdict(found[0])), lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(one) for one in found)


def read() -> list[Calibration]:
    """Return what was found and kept."""

    def number(row: dict[str, str], key: str) -> int | None:
        return int(row[key]) if row[key] else None

    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [
        Calibration(
            row["case"],
            int(row["repetitions"]),
            number(row, "mean"),
            number(row, "mean_table"),
            *(int(row[key]) for key in COUNTED),
        )
        for row in rows
    ]


def table(found: list[Calibration]) -> Iterator[str]:
    """Yield the lines of what was found as a table in Markdown."""
    yield (
        "| differences | watched: mean | in a table | watched: more often | in a table | planned: tested | "
        "verdict | in a table | interval | in a table |"
    )
    yield f"|---|{'---:|' * 9}"
    for one in found:
        cells = [one.mean, one.mean_table, *(getattr(one, key) for key in COUNTED)]
        shown = ("–" if cell is None else f"{cell / one.repetitions:.1%}" for cell in cells)
        yield f"| {one.case} | {' | '.join(shown)} |"
