"""Shapes: the layout of values in words.

A number, boolean, player or component is one word, optional or not. A record is its fields in sequence; a map
its values in the order of its keys; a list its length, followed by room for as many elements as it may hold.
An optional of several words begins with a word that says whether it is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import ClassVar

from croupier.core.operations import NONE
from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.records import dataclass
from croupier.runtime.game import Game, Value

MOST_WORDS = 60_000  # of one value
MOST_GROUPS = 144  # lists of values of a type in a list that has room for one of each value


class NotLowered(Exception):
    """A construct without a lowering: `what` names it, `span` is its place."""

    def __init__(self, what: str, span: Span | None = None) -> None:
        super().__init__(what)
        self.what, self.span = what, span


class Texts:
    """The texts that occur as values in a game; a text of one word is its number."""

    most = 1000  # characters of one that is a list of them

    def __init__(self, long: bool = False) -> None:
        self.long = long  # is a text a list of characters?
        self.words: list[str] = []
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a text, assigned on first use."""
        if text not in self.numbers:
            self.numbers[text] = len(self.words)
            self.words.append(text)
        return self.numbers[text]


def _set_words(shape: Maybe | Fields | TableShape | Items, words: int) -> None:
    """Note how many words a value of a new shape has: shapes are asked often, and one inside another many
    times.
    """
    object.__setattr__(shape, "words", words)


@dataclass(frozen=True, slots=True)
class Word:
    """One word. `truth`: a boolean; `texts`: the number of a text."""

    truth: bool = False
    texts: Texts | None = None
    words: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class Maybe:
    """A word that is 1 if there is a value and 0 if not, then the value."""

    inner: Shape
    words: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _set_words(self, 1 + self.inner.words)


@dataclass(frozen=True, slots=True)
class Fields:
    """Values in sequence."""

    parts: tuple[Shape, ...]
    words: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _set_words(self, sum(part.words for part in self.parts))


@dataclass(frozen=True, slots=True)
class TableShape:
    """A value for each key, from the lowest key on."""

    low: int
    count: int
    value: Shape
    words: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _set_words(self, self.count * self.value.words)


@dataclass(frozen=True, slots=True)
class Items:
    """A length, then room for `most` elements; `kind` is list, set, bag or text."""

    kind: str
    most: int
    element: Shape
    words: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _set_words(self, 1 + self.most * self.element.words)


Shape = Word | Maybe | Fields | TableShape | Items
WORD, TRUTH = Word(), Word(True)


def width(shape: Shape) -> int:
    """The number of words of a value."""
    return shape.words


def optional(shape: Shape) -> Shape:
    """The shape of an optional."""
    return shape if isinstance(shape, (Word, Maybe)) else Maybe(shape)


def most_of(game: Game, kind: t.Collection, less: int = 0) -> int:
    """The capacity of a list of a type, halved `less` times; a longer list fails the action."""
    most = _most_of(game, kind)
    return most if most <= 8 else max(most >> less, 8)


def _most_of(game: Game, kind: t.Collection) -> int:
    if isinstance(kind.base, t.Never):
        return 0
    if kind.capacity is not None:
        return int(game.constant(kind.capacity))
    if not game.is_finite(kind.base):
        inner = kind.base.base if isinstance(kind.base, t.Collection) else kind.base
        if isinstance(kind.base, (t.Int, t.Record, t.Optional)):
            return 128
        groups = game.domain(inner)[1] if game.is_finite(inner) else 0
        return max(32, groups if groups <= MOST_GROUPS else 64)
    count = game.domain(kind.base)[1]
    return count if kind.kind == "set" and count <= 256 else min(max(2 * count, 32), 512)


def shape_of(game: Game, kind: t.Type, texts: Texts) -> Shape:
    """The shape of a type; nested lists have less room.

    Raises `NotLowered` for what would still be too large.
    """
    for less in range(6):
        shape = _shape(game, kind, texts, less)
        if width(shape) <= MOST_WORDS:
            return shape
    raise NotLowered(f"a value of {width(shape)} words")


