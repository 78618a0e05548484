"""The view of a state: the observation of a seat, laid out by what the ruleset declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from croupier.diagnostics import JsonObject
from croupier.kernel import types as t
from croupier.kernel.tree import LocalExpr, TextExpr, text_parts
from croupier.limits import MAX_SYMBOL
from croupier.records import dataclass
from croupier.runtime.arguments import viewer_of
from croupier.runtime.events import Event
from croupier.runtime.faults import Fault
from croupier.runtime.game import Zone, unseen
from croupier.runtime.state import State
from croupier.runtime.visibility import (
    EVERYBODY,
    UNSEEN,
    Say,
    ZoneSeen,
    attribute_seen,
    counts_zone,
    observed_by,
    sees_zone,
    state_seen,
    zone_seen,
)
from croupier.runtime.zone_contents import size
from croupier.semantics.program import VarDef, part_of
from croupier.table.board_frame import Area, BoardFrame, whole_board
from croupier.table.component_facts import MAX_THINGS, OwnedValue, OwnedZone, PartKey, known_of
from croupier.table.known_facts import known_facts
from croupier.table.offers import Offers
from croupier.table.view import BAG, FAN, NO_WORDS, PILE, ROW, Board, Cell, Seat, Thing, Value, View, ZoneView
from croupier.text import Part, Text, join
from croupier.text import Seat as PlayerPart

NOTHING = ("none", "no", "0", "")  # values that are not drawn
MAX_TEXT = 400  # characters of a value of the state


@dataclass(frozen=True, slots=True)
class RecordSeen:
    """A record as a table draws it: its words, the colour (`#rrggbb`) and the symbol, empty without."""

    words: str
    colour: str
    symbol: str


def view(state: State, seat: int | None, events: Iterable[Event] = ()) -> View:
    """Return the table as a seat sees it (`None`: the referee, `SPECTATOR`: somebody at no seat).

    With the events of the seat it holds what the seat was shown and told, and others were not.

    Raises ValueError for a seat that is not there.
    """
    seen, known = _ViewBuilder(state, seat).view(), known_facts(events)
    return replace(seen, known=known) if known else seen


def text_of(state: State, seen: View) -> str:
    """A view of this state as JSON text: that of `View.to_json`.

    Zones and values that were in words before are taken as they are.
    """
    return known_of(state._m.rules).texts.text(seen)


class _ViewBuilder:
    """A builder of the view of one observation."""

    def __init__(self, state: State, asked_by: int | None) -> None:
        self.state, self.asked_by, self.game, self.m = state, asked_by, state._m.game, state._m
        # as the runtime counts: one more than the last seat is who sits at none
        self.viewer = viewer_of(asked_by, state.players)
        asked = state.asked(self.viewer) if self.viewer is not None and self.viewer < state.players else None
        self.offers = Offers(state, asked_by, asked)
        self.known = known_of(self.m.rules)
        self.say: Say = partial(self.game.to_json, m=self.m, spoken=True)
        self.looks = self.game.program.looks
        self.changes = self._changes()

    def view(self) -> View:
        zones = list(self._zones())
        values = list(self._values())
        boards = tuple(self._board(name, zones, values) for name in self.game.boards)
        outcome = self.state.outcome()
        if self.state.is_open_to(self.asked_by) and not self.state.is_terminal():
            acting = tuple(self.state.pending_seats())
        else:
            acting = None
        if acting is None and self.viewer is not None and self.viewer in self.state.pending_seats():
            acting = (self.viewer,)
        seats = tuple(self._seat(p, zones, values, acting or (), outcome) for p in range(self.game.players))
        return View(
            self.state.ruleset.title,
            self.viewer if self.viewer != self.game.players else None,
            self.game.players,
            seats,
            boards,
            side_by_side([zone for owner, cell, zone in zones if owner is None and cell is None]),
            tuple(value for owner, cell, value in values if owner is None and cell is None),
            acting,
            self.offers.decision(),
            outcome["status"],
            None if outcome["status"] == "running" else outcome["grade"] or outcome["reason"],
        )

    def _changes(self) -> dict[str, dict[str, object]]:
        """Return the visible changeable attributes of components with a label of their own, by label.

        Attributes that the label shows are left out.
        """
        found: dict[str, dict[str, object]] = {}
        for kind, names in self.game.unlabelled.items():
            for name in names:
                seen = attribute_seen(self.m, self.game.program.vars[f"{kind}.{name}"], self.viewer, self.say)
                for label, value in seen.items():
                    found.setdefault(label, {})[name] = value
        return found

    # ------------------------------------------------------------ zones
    def _zones(self) -> Iterator[OwnedZone]:
        """Each zone with its owner and its cell."""
        for zone in self.game.zones:
            key = self.game.program.zones[zone.family].key
            yield zone.owner, (key.board, zone.key) if isinstance(key, t.Cell) else None, self._zone(zone)

    def _zone(self, zone: Zone) -> ZoneView:
        definition, title = self.game.program.zones[zone.family], self._title(zone)
        own: tuple[int, ...] = ()
        if isinstance(definition.key, t.Enum):
            own = self.offers.concerning(self.game.show(zone.key, definition.key, labelled=True))
        key: PartKey | None = None
        if self.known.is_plain(zone):
            z, viewer = zone.number, self.viewer
            if viewer is None or sees_zone(self.m, z, viewer):
                lies: object = self.m.zones[z]
            else:
                lies = size(self.m.zones[z]) if counts_zone(self.m, z, viewer) else None
            key = ("zone", z, title, lies)
            kept = self.known.parts.get(key)
            if (
                isinstance(kept, ZoneView)
                and not own
                and (not kept.things or all(thing.label not in self.offers.by_name for thing in kept.things))
            ):
                return kept
        seen = zone_seen(self.m, zone, self.viewer, self.say)
        entry, changed = seen.entry, self._changed(seen)
        if seen.backs:
            behind = iter(seen.backs)
            entry = [
                next(behind, None) if label is None else label
                for label in (entry if isinstance(entry, list) else [None] * len(seen.backs))
            ]
        labels = tuple(entry) if isinstance(entry, list) else ()
        if own or not self.offers.by_name.keys().isdisjoint(labels):
            return self._made(zone, title, entry, changed, own)
        if key is None:
            holds: object = labels
            if not isinstance(entry, list):
                holds = None if entry is None else int(entry["count"])
            key = ("zone", zone.number, title, holds, repr(changed) if any(changed) else "")
        return self.known.kept(key, lambda: self._made(zone, title, entry, changed, ()))

    def _changed(self, seen: ZoneSeen) -> Sequence[Mapping[str, object]]:
        """Return the visible changeable attributes of each component of a zone."""
        by_label: Sequence[Mapping[str, object]] = ()
        if self.changes and isinstance(seen.entry, list):
            by_label = [self.changes.get(label or "", {}) for label in seen.entry]
        return [one or by_label[i] if by_label else one for i, one in enumerate(seen.attributes)] or by_label

    def _made(
        self,
        zone: Zone,
        title: Text,
        entry: JsonObject | list[str | None] | None,
        changed: Sequence[Mapping[str, object]],
        own: tuple[int, ...],
    ) -> ZoneView:
        """A zone by what an observation says of it."""
        group = self.looks.together.get(zone.family, "")
        short = NO_WORDS if zone.owner is None else below_owner(title, zone.owner, zone.family)
        if not isinstance(entry, list):
            count = None if entry is None else entry["count"]
            return ZoneView(zone.family, title, _form(zone), zone.owner, count, None, own, group, short)
        held = self.game.program.zones[zone.family].kinds
        kinds, hidden = tuple(sorted(held)), unseen(str(t.Component(held)))
        things = tuple(
            self._thing(label or hidden, kinds, changed[i] if i < len(changed) else {})
            for i, label in enumerate(entry)
        )
        return ZoneView(zone.family, title, _form(zone), zone.owner, len(things), things, own, group, short)

    def _title(self, zone: Zone) -> Text:
        title = self.known.titles.get(zone.number)
        if title is not None:
            return title
        definition = self.game.program.zones[zone.family]
        words = self.m.rules.words(definition, (zone.key,))
        told = (None if words is None else self._told(words)) or self.game.zone_title(zone)
        if definition.words is None or all(
            isinstance(x, LocalExpr | TextExpr) for x in definition.words.text.walk()
        ):
            self.known.titles[zone.number] = told  # it says nothing but which zone it is
        return told

    def _told(self, words: Any) -> Text | None:  # noqa: ANN401 - a value of any type of the language
        """Words of the ruleset as the viewer reads them."""
        with observed_by(self.m, self.viewer), suppress(Fault):
            return Text.of(words(self.m))
        return None

    def _thing(self, label: str, kinds: tuple[str, ...], changed: Mapping[str, object]) -> Thing:
        things = self.known.things
        key = (label, kinds, repr(changed) if changed else "")
        thing = things.get(key)
        if thing is None:
            if len(things) >= MAX_THINGS:
                things.clear()
            thing = things[key] = self._described(label, kinds, changed)
        options = self.offers.concerning(label)
        return replace(thing, options=options) if options else thing

    def _described(self, label: str, kinds: tuple[str, ...], changed: Mapping[str, object]) -> Thing:
        """A component by what is seen of it."""
        known_as = self.known.faces.get(label, {})
        kind = next((k for k in kinds if k in known_as), kinds[0] if len(kinds) == 1 else "")
        attributes = known_as.get(kind, ())
        values = {
            name.replace("_", " "): value for name, value in changed.items() if value not in (None, False)
        }
        changing = tuple((name, _words(value)) for name, value in values.items())
        known = tuple(name for name, _ in changing)
        worn = (*(pair for pair in attributes if pair[0] not in known), *changing)
        details = {name.replace("_", " ") for name in self.looks.details}
        shown = tuple(pair for pair in worn if pair[0] not in details)
        called = self._called_by(kind)
        if called is not None and called not in dict(shown):
            shown = (*shown, (called, Text.of(label)))
        style = self._style_of(kind, dict((*worn, *shown)))
        known = tuple(name for name in known if name not in details)
        return Thing(
            kind, Text.of(label), shown, (), *style, known, self.known.powers.get(label, {}).get(kind, ())
        )

    def _called_by(self, kind: str) -> str | None:
        """The changeable attribute that a component of a class is called by, if its label is nothing else:
        `{face}`.
        """
        k = self.game.program.classes.get(kind)
        if (
            k is None
            or k.label is None
            or k.frame is None
            or text_parts(k.label) != (None,)
            or not isinstance(k.label.args[0], LocalExpr)
        ):
            return None
        name = k.frame.slots[k.label.args[0].slot]
        return name.replace("_", " ") if name in k.mutable else None

    def _style_of(self, kind: str, shown: Mapping[str, str]) -> tuple[str, str, tuple[Text, ...]]:
        """Colour, symbol and large words of a component of a class with these attributes."""
        large = self.looks.large.get(kind, ())
        if not shown or not (large or self.looks.values):
            return "", "", ()
        changing = {v.name.rpartition(".")[2]: v.type for v in self.game.variables if v.of_class == kind}
        types = {**self.game.program.classes[kind].attributes, **changing}
        styles = {
            name: self._style(types[name], shown[spoken])
            for name in types
            if (spoken := name.replace("_", " ")) in shown
        }
        order = dict.fromkeys((*large, *styles))
        colour = next((styles[name][0] for name in order if name in styles and styles[name][0]), "")
        symbol = next((styles[name][1] for name in order if name in styles and styles[name][1]), "")
        words = tuple(
            Text.of(styles[name][1] or shown[name.replace("_", " ")]) for name in large if name in styles
        )
        return colour, symbol, words

    def _style(self, kind: t.Type, text: str) -> tuple[str, str]:
        """Colour and symbol of a value of an enumeration, as the ruleset gives them."""
        while isinstance(kind, t.Optional | t.Map):
            kind = kind.base if isinstance(kind, t.Optional) else kind.value
        return self.looks.values.get((kind.name, text), ("", "")) if isinstance(kind, t.Enum) else ("", "")

    # ------------------------------------------------------------ state
    def _values(self) -> Iterator[OwnedValue]:
        """Each value with the player or the cell that it belongs to."""
        for v in self.game.variables:
            if v.of_class is None:
                # what it names is called the same in every position
                if self.game.seen_by[v.index] == EVERYBODY and not self.game.labels:
                    yield from self.known.kept(
                        ("variable", v.index, self.m.vars[v.index]), partial(self._values_of, v)
                    )
                else:
                    yield from self._values_of(v)

    def _say(self, value: Any, kind: t.Type) -> object:  # noqa: ANN401 - a value of any type of the language
        """A value as JSON for people; a record as the table draws it."""
        match kind:
            case t.Optional() if value is not None:
                return self._say(value, kind.base)
            case t.Record():
                return self._record(value, kind)
            case t.Map():
                pairs = zip(self.game.values(kind.key), value, strict=False)
                return {
                    str(self.say(k, kind.key)): self._say(v, kind.value) for k, v in pairs if v is not None
                }
        return self.say(value, kind)

    def _record(self, value: tuple[Any, ...], kind: t.Record) -> RecordSeen:
        """A record with its label, its symbol or that of a field, and the colour of a field."""
        record, styles = self.game.program.records[kind.name], list[tuple[str, str]]()
        if self.looks.values:
            fields = zip(value, record.fields.values(), strict=True)
            styles = [self._style(of, _words(self.game.to_json(one, of))) for one, of in fields]
        symbol = next((symbol for _, symbol in styles if symbol), "")
        if record.sign is not None:
            symbol = self.game.in_words(record.sign, value, self.m).strip()[:MAX_SYMBOL]
        colour = next((colour for colour, _ in styles if colour), "")
        return RecordSeen(_words(self.say(value, kind)), colour, symbol)

    def _values_of(self, v: VarDef) -> tuple[OwnedValue, ...]:
        value = state_seen(self.m, v, self.viewer, self._say)
        if value is UNSEEN:
            return ()
        name = v.name.replace("_", " ")
        if not (
            isinstance(v.type, t.Map)
            and isinstance(value, dict)
            and isinstance(v.type.key, t.Player | t.Cell)
        ):
            return ((None, None, self._value(v, name, value, v.type)),)
        found: list[OwnedValue] = []
        for i, key in enumerate(self.game.values(v.type.key)):
            shown = str(self.say(key, v.type.key))
            if shown in value:
                owner = i if isinstance(v.type.key, t.Player) else None
                cell = (v.type.key.board, shown) if isinstance(v.type.key, t.Cell) else None
                found.append((owner, cell, self._value(v, name, value[shown], v.type.value)))
        return tuple(found)

    def _value(self, v: VarDef, name: str, value: object, kind: t.Type) -> Value:
        if isinstance(value, dict | list):
            return self._value_made(v, name, value, kind)
        return self.known.kept(
            ("value", v.index, type(value), value), lambda: self._value_made(v, name, value, kind)
        )

    def _value_made(self, v: VarDef, name: str, value: object, kind: t.Type) -> Value:
        # what stands on cells is what a board is drawn for
        lies_on_board = isinstance(v.type, t.Map) and isinstance(v.type.key, t.Cell)
        is_bookkeeping = v.words is not None and text_parts(v.words.text) == () and not lies_on_board
        is_detail = is_bookkeeping or v.name in self.looks.details
        kind = _without_none(kind)
        if isinstance(kind, t.Int) and isinstance(value, int):
            low, high = self.game.int_bounds(kind)
            return Value(name, Text.of(str(value)), value, low, high, is_detail)
        return self._drawn(name, value, kind, is_detail)

    def _drawn(self, name: str, value: object, kind: t.Type, is_detail: bool = False) -> Value:
        """A value in words, with its colour and its symbol."""
        text = _shortened(_words(value))
        if isinstance(value, RecordSeen):
            colour, symbol = value.colour, value.symbol
        else:
            colour, symbol = self._style(kind, text)
        return Value(name, text, is_detail=is_detail, colour=colour, symbol=symbol)

    def _fixed(self, name: str, value: object, kind: t.Type) -> Value:
        """Return a value that a cell has for good."""
        kind = _without_none(kind)
        found = self._drawn(name, self._say(value, kind), kind)
        return self.known.kept(("fixed", name, kind, found.text), lambda: found)

    # ------------------------------------------------------------ boards
    def _board(self, name: str, zones: Sequence[OwnedZone], values: Sequence[OwnedValue]) -> Board:
        """A board, or the edges, corners or links of one, with what lies there."""
        defined, topology = self.game.program.boards, self.game.boards[name]
        board = whole_board(defined, name)
        frame = BoardFrame(
            self.game, name, self._area(board, zones, values) if defined[board].is_growing else None
        )
        zones_at: dict[int, list[ZoneView]] = {}
        for _, at, zone in zones:
            if at is not None and at[0] == name:
                zones_at.setdefault(at[1], []).append(zone)
        values_at: dict[str, list[Value]] = {}
        for a, kind in defined[name].cell_attributes.items():
            for cell_name, value in zip(
                topology.called, self.game.columns[defined[name].cell, a], strict=True
            ):
                # the first value of an enumeration is 0, too
                is_nothing = value is None or (not value and not isinstance(_without_none(kind), t.Enum))
                if not is_nothing:
                    values_at.setdefault(cell_name, []).append(self._fixed(a.replace("_", " "), value, kind))
        for _, where, value in values:
            if where is not None and where[0] == name:
                values_at.setdefault(where[1], []).append(value)
        empty = self.known.kept(("cells", name, frame.area), frame.cells)
        links = self.known.kept(("links", name), frame.links)
        key, drawn = ("cell", name, frame.area), zip(frame.drawn, empty, strict=True)
        cells = tuple(
            [
                self._cell(
                    (*key, i), cell, topology.names[i], zones_at.get(i, ()), values_at.get(cell.name, ())
                )
                for i, cell in drawn
            ]
        )
        return Board(
            name.replace("_", " "),
            frame.shape,
            *frame.size,
            cells,
            links,
            frame.top,
            frame.left,
            frame.row_names,
            frame.column_names,
        )

    def _area(self, board: str, zones: Sequence[OwnedZone], values: Sequence[OwnedValue]) -> Area:
        """Return the area to draw of a board that grows: top, left, bottom and right.

        It holds what lies there, one cell more around it, and the places where one may act.
        """
        whole = self.game.boards[board]
        used, offered = set[int](), set[int]()
        for name in (board, *(part_of(board, shape) for shape in ("edges", "corners"))):
            if (topology := self.game.boards.get(name)) is not None:
                places = {at[1] for _, at, zone in zones if at is not None and at[0] == name and zone.count}
                named = {
                    at[1]
                    for _, at, value in values
                    if at is not None and at[0] == name and value.text not in NOTHING
                }
                for i, label in enumerate(topology.names):
                    cells = (i,) if name == board else topology.relations[""][i]
                    used.update(cells if i in places or label in named else ())
                    offered.update(cells if label in self.offers.by_name else ())
        used = used or {whole.at[0, 0]}
        ring = used.union(*(whole.steps[c].values() for c in used))
        rows, columns = ([numbers[c] for c in ring | offered] for numbers in (whole.row_of, whole.column_of))
        return min(rows), min(columns), max(rows), max(columns)

    def _cell(
        self, key: PartKey, empty: Cell, name: str, zones: Sequence[ZoneView], values: Sequence[Value]
    ) -> Cell:
        """Return the cell of a name with what is on it. It is kept if all of that is, and nothing may be done
        there.
        """
        options, texts = self.offers.concerning(name), self.known.texts

        def made() -> Cell:
            return replace(empty, zones=tuple(zones), values=tuple(values), options=options)

        if options or not texts.keeps_all((*zones, *values)):
            return made()
        return self.known.kept((*key, *map(id, zones), *map(id, values)), made)

    # ------------------------------------------------------------ seats
    def _seat(
        self,
        p: int,
        zones: Sequence[OwnedZone],
        values: Sequence[OwnedValue],
        acting: Sequence[int],
        outcome: JsonObject,
    ) -> Seat:
        """Return a seat with what is its. It is kept if all of that is, and nothing may be done there."""
        mine = [zone for owner, cell, zone in zones if owner == p and cell is None]
        own = [value for owner, _, value in values if owner == p]
        options = self.offers.concerning(p)
        score = None if outcome["scores"] is None else outcome["scores"][p]

        def made() -> Seat:
            return Seat(
                p, side_by_side(mine), tuple(own), p in acting, options, score, p in outcome["winners"]
            )

        if options or not self.known.texts.keeps_all((*mine, *own)):
            return made()
        key = ("seat", p, p in acting, score, p in outcome["winners"], *map(id, mine), "", *map(id, own))
        return self.known.kept(key, made)


def _without_none(kind: t.Type) -> t.Type:
    """The type of what an optional value is, if it is something."""
    return kind.base if isinstance(kind, t.Optional) else kind


def side_by_side(zones: Iterable[ZoneView]) -> tuple[ZoneView, ...]:
    """Zones in their order, but those of one group where its first stands."""
    rows: dict[object, list[ZoneView]] = {}
    for i, zone in enumerate(zones):
        rows.setdefault(zone.group or i, []).append(zone)
    return tuple(zone for row in rows.values() for zone in row)


def _form(zone: Zone) -> str:
    """Return the form of a zone: a pile, a row if it is a sequence, else a fan if not everybody sees it."""
    if zone.order == "pile":
        return PILE
    if zone.order == "sequence":
        return ROW
    return BAG if zone.seen_by == EVERYBODY else FAN


def below_owner(title: Text, owner: int, family: str) -> Text:
    """What a zone is called below the name of its owner; empty if that is its title.

    The owner at the end goes (`hand of player 2`, `the row before player 2`), and so does one at the
    beginning (`player 2's hand`); a zone that is called by nothing else has the name of its family.
    """
    of_owner = PlayerPart(owner)
    first, *rest = title.parts or ("",)
    if first == of_owner and not rest:
        return Text.of(family.replace("_", " "))
    if first == of_owner and isinstance(rest[0], str) and rest[0].startswith("'s "):
        return Text.of(*rest).without("'s ")
    if not rest or rest[-1] != of_owner or not isinstance(rest[-2] if len(rest) > 1 else first, str):
        return NO_WORDS
    words = Text.of(*title.parts[:-1])
    last = words.parts[-1]
    for joint in (" of ", " before "):
        if isinstance(last, str) and last.endswith(joint):
            return Text.of(*words.parts[:-1], last.removesuffix(joint)).without("the ")
    return NO_WORDS


def _words(value: object) -> Text:
    """A JSON value for people."""
    if value is None:
        return Text.of("none")
    if isinstance(value, bool):
        return Text.of("yes" if value else "no")
    if isinstance(value, RecordSeen):
        return Text.of(value.words)
    found: Part = value if isinstance(value, str) else str(value)
    if isinstance(value, dict):
        found = join(", ", [Text.of(key, " ", _words(one)) for key, one in value.items()]) or "nothing"
    if isinstance(value, list | tuple):
        found = join(", ", map(_words, value)) or "nothing"
    return Text.of(found)


def _shortened(text: Text) -> Text:
    """A text of at most `MAX_TEXT` characters; of a longer one the beginning, as plain words."""
    return text if len(text) <= MAX_TEXT else Text.of(text[:MAX_TEXT])
