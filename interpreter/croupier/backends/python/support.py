"""What compiled code calls: moving components (`tabling.py`), values that take more than an expression. One set of functions for each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

from croupier.backends.facts import SHORT_LIST
from croupier.backends.python.position import Deviation, Position
from croupier.backends.python.search import Search
from croupier.backends.python.shares import weighted
from croupier.backends.python.stands import Binder, Stand, menu_rows, outcomes
from croupier.backends.python.tabling import Tabling
from croupier.backends.python.windows import Windows
from croupier.limits import MAX_CALL_DEPTH, MAX_CELLS_EXAMINED, MAX_MENU_ROWS
from croupier.runtime import chance
from croupier.runtime.aggregates import canonical
from croupier.runtime.contents import flat, size
from croupier.runtime.game import Game, Value
from croupier.runtime.visibility import among as bits_of

Helpers = dict[str, Callable[..., Any]]
BUILTINS: tuple[Callable[..., Any], ...] = (len, tuple, list, sorted, range, min, max, set, abs, type, enumerate)


def helpers(game: Game, around: Windows, search: Search) -> Helpers:
    """Every function that compiled code may call, by name."""
    table = Tabling(game)
    out: Helpers = {f.__name__: f for f in (*BUILTINS, *VALUES)}
    out |= {
        "move": table.move, "move_several": table.move_several, "move_family": table.move_family, "move_all": table.move_all,
        "shuffle": table.shuffle, "exchange": table.exchange, "exchange_zones": table.exchange_zones, "notice": table.notice,
        "item_of": table.item_of, "above_of": table.above_of, "room_of": table.room_of, "unique": dict.fromkeys, "bits_of": bits_of,
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

    alike = game.alike
    first, members, loose, width = alike.first, alike.members, alike.loose, len(alike.loose)

    def offered_alike(values: list[Value], by: int) -> list[tuple[int, Value]]:
        """Actions, which those that are called alike share, and values, each once, in the order of the source where actions are the same."""
        return sorted([(alike.first[v] + by, v) for v in dict.fromkeys(values)], key=itemgetter(0))

    def places_alike(p: Position, found: list[tuple[int, Value]]) -> list[int]:
        """Of each component the number that it shares with those that are alike and lie in the same place."""
        return [alike.place(p.where, v) for _, v in found]

    def numbered_alike(found: list[Any], by: int) -> list[Any]:
        """Pairs, or classes of them, with actions that differ."""
        classes = bool(found) and type(found[0]) is list
        numbers = [n + by for n in alike.numbered([x[0][1] if classes else x[1] for x in found])]
        if not classes:
            return sorted([(n, v) for n, (_, v) in zip(numbers, found, strict=True)])
        return [[(n, pairs[0][1]), *pairs[1:]] for n, pairs in zip(numbers, found, strict=True)]

    def in_bag(p: Position, items: tuple[int, ...]) -> list[tuple[int, Value]]:
        """What may come out of a bag; the weights go into the position."""
        found = chance.in_bag(game, items)
        p.weights = list(found.values())
        return [(first, chance.out_of_bag(game, items, first)) for first in found]

    def rows_alike(p: Position, stand: Stand, option: int, found: list[Any]) -> list[tuple[int, int, tuple[Value, ...]]]:
        """The rows of an option of a menu, once for what is called alike."""
        binders = stand.binders[option]
        if not all(b.is_numbered for b in binders):
            return unnumbered_rows(p, stand, option, found)
        rows: dict[int, tuple[int, int, tuple[Value, ...]]] = {}
        named: list[tuple[Binder, dict[int, int], dict[int, int]]] = [(b, {}, {}) for b in binders]
        where, n = p.where, len(binders)
        for row in found:
            at = 0
            for v, (b, numbers, taken) in zip(row, named, strict=False):
                if b.is_alike:
                    lowest, z = first[v], where[v]
                    key = lowest * width + z + 1 if loose[z] else -1 - v
                    number = numbers.get(key)
                    if number is None:
                        if lowest in members:
                            k = taken[lowest] = taken.get(lowest, -1) + 1
                            number = numbers[key] = members[lowest][k]
                        else:
                            number = numbers[key] = v
                    v = number
                at = at * b.count + v - b.low
            at += stand.firsts[option]
            if at not in rows:
                rows[at] = (at, option, row[:n])
        return list(rows.values())

    def unnumbered_rows(p: Position, stand: Stand, option: int, found: list[Any]) -> list[tuple[int, int, tuple[Value, ...]]]:
        """The same, where the type of a binder does not number its values: their places do."""
        binders, n = stand.binders[option], len(stand.binders[option])
        lows = [b.low if b.is_alike else None for b in binders]
        rows = [
            (row[:n], tuple([int(v) - b.low if b.is_numbered else at for v, at, b in zip(row[:n], row[n:], binders, strict=True)])) for row in found
        ]
        out = []
        for values, where in alike.rows(p.where, lows, rows):
            at = 0
            for place, b in zip(where, binders, strict=True):
                if not b.is_numbered and place >= MAX_MENU_ROWS:
                    raise Deviation
                at = at * b.count + place
            out.append((stand.firsts[option] + at, option, values))
        return out

    out |= {f.__name__: f for f in (offered_alike, places_alike, numbered_alike, in_bag, rows_alike)}
    out |= {"foresees": search.foresees, "tried": search.tried, "settles": search.settles, "judged": search.judged, "stuck": search.stuck}
    out |= {"words": words, "deep": deep, "everybody": everybody, "begin": begin, "leave": around.leave, "call_around": around.call_around}
    return out | {"enter_original": around.enter_original, "open_window": around.open_window, "with_reactions": around.with_reactions}


# ------------------------------------------------------------ values
def one_or_none(v: Value) -> tuple[Value, ...]:
    """A value that may be missing, as a list."""
    return () if v is None else (v,)


def different(items: Iterable[Value]) -> bool:
    """Are no two of these the same?"""
    found = tuple(items)
    return len(set(found)) == len(found)


def position(items: tuple[Value, ...], wanted: Value) -> int | None:
    """The place of a value in a list, from 1; none if it is not there."""
    return items.index(wanted) + 1 if wanted in items else None


def without(items: Iterable[Value], away: Iterable[Value]) -> tuple[Value, ...]:
    """The list without these values, however often they occur."""
    gone = set(away)
    return tuple([v for v in items if v not in gone])


def counted(function: Callable[..., Any], index: int, nested: int, chain: int) -> Callable[..., Any]:
    """A routine that may call itself, `nested` deep; `chain` is how deep the texts of one chain of calls are nested."""

    def run(p: Position, *args: Value) -> Any:
        depth = p.depth
        before = depth.get(index, 0)
        if before > nested or (1 + sum(depth.values())) * chain > MAX_CALL_DEPTH:
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
    """The list without the first such value, if there is one."""
    if value not in items:
        return items
    i = items.index(value)
    return items[:i] + items[i + 1 :]


def sort_by(items: Iterable[Value], keys: Iterable[Any]) -> tuple[Value, ...]:
    """The list in the order of its keys; those of one key stay as they are."""
    return tuple([v for v, _ in sorted(zip(items, keys, strict=True), key=lambda pair: pair[1])])


def among(players: tuple[int, ...], wanted: Iterable[int]) -> tuple[int, ...]:
    """The players who are among these, in their order."""
    found = tuple(wanted)
    return tuple([p for p in players if p in found])


def next_of(p: int, ps: tuple[int, ...], by: int, n: int) -> int:
    """The next player in one direction (`by` 1 or -1) who is one of `ps`. Raises `Deviation` if nobody is."""
    for i in range(1, n + 1):
        if (p + by * i) % n in ps:
            return (p + by * i) % n
    raise Deviation


def changed(items: tuple[Value, ...], at: int, value: Value) -> tuple[Value, ...]:
    """The list with another value at a place from 0. Raises `Deviation` if there is no such place."""
    if not 0 <= at < len(items):
        raise Deviation
    return (*items[:at], value, *items[at + 1 :])


def filled(count: int, other: Value, pairs: tuple[tuple[int, Value], ...]) -> tuple[Value, ...]:
    """The values of a map in the order of its keys: `other` where no pair says otherwise."""
    out = [other] * count
    for at, value in pairs:
        out[at] = value
    return tuple(out)


def family_unknown(zones: list[tuple[Any, ...]], first: int, count: int) -> bool:
    """Does a zone of a family hold a part without order?"""
    return any(type(i) is tuple for items in zones[first : first + count] for i in items)


def family(zones: list[tuple[Any, ...]], first: int, count: int) -> tuple[int, ...]:
    """What lies in the zones of a family, one after another."""
    out: list[int] = []
    for items in zones[first : first + count]:
        out.extend(flat(items))
    return tuple(out)


def lines_of(board: Any, n: int) -> tuple[tuple[int, ...], ...]:
    """The straight lines of a board. Raises `Deviation` if there are too many."""
    found: tuple[tuple[int, ...], ...] | None = board.lines(n, MAX_CELLS_EXAMINED)
    if found is None:
        raise Deviation
    return found


def cell_at(rows: tuple[tuple[int, ...], ...], row: int, column: int) -> int | None:
    """The cell in a row and column, from 1; none beside the board."""
    return rows[row - 1][column - 1] if 1 <= row <= len(rows) and 1 <= column <= len(rows[0]) else None


def between(board: Any, a: int, b: int) -> tuple[int, ...]:
    """The cells between two that lie on a line."""
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
    """Pairs of an action and a value, with actions that begin later."""
    return [(place + by, v) for place, v in pairs] if by else pairs


VALUES: tuple[Callable[..., Any], ...] = (
    flat, size, canonical, menu_rows, outcomes, one_or_none, different, position, without, limited, removed, sort_by, among, next_of, changed, filled,
    family, family_unknown, lines_of, cell_at, between, lies_in, merged, offered, shifted, weighted,
)  # fmt: skip
