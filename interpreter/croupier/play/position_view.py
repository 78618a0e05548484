"""What a seat sees of a position, for people: pieces with what has changed about them where they lie, boards as rows of cells.

What may be seen is what `State.observation` says; nothing is told here of a piece that it does not show.  Pieces that lie together without an
order are counted, since nobody could tell those apart that are alike.  Of a map that is bookkeeping, whose label is empty, only the entries are told
that are not as they were at the start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from croupier.diagnostics import JsonObject
from croupier.play.record import plain
from croupier.runtime.faults import viewer_of
from croupier.runtime.game import Game, Place, Value, size
from croupier.runtime.state import State
from croupier.runtime.visibility import admits, backs, counts_zone, faces, observation
from croupier.semantics import types as t
from croupier.semantics.program import VarDef
from croupier.semantics.tree import LocalExpr, text_parts
from croupier.semantics.walk import bodies
from croupier.syntax.phrases import why

UNKNOWN = "?"
MAX_ENTRIES, ALL_OTHERS = 20, "all others"  # entries of a map, before only those are told that are not as they were at the start
SIMPLE = (t.Int, t.Bool, t.Enum, t.Player)
ORDERED = ("pile", "sequence")
IN_ROWS = ("rectangle", "hex")
Cells: TypeAlias = dict[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Grid:
    """A board by its rows: for each cell the words for what is there, none for nothing; `shift` is half a cell more for each row (hexagons)."""

    rows: tuple[tuple[tuple[str, ...], ...], ...]
    shift: bool = False


def position_view(state: State, seat: int | None) -> JsonObject:
    """Zones and values as a person at that seat sees them (none: the referee, who sees everything): JSON, and a `Grid` for each board with rows."""
    m, game = state._m, state._m.game
    zones: JsonObject = {}
    cells: dict[str, Cells] = {}
    for place in game.places:
        key = game.program.zones[place.zone].key
        if isinstance(key, t.Cell) and game.program.boards[key.board].shape in IN_ROWS:
            zones.setdefault(place.zone, key)
            cells.setdefault(place.zone, {})[place.key] = tuple(_on_cell(state, place, seat))
        elif key is None:
            zones[place.zone] = _lying(state, place, seat)
        else:
            zones.setdefault(place.zone, {})[game.show(place.key, key)] = _lying(state, place, seat)
    for name, found in cells.items():
        zones[name] = _grid(game, zones[name].board, found)
    values = plain(observation(m, seat, spoken=True)["state"])
    shown = {v.name: _value(game, v, values[v.name]) for v in game.variables if v.of_class is None and v.name in values}
    for v in game.variables:
        if v.name not in shown or not isinstance(v.type, t.Map) or isinstance(shown[v.name], Grid):
            continue
        is_bookkeeping, now = v.words is not None and text_parts(v.words.text) == (), values[v.name]
        if is_bookkeeping or len(now) > MAX_ENTRIES:
            kept = _changed(now, plain(game.to_json(game.start_vars[v.index], v.type, m=m, spoken=True)), v.type)
            shown[v.name] = _value(game, v, kept if is_bookkeeping else {**kept, ALL_OTHERS: "as at the start"})
            if is_bookkeeping and not kept:
                del shown[v.name]
    return {"zones": zones, "state": shown}


MAX_REASONS = 4  # rules that an end cites


def start_values(state: State, seat: int | None) -> str:
    """What the state of the history's beginning holds that a seat may see, in words: numbers, names, truths that are not nothing; not by cell."""
    seat = viewer_of(seat, state.players)
    game, start, found = state.game, state._start, list[str]()
    for v in game.variables:
        kind, value, audience = v.type, (game.start_vars if start is None else start.vars)[v.index], game.seen_by[v.index]
        is_detail = (v.words is not None and text_parts(v.words.text) == ()) or v.name in game.program.looks.details
        of_players = isinstance(kind, t.Map) and isinstance(kind.key, t.Player)
        if v.of_class is not None or v.sight is not None or is_detail or not (of_players or isinstance(kind, SIMPLE)):
            continue
        name, inner = v.name.replace("_", " "), kind.value if isinstance(kind, t.Map) else kind
        entries = dict(enumerate(value)) if of_players else {None: value}
        seen = {p: game.show(one, inner, labelled=True) for p, one in entries.items() if one and (seat is None or admits(audience, p, seat))}
        if isinstance(inner, SIMPLE) and seen:
            alike = len(set(seen.values())) == 1 and len(seen) == len(entries) > 1
            each = (f"{name} {one}" if p is None else f"{name} of player {p + 1}: {one}" for p, one in seen.items())
            found += [f"{name} {seen[0]} each"] if alike else each
    return ", ".join(found)


