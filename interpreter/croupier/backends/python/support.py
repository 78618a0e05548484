"""What compiled code calls: moving components, watchers, values that take more than an expression. One set of functions for each game.

The primitives of the table are those of the reference evaluator, without a recorder; a fault in them is a deviation here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Any

from croupier.backends.facts import SHORT_LIST
from croupier.backends.python.around import Around
from croupier.backends.python.position import Deviation, Position
from croupier.backends.python.search import Search
from croupier.backends.python.stands import Stand, menu_rows, outcomes
from croupier.runtime.aggregates import canonical
from croupier.runtime.evaluate import flat, known_at, size
from croupier.runtime.faults import GameOver
from croupier.runtime.functions import MAX_LOOKED
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import MAX_HEIGHT
from croupier.runtime.sight import among as bits_of
from croupier.runtime.table import replaced

Helpers = dict[str, Callable[..., Any]]
BUILTINS: tuple[Callable[..., Any], ...] = (len, tuple, list, sorted, range, min, max, set, abs, type, enumerate)


def helpers(game: Game, around: Around, search: Search) -> Helpers:
    """Every function that compiled code may call, by name."""
    table = Tabling(game)
    out: Helpers = {f.__name__: f for f in (*BUILTINS, *VALUES)}
    out |= {
        "move": table.move, "move_several": table.move_several, "move_all": table.move_all, "shuffle": table.shuffle, "exchange": table.exchange,
        "exchange_zones": table.exchange_zones, "notice": table.notice, "item_of": table.item_of, "above_of": table.above_of,
        "room_of": table.room_of, "unique": dict.fromkeys, "bits_of": bits_of,
    }  # fmt: skip

    def words(known: tuple[Any, Any], values: tuple[Value, ...]) -> str:
        parts, kinds = known
        fresh = iter(zip(values, kinds, strict=True))
        return "".join([game.show(*next(fresh)) if part is None else part for part in parts])

    def deep(p: Position, routine: int, nested: int) -> None:
        if sum(1 for f in p.frames if around.of(f) == routine) > nested:
            raise Deviation

    def everybody(p: Position, f: list[Value], stand: Stand) -> bool:
        waiting = stand.pending(p, f)
        for seat in waiting:
            if not stand.offer_to(p, seat):
                raise Deviation
        return bool(waiting)

    def begin(stand: Stand, p: Position, f: list[Value]) -> Any:
        return stand.agent.begin(p, f)

    out |= {"foresees": search.foresees, "tried": search.tried, "settles": search.settles, "judged": search.judged, "stuck": search.stuck}
    out |= {"words": words, "deep": deep, "everybody": everybody, "begin": begin, "leave": around.leave, "call_around": around.call_around}
    return out | {"enter_original": around.enter_original, "open_window": around.open_window, "with_reactions": around.with_reactions}


# ------------------------------------------------------------ values
def one_or_none(v: Value) -> tuple[Value, ...]:
    return () if v is None else (v,)


def different(items: Iterable[Value]) -> bool:
    found = tuple(items)
    return len(set(found)) == len(found)


def position(items: tuple[Value, ...], wanted: Value) -> int | None:
    return items.index(wanted) + 1 if wanted in items else None


def without(items: Iterable[Value], away: Iterable[Value]) -> tuple[Value, ...]:
    gone = set(away)
    return tuple([v for v in items if v not in gone])


def counted(function: Callable[..., Any], index: int, nested: int, chain: int) -> Callable[..., Any]:
    """A routine that may call itself, `nested` deep; `chain` is how deep the texts of one chain of calls are nested."""

    def run(p: Position, *args: Value) -> Any:
        depth = p.depth
        before = depth.get(index, 0)
        if before > nested or (1 + sum(depth.values())) * chain > MAX_HEIGHT:
            raise Deviation
        depth[index] = before + 1
        try:
            return function(p, *args)
        finally:
            depth[index] = before

    return run


def limited(items: list[Value]) -> list[Value]:
    """A list as it is, unless it is longer than lists are here."""
    if len(items) > SHORT_LIST:
        raise Deviation
    return items


def removed(items: tuple[Value, ...], value: Value) -> tuple[Value, ...]:
    if value not in items:
        return items
    i = items.index(value)
    return items[:i] + items[i + 1 :]


def sort_by(items: Iterable[Value], keys: Iterable[Any]) -> tuple[Value, ...]:
    return tuple([v for v, _ in sorted(zip(items, keys, strict=True), key=lambda pair: pair[1])])


def among(players: tuple[int, ...], wanted: Iterable[int]) -> tuple[int, ...]:
    found = tuple(wanted)
    return tuple([p for p in players if p in found])


def next_of(p: int, ps: tuple[int, ...], by: int, n: int) -> int:
    for i in range(1, n + 1):
        if (p + by * i) % n in ps:
            return (p + by * i) % n
    raise Deviation


def changed(items: tuple[Value, ...], at: int, value: Value) -> tuple[Value, ...]:
    if not 0 <= at < len(items):
        raise Deviation
    return (*items[:at], value, *items[at + 1 :])


def filled(count: int, other: Value, pairs: tuple[tuple[int, Value], ...]) -> tuple[Value, ...]:
    out = [other] * count
    for at, value in pairs:
        out[at] = value
    return tuple(out)


def family(zones: list[tuple[Any, ...]], first: int, count: int) -> tuple[int, ...]:
    out: list[int] = []
    for items in zones[first : first + count]:
        out.extend(flat(items))
    return tuple(out)


def lines_of(board: Any, n: int) -> tuple[tuple[int, ...], ...]:
    found: tuple[tuple[int, ...], ...] | None = board.lines(n, MAX_LOOKED)
    if found is None:
        raise Deviation
    return found


def cell_at(rows: tuple[tuple[int, ...], ...], row: int, column: int) -> int | None:
    return rows[row - 1][column - 1] if 1 <= row <= len(rows) and 1 <= column <= len(rows[0]) else None


def between(board: Any, a: int, b: int) -> tuple[int, ...]:
    return board.between(a, b)  # type: ignore[no-any-return]


def lies_in(test: Callable[[Value, Any], None], value: Value) -> Value:
    """The value, if it lies in its type; the test faults otherwise."""
    test(value, None)
    return value


def merged(offered: list[tuple[int, Value]], keys: list[Any], classes: bool) -> list[Any]:
    """Actions and values, of those alike only the first; or all of them, class by class."""
    found: dict[Any, list[tuple[int, Value]]] = {}
    for pair, key in sorted(zip(offered, keys, strict=True), key=lambda x: x[0][0]):
        found.setdefault(key, []).append(pair)
    return list(found.values()) if classes else [alike[0] for alike in found.values()]


def offered(values: list[Value], by: int) -> list[tuple[int, Value]]:
    """Actions and values in ascending order, each once."""
    return [(int(v) + by, v) for v in sorted(set(values))]


def shifted(pairs: list[tuple[int, Value]], by: int) -> list[tuple[int, Value]]:
    return [(place + by, v) for place, v in pairs] if by else pairs


VALUES: tuple[Callable[..., Any], ...] = (
    flat, size, canonical, menu_rows, outcomes, one_or_none, different, position, without, limited, removed, sort_by, among, next_of, changed, filled,
    family, lines_of, cell_at, between, lies_in, merged, offered, shifted,
)  # fmt: skip


class Tabling:
    """Components and watchers of one game."""

    def __init__(self, game: Game) -> None:
        self.game, places = game, game.places
        code = game.code
        self.capacity = [p.capacity for p in places]
        self.sorted = [p.order in ("set", "bag") for p in places]
        everything = {p.kind for p in game.pieces}
        self.holds = [
            None if everything <= set(kinds) else frozenset(x.number for x in game.pieces if x.kind in kinds)
            for kinds in (code.holds[p.number] for p in places)
        ]
        self.watchers: list[tuple[str, Callable[..., Any], Callable[..., Any], bool, int]] = []  # with what each takes
        self.watching = list(code.watch_zones)
        self.move = self.mover()

    # ------------------------------------------------------------ moving
    def mover(self) -> Callable[[Position, int, int, bool], None]:
        capacity, ordered, holds, watching, notice = self.capacity, self.sorted, self.holds, self.watching, self.notice
        watched = any(watching)

        def move(p: Position, piece: int, z: int, top: bool) -> None:
            zones, where = p.zones, p.where
            fits = holds[z]
            if fits is not None and piece not in fits:
                raise Deviation
            source = where[piece]
            if source >= 0:
                items = zones[source]
                if items and items[-1] == piece:
                    zones[source] = items[:-1]
                elif piece in items:
                    i = items.index(piece)
                    zones[source] = items[:i] + items[i + 1 :]
                else:
                    zones[source] = taken(items, piece)
            items = zones[z]
            limit = capacity[z]
            if limit is not None and size(items) >= limit:
                raise Deviation
            if ordered[z]:
                if items and items[-1] > piece:
                    i = bisect_right(items, piece)
                    zones[z] = (*items[:i], piece, *items[i:])
                else:
                    zones[z] = (*items, piece)
            elif top:
                zones[z] = (*items, piece)
            else:
                zones[z] = (piece, *items)
            where[piece] = z
            if watched:
                if source >= 0 and watching[source]:
                    notice(p, watching[source])
                if z != source and watching[z]:
                    notice(p, watching[z])

        return move

    def move_several(self, p: Position, pieces: tuple[int, ...], z: int, top: bool) -> None:
        for piece in pieces if top else pieces[::-1]:
            self.move(p, piece, z, top)

    def move_all(self, p: Position, source: int, z: int, top: bool) -> None:
        items = p.zones[source]
        if source == z:
            return
        if size(items) == len(items):
            self.move_several(p, items, z, top)
            return
        if self.sorted[z]:
            self.move_several(p, flat(items), z, True)
            return
        limit = self.capacity[z]
        if limit is not None and size(p.zones[z]) + size(items) > limit:
            raise Deviation
        p.zones[source] = ()
        p.zones[z] = (*p.zones[z], *items) if top else (*items, *p.zones[z])
        for piece in flat(items):
            p.where[piece] = z
        self.wrote(p, source)
        self.wrote(p, z)

    def wrote(self, p: Position, z: int) -> None:
        if z >= 0 and self.watching[z]:
            self.notice(p, self.watching[z])

    def shuffle(self, p: Position, z: int) -> None:
        everything = tuple(sorted(flat(p.zones[z])))
        p.zones[z] = (everything,) if len(everything) > 1 else everything
        self.wrote(p, z)

    def exchange(self, p: Position, a: int, b: int) -> None:
        if a == b:
            return
        za, zb = p.where[a], p.where[b]
        if za < 0 or zb < 0:
            raise Deviation
        for piece, z in ((a, zb), (b, za)):
            fits = self.holds[z]
            if fits is not None and piece not in fits:
                raise Deviation
        p.zones[za] = replaced(p.zones[za], a, -1, None, "")
        p.zones[zb] = replaced(p.zones[zb], b, a, None, "")
        p.zones[za] = replaced(p.zones[za], -1, b, None, "")
        for z in (za, zb):
            if self.sorted[z]:
                p.zones[z] = tuple(sorted(p.zones[z]))
        p.where[a], p.where[b] = zb, za
        self.wrote(p, za)
        if za != zb:
            self.wrote(p, zb)

    def exchange_zones(self, p: Position, a: int, b: int) -> None:
        if a == b:
            return
        for x, y in ((a, b), (b, a)):
            limit = self.capacity[y]
            if limit is not None and size(p.zones[x]) > limit:
                raise Deviation
        p.zones[a], p.zones[b] = p.zones[b], p.zones[a]
        for z in (a, b):
            if self.sorted[z]:
                p.zones[z] = tuple(sorted(flat(p.zones[z])))
            for piece in flat(p.zones[z]):
                p.where[piece] = z
        self.wrote(p, a)
        self.wrote(p, b)

    # ------------------------------------------------------------ reading
    def item_of(self, p: Position, z: int, index: int) -> int:
        items = p.zones[z]
        if not 1 <= index <= size(items):
            raise Deviation
        return known_at(items, index - 1, None, "")

    def above_of(self, p: Position, z: int, n: int) -> tuple[int, ...]:
        items, least, at = p.zones[z], max(0, n), 0
        for i in items:
            at += len(i) if type(i) is tuple else 1
            if type(i) is tuple and at > least:
                raise Deviation
        return flat(items)[least:]

    def room_of(self, p: Position, z: int) -> int:
        limit = self.capacity[z]
        return max(0, (len(self.game.pieces) if limit is None else limit) - size(p.zones[z]))

    # ------------------------------------------------------------ watchers
    def notice(self, p: Position, watchers: tuple[int, ...]) -> None:
        """Watchers look at what changed, in text order, until nothing changes any more."""
        p.dirty.update(watchers)
        if p.watching:
            return
        p.watching = True
        try:
            for _ in range(len(self.watchers) + 2):
                todo = sorted(p.dirty)
                if not todo:
                    return
                p.dirty.clear()
                for i in todo:
                    kind, value_of, body, takes, cost = self.watchers[i]
                    p.spend(cost, None)
                    value = value_of(p)
                    if kind == "end":
                        if value:
                            body(p)
                    elif value != p.seen[i]:
                        p.seen[i] = value
                        if takes:
                            body(p, value)
                        else:
                            body(p)
            raise Deviation
        finally:
            p.watching = False
            p.dirty.clear()


def taken(items: tuple[Any, ...], piece: int) -> tuple[Any, ...]:
    """The contents of a pile without a component of an unordered part."""
    for i, group in enumerate(items):
        if type(group) is tuple and piece in group:
            k = group.index(piece)
            rest = group[:k] + group[k + 1 :]
            return (*items[:i], rest[0] if len(rest) == 1 else rest, *items[i + 1 :])
    return items


__all__ = ["SHORT_LIST", "GameOver", "helpers"]
