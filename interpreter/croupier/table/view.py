"""The parts of a view. Seats count from 0; texts are for whoever draws to escape.

A field of type `Text` may name players: in JSON it is a string, or a list of strings and of the seats between
them (`["hand of ", 0]`), for whoever draws to put in the names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from json.encoder import encode_basestring_ascii

from croupier.diagnostics import JsonObject
from croupier.text import Text

PILE, FAN, ROW, BAG = "pile", "fan", "row", "bag"
NO_WORDS = Text()


@dataclass(frozen=True, slots=True)
class Thing:
    """A component whose face the seat sees: its class, what it is called, its attributes in words, and the
    options that concern it.

    `changing` are the names of those that change in play and that it is not called by, such as what a die
    shows. `colour` (`#rrggbb`), `symbol` and the words that are `large` are those that the ruleset's `table`
    gives to its attributes; empty without. `rules` are the sentences that its powers cite: what only it can
    do first, then what it has in common with others.
    """

    kind: str
    label: Text
    attributes: tuple[tuple[str, Text], ...] = ()
    options: tuple[int, ...] = ()
    colour: str = ""
    symbol: str = ""
    large: tuple[Text, ...] = ()
    changing: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A zone: `form` is how it lies (pile, fan, row, bag), `count` how many are in it and `things` which, as
    far as the seat knows.

    `group` is the title of the zones that it belongs together with; empty without. `short` is what it is
    called below the name of its owner; empty where that is the title.
    """

    zone: str
    title: Text
    form: str
    owner: int | None
    count: int | None
    things: tuple[Thing, ...] | None
    options: tuple[int, ...] = ()
    group: str = ""
    short: Text = NO_WORDS


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the state in words; a whole number from `low` to `high` has `number`.

    `is_detail`: left out unless somebody asks.
    """

    name: str
    text: Text
    number: int | None = None
    low: int | None = None
    high: int | None = None
    is_detail: bool = False
    colour: str = ""
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a board: its zones that hold something (or may), what the state says of it, and the options
    that concern it.

    `row` and `column` count from 0 where the board has rows; `x` and `y` are from 0 to 1 where it has not.
    """

    name: str
    row: int
    column: int
    x: float
    y: float
    zones: tuple[ZoneView, ...] = ()
    values: tuple[Value, ...] = ()
    options: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """A board: a rectangle, hexes, a ring or a graph, and which of its cells (by their places in `cells`)
    touch.

    The first row and the first column have numbers. Where players call rows and columns otherwise, they have
    names: `8` to `1`, `a` to `h`.
    """

    name: str
    shape: str
    rows: int
    columns: int
    cells: tuple[Cell, ...]
    links: tuple[tuple[int, int], ...] = ()
    first_row: int = 1
    first_column: int = 1
    row_names: tuple[str, ...] = ()
    column_names: tuple[str, ...] = ()

    @property
    def row_heads(self) -> Sequence[str]:
        """What stands before each row."""
        return self.row_names or [str(self.first_row + i) for i in range(self.rows)]

    @property
    def column_heads(self) -> Sequence[str]:
        """What stands above each column."""
        return self.column_names or [str(self.first_column + i) for i in range(self.columns)]


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: what is theirs, whether they must act (as far as may be known), and how they stand at the
    end.
    """

    seat: int
    zones: tuple[ZoneView, ...]
    values: tuple[Value, ...]
    is_acting: bool = False
    options: tuple[int, ...] = ()
    score: int | None = None
    is_winner: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """An action that may be chosen, with its words; `is_on_table` if something that is drawn bears it as
    well.
    """

    action: int
    label: Text
    is_on_table: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """The question to the seat, with its options.

    It takes from `least` to `most` things (`None`: any number) one by one, and has `taken` some; (1, 1) is
    one thing.
    """

    asks: str
    options: tuple[Option, ...]
    least: int = 1
    most: int | None = 1
    taken: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownFact:
    """Something that a seat was shown or told, and not everybody was: the words, and the part of the game in
    which it was. It was so then.
    """

    when: Text
    text: Text


@dataclass(frozen=True, slots=True)
class View:
    """The table as one seat sees it; `viewer` is `None` for a reader who sits at no seat.

    `acting` are the seats that must act, `None` if that is not to be known; `status` is `running` or how the
    game ended. `known` is what the seat was shown or told, and others were not (`known_facts.py`).
    """

    title: str
    viewer: int | None
    players: int
    seats: tuple[Seat, ...]
    boards: tuple[Board, ...]
    zones: tuple[ZoneView, ...]
    values: tuple[Value, ...]
    acting: tuple[int, ...] | None
    decision: Decision | None
    status: str
    result: str | None = None
    known: tuple[KnownFact, ...] = ()

    def to_json(self) -> JsonObject:
        """Return the view as JSON: objects, lists, texts, numbers."""
        found: JsonObject = json.loads(json.dumps(self, default=parts))
        return found


class ViewTexts:
    """Views as JSON text.

    Of the parts that are kept, the text is kept, too; each is kept with its part, so that it is not taken for
    another.
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, list[str]]] = {}

    def keep(self, part: object) -> None:
        """Make the text of a part only once: it will be in several views."""
        self._kept[id(part)] = (part, [])

    def keeps_all(self, parts: Iterable[object]) -> bool:
        """Return whether these parts are kept."""
        return all((kept := self._kept.get(id(part))) is not None and kept[0] is part for part in parts)

    def clear(self) -> None:
        """Keep nothing any more."""
        self._kept.clear()

    def text(self, part: object) -> str:
        """The JSON of a view, or of a part of one."""
        kind = type(part)
        if kind in _SCALARS:
            return _SCALARS[kind](part)
        if kind is tuple and not part:
            return "[]"
        kept = self._kept.get(id(part))
        if kept is not None and kept[0] is part:
            if not kept[1]:
                kept[1].append(self._made(part, kind))
            return kept[1][0]
        return self._made(part, kind)

    def _made(self, part: object, kind: type) -> str:
        if kind in _WHOLES:
            return (
                "{"
                + ", ".join([f"{head}{self.text(getattr(part, name))}" for name, head in _WHOLES[kind]])
                + "}"
            )
        if isinstance(part, tuple) and isinstance(part[0], _PARTS):
            return f"[{', '.join([self.text(one) for one in part])}]"
        return _encoded(part)


