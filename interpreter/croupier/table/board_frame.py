"""The places of the cells of a board, and of its edges, corners and links: rows, columns and points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import cos, pi, sin

from croupier.runtime.boards import Topology, column_letters
from croupier.runtime.game import Game
from croupier.semantics.program import BoardDef, PartDef
from croupier.table.view import Cell

IN_ROWS = ("rectangle", "hex")
Area = tuple[int, int, int, int]  # top, left, bottom and right of what is drawn of a board that grows


class BoardFrame:
    """The part of a board, or of its edges, corners or links, that is drawn, and its places: all of it, or an
    area of a board that grows.
    """

    def __init__(self, game: Game, name: str, area: Area | None) -> None:
        board = whole_board(game.program.boards, name)
        self.area = area
        self.is_part = board != name
        self.whole = game.boards[board]
        self.topology = game.boards[name]
        self.shape, whole = game.program.boards[name].shape, self.whole
        self.between_squares = self.is_part and game.program.boards[board].shape == "rectangle"
        last = whole.first + len(whole.rows) - 1, whole.first + len(whole.columns) - 1
        self.top, self.left, bottom, right = area or (whole.first, whole.first, *last)
        self.high, self.wide = bottom - self.top + 1, right - self.left + 1
        self.drawn: Sequence[int] = range(self.topology.size)
        self.inside = frozenset[int]()
        if area is not None:
            rows, columns = range(self.top, bottom + 1), range(self.left, right + 1)
            self.inside = frozenset(
                c for c in range(whole.size) if whole.row_of[c] in rows and whole.column_of[c] in columns
            )
            self.drawn = [
                i
                for i in self.drawn
                if not self.inside.isdisjoint(self.topology.relations[""][i] if self.is_part else (i,))
            ]

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns. What lies between squares is in every other one."""
        if self.between_squares:
            return 2 * self.high + 1, 2 * self.wide + 1
        return (self.high, self.wide) if self.shape in IN_ROWS else (1, self.topology.size)

    def cells(self) -> tuple[Cell, ...]:
        """Return the cells that are drawn, without anything on them."""
        return tuple([Cell(self.topology.called[i], *self._place(i)) for i in self.drawn])

    @property
    def row_names(self) -> tuple[str, ...]:
        """What players call the rows, from the top; empty if by their numbers."""
        return tuple(map(str, range(self.high, 0, -1))) if self.whole.labels else ()

    @property
    def column_names(self) -> tuple[str, ...]:
        """What players call the columns; empty if by their numbers."""
        return tuple(map(column_letters, range(self.wide))) if self.whole.labels else ()

    def _place(self, i: int) -> tuple[int, int, float, float]:
        """Row and column, and the place in a square from 0 to 1."""
        topology, whole = self.topology, self.whole
        row, column = 0, i
        if self.shape in IN_ROWS:
            row, column = topology.row_of[i] - self.top, topology.column_of[i] - self.left
        if topology.spots:
            x, y = topology.spots[i]
        else:
            x, y = _spot(i, topology.size, self.shape, row, column, *self.size)
        if self.between_squares:
            row = round(2 * (y * len(whole.rows) - self.top + whole.first))
            column = round(2 * (x * len(whole.columns) - self.left + whole.first))
        elif self.area is not None and self.is_part:
            board = _extent(whole, self.shape, range(whole.size))
            area = _extent(whole, self.shape, self.inside)
            x, y = _within(x, y, board, area)
        return row, column, x, y

    def links(self) -> Links:
        """The lines that are drawn between cells."""
        is_drawn = self.shape not in (*IN_ROWS, "edges", "links")
        if is_drawn:
            return tuple((a, b) for a, near in enumerate(self.topology.adjacent) for b in near if a < b)
        return ()


def whole_board(defined: Mapping[str, BoardDef], name: str) -> str:
    """Return the name of the board to which these edges, corners or links belong; a whole board is its
    own.
    """
    part = defined[name]
    return part.of if isinstance(part, PartDef) else name


def _spot(
    i: int, size: int, shape: str, row: int, column: int, rows: int, columns: int
) -> tuple[float, float]:
    """Return the place of a cell in a square from 0 to 1.

    It is in its row, or on a circle; the hub of a ring is in the middle.
    """
    if shape in IN_ROWS:
        return (column + 0.5) / columns, (row + 0.5) / rows
    if shape == "hub" and i == 0:
        return 0.5, 0.5
    around, at = (size - 1, i - 1) if shape == "hub" else (size, i)
    angle = 2 * pi * at / max(1, around) - pi / 2
    return round(0.5 + 0.42 * cos(angle), 4), round(0.5 + 0.42 * sin(angle), 4)


def _extent(board: Topology, shape: str, cells: Iterable[int]) -> tuple[float, float, float, float]:
    """The outermost edges or corners of hexagons: left, top, right, bottom, in columns and rows."""
    columns, rows = zip(
        *((board.column_of[c] + board.row_of[c] / 2, board.row_of[c]) for c in cells), strict=True
    )
    rim = 2 / 3 if shape == "corners" else 1 / 2
    return min(columns) - 0.5, min(rows) - rim, max(columns) + 0.5, max(rows) + rim


def _within(x: float, y: float, whole: tuple[float, ...], part: tuple[float, ...]) -> tuple[float, float]:
    """Return a place of the whole, from 0 to 1, as a place in a part."""
    (left, top, right, bottom), (a, b, c, d) = whole, part
    return round((left + x * (right - left) - a) / (c - a), 4), round(
        (top + y * (bottom - top) - b) / (d - b), 4
    )


Links = tuple[tuple[int, int], ...]