def _shape(game: Game, kind: t.Type, texts: Texts, less: int) -> Shape:
    match kind:
        case t.Bool():
            return TRUTH
        case t.Text():
            return Items("text", texts.most >> less, WORD) if texts.long else Word(texts=texts)
        case t.Int() | t.Enum() | t.Player() | t.Cell() | t.Component() | t.Nothing() | t.Zone() | t.Never():
            return WORD
        case t.Optional(base):
            return optional(_shape(game, base, texts, less))
        case t.Record(name):
            return Fields(
                tuple(_shape(game, f, texts, less) for f in game.program.records[name].fields.values())
            )
        case t.Map(t.Never(), _):
            return TableShape(0, 0, WORD)
        case t.Map(key, value):
            low, count = game.domain(key)
            return TableShape(low, count, optional(_shape(game, value, texts, less)))
        case t.Collection():
            return Items(kind.kind, most_of(game, kind, less), _shape(game, kind.base, texts, less))
        case t.Endless():
            return Items("list", game.players, WORD)
    raise NotLowered(f"a value of the type `{kind}`")


def fitted(shape: Shape, value: Value) -> Shape:
    """The smallest shape for a value."""
    match shape:
        case Maybe(inner) if value is not None:
            return Maybe(fitted(inner, value))
        case Items("text"):
            return Items("text", len(value or ""), WORD)
        case Items(kind, _, element):
            elements = [fitted(element, v) for v in value or ()]
            return Items(kind, len(elements), widest(element, elements))
    return shape


def widest(shape: Shape, others: list[Shape]) -> Shape:
    """A shape with room for values of all the others, which differ in capacity alone."""
    if isinstance(shape, Items) and others:
        found = [s for s in others if isinstance(s, Items)]
        return Items(
            shape.kind, max(s.most for s in found), widest(shape.element, [s.element for s in found])
        )
    return others[0] if others and isinstance(shape, Items) else shape


def encoded(value: Value, shape: Shape) -> tuple[int, ...]:
    """The words of a value."""
    match shape:
        case Word(_, texts):
            if value is None:
                return (NONE,)
            return (int(value) if texts is None else texts.number(value),)
        case Maybe(inner):
            return (0,) * (1 + width(inner)) if value is None else (1, *encoded(value, inner))
        case Fields(parts):
            if value is None:
                return (NONE,) * width(shape)
            return tuple(w for part, v in zip(parts, value, strict=True) for w in encoded(v, part))
        case TableShape(_, count, inner):
            if value is None:
                return (NONE,) * width(shape)
            return tuple(
                w for v in (value if len(value) == count else (None,) * count) for w in encoded(v, inner)
            )
        case Items(kind, most, element):
            value = value or ()
            if kind == "text":
                value = tuple(map(ord, value))
            if len(value) > most:
                raise NotLowered(f"a list of {len(value)} elements where there is room for {most}")
            words = [w for v in value for w in encoded(v, element)]
            return (len(value), *words, *[0] * ((most - len(value)) * width(element)))


def decoded(words: Sequence[int], at: int, shape: Shape) -> Value:
    """Decode a value from words, from an index on."""
    match shape:
        case Word(truth, texts):
            w = words[at]
            if w == NONE:
                return None
            if truth:
                return bool(w)
            return int(w) if texts is None else texts.words[w]
        case Maybe(inner):
            return decoded(words, at + 1, inner) if words[at] == 1 else None
        case Fields(parts):
            found = []
            for part in parts:
                found.append(decoded(words, at, part))
                at += width(part)
            return tuple(found)
        case TableShape(_, count, inner):
            step = width(inner)
            return tuple(decoded(words, at + i * step, inner) for i in range(count))
        case Items("text"):
            return "".join(map(chr, words[at + 1 : at + 1 + words[at]]))
        case Items(_, _, element):
            step = width(element)
            return tuple(decoded(words, at + 1 + i * step, element) for i in range(words[at]))
