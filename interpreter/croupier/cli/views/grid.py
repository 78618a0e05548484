"""A board on a terminal: its rows with numbers, a short sign for whatever lies there, and what the signs mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from croupier.diagnostics import sanitise

if TYPE_CHECKING:
    from croupier.play.look import Grid

EMPTY, SHORT, WIDEST = "·", 3, 110


def grid_lines(grid: Grid) -> list[str]:
    """The lines of a board, without indentation; cells that are too full for that are listed, the empty ones left out."""
    signs = _signs(sorted({word for row in grid.rows for cell in row for word in cell}))
    cells = [[",".join(signs[word] for word in cell) or EMPTY for cell in row] for row in grid.rows]
    width = max((len(cell) for row in cells for cell in row), default=1)
    margin = len(str(len(cells)))
    if margin + (width + 1) * max(map(len, cells), default=0) > WIDEST:
        found = [f"({r},{c}): [{', '.join(map(sanitise, cell))}]" for r, row in enumerate(grid.rows, 1) for c, cell in enumerate(row, 1) if cell]
        return [*found, "all other cells: []"]
    width = max(width, len(str(max(map(len, cells), default=0))))
    lines = [" " * margin + "".join(f" {number:<{width}}" for number in range(1, len(cells[0]) + 1)).rstrip()] if cells else []
    for number, row in enumerate(cells, 1):
        shift = " " * ((number - 1) * (width + 1) // 2) if grid.shift else ""
        lines.append(f"{number:>{margin}}{shift}" + "".join(f" {cell:<{width}}" for cell in row).rstrip())
    meant = [f"{sign} {sanitise(word)}" for word, sign in signs.items() if sign != sanitise(word)]
    several = any(len(cell) > 1 for row in grid.rows for cell in row)
    if meant or several:
        lines.append("; ".join([", ".join(meant)] * bool(meant) + ["in a cell from the bottom to the top"] * several))
    return lines


def _signs(words: list[str]) -> dict[str, str]:
    """A sign of its own for each word: itself if it is short, else its initials or as many letters as it takes."""
    signs: dict[str, str] = {}
    taken = {word for word in words if len(word) <= SHORT}
    for word in words:
        clean = sanitise(word)
        parts = [part for part in re.split(r"[\W_]+", clean) if part]
        letters = "".join(parts)
        tries = ["".join(part[0] for part in parts)[:SHORT], *(letters[:k] for k in range(1, len(letters) + 1)), clean]
        signs[word] = clean if len(word) <= SHORT else next((sign for sign in tries if sign and sign not in taken), clean)
        taken.add(signs[word])
    return signs