def why_over(state: State, seat: int | None = None) -> str:
    """Why a finished game is over: the rules that its end cites, or else the condition under which the rules end it; or nothing.

    Every seat is told the same; where a game is followed, one of its followers knows it at once.
    """
    last = next((event for event in reversed(state.events(seat)) if event.kind == "end"), None)
    rules = state.game.program.rule_ids
    cited = [f"{rule}: {rules[rule][1]}" for rule in (() if last is None else last.rules) if rule in rules and rules[rule][1]]
    if last is None or cited:
        return " ".join(cited[:MAX_REASONS])
    inside = [s for _, s in bodies(state.game.program) if s.op == "if" and any(end.span == last.span for end in s.blocks[0])]
    if inside:
        return f"The game is over: {why(inside[-1].args[0].span.text)}."
    ends_last = any(s.span == last.span for proc, s in bodies(state.game.program) if proc.name == "scoring")
    return "All phases are over." if ends_last else ""


def _changed(now: Value, start: Value, kind: t.Map) -> dict[str, object]:  # noqa: ANN401 - a map of any values
    """The entries of a map that are not as they were at the start; of one within it those of the inner map."""
    inner = kind.value
    if isinstance(inner, t.Map):
        found = {key: _changed(entry, start.get(key, {}), inner) for key, entry in now.items()}
        return {key: entry for key, entry in found.items() if entry}
    return {key: entry for key, entry in now.items() if entry != start.get(key)}


# ---------------------------------------------------------------- pieces
def _lying(state: State, place: Place, seat: int | None) -> object:
    """What lies in a zone: a list where it is in order, else how many of which; of what is not seen how many there are, if that is known."""
    m = state._m
    items = m.zones[place.number]
    seen = faces(m, place.number, seat)
    hidden = backs(m, place.number, seat)
    if hidden and seen is None:
        seen = [None] * len(hidden)
    if seen is not None:
        behind = iter(hidden)
        words = [next(behind, None) or "not seen" if piece is None else _called(state, piece) for piece in seen]
        if place.order in ORDERED:
            return words
        return f"[{', '.join(word if number == 1 else f'{number} × {word}' for word, number in Counter(words).items())}]"
    if seat is not None and counts_zone(m, place.number, seat):
        return f"{size(items)} not seen" if size(items) else []
    return UNKNOWN


def _on_cell(state: State, place: Place, seat: int | None) -> Iterator[str]:
    m = state._m
    items = m.zones[place.number]
    seen = faces(m, place.number, seat)
    hidden = backs(m, place.number, seat)
    if seen is not None or hidden:
        behind = iter(hidden)
        yield from (next(behind, None) or UNKNOWN if piece is None else _called(state, piece) for piece in seen or [None] * len(hidden))
    elif seat is not None and not counts_zone(m, place.number, seat):
        yield UNKNOWN
    else:
        yield from [UNKNOWN] * size(items)


def _called(state: State, piece: int) -> str:
    """A piece by its label, and what is not with it as it was at the start, unless the label says that."""
    m, game = state._m, state._m.game
    kind, label = game.pieces[piece].kind, game.label(piece, m)
    index = piece - game.kinds[kind][0]
    changed = []
    for v in _attributes(game, kind):
        assert isinstance(v.type, t.Map)
        now = m.vars[v.index][index]
        if now != game.start_vars[v.index][index]:
            name = v.name.partition(".")[2].replace("_", " ")
            changed.append((name if now else f"not {name}") if isinstance(v.type.value, t.Bool) else f"{name}: {game.show(now, v.type.value, m)}")
    return f"{label} ({', '.join(changed)})" if changed else label


def _attributes(game: Game, kind: str) -> Iterator[VarDef]:
    """The changeable attributes of a class that its label does not name."""
    k = game.program.classes[kind]
    named = {k.frame.slots[x.slot] for x in k.label.walk() if isinstance(x, LocalExpr)} if k.label is not None and k.frame is not None else set()
    return (v for v in game.variables if v.of_class == kind and v.name.partition(".")[2] not in named)


# ---------------------------------------------------------------- boards
OUTSIDE = (" ",)  # what a terminal shows left of a row of a hexagon


def _grid(game: Game, board: str, cells: Cells) -> Grid:
    topology = game.boards[board]
    rows = []
    for row in topology.rows:
        before = (topology.column_of[row[0]] - 1) if row else 0
        rows.append((*[OUTSIDE] * before, *(cells.get(cell, ()) for cell in row)))
    return Grid(tuple(rows), game.program.boards[board].shape == "hex")


def _value(game: Game, v: VarDef, value: object) -> object:
    """A value of the state; one for each cell of a board with rows as those rows."""
    if not isinstance(v.type, t.Map) or not isinstance(v.type.key, t.Cell) or not isinstance(value, dict):
        return value
    topology = game.boards[v.type.key.board]
    if game.program.boards[v.type.key.board].shape not in IN_ROWS or any(isinstance(one, dict | list) for one in value.values()):
        return value
    found: Cells = {cell: (_word(value[name]),) for cell, name in enumerate(topology.names) if value.get(name) not in (None, False)}
    return _grid(game, v.type.key.board, found)


def _word(value: object) -> str:
    return "yes" if value is True else str(value)
