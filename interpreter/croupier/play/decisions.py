"""The decisions and events of a game as rows of tables, in the order of play.

In comes a set-up, which says once which columns there are and of what type (`DecisionTable`); then, while a
game is played, each decision before it is applied (`DecisionLog`); out come rows. A row is an entry of the
state's history, a decision of a seat or an outcome of chance, so that its index in the game is the place of
that entry; an event names the row that it follows from.

Seats count from 0; -1 is chance. Turns count from 1: decisions of one seat in a row are one turn, and chance
belongs to the turn in which it acts; 0 is before the first decision. There is no column for rounds: what a
round is differs from game to game, and events of kind `group` and `phase` say where one begins.

What a decision chooses stands in typed columns by kind: a component by its key (`Game.component_key`) and its
class, a cell and a value of an enumeration by name, a number, a seat, a truth, anything else as JSON. An
action with two values of one kind has `component` and `component_2`. Which of these columns there are depends
on the ruleset alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from croupier.diagnostics import JsonObject
from croupier.kernel import types as t
from croupier.kernel.tree import AskStmt, RollStmt
from croupier.play.plain import exact, one_line
from croupier.records import dataclass
from croupier.runtime.chosen import Chosen, chosen, options_of
from croupier.runtime.game import Game, Value
from croupier.semantics.decision_sites import DecisionSite, Point, place_of

if TYPE_CHECKING:
    from croupier.runtime.events import Event
    from croupier.runtime.state import State

INTEGER, NUMBER, TRUTH, TEXT = "int64", "double", "bool", "string"  # types of columns, as Arrow calls them
Cell: TypeAlias = int | float | bool | str | None
Row: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its name, its type, what it holds."""

    name: str
    type: str
    meaning: str


# ---------------------------------------------------------------- columns
_BEFORE = (
    Column(
        "game", INTEGER, "number of the game, from 1; with the seed, `run --seed S --game N` plays it again"
    ),
    Column("index", INTEGER, "place in the game, from 0; decisions and outcomes of chance count alike"),
    Column(
        "turn", INTEGER, "decisions of one seat in a row are one turn, from 1; 0 before the first decision"
    ),
    Column("phase", TEXT, "phase of the rules; empty outside of all"),
    Column("seat", INTEGER, "who decides, by seat from 0; -1 is chance"),
    Column("kind", TEXT, "choose, menu, window, claim, draw or roll"),
    Column("decision", TEXT, "name of the decision, which no other decision of the ruleset has"),
    Column("place", TEXT, "where the rules ask: file and line"),
    Column("rules", TEXT, "rules that the decision cites, with a space between them"),
    Column("action", INTEGER, "number of the action"),
    Column(
        "option",
        TEXT,
        "option of the decision: its wording with {} for what is put in, or the name of what is chosen",
    ),
    Column("words", TEXT, "the option as players read it"),
)
_BEHIND = (
    Column("options", INTEGER, "how many options or outcomes there were"),
    Column("forced", TRUTH, "was there only one option?"),
    Column(
        "won",
        NUMBER,
        "this seat's part of the win: 1, a part of 1 where several won, or 0; nothing for chance and games "
        "that did not finish",
    ),
    Column(
        "return",
        NUMBER,
        "what this seat is paid at the end; nothing for chance and games that did not finish",
    ),
    Column("score", NUMBER, "this seat's score at the end; nothing where the rules keep none"),
)
_VALUES = {
    "component": Column("component", TEXT, "component that is chosen, by its id or its label at the start"),
    "class": Column("class", TEXT, "class of this component"),
    "cell": Column("cell", TEXT, "cell that is chosen"),
    "number": Column("number", INTEGER, "number that is chosen"),
    "player": Column("player", INTEGER, "player that is chosen, by seat from 0"),
    "value": Column("value", TEXT, "value of an enumeration that is chosen, by its name"),
    "truth": Column("truth", TRUTH, "true or false, where one of these is chosen"),
    "other": Column("other", TEXT, "any other value that is chosen, as JSON"),
}


DECISION_COLUMNS = (*_BEFORE, *_VALUES.values(), *_BEHIND)
"""The columns that decisions may have.

A set-up has those of values that its rules let somebody choose, and `component_2` for a second one.
"""


def value_kind(kind: t.Type) -> str:
    """The column that values of a type stand in."""
    match kind:
        case t.Optional():
            return value_kind(kind.base)
        case t.Component():
            return "component"
        case t.Cell():
            return "cell"
        case t.Int():
            return "number"
        case t.Player():
            return "player"
        case t.Enum():
            return "value"
        case t.Bool():
            return "truth"
    return "other"


