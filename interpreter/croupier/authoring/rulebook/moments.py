"""The table at a moment, and what is different at another: in words, boards as text pictures.

Common zones, boards and values are those that somebody at no seat sees, what belongs to a player is what that
player sees: so a worked example tells what the players concerned know, and nothing that lies face down for
everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from croupier.authoring.rulebook.document import Line, TextRun, line
from croupier.authoring.rulebook.wording import name
from croupier.narration import Names
from croupier.runtime.state import SPECTATOR, State
from croupier.table import Board, Value, View, ZoneView, view
from croupier.table.text_drawing import IN_ROWS, NOTHING, TableDrawing, in_cell, words_on

MOST_THINGS = 8  # of a zone that are named; of more, the number
MOST_ROWS = 24  # of a picture of a board
WIDTH = 90  # of a picture, in letters

Key = tuple[str, str]
"""What may differ: `zone`, `value` or `board`, and its name."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Parts of a moment: lines of words, and the rows of pictures of boards."""

    lines: tuple[Line, ...]
    picture: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """The table as somebody at no seat sees it, and for each seat what is its own as it sees it."""

    common: View
    own: tuple[View, ...]

    def zones(self) -> Iterator[tuple[int | None, ZoneView]]:
        """Yield the zones that are on no board, each with the seat that it belongs to."""
        yield from ((None, zone) for zone in self.common.zones)
        for seat, seen in enumerate(self.own):
            yield from ((seat, zone) for zone in seen.seats[seat].zones)

    def values(self) -> Iterator[tuple[int | None, Value]]:
        """Yield the values that a table shows, each with the seat that it belongs to."""
        found = [(None, value) for value in self.common.values]
        for seat, seen in enumerate(self.own):
            yield from ((seat, value) for value in seen.seats[seat].values if not value.is_detail)
        yield from ((seat, value) for seat, value in found if not value.is_detail)

    def facts(self) -> dict[Key, object]:
        """Return what may differ from another moment: contents by the titles of zones, values, boards."""
        found: dict[Key, object] = {_key(zone): (zone.count, _contents(zone)) for _, zone in self.zones()}
        found |= {("value", _called(seat, value)): str(value.text) for seat, value in self.values()}
        return found | {
            ("board", board.name): tuple(tuple(map(str, in_cell(cell))) for cell in board.cells)
            for board in self.common.boards
        }

    def keys_of(self, names: Iterable[str]) -> set[Key]:
        """Return the keys of the zones, values and boards that a ruleset calls by some names, as far as
        there is something to see.
        """
        wanted = {name(one) for one in names}
        kinds = {one.partition(".")[0] for one in names if "." in one}
        found: set[Key] = {
            _key(zone)
            for _, zone in self.zones()
            if zone.things
            and len(zone.things) <= MOST_THINGS
            and (name(zone.zone) in wanted or any(thing.kind in kinds for thing in zone.things))
        }
        found |= {
            ("value", _called(seat, value))
            for seat, value in self.values()
            if name(value.name) in wanted and value.text not in NOTHING
        }
        return found | {
            ("board", board.name)
            for board in self.common.boards
            if board.shape in IN_ROWS
            and any(_is_on(board, one) for one in wanted)
            and any(map(any, map(in_cell, board.cells)))
        }

    def of_seat(self, seat: int) -> set[Key]:
        """Return the keys of what a player has: zones that hold something, and numbers that are not 0."""
        own = self.own[seat].seats[seat]
        return {_key(zone) for zone in own.zones if zone.count} | {
            ("value", _called(seat, value)) for value in own.values if value.number or value.symbol
        }

    def shown(self, keys: Iterable[Key], names: Names, other: Moment | None = None) -> Shown:
        """Return what the keys stand for: a line for each player, for each common zone and for each common
        value, and a picture of each board, with the signs of those of the `other` moment.
        """
        beside = {} if other is None else words_on(other.common.boards)
        wanted, drawing = frozenset(keys), TableDrawing(names, width=WIDTH, beside=beside)
        lines: list[Line] = []
        for seat in (None, *range(self.common.players)):
            parts = [
                f"{self._title(zone, seat, drawing)}: {told(zone, names)}"
                for owner, zone in self.zones()
                if owner == seat and _key(zone) in wanted
            ]
            parts += [
                drawing.value(value)
                for owner, value in self.values()
                if owner == seat and ("value", _called(seat, value)) in wanted
            ]
            if seat is None:
                lines += (line(part) for part in parts)
            elif parts:
                lines.append(line(TextRun(names.of(seat), "strong"), f": {'; '.join(parts)}"))
        rows: list[str] = []
        boards = [board for board in self.common.boards if ("board", board.name) in wanted]
        rows += drawing.boards(boards)
        return Shown(tuple(lines), tuple(rows) if len(rows) <= MOST_ROWS else ())

    def _title(self, zone: ZoneView, seat: int | None, drawing: TableDrawing) -> str:
        """Return what a zone is called; of several that are called alike, with the name of its group."""
        title = drawing.title(zone, seat)
        alike = {one.zone for _, one in self.zones() if one.title == zone.title}
        return f"{zone.group or name(zone.zone)}, {title}" if len(alike) > 1 else title


def moment_of(state: State, *, is_open: bool = False) -> Moment:
    """The table of a state; `is_open`: what belongs to players lies open."""
    own = (view(state, None if is_open else seat) for seat in range(state.players))
    return Moment(view(state, SPECTATOR), tuple(own))


def differing(one: Moment, other: Moment) -> set[Key]:
    """Return the keys of what differs between two moments of a game."""
    before, after = one.facts(), other.facts()
    return {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}


def told(zone: ZoneView, names: Names) -> str:
    """Return the contents of a zone in words: the components, or how many."""
    if zone.count == 0:
        return "–"
    if zone.things is not None and len(zone.things) > MOST_THINGS:
        return f"{len(zone.things)} of them"
    return TableDrawing(names).contents(zone)


def _key(zone: ZoneView) -> Key:
    return "zone", f"{zone.zone}: {zone.title}"


def _contents(zone: ZoneView) -> tuple[str, ...]:
    return tuple(f"{thing.label} {thing.attributes}" for thing in zone.things or ())


def _called(seat: int | None, value: Value) -> str:
    return value.name if seat is None else f"{value.name} of {seat}"


def _is_on(board: Board, called: str) -> bool:
    """Tell whether a name is that of a board, or of something that lies on it or is said of its cells."""
    return name(board.name) == called or any(
        any(name(zone.zone) == called for zone in cell.zones)
        or any(name(value.name) == called for value in cell.values)
        for cell in board.cells
    )
