"""Components and watchers: the primitives of the table, as the reference evaluator has them, without a recorder; a fault is a deviation here."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from croupier.backends.python.position import Deviation, Position
from croupier.runtime.contents import flat, known_at, size
from croupier.runtime.game import Game
from croupier.runtime.table import replaced


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
        self.free = [most is None and fits is None for most, fits in zip(self.capacity, self.holds, strict=True)]  # anything may come there
        self.watchers: list[tuple[str, Callable[..., Any], Callable[..., Any], bool, int]] = []  # with what each takes
        self.watching = list(code.watch_zones)
        self.move = self.mover()

    # ------------------------------------------------------------ moving
    def mover(self) -> Callable[[Position, int, int, bool], None]:
        capacity, free, ordered, holds, watching, notice = self.capacity, self.free, self.sorted, self.holds, self.watching, self.notice
        watched = any(watching)

        def move(p: Position, piece: int, z: int, top: bool) -> None:
            zones, where = p.zones, p.where
            source = where[piece]
            if not free[z]:
                fits, limit = holds[z], capacity[z]
                if fits is not None and piece not in fits:
                    raise Deviation
                if limit is not None and (len(zones[z]) if ordered[z] else size(zones[z])) - (source == z) >= limit:
                    raise Deviation
            if source >= 0:
                items = zones[source]
                last = items[-1] if items else None
                if last == piece:
                    zones[source] = items[:-1]
                elif type(last) is tuple:  # drawn, most likely
                    i = bisect_left(last, piece)
                    if i < len(last) and last[i] == piece:
                        rest = last[:i] + last[i + 1 :]
                        rest = (rest,) if len(rest) > 1 else rest
                        zones[source] = rest if len(items) == 1 else items[:-1] + rest
                    else:
                        zones[source] = taken(items, piece)
                elif piece in items:
                    i = items.index(piece)
                    zones[source] = items[:i] + items[i + 1 :]
                else:
                    zones[source] = taken(items, piece)
            items = zones[z]
            if not items:
                zones[z] = (piece,)
            elif not ordered[z]:
                zones[z] = items + (piece,) if top else (piece,) + items
            elif items[-1] < piece:
                zones[z] = items + (piece,)
            else:
                i = bisect_left(items, piece)
                zones[z] = items[:i] + (piece,) + items[i:]
            where[piece] = z
            if watched:
                if watching[source] and source >= 0:
                    notice(p, watching[source])
                if watching[z] and z != source:
                    notice(p, watching[z])

        return move

    def move_several(self, p: Position, pieces: tuple[int, ...], z: int, top: bool) -> None:
        move = self.move
        for piece in pieces if top else pieces[::-1]:
            move(p, piece, z, top)

    def move_family(self, p: Position, first: int, end: int, z: int, top: bool) -> None:
        """Everything in the zones from one to before another, whose order is known, to where anything may come and nobody looks."""
        zones, where = p.zones, p.where
        before = zones[z]
        items = [*before] if top else []
        for source in range(first, end):
            if zones[source]:
                for piece in zones[source]:
                    where[piece] = z
                items += zones[source]
                zones[source] = ()
        if not top:
            items += before
        if self.sorted[z]:
            items.sort()
        zones[z] = tuple(items)

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
        """Watchers, given in text order, look at what changed, until nothing changes any more."""
        dirty = p.dirty
        if p.watching:
            dirty.update(watchers)
            return
        p.watching, seen, todo, known = True, p.seen, watchers, self.watchers
        try:
            for _ in range(len(known) + 1):
                for i in todo:
                    kind, value_of, body, takes, cost = known[i]
                    p.fuel = fuel = p.fuel - cost
                    if fuel < 0:
                        raise Deviation
                    value = value_of(p)
                    if kind == "end":
                        if value:
                            body(p)
                    elif value != seen[i]:
                        seen[i] = value
                        if takes:
                            body(p, value)
                        else:
                            body(p)
                if not dirty:
                    return
                todo = tuple(sorted(dirty))
                dirty.clear()
            raise Deviation
        finally:
            p.watching = False
            dirty.clear()


def taken(items: tuple[Any, ...], piece: int) -> tuple[Any, ...]:
    """The contents of a pile without a component of an unordered part."""
    for i, group in enumerate(items):
        if type(group) is tuple and piece in group:
            k = group.index(piece)
            rest = group[:k] + group[k + 1 :]
            return (*items[:i], rest[0] if len(rest) == 1 else rest, *items[i + 1 :])
        if group == piece:
            return items[:i] + items[i + 1 :]
    return items