def _value(game: Game, value: Value, kind: t.Type) -> Cell:
    """A value of a type as a cell of its column."""
    if value is None:
        return None
    match value_kind(kind):
        case "component":
            return game.component_key(value)
        case "truth":
            return bool(value)
        case "number" | "player":
            return int(value)
        case "value" | "cell":
            return str(game.show(value, kind))
    return one_line(game.to_json(value, kind, keyed=True))


class DecisionTable:
    """The columns of the decisions of a set-up, and what is known of actions that always stand for the
    same.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        most = Counter[str]()
        for site in game.sites.values():
            for types in _choices_of(game, site):
                most |= Counter(map(value_kind, types))
        self._places: dict[str, int] = {}
        values: list[Column] = []
        for kind in _VALUES:
            for number in range(1, most[kind] + 1):
                suffix = "" if number == 1 else f"_{number}"
                self._places[kind + suffix] = len(values)
                names = (kind, "class") if kind == "component" else (kind,)
                values += [replace(_VALUES[name], name=name + suffix) for name in names]
        self._width = len(values)
        self.columns = (*_BEFORE, *values, *_BEHIND)
        self._known: dict[tuple[Point, int, int], Row] = {}

    def options(self) -> list[tuple[str, str, str]]:
        """Every option of the rules: the name of the decision, the option, and where the rules ask.

        Which are never taken, the rows say.
        """
        named = ((site, options_of(self.game, point)) for point, site in self.game.sites.items())
        return [
            (site.name, option, place_of(self.game.program, site.span))
            for site, options in named
            for option in options
        ]

    def describe(self, state: State, point: Point, seat: int, action: int) -> Row:
        """Return the cells of an action; computed once if they last."""
        known = self._known.get((point, seat, action))
        if known is None:
            found = chosen(state._m, seat, action)
            known = self._described(self.game.sites[point], action, found)
            if found.lasts:
                self._known[point, seat, action] = known
        return known

    def _described(self, site: DecisionSite, action: int, found: Chosen) -> Row:
        values: list[Cell] = [None] * self._width
        seen = Counter[str]()
        for kind, value in zip(found.types, found.values, strict=True):
            name = value_kind(kind)
            seen[name] += 1
            at = self._places[name if seen[name] == 1 else f"{name}_{seen[name]}"]
            values[at] = _value(self.game, value, kind)
            if name == "component" and value is not None:
                values[at + 1] = self.game.components[value].kind
        return (
            site.kind,
            site.name,
            place_of(self.game.program, site.span),
            " ".join(found.rules),
            action,
            found.option,
            found.words,
            *values,
        )


def _choices_of(game: Game, site: DecisionSite) -> Iterator[tuple[t.Type, ...]]:
    """The types of what the options of a site choose, for each kind of option."""
    s, component = site.statement, t.Component(frozenset())
    match s:
        case AskStmt():
            yield from (source.kinds for source in s.sources())
            if s.opens is not None:
                yield (component,)  # a power, in a window
        case RollStmt():
            rolled = game.program.vars[s.attribute].type
            assert isinstance(rolled, t.Map)
            yield component, rolled.value
        case _:
            yield (component,)  # what is drawn, or a power, in a window


# ---------------------------------------------------------------- events
EVENT_COLUMNS = (
    Column("game", INTEGER, "number of the game, from 1"),
    Column("index", INTEGER, "place among the events of the game, from 0"),
    Column(
        "decision",
        INTEGER,
        "index of the decision or outcome of chance that it follows from; -1 before the first",
    ),
    Column("phase", TEXT, "phase of the rules; empty outside of all"),
    Column("seat", INTEGER, "who decided or claimed, by seat from 0; nothing otherwise"),
    Column("kind", TEXT, "decision, chance, move, state, show, tell, say, group, phase or end"),
    Column("text", TEXT, "the event as a referee reads it"),
    Column("rules", TEXT, "rules that it cites, with a space between them"),
    Column(
        "place", TEXT, "where in the rules it follows from: file and line; nothing where no rule is named"
    ),
    Column("quiet", TRUTH, "is it left out of logs?"),
    Column("component", TEXT, "component that moved, by its id or its label"),
    Column("class", TEXT, "class of this component"),
    Column("from", TEXT, "zone that it left, by its name in the rules"),
    Column("from_of", TEXT, "key of that zone in its family; players by seat from 0"),
    Column("to", TEXT, "zone that it reached, or that was shuffled"),
    Column("to_of", TEXT, "key of that zone in its family"),
    Column("count", INTEGER, "how many components went from zone to zone together"),
    Column("components", TEXT, "components that were shown, as JSON"),
    Column("readers", TEXT, "seats that were shown or told something, as JSON"),
    Column("variable", TEXT, "variable of the state, or attribute (`Class.attribute`), that changed"),
    Column("of", TEXT, "entry of that variable, or component with that attribute; players by seat from 0"),
    Column("number", INTEGER, "its new value, where that is a number or a seat"),
    Column("value", TEXT, "its new value, where that is anything else"),
)


def event_rows(state: State, game: int) -> list[Row]:
    """The events of a game so far, as the referee perceives them.

    The evaluator plays the game again for this.
    """
    return [_event_row(state.game, event, game, index) for index, event in enumerate(state.events())]


def _event_row(played: Game, event: Event, game: int, index: int) -> Row:
    data, value = event.data, event.data.get("value")
    is_number = isinstance(value, int) and not isinstance(value, bool)
    number, words = (value, None) if is_number else (None, _as_text(value))
    place = None if event.span is None else place_of(played.program, event.span)
    happened = (game, index, event.step, event.phase, event.actor, event.kind, str(event.text))
    rules = (" ".join(event.rules), place, event.quiet)
    component = (data.get("component"), data.get("class"))
    origin = (data.get("from"), _as_text(data.get("from_of")))
    target = (data.get("to"), _as_text(data.get("to_of")))
    several = (data.get("count"), _as_text(data.get("components")), _as_text(data.get("readers")))
    change = (data.get("variable"), _as_text(data.get("of")), number, words)
    return (*happened, *rules, *component, *origin, *target, *several, *change)


def _as_text(value: object) -> str | None:
    """A JSON value as the text of a cell: texts as they are."""
    return value if value is None or isinstance(value, str) else one_line(value)


# ---------------------------------------------------------------- the log of a game
class DecisionLog:
    """Takes down the decisions of one game, by its number, while it is played: `note` each before it is
    applied, then ask for the `rows`.
    """

    def __init__(self, table: DecisionTable, game: int) -> None:
        self.columns = table.columns
        self._table, self._game = table, game
        self._rows: list[tuple[int, Row]] = []  # seats, and all cells but those of the result
        self._turn, self._seat = 0, -1

    def note(self, state: State, seat: int, action: int, options: int) -> None:
        """A seat, or chance, takes one of so many options of the decision at which the state stands."""
        point = state.asked_at()
        assert point is not None, "somebody decides here"
        if seat >= 0 and seat != self._seat:
            self._turn, self._seat = self._turn + 1, seat
        described = self._table.describe(state, point, seat, action)
        before = (self._game, len(self._rows), self._turn, state.phase(), seat)
        self._rows.append((seat, (*before, *described, options, options == 1)))

    def rows(self, outcome: Mapping[str, Any], count: int | None = None) -> list[Row]:
        """The rows of a game that ended so, or the first `count` of them: the rest did not happen any
        more.
        """
        results = results_of(outcome)
        return [(*cells, *results.get(seat, _NOTHING)) for seat, cells in self._rows[:count]]


_NOTHING: tuple[Cell, Cell, Cell] = (None, None, None)


def results_of(outcome: Mapping[str, Any]) -> dict[int, tuple[Cell, Cell, Cell]]:
    """By seat its part of the win, what it is paid, and its score, of an outcome; nothing of a game that did
    not finish.
    """
    if outcome["status"] != "finished":
        return {}
    winners: Sequence[int] = outcome["winners"] or ()
    returns, scores = outcome["returns"] or (), outcome["scores"] or ()
    share = 1 / len(winners) if winners else 0.0
    found: dict[int, tuple[Cell, Cell, Cell]] = {}
    for seat, paid in enumerate(returns):
        won = share if seat in winners else 0.0
        found[seat] = (won, float(exact(paid)), float(exact(scores[seat])) if scores else None)
    return found


def as_object(columns: Iterable[Column], row: Row) -> JsonObject:
    """A row as a JSON object; cells without a value are null."""
    return {column.name: cell for column, cell in zip(columns, row, strict=True)}


__all__ = [
    "DECISION_COLUMNS",
    "EVENT_COLUMNS",
    "Column",
    "DecisionLog",
    "DecisionTable",
    "Row",
    "as_object",
    "event_rows",
    "results_of",
]
