"""What a text could mean, whether or not it is offered: a label with values in it, a value of a type, a thing
of the game.

The fixed words of a label must be there. Each of its parts must be written as a value of its type is shown: a
number for a number (`99` too, where up to 6 may be bid), a component of the class, a cell, a seat, a word of
the enumeration. A part that is itself text - words that a rule passes on - may be anything. Labels are read
from left to right, with every index that a part can end at and the values read until there.

A component is called by its label where the seat sees it, elsewhere by each that it can have: which of these
it is now may be hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final, TypeAlias

from croupier.kernel import types as t
from croupier.kernel.tree import AttributeExpr, FieldExpr, LocalExpr, TextExpr, TypedExpr, text_parts
from croupier.records import dataclass
from croupier.runtime.game import Value
from croupier.runtime.machine import Machine
from croupier.runtime.option_matching import MAX_TYPED, folded, forms
from croupier.runtime.setup import AttributeValues, possible_labels
from croupier.runtime.visibility import sees_component
from croupier.text import Rename, Text

_NUMBER = re.compile(r"-?([0-9]+)")
ANY: Final = object()
"""What is read where it may be one of several values, or one that is not worked out."""

Key: TypeAlias = tuple[int, str | None]
"""A local, and the field of the record in it, if it is one."""
LabelValues: TypeAlias = dict[Key, Value]


@dataclass(frozen=True)
class NamedThing:
    """A thing: its type, its value, and what it is called."""

    kind: t.Type
    value: Value
    label: Text


def takes(kind: t.Type, thing: t.Type) -> bool:
    """Return whether a value of a type may be this thing, or one of several of its kind."""
    if isinstance(kind, t.Component) and isinstance(thing, t.Component):
        return bool(kind.kinds & thing.kinds)
    if isinstance(kind, (t.Optional, t.Collection)):
        return takes(kind.base, thing)
    return kind == thing


class Reader:
    """Reads a text, which is folded, as a seat may mean it (`None`: as anybody may); `rename` gives a text
    with other names of players.
    """

    def __init__(self, m: Machine, seat: int | None, text: str, rename: Rename = str) -> None:
        self.m, self.game, self.seat, self.text, self.rename = m, m.game, seat, text, rename
        self._names: dict[t.Type, list[tuple[Value, str]]] = {}  # by type

    # ------------------------------------------------------------ the whole text
    def is_label(self, label: TypedExpr | None) -> bool:
        """Return whether a label could read like this; one without fixed words could not."""
        return label is not None and any(text_parts(label)) and bool(self._readings(label))

    def is_value(self, kind: t.Type) -> bool:
        """Return whether a value of a type is written like this."""
        return any(end == len(self.text) for end, _ in self._value(kind, 0))

    def values_in(self, label: TypedExpr) -> list[LabelValues]:
        """Return the values of locals, and of fields of records in locals, with which a label reads like
        this. What else stands in the label may read like anything of its type.
        """
        return [values for values in self._readings(label) if ANY not in values.values()]

    def names(self, kind: t.Type) -> list[tuple[Value, str]]:
        """The values of a type, each with what it may be called, folded; components that the seat sees come
        first, behind all of them what one might be called in another position.
        """
        if kind not in self._names:
            self._names[kind] = list(self._named(kind))
        return self._names[kind]

    def _named(self, kind: t.Type) -> Iterator[tuple[Value, str]]:
        if isinstance(kind, t.Component):
            found = [c for c in self.game.values(kind) if c is not None]
            for component in sorted(found, key=lambda c: not self.sees(c)):
                yield from ((component, name) for name in self.called(component))
            yield from ((ANY, name) for name in self._possible(kind.kinds))
        elif isinstance(kind, (t.Cell, t.Player, t.Enum, t.Bool)):
            for value in self.game.values(kind):
                shown = self.game.show(value, kind, labelled=True)
                # what rules call it, too: `(1,1)` of `a8`
                yield from ((value, name) for name in self._forms((shown, shown.in_names)))

    def called(self, component: int) -> frozenset[str]:
        """Return the names that the seat may use for a component, folded: its label if the seat sees it, else
        each that it can have.
        """
        if self.sees(component):
            return self._forms((self.game.label(component, self.m),))
        others = (label for label, components in self._possible_labels.items() if component in components)
        return self._forms((self.game.components[component].label, *others))

    def sees(self, component: int) -> bool:
        return self.seat is not None and sees_component(self.m, component, self.seat)

    def things(self) -> list[NamedThing]:
        """Return the things that the text names: components that are seen; one that is not, if no other is
        called so; cells, players, and values of enumerations.
        """
        game, program = self.game, self.game.program
        found: list[NamedThing] = []
        unseen: list[NamedThing] = []
        for kind in (t.Component(frozenset((name,))) for name in program.classes):
            for component in self._called_so(kind):
                if self.sees(component):
                    found.append(NamedThing(kind, component, game.thing(component, self.m)))
                else:
                    unseen.append(NamedThing(kind, component, Text.of(game.components[component].label)))
        others = (*map(t.Cell, program.boards), t.Player(), *map(t.Enum, program.enums))
        named = [
            NamedThing(kind, value, game.show(value, kind, labelled=True))
            for kind in others
            for value in self._called_so(kind)
        ]
        return found + named or unseen[:1]

    def _called_so(self, kind: t.Type) -> list[Value]:
        found = dict.fromkeys(value for value, name in self.names(kind) if name == self.text)
        return [value for value in found if value is not ANY]

    # ------------------------------------------------------------ labels
    def _readings(self, label: TypedExpr) -> list[LabelValues]:
        """The ways to read the whole text as a label: the values of what is a local, or a field of one."""
        return [dict(values) for end, values in self._label(label, 0) if end == len(self.text)]

    def _label(self, label: TypedExpr, at: int) -> Iterable[tuple[int, tuple[tuple[Key, Value], ...]]]:
        """The indices at which a label can end, each with the values read."""
        args = iter(label.args)
        found: dict[tuple[int, tuple[tuple[Key, Value], ...]], None] = {(at, ()): None}
        for part in text_parts(label):
            x = next(args) if part is None else None
            key = None if x is None else _key_of(x)
            before, found = found, {}
            for start, values in before:
                known = dict(values)
                ends = self._words((folded(part or ""),), start) if x is None else self._part(x, start)
                for end, value in ends:
                    if key is None:
                        found[end, values] = None
                    elif known.get(key, value) == value:
                        found[end, tuple({**known, key: value}.items())] = None
        return found

    def _part(self, x: TypedExpr, at: int) -> Iterable[tuple[int, Value]]:
        """The indices at which a part of a label can end, each with its value."""
        if isinstance(x, TextExpr):
            return {(end, ANY): None for end, _ in self._label(x, at)}
        if x.op == "if" and x.type == t.TEXT:
            return [*self._part(x.args[1], at), *self._part(x.args[2], at)]
        if x.type == t.TEXT and isinstance(x, AttributeExpr):
            found = {c.attributes[x.name] for c in self.game.components if x.name in c.attributes}
            return self._words({folded(str(value)) for value in found}, at)
        return self._value(x.type, at)

    def _words(self, words: Iterable[str], at: int) -> list[tuple[int, Value]]:
        """The same of words that may stand there, behind a space or not."""
        starts = {at, self._past(at)}
        return [(i + len(word), ANY) for word in words for i in starts if self.text.startswith(word, i)]

    def _past(self, at: int) -> int:
        """The index behind a space."""
        return at + 1 if self.text[at : at + 1] == " " else at

    # ------------------------------------------------------------ values
    def _value(self, kind: t.Type, at: int) -> Iterator[tuple[int, Value]]:
        """Yield the indices at which a value of a type can end, each with the value."""
        match kind:
            case t.Optional():
                yield from ((end, None) for end, _ in self._words(("none",), at))
                yield from self._value(kind.base, at)
            case t.Int():
                number = _NUMBER.match(self.text, self._past(at))
                if number is not None:
                    yield number.end(), int(number[0]) if len(number[0]) <= MAX_TYPED else ANY
                    yield from ((end, ANY) for end in range(number.start(1) + 1, number.end()))
            case t.Component() | t.Cell() | t.Bool() | t.Enum() | t.Player():
                names = self.names(kind)
                for start in sorted({at, self._past(at)}):
                    for value, name in names:
                        if self.text.startswith(name, start):
                            yield start + len(name), value
            case t.Collection():
                yield from self._words(("nothing",), at)
                yield from self._several(kind.base, at)
            case t.Record():
                yield from self._record(kind, at)
            case _:
                yield from ((end, ANY) for end in range(at, len(self.text) + 1))

    def _several(self, kind: t.Type, at: int) -> Iterator[tuple[int, Value]]:
        """One value or more, with commas between them."""
        ends: set[int] = set()
        starts = {at}
        while starts:
            found = {end for i in starts for end, _ in self._value(kind, i)} - ends
            ends |= found
            starts = {end for i in found for end, _ in self._words((",",), i)}
        return ((end, ANY) for end in ends)

    def _record(self, kind: t.Record, at: int) -> Iterator[tuple[int, Value]]:
        record, before, ends = self.game.program.records[kind.name], "(", {at}
        if record.shown_as is not None:
            return ((end, ANY) for end, _ in self._label(record.shown_as.text, at))
        for name, of in record.fields.items():
            words = (folded(f"{before} {name}"), folded(f"{before}{name}"))
            starts = {start for i in ends for start, _ in self._words(words, i)}
            ends = {end for i in starts for end, _ in self._value(of, i)}
            before = ","
        return (pair for i in ends for pair in self._words((")",), i))

    # ------------------------------------------------------------ what there is
    @cached_property
    def _possible_labels(self) -> dict[str, dict[int, AttributeValues]]:
        return possible_labels(self.m.rules)

    def _possible(self, kinds: frozenset[str]) -> frozenset[str]:
        """Return every label that a component of these classes has or can get, folded."""
        components = self.game.components
        labels = [component.label for component in components if component.kind in kinds]
        labels += [
            label
            for label, found in self._possible_labels.items()
            if any(components[number].kind in kinds for number in found)
        ]
        return self._forms(labels)

    def _forms(self, texts: Iterable[str]) -> frozenset[str]:
        """Return what these are called, folded: with the numbers of the players, and with their names."""
        return frozenset(form for text in texts for form in forms(text, self.rename))


def _key_of(x: TypedExpr) -> Key | None:
    """The local that a part of a label is, or the field of the record in a local; `None` if it is neither."""
    if isinstance(x, LocalExpr):
        return x.slot, None
    if isinstance(x, FieldExpr) and isinstance(x.args[0], LocalExpr):
        return x.args[0].slot, x.name
    return None
