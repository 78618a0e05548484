"""A game set up: parameters bound, components made, zones and boards laid out.

Shared by every state of that set-up; never changes.

Values at run time are plain and immutable: numbers; true and false; `None`; players, enumeration values,
cells and components as numbers from 0; lists, sets, bags, maps and records as tuples. Types are static, so
values carry none.

What lies in zones is a value, too: components bottom to top, unordered parts as tuples among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from functools import cached_property, partial
from typing import Any, Protocol

from croupier.kernel import types as t
from croupier.kernel.tree import LocalExpr, TypedExpr
from croupier.limits import MAX_SHOWN
from croupier.records import dataclass
from croupier.runtime.boards import Topology
from croupier.runtime.equal_components import Copies, copies_of
from croupier.semantics.decision_sites import DecisionSite, Point, decision_sites
from croupier.semantics.program import EventWords, Program, VarDef
from croupier.text import Number, Part, Seat, Text, Thing

# A value of the evaluator. What stands for a value of each type of the language:
#
#     int, bool                  bool itself; numbers; by their number: components, cells, players (from 0),
#                                values of an enumeration, zones
#     text                       str
#     T?                         None, or a value of T
#     list, set, record          a tuple of values; of a record one for each field, in order
#     map                        a tuple with one value for each key, in the order of the keys' values; `None`
#                                where a key has none
#
# mypy is told `Any`, for one reason: which of these a value is, the checker has proved before the evaluator
# is given it, so compiled functions add, compare and index without asking. With the union `int | str | None |
# tuple[Value, ...]` mypy reports 721 errors in 43 modules (295 operators, 179 arguments, 107 indices). Each
# would need a `cast`, which proves nothing, or a test in the innermost functions.
Value = Any
KEPT = object()  # stands for a `var` parameter that a hook does not name


def unseen(kind: str) -> str:
    """Return the words for a component whose face is not seen: `a Card`, `an Amulet`."""
    return f"{'an' if kind[:1] in 'AEIOUaeiou' else 'a'} {kind}"


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _left_out(count: int) -> str:
    """The words for what is left out of `count` values."""
    return f", … ({count - MAX_SHOWN} more)" if count > MAX_SHOWN else ""


KEPT_TEXTS = 1_000  # of values of one type that are kept


@dataclass(frozen=True, slots=True)
class Component:
    """A component: its number over all classes, its class, its number in the class, and what never changes
    about it.
    """

    number: int
    kind: str
    index: int
    attributes: dict[str, Value]
    label: str
    id: str | None
    back: str | None = None  # what is seen of it where its face is not


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone of a game: a single one, or one of a family, which has one for each key."""

    number: int
    family: str  # the name of its declaration
    key: Value
    order: str
    capacity: int | None
    seen_by: int
    counted_by: int
    live: bool
    owner: int | None  # the player it belongs to
    sight: int = 0  # does the position say who sees it: 1 of the zone, 2 of each component
    count_sight: bool = False  # does it say who knows how many there are?


class PositionObserver(Protocol):
    """A reader of a position (`visibility.SeatObserver`), and what it may see; called with a component, where
    that lies.
    """

    def __call__(self, component: int) -> bool: ...

    def named(self, component: int) -> bool: ...

    def back(self, component: int) -> bool: ...

    def zone(self, z: int) -> bool: ...

    def top(self, z: int) -> bool: ...

    def count(self, z: int) -> bool: ...

    def variable(self, index: int, at: Value) -> bool: ...

    def attribute(self, index: int, component: int) -> bool: ...


class ObservedPosition(Protocol):
    """What words need to know of a machine (`machine.py`): the state, and who reads them."""

    @property
    def has_position(self) -> bool: ...

    @property
    def vars(self) -> list[Value]: ...

    @property
    def observer(self) -> PositionObserver | None: ...

    def record_words(self, words: EventWords, fields: tuple[Value, ...]) -> str: ...


class SetupEvaluator(Protocol):
    """Works out a set-up expression; `known` are the values of its first locals."""

    def __call__(self, x: TypedExpr, *known: Value) -> Value: ...