_WHOLES = {
    kind: tuple((one.name, f'"{one.name}": ') for one in fields(kind)) for kind in (View, Seat, Board, Cell)
}
_PARTS = (Seat, Board, Cell, ZoneView, Value)
_FIELDS: dict[type, tuple[tuple[str, bool], ...]] = {}
"""Of each part the names of its fields, and whether they may name players."""
_SCALARS: dict[type, Callable[..., str]] = {
    str: encode_basestring_ascii,
    int: str,
    float: repr,
    bool: lambda truth: "true" if truth else "false",
    type(None): lambda nothing: "null",
}


def parts(part: object) -> dict[str, object]:
    """A part of a view by the names of its fields: `json.dumps(view, default=parts)` is a view as JSON."""
    kind = type(part)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(
            (field.name, "Text" in str(field.type))
            for field in fields(part)  # type: ignore[arg-type]
        )
    return {
        name: with_seats(getattr(part, name)) if is_text else getattr(part, name)
        for name, is_text in _FIELDS[kind]
    }


def with_seats(value: object) -> object:
    """Texts, or tuples of them, as JSON (`Text.with_seats`); anything else as it is."""
    if isinstance(value, Text):
        return value.with_seats()
    if isinstance(value, tuple):
        return [with_seats(one) for one in value]
    return value


_encoded = json.JSONEncoder(default=parts).encode
