"""Words that something could be chosen by, whether or not it is offered: does a text read like this label?

The fixed words of the label must be there. Each of its parts must be written as a value of its type is shown: a number for a number (`99` too,
where up to 6 may be bid), a component of the class, a cell, a seat, a word of the enumeration. A part that is itself text - words that a rule
passes on - may be anything. The parts are matched from left to right with every place that they can end at, so the work is bounded by the
product of both lengths.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from croupier.runtime.game import Game
from croupier.runtime.reasons.clause import Rename, folded
from croupier.runtime.setup import looks
from croupier.semantics import types as t
from croupier.semantics.tree import X

_NUMBER = re.compile(r"-?([0-9]+)")
Places = frozenset[int]


class Wording:
    """The words of a game; `rename` gives a text with other names of players."""

    def __init__(self, game: Game, rename: Rename = str) -> None:
        self.game, self.rename = game, rename

    def label(self, label: X | None, text: str) -> bool:
        """Could a label read like this? `text` is folded. A label without fixed words is none."""
        return label is not None and any(label.data) and len(text) in self._text(label, text, frozenset((0,)))

    def value(self, kind: t.Type, text: str) -> bool:
        """Is this how a value of a type is written?"""
        return len(text) in self._value(kind, text, frozenset((0,)))

    # ------------------------------------------------------------ parts
    def _text(self, label: X, text: str, at: Places) -> Places:
        args = iter(label.args)
        for part in label.data:
            at = self._part(next(args), text, at) if part is None else self._words((folded(part),), text, at)
        return at

    def _part(self, x: X, text: str, at: Places) -> Places:
        if x.op == "text":
            return self._text(x, text, at)
        if x.op == "if" and x.type == t.TEXT:
            return self._part(x.args[1], text, at) | self._part(x.args[2], text, at)
        if x.type == t.TEXT and x.op == "attr":
            return self._words(self._attributes(x), text, at)
        return self._value(x.type, text, at)

    def _value(self, kind: t.Type, text: str, at: Places) -> Places:
        game = self.game
        match kind:
            case t.Optional():
                return self._words(("none",), text, at) | self._value(kind.base, text, at)
            case t.Int():
                found = [_NUMBER.match(text, _past(text, i)) for i in at]
                return frozenset(end for m in found if m is not None for end in range(m.start(1) + 1, m.end() + 1))
            case t.Component():
                return self._words(self._components[kind.kinds] if kind.kinds in self._components else self._called(kind.kinds), text, at)
            case t.Collection():
                return self._words(("nothing",), text, at) | self._several(kind.base, text, at)
            case t.Record():
                return self._record(kind, text, at)
            case t.Bool() | t.Enum() | t.Player() | t.Cell():
                return self._words({w for v in game.values(kind) for w in self._shown(game.show(v, kind))}, text, at)
        return frozenset(range(min(at), len(text) + 1)) if at else at

    def _several(self, kind: t.Type, text: str, at: Places) -> Places:
        """One value or more, with commas between them."""
        ends: Places = frozenset()
        while at:
            found = self._value(kind, text, at) - ends
            ends |= found
            at = self._words((",",), text, found)
        return ends

    def _record(self, kind: t.Record, text: str, at: Places) -> Places:
        before = "("
        for name, of in self.game.program.records[kind.name].fields.items():
            at = self._value(of, text, self._words((folded(f"{before} {name}"), folded(f"{before}{name}")), text, at))
            before = ","
        return self._words((")",), text, at)

    def _words(self, words: Iterable[str], text: str, at: Places) -> Places:
        starts = {_past(text, i) for i in at} | at
        return frozenset(i + len(w) for w in words for i in starts if text.startswith(w, i))

    # ------------------------------------------------------------ what there is
    @cached_property
    def _components(self) -> dict[frozenset[str], frozenset[str]]:
        return {}

    @cached_property
    def _looks(self) -> dict[str, Any]:
        return looks(self.game)

    def _called(self, kinds: frozenset[str]) -> frozenset[str]:
        """Every label that a component of these classes has or can get."""
        pieces = self.game.pieces
        labels = [p.label for p in pieces if p.kind in kinds] + [w for w, worn in self._looks.items() if any(pieces[i].kind in kinds for i in worn)]
        found = self._components[kinds] = frozenset(w for label in labels for w in self._shown(label))
        return found

    def _attributes(self, x: X) -> set[str]:
        """What an attribute of text says, of all components."""
        return {folded(str(p.attributes[x.data])) for p in self.game.pieces if x.data in p.attributes}

    def _shown(self, text: str) -> set[str]:
        return {folded(text), folded(self.rename(text))}


def _past(text: str, i: int) -> int:
    """The place behind a space."""
    return i + 1 if text[i : i + 1] == " " else i
