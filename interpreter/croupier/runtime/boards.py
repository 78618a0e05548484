"""Boards: cells in reading order, steps by direction, rows, columns and straight runs, computed once when a
game is set up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from functools import cached_property
from itertools import product

from croupier.kernel.types import DIRECTIONS, HEX, OFFSETS, ORTHOGONAL, Virtual, meetings
from croupier.records import dataclass

D = {name: i for i, name in enumerate(DIRECTIONS)}
DIAGONAL = ("up_right", "down_right", "down_left", "up_left")
STRAIGHT = ("right", "down_right", "down", "down_left", "clockwise")


@dataclass
class Topology:
    """Cells are numbers; `steps[cell][direction]` is the neighbour in that direction."""

    name: str
    names: list[str]
    steps: list[dict[int, int]]
    directions: tuple[int, ...]
    adjacent: list[tuple[int, ...]]
    rows: list[tuple[int, ...]] = field(default_factory=list)
    columns: list[tuple[int, ...]] = field(default_factory=list)
    row_of: list[int] = field(default_factory=list)
    column_of: list[int] = field(default_factory=list)
    first: int = 1  # the number of the first row and of the first column
    # where the cells of a graph lie, each from 0 to 1; empty: anywhere
    spots: list[tuple[float, float]] = field(default_factory=list)
    # by cell the places of another kind that belong to it
    relations: dict[str, list[tuple[int, ...]]] = field(default_factory=dict)
    kinds: tuple[int, ...] = ()  # of links
    labels: list[str] = field(default_factory=list)  # what players read instead of names; empty: the names
    _lines: dict[int, tuple[tuple[int, ...], ...]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def called(self) -> list[str]:
        """What players read of the cells."""
        return self.labels or self.names

    def named(self, word: str) -> int | None:
        """The cell with this name or label; `None` if there is none."""
        for words in (self.names, self.labels):
            if word in words:
                return words.index(word)
        return None

    @cached_property
    def at(self) -> dict[tuple[int, int], int]:
        """The cells by row and column."""
        return {place: cell for cell, place in enumerate(zip(self.row_of, self.column_of, strict=True))}

    def ray(self, cell: int, direction: int) -> tuple[int, ...]:
        out = []
        at = self.steps[cell].get(direction)
        while at is not None and at != cell:
            out.append(at)
            at = self.steps[at].get(direction)
        return tuple(out)

    def run(self, cell: int, direction: int, n: int) -> tuple[int, ...]:
        """The straight run of n different cells that begins with one, or nothing."""
        out, at = [cell], self.steps[cell].get(direction)
        while len(out) < n and at is not None and at != cell:
            out.append(at)
            at = self.steps[at].get(direction)
        return tuple(out) if len(out) == n else ()

    def lines(self, n: int, limit: int) -> tuple[tuple[int, ...], ...] | None:
        """Return every straight run of `n` different cells, each once; `None` if that passes `limit` cells
        looked at.

        They are ordered by first cell in reading order, then by direction.
        """
        if n not in self._lines:
            found: dict[frozenset[int], tuple[int, ...]] = {}
            for c in range(self.size):
                for name in STRAIGHT:
                    run = self.run(c, D[name], n) if 0 < n <= self.size else ()
                    limit -= n
                    if limit < 0:
                        return None
                    if run:
                        found.setdefault(frozenset(run), run)
            self._lines[n] = tuple(found.values())
        return self._lines[n]

    def between(self, a: int, b: int) -> tuple[int, ...]:
        for direction in self.steps[a]:
            run = self.ray(a, direction)
            if b in run:
                return run[: run.index(b)]
        return ()


def rectangle(name: str, rows: int, columns: int, adjacency: str, first: int = 1) -> Topology:
    """A grid; the top row and the leftmost column have the first number."""
    around = {"orthogonal": ORTHOGONAL, "diagonal": DIAGONAL, "all": (*ORTHOGONAL, *DIAGONAL)}[adjacency]
    places = product(range(rows), range(columns))
    return _grid(name, places, tuple(OFFSETS), tuple(d for d in DIRECTIONS if d in around), first)


def hexes(name: str, rows: int, columns: int) -> Topology:
    """A rhombus of hexagons: six directions."""
    return _grid(name, product(range(rows), range(columns)), HEX, HEX)


def hexagon(name: str, size: int, first: int = 1) -> Topology:
    """A hexagon of hexagons with so many along each of its edges.

    Its rows and columns are those of the rhombus around it.
    """
    rhombus = product(range(2 * size - 1), repeat=2)
    places = [place for place in rhombus if size - 1 <= sum(place) <= 3 * (size - 1)]
    return _grid(name, places, HEX, HEX, first)


def _grid(
    name: str,
    places: Iterable[tuple[int, ...]],
    known: tuple[str, ...],
    around: tuple[str, ...],
    first: int = 1,
) -> Topology:
    """Cells at places, each a row and a column from 0, in reading order."""
    cells = {place: cell for cell, place in enumerate(places)}
    rows: dict[int, list[int]] = {}
    columns: dict[int, list[int]] = {}
    steps: list[dict[int, int]] = []
    for (r, k), cell in cells.items():
        rows.setdefault(r, []).append(cell)
        columns.setdefault(k, []).append(cell)
        beside = {D[d]: cells.get((r + OFFSETS[d][0], k + OFFSETS[d][1])) for d in known}
        steps.append({d: to for d, to in beside.items() if to is not None})
    directions = tuple(D[d] for d in around)
    return Topology(
        name,
        [f"({r + first},{k + first})" for r, k in cells],
        steps,
        directions,
        [tuple(s[d] for d in directions if d in s) for s in steps],
        [tuple(rows[r]) for r in sorted(rows)],
        [tuple(columns[k]) for k in sorted(columns)],
        [r + first for r, _ in cells],
        [k + first for _, k in cells],
        first,
    )


def ring(name: str, names: list[str], hub: bool) -> Topology:
    """Cells in a circle; with a hub, the first cell lies in the middle and touches all others."""
    outer = list(range(1 if hub else 0, len(names)))
    steps: list[dict[int, int]] = [{} for _ in names]
    for i, c in enumerate(outer):
        steps[c][D["clockwise"]] = outer[(i + 1) % len(outer)]
        steps[c][D["anticlockwise"]] = outer[i - 1]
        if hub:
            steps[c][D["inward"]] = 0
    adjacent = [tuple(dict.fromkeys(x for x in s.values() if x != c)) for c, s in enumerate(steps)]
    if hub:
        adjacent[0] = tuple(outer)
    return _plain(name, names, steps, adjacent)


def graph(name: str, names: list[str], links: tuple[tuple[str, str], ...]) -> Topology:
    """Any neighbourhood: pairs of cells that touch."""
    index = {n: i for i, n in enumerate(names)}
    near: list[set[int]] = [set() for _ in names]
    for a, b in links:
        near[index[a]].add(index[b])
        near[index[b]].add(index[a])
    return _plain(name, names, [{} for _ in names], [tuple(sorted(s)) for s in near])


def algebraic(board: Topology) -> list[str]:
    """The cells of a rectangle by a letter for the column and a number for the row, from the bottom row up:
    `a1` is at the lower left.
    """
    high = len(board.rows)
    return [
        f"{column_letters(column - board.first)}{high - (row - board.first)}"
        for row, column in zip(board.row_of, board.column_of, strict=True)
    ]


def column_letters(column: int) -> str:
    """The letters of a column, counted from 0: a to z, then aa, ab and so on."""
    letters = ""
    while column >= 0:
        column, letter = divmod(column, 26)
        letters = f"{chr(ord('a') + letter)}{letters}"
        column -= 1
    return letters


def _plain(
    name: str, names: list[str], steps: list[dict[int, int]], adjacent: list[tuple[int, ...]]
) -> Topology:
    order = list(range(len(names)))
    used = sorted({d for s in steps for d in s})
    return Topology(
        name,
        names,
        steps,
        tuple(used),
        adjacent,
        [tuple(order)],
        [(c,) for c in order],
        [1] * len(names),
        [c + 1 for c in order],
    )


# ---------------------------------------------------------------- edges, corners, links
def edges_and_corners(board: Topology, is_hex: bool) -> tuple[Topology, Topology]:
    """The edges and the corners of the cells of a board of squares or hexagons, each as cells have them,
    clockwise from the top.
    """
    words = HEX if is_hex else ORTHOGONAL
    edges, corners = _Places(board, is_hex), _Places(board, is_hex)
    for cell in range(board.size):
        for i, (beside, around) in enumerate(
            meetings(board.row_of[cell], board.column_of[cell], is_hex=is_hex)
        ):
            edges.take(cell, beside, words[i])
            corners.take(cell, around, f"{words[i]}/{words[(i + 1) % len(words)]}")
    ends: list[tuple[int, ...]] = [()] * len(edges.found)
    starting: list[tuple[int, ...]] = [()] * len(corners.found)
    for cell, mine in enumerate(edges.by_cell):
        for i, edge in enumerate(mine):
            if not ends[edge]:
                ends[edge] = (corners.by_cell[cell][i - 1], corners.by_cell[cell][i])
                for corner in ends[edge]:
                    starting[corner] += (edge,)
    board.relations |= {
        "edges": [tuple(x) for x in edges.by_cell],
        "corners": [tuple(x) for x in corners.by_cell],
    }
    one = edges.topology(
        f"{board.name} edges",
        [tuple(dict.fromkeys(e for c in ends[i] for e in starting[c] if e != i)) for i in range(len(ends))],
    )
    other = corners.topology(
        f"{board.name} corners",
        [tuple(d for e in mine for d in ends[e] if d != i) for i, mine in enumerate(starting)],
    )
    one.relations |= {"corners": ends}
    other.relations |= {"edges": starting}
    return one, other


class _Places:
    """Edges or corners that are found, cell by cell."""

    def __init__(self, board: Topology, is_hex: bool) -> None:
        self.board, self.is_hex = board, is_hex
        self.found: dict[Virtual, int] = {}
        self.names: list[str] = []
        self.labels: list[str] = []
        self.cells: list[list[int]] = []
        self.by_cell: list[list[int]] = [[] for _ in board.names]

    def take(self, cell: int, meet: Virtual, words: str) -> None:
        """A cell has the place where these meet."""
        if meet not in self.found:
            self.found[meet] = len(self.names)
            self.names.append(f"{self.board.names[cell]} {words}")
            self.labels.append(f"{self.board.called[cell]} {words}")
            self.cells.append([])
        place = self.found[meet]
        self.by_cell[cell].append(place)
        self.cells[place].append(cell)
        if "/" not in words and len(self.cells[place]) == 2:
            self.names[place] = "-".join(self.board.names[c] for c in self.cells[place])
            self.labels[place] = "-".join(self.board.called[c] for c in self.cells[place])

    def topology(self, name: str, adjacent: list[tuple[int, ...]]) -> Topology:
        made = _plain(name, self.names, [{} for _ in self.names], adjacent)
        made.labels = self.labels if self.board.labels else []
        made.relations[""] = [tuple(cells) for cells in self.cells]
        middles = [_middle(meet, self.is_hex) for meet in self.found]
        (left, right), (top, bottom) = ((min(v), max(v)) for v in zip(*middles, strict=True))
        wide, high = max(right - left, 1e-9), max(bottom - top, 1e-9)
        made.spots = [(round((x - left) / wide, 4), round((y - top) / high, 4)) for x, y in middles]
        return made


def _middle(meet: Virtual, is_hex: bool) -> tuple[float, float]:
    """Return the point where cells meet, in columns to the right and rows down."""
    return sum(k + (r / 2 if is_hex else 0) for r, k in meet) / len(meet), sum(r for r, _ in meet) / len(meet)


def links_of(
    board: Topology, links: tuple[tuple[str, str], ...], kinds: tuple[int, ...], words: tuple[str, ...]
) -> Topology:
    """The links of a graph, in their order; `kinds` is that of each, a place in `words`."""
    index = {name: i for i, name in enumerate(board.names)}
    ends: list[tuple[int, ...]] = [(index[a], index[b]) for a, b in links]
    pairs = [frozenset(pair) for pair in ends]
    names: list[str] = []
    for i, (a, b) in enumerate(links):
        name = f"{a}-{b}" + (f" {words[kinds[i]]}" if kinds and pairs.count(pairs[i]) > 1 else "")
        again = sum(
            other == name or other.startswith(f"{name} ") and other[len(name) + 1 :].isdigit()
            for other in names
        )
        names.append(f"{name} {again + 1}" if again else name)
    at: list[list[int]] = [[] for _ in board.names]
    for i, pair in enumerate(ends):
        for cell in dict.fromkeys(pair):
            at[cell].append(i)
    board.relations["links"] = [tuple(x) for x in at]
    near = [
        tuple(dict.fromkeys(j for cell in pair for j in at[cell] if j != i)) for i, pair in enumerate(ends)
    ]
    made = _plain(f"{board.name} links", names, [{} for _ in names], near)
    made.relations[""], made.kinds = list(ends), kinds
    if kinds:
        other = [
            [(ends[i][1] if ends[i][0] == cell else ends[i][0], kinds[i]) for i in mine]
            for cell, mine in enumerate(at)
        ]
        board.relations["linked"] = [
            tuple(sorted({d for d, of in mine if of == k})) for mine in other for k in range(len(words))
        ]
    return made
