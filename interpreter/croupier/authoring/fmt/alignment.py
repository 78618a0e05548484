"""Columns of a table that its author has aligned: cells of rows in brackets that stand below each other.

Where the cells of neighbouring rows begin, or end, in one column, and blanks were put in for that, they do so
in the layout, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

OPENING = ("[", "{")


@dataclass
class AlignedCell:
    """An atom of a row: its sign (empty for a scalar), where the author began and ended it, whether blanks
    were put in before it, and where it is.
    """

    sign: str
    start: int
    end: int
    spaced: bool
    at: int
    size: int
    pad: int = 0

    @property
    def movable(self) -> bool:
        """Tell whether blanks may stand before it; commas, colons and closing brackets never move."""
        return not self.sign or self.sign in OPENING


@dataclass
class AlignedRow:
    """A line of the layout, by its number, with its cells."""

    line: int
    cells: list[AlignedCell] = field(default_factory=list)

    def shape(self, k: int) -> tuple[str, ...]:
        """The signs up to a cell."""
        return tuple(cell.sign for cell in self.cells[: k + 1])

    def move(self, k: int, pad: int) -> None:
        self.cells[k].pad += pad
        for cell in self.cells[k:]:
            cell.at += pad


def align(rows: list[AlignedRow], out: list[str], remarks: dict[int, int]) -> None:
    """Put blanks into the lines of `out`; `remarks` say where comments behind them begin."""
    for run in _runs(rows):
        for k in range(1, max(len(row.cells) for row in run)):
            for group, by_end in _groups(run, k):
                edges = [row.cells[k].at + (row.cells[k].size if by_end else 0) for row in group]
                for row, edge in zip(group, edges, strict=True):
                    row.move(k, max(edges) - edge)
    for row in rows:
        pads = [(cell.at - cell.pad, cell.pad) for cell in row.cells if cell.pad]
        moved = 0
        line = out[row.line]
        for at, pad in pads:  # where a cell is, the blanks of those before it are in already
            line = line[:at] + " " * pad + line[at:]
            moved += pad
        out[row.line] = line
        if moved and row.line in remarks:
            remarks[row.line] += moved


def _runs(rows: list[AlignedRow]) -> Iterator[list[AlignedRow]]:
    """Rows in lines that follow each other and begin in one column."""
    run: list[AlignedRow] = []
    for row in rows:
        if run and (row.line != run[-1].line + 1 or row.cells[0].at != run[-1].cells[0].at):
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _groups(run: list[AlignedRow], k: int) -> Iterator[tuple[list[AlignedRow], bool]]:
    """Neighbours whose cells of one number were aligned by the author, and whether that is at their ends."""
    group: list[AlignedRow] = []
    starts = ends = True
    for row in [*run, None]:
        cell = row.cells[k] if row is not None and k < len(row.cells) and row.cells[k].movable else None
        if group and row is not None and cell is not None and row.shape(k) == group[-1].shape(k):
            first = group[0].cells[k]
            same_start, same_end = starts and cell.start == first.start, ends and cell.end == first.end
            if same_start or same_end:
                group.append(row)
                starts, ends = same_start, same_end
                continue
        if len(group) > 1 and any(member.cells[k].spaced for member in group):
            yield group, not starts
        group, starts, ends = ([row] if row is not None and cell is not None else []), True, True
