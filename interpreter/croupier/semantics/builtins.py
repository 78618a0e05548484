"""The built-in words of the language, in tables: attributes and methods by the kind of value, functions,
aggregates.

Each row names its operation in the typed tree, its signature for people, what its arguments must be, and its
type as a function of theirs. The specification, completion and hover read the same tables.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.kernel import types as t
from croupier.kernel.types import BOOL, INT, PLAYER, Type
from croupier.records import dataclass

Result = Callable[[Type], Type]


@dataclass(frozen=True)
class Member:
    """An attribute (`args` is `None`) or a method of a kind of value."""

    signature: str
    doc: str
    result: Result
    args: tuple[Callable[[Type], Type], ...] | None = None


def _base(c: Type) -> Type:
    if isinstance(c, (t.Collection, t.Optional)):
        return c.base
    if isinstance(c, (t.Zone, t.Family)):
        return t.Component(c.kinds)
    return t.UNKNOWN


def _first(c: Type) -> Type:
    base = _base(c)
    return base if isinstance(c, t.Collection) and c.nonempty else t.Optional(base)


def _list(c: Type) -> Type:
    return t.list_of(_base(c), isinstance(c, t.Collection) and c.nonempty)


def _key(c: Type) -> Type:
    return t.Optional(c.key) if isinstance(c, t.Family) else t.UNKNOWN


def _cell(b: Type) -> Type:
    """The cells of a board; the checker puts in their declared name."""
    match b:
        case t.Cell():
            return b
        case t.Board():
            return t.Cell(b.name)
        case _:
            return t.UNKNOWN


def _cells(b: Type) -> Type:
    return t.list_of(_cell(b), True)


def _whole(kind: Type) -> str:
    """The board that cells, edges, corners or links belong to."""
    match kind:
        case t.Cell():
            name = kind.board
        case t.Board():
            name = kind.name
        case _:
            name = ""
    return name.partition(" ")[0]


def _part(b: Type, shape: str) -> Type:
    return t.Board(f"{_whole(b)} {shape}")


def _end(of: Type) -> Type:
    """The cells that an edge or a link joins."""
    cells = _parts(of, "")
    assert isinstance(cells, t.Collection)
    return cells.base


def _parts(c: Type, shape: str) -> Type:
    """Edges, corners, links or, of no shape, cells of the same board."""
    return t.list_of(t.Cell(f"{_whole(c)} {shape}".rstrip()), shape != "links")


def _kind(c: Type) -> Type:
    """The kinds of links; the checker puts in the name of their enumeration."""
    return t.Enum(f"{_whole(c)} links")


def _lines(b: Type) -> Type:
    return t.list_of(t.list_of(_cell(b), True))


def _all_lines(b: Type) -> Type:
    return t.list_of(t.list_of(_cell(b), True), True)


def _counts(c: Type) -> Type:
    return t.Map(_base(c), COUNT)


def _keys(c: Type) -> Type:
    assert isinstance(c, t.Map)
    return t.list_of(c.key)


COUNT = t.Int(0, None)
SEQUENCE: dict[str, Member] = {
    "size": Member("xs.size -> int", "how many there are", lambda c: COUNT),
    "empty": Member("xs.empty -> bool", "are there none?", lambda c: BOOL),
    "first": Member("xs.first -> T?", "the first, or none", _first),
    "last": Member("xs.last -> T?", "the last, or none", _first),
    "reversed": Member("xs.reversed -> list of T", "from the last to the first", _list),
    "all_equal": Member(
        "xs.all_equal -> bool", "are all of them equal? (true of none and of one)", lambda c: BOOL
    ),
    "all_different": Member("xs.all_different -> bool", "are no two of them equal?", lambda c: BOOL),
    "take": Member(
        "xs.take(n) -> list of T",
        "the first n, or all if there are fewer",
        lambda c: t.list_of(_base(c)),
        (lambda c: INT,),
    ),
    "drop": Member(
        "xs.drop(n) -> list of T", "all but the first n", lambda c: t.list_of(_base(c)), (lambda c: INT,)
    ),
    "times": Member("xs.times(x) -> int", "how often x occurs", lambda c: COUNT, (_base,)),
    "position": Member(
        "xs.position(x) -> int?",
        "where x first occurs, counted from 1, or none",
        lambda c: t.Optional(t.Int(1)),
        (_base,),
    ),
    "distinct": Member("xs.distinct -> list of T", "each value once, where it first occurs", _list),
}
COUNTED: dict[str, Member] = {
    **SEQUENCE,
    "counts": Member(
        "xs.counts -> int per T", "how often each value occurs: of an enumeration, or of players", _counts
    ),
}
MEMBERS: dict[str, dict[str, Member]] = {
    "list": COUNTED, "set": SEQUENCE, "bag": COUNTED,
    "map": {"list": Member("m.list -> list of K",
    "of numbers by value or by player: each key as often as its number says", _keys)},
    "zone": {
        **SEQUENCE,
        "top": Member("z.top -> C?", "the top component of a pile, or none", lambda c: t.Optional(_base(c))),
        "bottom": Member("z.bottom -> C?", "the bottom component of a pile, or none",
        lambda c: t.Optional(_base(c))),
        "above": Member("z.above(n) -> list of C", "what lies above the lowest n, in order",
        lambda c: t.list_of(_base(c)), (lambda c: INT,)),
        "room": Member("z.room -> int", "how many more fit (a zone without capacity: all there are)",
        lambda c: COUNT),
        "shuffled": Member("z.shuffled -> bool", "does a part of a pile lie in an order that nobody knows?",
        lambda c: BOOL),
        "list": Member("z.list -> list of C", "the contents, bottom to top", _list),
    },
    "family": {
        **SEQUENCE,
        "list": Member("zs.list -> list of C", "the contents of all of them, in the order of the keys",
        _list),
        "key": Member("zs.key(c) -> K?", "the key of the zone that holds c, or none", _key, (_base,)),
    },
    "optional": {"list": Member("x.list -> list of T", "a list of the value, empty if there is none",
    lambda c: t.list_of(_base(c)))},
    "player": {"seat": Member("p.seat -> int", "the number of the seat, counted from 1",
    lambda c: t.Int(1, 64))},
    "component": {"owner": Member("c.owner -> Player?", "the player whose zone holds it, or none",
    lambda c: t.Optional(PLAYER))},
    "enum": {
        "rank": Member("v.rank -> int", "its place in the declaration, counted from 1",
        lambda c: t.Int(1, 1000)),
        "next": Member("v.next -> T", "the value after it; the first after the last", lambda c: c),
        "previous": Member("v.previous -> T", "the value before it; the last before the first", lambda c: c),
    },
    "direction": {"opposite": Member("d.opposite -> Direction", "the other way: of `up`, `down`",
    lambda c: c)},
    "board": {
        "size": Member("b.size -> int", "how many cells it has", lambda c: t.Int(1, None)),
        "cells": Member("b.cells -> list of cells", "every cell, in reading order", _cells),
        "origin": Member("b.origin -> cell", "the first cell of a board that grows, (0,0)", _cell),
        "occupied": Member("b.occupied -> list of cells", "the cells on which something lies",
        lambda c: t.list_of(_cell(c))),
        "frontier": Member(
            "b.frontier -> list of cells",
            "the empty cells next to these; the first cell of a growing board if there are none",
            lambda c: t.list_of(_cell(c)),
        ),
        "rows": Member("b.rows -> list of list of cells", "every row, left to right", _all_lines),
        "columns": Member("b.columns -> list of list of cells", "every column, top to bottom", _all_lines),
        "row": Member("b.row(r) -> list of cells", "the cells of row r", _cells, (lambda c: INT,)),
        "column": Member("b.column(k) -> list of cells", "the cells of column k, top to bottom", _cells,
        (lambda c: INT,)),
        "lines": Member("b.lines(n) -> list of list of cells", "every straight run of n cells", _lines,
        (lambda c: INT,)),
        "at": Member("b.at(r, k) -> cell?", "the cell in row r and column k", lambda c: t.Optional(_cell(c)),
        (lambda c: INT, lambda c: INT)),
        "directions": Member("b.directions -> list of Direction", "the directions of its adjacency",
        lambda c: t.list_of(t.DIRECTION, True)),
        "edges": Member("b.edges -> board of edges", "the edges of its cells, if they are places",
        lambda c: _part(c, "edges")),
        "corners": Member("b.corners -> board of corners", "the corners of its cells, if they are places",
        lambda c: _part(c, "corners")),
        "links": Member("b.links -> board of links", "the links of a graph, if they are places",
        lambda c: _part(c, "links")),
        "turned": Member(
            "b.turned(d, n) -> Direction",
            "the direction n places further among those of its adjacency, clockwise",
            lambda c: t.DIRECTION, (lambda c: t.DIRECTION, lambda c: INT),
        ),
        "between": Member(
            "b.between(x, y) -> list of cells", "the cells strictly between two on a straight run",
            lambda c: t.list_of(_cell(c)), (_cell, _cell)
        ),
    },
    "cell": {
        "row": Member("c.row -> int", "its row, counted from 1 at the top, or from the origin",
        lambda c: t.Int(1, None)),
        "column": Member("c.column -> int", "its column, counted from 1 at the left, or from the origin",
        lambda c: t.Int(1, None)),
        "adjacent": Member("c.adjacent -> list of cells", "its neighbours", lambda c: t.list_of(c)),
        "step": Member("c.step(d) -> cell?", "the neighbour in direction d, or none at the edge",
        lambda c: t.Optional(c), (lambda c: t.DIRECTION,)),
        "offset": Member(
            "c.offset(r, k) -> cell?", "the cell r rows down and k columns right, or none",
            lambda c: t.Optional(c), (lambda c: INT, lambda c: INT)
        ),
        "ray": Member("c.ray(d) -> list of cells", "all cells in direction d, nearest first",
        lambda c: t.list_of(c), (lambda c: t.DIRECTION,)),
        "edges": Member("c.edges -> list of edges", "the edges around it, clockwise from the top",
        lambda c: _parts(c, "edges")),
        "corners": Member("c.corners -> list of corners", "the corners around it, clockwise from the top",
        lambda c: _parts(c, "corners")),
        "links": Member("c.links -> list of links", "the links at it", lambda c: _parts(c, "links")),
        "linked": Member("c.linked(k) -> list of cells", "the cells that links of a kind lead to",
        lambda c: t.list_of(c), (_kind,)),
    },
    "edge": {
        "cells": Member("e.cells -> list of cells", "the cells on its two sides; at the rim only one",
        lambda c: _parts(c, "")),
        "across": Member("e.across(c) -> cell?", "the cell on the other side of c, or none",
        lambda c: t.Optional(_end(c)), (lambda c: _end(c),)),
        "corners": Member("e.corners -> list of corners", "its two ends", lambda c: _parts(c, "corners")),
        "adjacent": Member("e.adjacent -> list of edges", "the edges that share a corner with it",
        lambda c: t.list_of(c)),
    },
    "corner": {
        "cells": Member("k.cells -> list of cells", "the cells that meet there", lambda c: _parts(c, "")),
        "edges": Member("k.edges -> list of edges", "the edges that end there", lambda c: _parts(c, "edges")),
        "adjacent": Member("k.adjacent -> list of corners", "the other ends of these edges",
        lambda c: t.list_of(c)),
    },
    "link": {
        "cells": Member("l.cells -> list of cells", "its two ends", lambda c: _parts(c, "")),
        "across": Member("l.across(c) -> cell?", "the end that is not c, or none",
        lambda c: t.Optional(_end(c)), (lambda c: _end(c),)),
        "kind": Member("l.kind -> T", "its kind", lambda c: _kind(c)),
        "adjacent": Member("l.adjacent -> list of links", "the links that share an end with it",
        lambda c: t.list_of(c)),
    },
}  # fmt: skip

AGGREGATES: dict[str, tuple[str, str]] = {
    "count": (
        "count(condition for x in xs) -> int",
        "how often the condition holds; count(x for x in xs if c) counts those that pass",
    ),
    "sum": ("sum(n for x in xs) -> int", "the total; 0 of nothing"),
    "any": ("any(condition for x in xs) -> bool", "does it hold for at least one?"),
    "all": ("all(condition for x in xs) -> bool", "does it hold for each? (true of none)"),
    "max": ("max(n for x in xs) -> int?", "the largest; of nothing: none"),
    "min": ("min(n for x in xs) -> int?", "the smallest; of nothing: none"),
    "first": ("first(x for x in xs if c) -> T?", "the first that passes; of nothing: none"),
    "last": ("last(x for x in xs if c) -> T?", "the last that passes; of nothing: none"),
    "best": ("best(x for x in xs by key) -> T?", "the first with the greatest key; of nothing: none"),
    "worst": ("worst(x for x in xs by key) -> T?", "the first with the smallest key; of nothing: none"),
    "ties": ("ties(x for x in xs by key) -> list of T", "all with the greatest key"),
    "sorted": ("sorted(x for x in xs by key) -> list of T", "by ascending key; equal keys keep their order"),
    "only": ("only(x for x in xs) -> T?", "the one there is; none if there are none or several"),
    "set": ("set(x for x in xs) -> set of T", "the values, each once"),
    "bag": ("bag(x for x in xs) -> bag of T", "the values, without order"),
    "list": ("list(x for x in xs) -> list of T", "the values, in order"),
}

CLOSURES: dict[str, tuple[str, str]] = {
    "reached": (
        "reached(steps for x from start) -> list of T",
        "start, and all that steps lead to from there, each once, the nearest first",
    ),
    "groups": (
        "groups(steps for x from xs) -> list of list of T",
        "xs in groups: those that steps within xs lead to from each other",
    ),
}


@dataclass(frozen=True)
class BuiltinFunction:
    """A built-in function: how it is called, what it gives, and how many values it takes."""

    signature: str
    doc: str
    least: int = 1
    most: int = 1


FUNCTIONS: dict[str, BuiltinFunction] = {
    "clockwise": BuiltinFunction(
        "clockwise(p) -> list of Player",
        "every player once, from p in the order of play; clockwise(p, ps) only those of ps",
        most=2,
    ),
    "turns": BuiltinFunction(
        "turns() -> endless turns",
        "the players in turn without end; turns(p) from p, turns(ps) only those of ps; a `for` alone may "
        "walk it",
        least=0,
    ),
    "others": BuiltinFunction(
        "others(p) -> list of Player", "everybody else, clockwise from the player after p"
    ),
    "next": BuiltinFunction("next(p) -> Player", "the player after p; next(p, ps) the next of ps", most=2),
    "previous": BuiltinFunction("previous(p) -> Player", "the player before p", most=2),
    "abs": BuiltinFunction("abs(n) -> int", "without its sign"),
}
PLAIN_VALUES = {"players": "all players, in order of play from seat 1"}
