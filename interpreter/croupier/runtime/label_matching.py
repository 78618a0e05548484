"""Words that something could be chosen by, whether or not it is offered: a text is matched with labels.

The fixed words of the label must be there. Each of its parts must be written as a value of its type is
shown: a number for a number (`99` too, where up to 6 may be bid), a component of the class, a cell, a seat,
a word of the enumeration. A part that is itself text - words that a rule passes on - may be anything. The
parts are matched from left to right with every index that they can end at, so the work is bounded by the
product of both lengths.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

from croupier.diagnostics import JsonObject
from croupier.kernel import types as t
from croupier.kernel.tree import AttributeExpr, FieldExpr, LocalExpr, TextExpr, TypedExpr, text_parts
from croupier.runtime.game import Value
from croupier.runtime.machine import Machine, RunnableRules
from croupier.runtime.option_matching import folded, forms
from croupier.runtime.setup import possible_labels
from croupier.runtime.visibility import sees_component
from croupier.text import Rename

_NUMBER = re.compile(r"-?([0-9]+)")
Indices = frozenset[int]
Said: TypeAlias = Callable[[t.Type], Iterable[tuple[Value, str]]]
LabelValues: TypeAlias = dict[tuple[int, str | None], Value]
"""Values by local, and by the field of the record in it, if it is one."""


class LabelMatcher:
    """A matcher of texts with the labels of a game; `rename` gives a text with other names of players."""

    def __init__(self, rules: RunnableRules, rename: Rename = str) -> None:
        self.rules, self.game, self.rename = rules, rules.game, rename
        # classes -> what their components may be called
        self._components: dict[frozenset[str], frozenset[str]] = {}

    def label(self, label: TypedExpr | None, text: str) -> bool:
        """Return whether a label could read like this. `text` is folded. A label without fixed words could
        not.
        """
        return (
            label is not None
            and any(text_parts(label))
            and len(text) in self._text(label, text, frozenset((0,)))
        )

    def value(self, kind: t.Type, text: str) -> bool:
        """Return whether a value of a type is written like this. `text` is folded."""
        return len(text) in self._value(kind, text, frozenset((0,)))

    def names(self, m: Machine, component: int, seat: int) -> frozenset[str]:
        """Return the names that a seat may use for a component, folded: its label if the seat sees it, else
        each that it can have.
        """
        if sees_component(m, component, seat):
            return forms(m.game.label(component, m), self.rename)
        others = [label for label, components in self._possible_labels.items() if component in components]
        return self._forms((m.game.components[component].label, *others))

    def values_in(self, label: TypedExpr, text: str, say: Said) -> Iterator[LabelValues]:
        """Yield the values of locals, and of fields of records in locals, with which a label reads like this.

        `text` is folded; `say` gives the values of a type with their words, folded. What else stands in the
        label may read like anything of its type.
        """
        args = iter(label.args)
        parts = [next(args) if part is None else folded(part) for part in text_parts(label)]

        def walk(i: int, at: int, found: LabelValues) -> Iterator[LabelValues]:
            if i == len(parts):
                if at == len(text):
                    yield found
                return
            part = parts[i]
            if isinstance(part, str):
                ends = self._words((part,), text, frozenset((at,)))
            elif (key := _key_of(part)) is not None:
                for value, end in self._read(part.type, text, at, say):
                    if found.get(key, value) == value:
                        yield from walk(i + 1, end, {**found, key: value})
                return
            else:
                ends = self._part(part, text, frozenset((at,)))
            for end in sorted(ends):
                yield from walk(i + 1, end, found)

        return walk(0, 0, {})

    def _read(self, kind: t.Type, text: str, at: int, say: Said) -> Iterator[tuple[Value, int]]:
        """Yield the values of a type that stand at an index, each with the index behind it."""
        kind = kind.base if isinstance(kind, t.Optional) else kind
        for start in sorted({at, _past(text, at)}):
            if isinstance(kind, t.Int):
                number = _NUMBER.match(text, start)
                if number is not None:
                    yield int(number[0]), number.end()
                continue
            for value, words in say(kind):
                if text.startswith(words, start):
                    yield value, start + len(words)

    # ------------------------------------------------------------ parts
    def _text(self, label: TypedExpr, text: str, at: Indices) -> Indices:
        args = iter(label.args)
        for part in text_parts(label):
            at = self._part(next(args), text, at) if part is None else self._words((folded(part),), text, at)
        return at

    def _part(self, x: TypedExpr, text: str, at: Indices) -> Indices:
        if isinstance(x, TextExpr):
            return self._text(x, text, at)
        if x.op == "if" and x.type == t.TEXT:
            return self._part(x.args[1], text, at) | self._part(x.args[2], text, at)
        if x.type == t.TEXT and isinstance(x, AttributeExpr):
            return self._words(self._attributes(x), text, at)
        return self._value(x.type, text, at)

    def _value(self, kind: t.Type, text: str, at: Indices) -> Indices:
        game = self.game
        match kind:
            case t.Optional():
                return self._words(("none",), text, at) | self._value(kind.base, text, at)
            case t.Int():
                found = [_NUMBER.match(text, _past(text, i)) for i in at]
                return frozenset(
                    end for m in found if m is not None for end in range(m.start(1) + 1, m.end() + 1)
                )
            case t.Component():
                return self._words(self._called(kind.kinds), text, at)
            case t.Collection():
                return self._words(("nothing",), text, at) | self._several(kind.base, text, at)
            case t.Record():
                return self._record(kind, text, at)
            case t.Cell():
                board = game.boards[kind.board]
                return self._words({folded(word) for word in (*board.names, *board.labels)}, text, at)
            case t.Bool() | t.Enum() | t.Player() | t.Cell():
                shown = [game.show(value, kind, labelled=True) for value in game.values(kind)]
                named = [value.in_names for value in shown]  # what rules call them: `(1,1)` of `a8`
                return self._words(self._forms([*shown, *named]), text, at)
        return frozenset(range(min(at), len(text) + 1)) if at else at

    def _several(self, kind: t.Type, text: str, at: Indices) -> Indices:
        """One value or more, with commas between them."""
        ends: Indices = frozenset()
        while at:
            found = self._value(kind, text, at) - ends
            ends |= found
            at = self._words((",",), text, found)
        return ends

    def _record(self, kind: t.Record, text: str, at: Indices) -> Indices:
        before, record = "(", self.game.program.records[kind.name]
        if record.shown_as is not None:
            return self._text(record.shown_as.text, text, at)
        for name, of in record.fields.items():
            at = self._value(
                of, text, self._words((folded(f"{before} {name}"), folded(f"{before}{name}")), text, at)
            )
            before = ","
        return self._words((")",), text, at)

    def _words(self, words: Iterable[str], text: str, at: Indices) -> Indices:
        starts = {_past(text, i) for i in at} | at
        return frozenset(i + len(w) for w in words for i in starts if text.startswith(w, i))

    # ------------------------------------------------------------ what there is
    @cached_property
    def _possible_labels(self) -> JsonObject:
        return possible_labels(self.rules)

    def _called(self, kinds: frozenset[str]) -> frozenset[str]:
        """Return every label that a component of these classes has or can get, folded."""
        if kinds not in self._components:
            components = self.game.components
            labels = [component.label for component in components if component.kind in kinds]
            labels += [
                label
                for label, found in self._possible_labels.items()
                if any(components[number].kind in kinds for number in found)
            ]
            self._components[kinds] = self._forms(labels)
        return self._components[kinds]

    def _attributes(self, x: AttributeExpr) -> set[str]:
        """Return the values of a text attribute over all components, folded."""
        return {folded(str(p.attributes[x.name])) for p in self.game.components if x.name in p.attributes}

    def _forms(self, texts: Iterable[str]) -> frozenset[str]:
        """Return what these are called, folded: with the numbers of the players, and with their names."""
        return frozenset(form for text in texts for form in forms(text, self.rename))


def _key_of(x: TypedExpr) -> tuple[int, str | None] | None:
    """The local that a part of a label is, or the field of the record in a local; `None` if it is neither."""
    if isinstance(x, LocalExpr):
        return x.slot, None
    if isinstance(x, FieldExpr) and isinstance(x.args[0], LocalExpr):
        return x.args[0].slot, x.name
    return None


def _past(text: str, i: int) -> int:
    """The index behind a space."""
    return i + 1 if text[i : i + 1] == " " else i
