"""Boards: cells in reading order, steps by direction, rows, columns and straight runs, computed once when a game is set up."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.semantics.types import DIRECTIONS

D = {name: i for i, name in enumerate(DIRECTIONS)}
ORTHOGONAL = ("up", "right", "down", "left")
DIAGONAL = ("up_right", "down_right", "down_left", "up_left")
OFFSETS = {
    "up": (-1, 0), "up_right": (-1, 1), "right": (0, 1), "down_right": (1, 1),
    "down": (1, 0), "down_left": (1, -1), "left": (0, -1), "up_left": (-1, -1),
}  # fmt: skip
HEX = ("up", "up_right", "right", "down", "down_left", "left")  # a rhombus: row and column steps and one diagonal
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
    _lines: dict[int, tuple[tuple[int, ...], ...]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.names)

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
        """Every straight run of n different cells, each once: by first cell in reading order, then by direction. None if that passes a limit of
        cells looked at."""
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


def rectangle(name: str, rows: int, columns: int, adjacency: str) -> Topology:
    """A grid; row 1 is the top row, column 1 the leftmost."""
    around = {"orthogonal": ORTHOGONAL, "diagonal": DIAGONAL, "all": (*ORTHOGONAL, *DIAGONAL)}[adjacency]
    return _grid(name, rows, columns, tuple(OFFSETS), tuple(d for d in DIRECTIONS if d in around))


def hexes(name: str, rows: int, columns: int) -> Topology:
    """A rhombus of hexagons: six directions."""
    return _grid(name, rows, columns, HEX, HEX)


def _grid(name: str, rows: int, columns: int, known: tuple[str, ...], around: tuple[str, ...]) -> Topology:
    steps: list[dict[int, int]] = []
    for i in range(rows * columns):
        r, k = divmod(i, columns)
        here = {}
        for d in known:
            y, x = r + OFFSETS[d][0], k + OFFSETS[d][1]
            if 0 <= y < rows and 0 <= x < columns:
                here[D[d]] = y * columns + x
        steps.append(here)
    directions = tuple(D[d] for d in around)
    return Topology(
        name, [f"({r + 1},{k + 1})" for r in range(rows) for k in range(columns)], steps, directions,
        [tuple(s[d] for d in directions if d in s) for s in steps], [tuple(range(r * columns, (r + 1) * columns)) for r in range(rows)],
        [tuple(range(k, rows * columns, columns)) for k in range(columns)], [r + 1 for r in range(rows) for _ in range(columns)],
        [k + 1 for _ in range(rows) for k in range(columns)],
    )  # fmt: skip


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


def _plain(name: str, names: list[str], steps: list[dict[int, int]], adjacent: list[tuple[int, ...]]) -> Topology:
    order = list(range(len(names)))
    used = sorted({d for s in steps for d in s})
    return Topology(name, names, steps, tuple(used), adjacent, [tuple(order)], [(c,) for c in order], [1] * len(names), [c + 1 for c in order])