@dataclass(frozen=True, eq=False)
class Game:
    """A game set up for some players and values of parameters.

    It belongs to all of its states and never changes. What plays it is its `Engine`.
    """

    program: Program
    players: int
    parameters: dict[str, Value]
    evaluate: SetupEvaluator
    enum_values: dict[str, dict[str, int]] = field(default_factory=dict)
    columns: dict[tuple[str, str], tuple[Value, ...]] = field(default_factory=dict)
    boards: dict[str, Topology] = field(default_factory=dict)
    components: list[Component] = field(default_factory=list)
    kinds: dict[str, tuple[int, int]] = field(default_factory=dict)  # class -> first number, count
    by_id: dict[tuple[str, str], int] = field(default_factory=dict)
    by_label: dict[str, list[int]] = field(default_factory=dict)
    # classes whose labels change in play
    labels: dict[str, Callable[[ObservedPosition, Component], str]] = field(default_factory=dict)
    zones: list[Zone] = field(default_factory=list)
    # name of a declaration -> first number, count
    zone_ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    # bounds of types, by identity
    constants: dict[int, tuple[TypedExpr, Value]] = field(default_factory=dict)
    start_vars: list[Value] = field(default_factory=list)
    start_zones: list[tuple[object, ...]] = field(default_factory=list)
    seen_by: list[int] = field(default_factory=list)  # audience of each state variable

    @cached_property
    def by_position(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The zones, and the state variables, of which the position says who sees them; the zones of which it
        says who counts them.
        """
        zones = tuple(zone.number for zone in self.zones if zone.sight)
        counted = tuple(zone.number for zone in self.zones if zone.count_sight)
        return zones, tuple(v.index for v in self.variables if v.sight is not None), counted

    @cached_property
    def variables(self) -> list[VarDef]:
        """State variables and changeable attributes by their numbers."""
        return list(self.program.vars.values())

    @cached_property
    def sites(self) -> dict[Point, DecisionSite]:
        """The places of the rules where somebody is asked, with the names of these decisions."""
        return decision_sites(self.program)

    @cached_property
    def has_backs(self) -> bool:
        """True if anything is seen of components whose faces are not."""
        return any(k.back is not None for k in self.program.classes.values())

    @cached_property
    def alike(self) -> Copies:
        """The components that are called alike, and those that are alike for ever."""
        names = [(p.kind, p.label if p.id is None else p.id, p.id is None) for p in self.components]
        return copies_of(self.program, names, [zone.order in ("set", "bag") for zone in self.zones])

    @cached_property
    def unlabelled(self) -> dict[str, list[str]]:
        """The changeable attributes that do not stand in the label, by class; classes of which all do are
        left out.
        """
        found = {}
        for k in self.program.classes.values():
            if k.label is None or k.frame is None:
                shown = set()
            else:
                shown = {k.frame.slots[x.slot] for x in k.label.walk() if isinstance(x, LocalExpr)}
            names = [name for name in k.mutable if name not in shown]
            if names:
                found[k.name] = names
        return found

    @cached_property
    def zone_names(self) -> list[str]:
        """The keys of the zones in words, by their numbers; empty for a zone that is one."""
        kinds = {name: zone.key for name, zone in self.program.zones.items()}
        return [
            "" if (kind := kinds[zone.family]) is None else self.show(zone.key, kind) for zone in self.zones
        ]

    # ------------------------------------------------------------ domains
    def domain(self, kind: t.Type) -> tuple[int, int]:
        """First value and number of values of a finite type."""
        match kind:
            case t.Int():
                low, high = self.int_bounds(kind)
                assert low is not None and high is not None
                return low, max(0, high - low + 1)
            case t.Bool():
                return 0, 2
            case t.Enum():
                return 0, len(self.program.enums[kind.name].values)
            case t.Player():
                return 0, self.players
            case t.Cell():
                return 0, self.boards[kind.board].size
            case t.Component():
                ranges = sorted(self.kinds[k] for k in kind.kinds)
                first = ranges[0][0]
                last = max(a + n for a, n in ranges)
                return first, last - first
            case t.Optional():
                return self.domain(kind.base)
        raise TypeError(str(kind))

    def is_finite(self, kind: t.Type) -> bool:
        if isinstance(kind, t.Int):
            return None not in self.int_bounds(kind)
        return isinstance(kind, (t.Bool, t.Enum, t.Player, t.Cell, t.Component))

    def int_bounds(self, kind: t.Int) -> tuple[int | None, int | None]:
        """The exact bounds under these parameters."""
        low = kind.low if kind.low_exact is None else self.constant(kind.low_exact)
        high = kind.high if kind.high_exact is None else self.constant(kind.high_exact)
        return low, high

    def constant(self, x: TypedExpr) -> Value:
        """The value of a set-up expression, worked out once."""
        if id(x) not in self.constants:
            self.constants[id(x)] = (x, self.evaluate(x))
        return self.constants[id(x)][1]

    def values(self, kind: t.Type) -> tuple[Value, ...]:
        """Return every value of a finite type, in order."""
        if isinstance(kind, t.Bool):
            return (False, True)
        first, count = self.domain(kind)
        if isinstance(kind, t.Component):
            return tuple(i for i in range(first, first + count) if self.components[i].kind in kind.kinds)
        return tuple(range(first, first + count))

    def fits(self, value: Value, kind: t.Type) -> bool:
        """Return whether a value is one of a type, as a position holds it."""
        match kind:
            case t.Optional():
                return value is None or self.fits(value, kind.base)
            case t.Bool():
                return isinstance(value, bool) or value in (0, 1)
            case t.Int():
                low, high = self.int_bounds(kind)
                return _is_number(value) and (low is None or low <= value) and (high is None or value <= high)
            case t.Enum() | t.Player() | t.Cell():
                first, count = self.domain(kind)
                return _is_number(value) and first <= value < first + count
            case t.Component():
                return (
                    _is_number(value)
                    and 0 <= value < len(self.components)
                    and self.components[value].kind in kind.kinds
                )
            case t.Text():
                return isinstance(value, str)
            case t.Zone():
                return _is_number(value) and 0 <= value < len(self.zones)
            case t.Record():
                fields = tuple(self.program.records[kind.name].fields.values())
                return (
                    isinstance(value, tuple)
                    and len(value) == len(fields)
                    and all(self.fits(v, f) for v, f in zip(value, fields, strict=True))
                )
            case t.Collection():
                most = None if kind.capacity is None else self.constant(kind.capacity)
                return (
                    isinstance(value, tuple)
                    and (most is None or len(value) <= most)
                    and all(self.fits(v, kind.base) for v in value)
                )
            case t.Map():
                return (
                    isinstance(value, tuple)
                    and len(value) == self.domain(kind.key)[1]
                    and all(v is None or self.fits(v, kind.value) for v in value)
                )
        return True

    # ------------------------------------------------------------ words
    def label(self, component: int, m: ObservedPosition) -> str:
        """Return the label of a component in the position of a machine."""
        p = self.components[component]
        changing = self.labels.get(p.kind)
        return p.label if changing is None or not m.has_position else changing(m, p)

    def unseen(self, component: int, kinds: str, seen: Callable[[int], bool]) -> str:
        """Return the words for a component of one of these classes whose face is not seen.

        That is its back, if `seen` returns true for the component.
        """
        back = self.components[component].back
        return back if back is not None and seen(component) else unseen(kinds)

    def handle(self, component: int) -> str:
        """A name for one component that no other of its class has and that never changes."""
        p = self.components[component]
        alone = (
            p.kind not in self.labels
            and len([i for i in self.by_label[p.label] if self.components[i].kind == p.kind]) == 1
        )
        return p.label if alone else f"{p.kind}-{p.index + 1}"

    def components_of(self, kind: str, id: str | None) -> tuple[int, ...]:
        """The components of a class: all of them, or those with an id."""
        first, count = self.kinds[kind]
        return tuple(i for i in range(first, first + count) if id is None or self.components[i].id == id)

    def named(self, text: str, kinds: frozenset[str] | None = None) -> list[int]:
        """Return the components with this label at the start; if there are none, the one with this handle."""
        found = self.by_label.get(text) or [i for i in range(len(self.components)) if self.handle(i) == text]
        return [i for i in found if kinds is None or self.components[i].kind in kinds]

    def thing(self, component: int, m: ObservedPosition | None) -> Text:
        """A component by its label in the position of a machine, as one part of a text."""
        return Text.of(self._component(component, m))

    def _component(self, component: int, m: ObservedPosition | None) -> Thing:
        found = self.components[component]
        words = found.label if m is None else self.label(component, m)
        return Thing("component", words, component, found.kind)

    def show(
        self, value: Value, kind: t.Type, m: ObservedPosition | None = None, *, labelled: bool = False
    ) -> Text:
        """Return a value in the game's own words in the position of a machine (`None`: at the start).

        `m.observer` says whose faces may be shown. For people, which is wherever there is a machine, values
        of enumerations are called by their labels; for programs by their names.
        """
        is_labelled = labelled or m is not None
        if kind not in self._constant_texts:
            self._constant_texts[kind] = {} if self._is_constant(kind) else None
        kept = self._constant_texts[kind]
        if kept is None:
            return Text.of(*self._shown(value, kind, m, is_labelled))
        text = kept.get((value, is_labelled))
        if text is None:
            if len(kept) >= KEPT_TEXTS:
                kept.clear()
            text = kept[value, is_labelled] = Text.of(*self._shown(value, kind, m, is_labelled))
        return text

    @cached_property
    def _constant_texts(self) -> dict[t.Type, dict[tuple[Value, bool], Text] | None]:
        """By type the texts of values that say the same in every position, to every reader; `None` where
        values of the type do not.
        """
        return {}

    def _is_constant(self, kind: t.Type) -> bool:
        """Tell whether the words for a value of this type follow from what it equals: they never depend on
        the position, and no equal value has other parts, as a text may.
        """
        match kind:
            case t.Component() | t.Text():
                return False
            case t.Optional() | t.Collection():
                return self._is_constant(kind.base)
            case t.Map():
                return self._is_constant(kind.key) and self._is_constant(kind.value)
            case t.Record():
                record = self.program.records[kind.name]
                return record.shown_as is None and all(map(self._is_constant, record.fields.values()))
        return True

    def _shown(
        self, value: Value, kind: t.Type, m: ObservedPosition | None, labelled: bool
    ) -> Iterator[Part]:
        """The parts of a value in words."""
        if not isinstance(kind, t.Optional | t.Collection | t.Record | t.Map):
            yield self._single(value, kind, m, labelled)
        elif isinstance(kind, t.Optional) and value is None:
            yield "none"
        elif isinstance(kind, t.Optional):
            yield from self._shown(value, kind.base, m, labelled)
        elif isinstance(kind, t.Record):
            yield from self._shown_record(value, kind, m, labelled)
        elif isinstance(kind, t.Collection):
            if not value:
                yield "nothing"
            for i, one in enumerate(value[:MAX_SHOWN]):
                if i:
                    yield ", "
                yield from self._shown(one, kind.base, m, labelled)
            yield _left_out(len(value))
        else:
            pairs = [(k, v) for k, v in zip(self.values(kind.key), value, strict=False) if v is not None]
            for i, (key, one) in enumerate(pairs[:MAX_SHOWN]):
                if i:
                    yield ", "
                yield from self._shown(key, kind.key, m, labelled)
                yield ": "
                yield from self._shown(one, kind.value, m, labelled)
            yield _left_out(len(pairs))

    def _shown_record(
        self, value: tuple[Value, ...], kind: t.Record, m: ObservedPosition | None, labelled: bool
    ) -> Iterator[Part]:
        record = self.program.records[kind.name]
        if record.shown_as is not None:
            yield Thing("record", self.in_words(record.shown_as, value, m))
            return
        yield "("
        for i, ((name, of), one) in enumerate(zip(record.fields.items(), value, strict=True)):
            yield f", {name} " if i else f"{name} "
            yield from self._shown(one, of, m, labelled)
        yield ")"

    def _single(self, value: Value, kind: t.Type, m: ObservedPosition | None, labelled: bool) -> Part:
        match kind:
            case t.Bool():
                return "true" if value else "false"
            case t.Enum():
                enum = self.program.enums[kind.name]
                name = enum.values[value]
                return Thing("value", enum.labels.get(name, name) if labelled else name, name)
            case t.Player():
                return Seat(value) if value is not None else "nobody"
            case t.Cell():
                return self._cell(kind, value, labelled)
            case t.Component():
                if m is None or m.observer is None or m.observer.named(value):
                    return self._component(value, m)
                return Thing("unseen", self.unseen(value, str(kind), m.observer.back))
        if value is None:
            return "none"
        if isinstance(value, str):
            return value
        return Number(value) if type(value) is int else str(value)

    def _cell(self, kind: t.Cell, cell: int, labelled: bool) -> Thing:
        board = self.boards[kind.board]
        name, label = board.names[cell], board.called[cell]
        if not labelled or name == label:
            return Thing("cell", name, cell)
        return Thing("cell", label, cell, name=name)

    def in_words(self, words: EventWords, fields: tuple[Value, ...], m: ObservedPosition | None) -> Text:
        """Return what a record with these values of its fields is called, in the position of a machine or at
        the start.
        """
        if m is None or not m.has_position:
            return Text.of(self.evaluate(words.text, *fields))
        return Text.of(m.record_words(words, fields))

    def component_key(self, component: int) -> str:
        """Return the name of a component in data: its id, or its label, which copies share.

        In a class whose labels change in play it is the class and number.
        """
        found = self.components[component]
        if found.id is not None:
            return found.id
        return str(self.handle(component) if found.kind in self.labels else found.label)

    def zone_title(self, zone: Zone, m: ObservedPosition | None = None) -> Text:
        """What a zone is called where the rules have no words for it: its name, and whose it is."""
        name, key = zone.family.replace("_", " "), self.program.zones[zone.family].key
        if key is None:
            return Text.of(name)
        return Text.of(name, " of ", self.show(zone.key, key, m, labelled=True))

    def zone_key(self, z: int) -> tuple[str | None, object]:
        """Return the name of a zone in data: its declaration and, in a family, the key as JSON.

        A player as a key is a seat from 0. The name of nowhere (-1) is `None`.
        """
        if z < 0:
            return None, None
        zone = self.zones[z]
        kind = self.program.zones[zone.family].key
        return zone.family, None if kind is None else self.to_json(zone.key, kind, keyed=True)

    def to_json(
        self,
        value: Value,
        kind: t.Type,
        m: ObservedPosition | None = None,
        *,
        spoken: bool = False,
        keyed: bool = False,
    ) -> object:
        """A value as JSON: words for what has a name, seats counted from 0 (`spoken`: `player 1`, as people
        count, and records with a label by that).

        Components go by their labels, in the position of a machine or at the start; `keyed`: by what never
        changes (`component_key`).
        """
        match kind:
            case t.Optional():
                return (
                    None if value is None else self.to_json(value, kind.base, m, spoken=spoken, keyed=keyed)
                )
            case t.Bool():
                return bool(value)
            case t.Component() if keyed:
                return self.component_key(value)
            case t.Component() if m is not None:
                return str(self.label(value, m))
            case t.Cell() if spoken:
                return self.show(value, kind, labelled=True)
            case t.Enum() | t.Cell() | t.Component():
                return str(self.show(value, kind))
            case t.Collection():
                return [self.to_json(v, kind.base, m, spoken=spoken, keyed=keyed) for v in value]
            case t.Record() if spoken and self.program.records[kind.name].shown_as is not None:
                return self.show(value, kind, m)
            case t.Record():
                fields = self.program.records[kind.name].fields
                return {
                    f: self.to_json(v, k, m, spoken=spoken, keyed=keyed)
                    for (f, k), v in zip(fields.items(), value, strict=True)
                }
            case t.Map():
                pairs = zip(self.values(kind.key), value, strict=False)
                say = partial(self.to_json, m=m, spoken=spoken, keyed=keyed)
                # players in words keep their seats
                name = self.show if spoken and isinstance(kind.key, t.Player) else None
                return {
                    str(say(k, kind.key)) if name is None else name(k, kind.key): say(v, kind.value)
                    for k, v in pairs
                    if v is not None
                }
            case t.Player() if spoken:
                return self.show(value, kind)
            case t.Text() if value is not None:
                return str(value)
        return value
