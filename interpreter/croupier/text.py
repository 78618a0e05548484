"""Text as a value: words, and the things that they name.

In: the words of a ruleset and the values that stand between them. Out: `Text`, a tuple of parts that is also
the plain string of its parts, so that it compares, sorts and prints as one.

Whoever shows a text to people renders its parts: `narration/names.py` puts in the names of the players.
Nobody searches a finished string for a name: a player may be called like any word of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from croupier.records import dataclass


@dataclass(frozen=True, slots=True)
class Seat:
    """A player by their seat, counted from 0; the plain form counts from 1."""

    seat: int

    def __str__(self) -> str:
        return f"player {self.seat + 1}"


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing of the game, by words of its own.

    `kind` is `component`, `unseen` (a component whose face the reader does not see), `zone`, `cell`, `value`
    (of an enumeration), `record` (with a label) or `hidden` (something that the reader may not know). `key`
    tells two things apart that are called alike: the number of a component, zone or cell, the name of a
    value; `None` if nothing does. `noun` is the class of a component, or the name of a zone without a label.
    """

    kind: str
    words: str
    key: int | str | None = None
    noun: str = ""
    name: str = ""  # what rules and files call it, where that is another word

    def __str__(self) -> str:
        return str(self.words)


Part: TypeAlias = "str | Seat | Number | Thing"
Rename: TypeAlias = Callable[[str], str]

HIDDEN: Final = Thing("hidden", "…")
"""Stands for what a reader may not know."""


class Text(str):
    """Words with the things that they name: a string that knows its parts.

    Every method of `str` works on the plain form and gives a plain string. What has to keep its parts is put
    together by `Text.of`, `+`, `join` and `without`.
    """

    __slots__ = ("parts",)
    parts: tuple[Part, ...]

    def __new__(cls, parts: tuple[Part, ...] = ()) -> Text:
        """The text of these parts, which hold no text and no two neighbouring strings (`Text.of`)."""
        text = super().__new__(cls, "".join(map(str, parts)))
        text.parts = parts
        return text

    @classmethod
    def of(cls, *items: Part) -> Text:
        """The text of these strings, texts and parts, one after the other."""
        if len(items) == 1 and isinstance(items[0], Text):
            return items[0]
        parts: list[Part] = []
        words = ""  # that stand behind the parts
        for item in items:
            for part in item.parts if isinstance(item, Text) else (item,):
                if isinstance(part, str):
                    words += part
                    continue
                if words:
                    parts.append(words)
                    words = ""
                parts.append(part)
        if words:
            parts.append(words)
        return cls(tuple(parts))

    def __add__(self, other: str) -> Text:
        return Text.of(self, other)

    def __radd__(self, other: str) -> Text:
        return Text.of(other, self)

    def __reduce__(self) -> tuple[type[Text], tuple[tuple[Part, ...]]]:
        return Text, (self.parts,)

    def without(self, start: str) -> Text:
        """The text without a plain beginning, where it begins so."""
        first = self.parts[0] if self.parts else ""
        if not isinstance(first, str) or not first.startswith(start):
            return self
        return Text.of(first[len(start) :], *self.parts[1:])

    @property
    def seat(self) -> int | None:
        """The seat of the player that the text is; `None` if it is anything else."""
        only = self.parts[0] if len(self.parts) == 1 else None
        return only.seat if isinstance(only, Seat) else None

    def rendered(self, show: Callable[[Seat], str]) -> str:
        """The words, with what `show` returns for each player; also in the words of the things."""
        return "".join(_rendered(part, show) for part in self.parts)

    def with_seats(self) -> str | list[str | int]:
        """The plain string if the text names no player, else its strings and the seats between them.

        It says no more than the plain string does, but for what is a player in it: for pages, which put in
        the names.
        """
        found: list[str | int] = []
        for one in _flat(self.parts):
            if isinstance(one, Seat):
                found.append(one.seat)
            elif found and isinstance(found[-1], str):
                found[-1] += str(one)
            else:
                found.append(str(one))
        return found if any(isinstance(one, int) for one in found) else str(self)

    @property
    def in_names(self) -> str:
        """The plain form with things by what rules and files call them: `(7,5) to (5,5)` of `e2 to e4`."""
        return "".join(_named(part) for part in self.parts)

    def to_json(self, *, keys: bool = False) -> list[object]:
        """The parts as JSON: a string for words, an object for each other part.

        `{"seat": 0}`, `{"number": 3}`, `{"component": "red-7"}`, `{"zone": ["hand of ", {"seat": 1}]}`: what
        a thing is called is a list where it names players. With `keys` a component has its class and its
        number, a value of an enumeration its name: only the referee may read these, for they tell things
        apart that are called alike.
        """
        return [_as_json(part, keys) for part in self.parts]


def _rendered(part: Part, show: Callable[[Seat], str]) -> str:
    if isinstance(part, Seat):
        return show(part)
    if isinstance(part, Thing) and isinstance(part.words, Text):
        return part.words.rendered(show)
    return str(part)


def _flat(parts: Iterable[Part]) -> Iterator[Part]:
    """Parts with those of the words of things that have parts in their place."""
    for part in parts:
        words = part.words if isinstance(part, Thing) else part
        if isinstance(words, Text):
            yield from _flat(words.parts)
        else:
            yield part


def _named(part: Part) -> str:
    if not isinstance(part, Thing):
        return str(part)
    if part.name:
        return part.name
    if part.kind == "value" and isinstance(part.key, str):
        return part.key
    return part.words.in_names if isinstance(part.words, Text) else part.words


def _as_json(part: Part, keys: bool) -> object:
    match part:
        case Seat():
            return {"seat": part.seat}
        case Number():
            return {"number": part.value}
        case Thing():
            told: dict[str, object] = {part.kind: _called(part.words)}
            if keys and part.kind == "component":
                told |= {"class": part.noun, "key": part.key}
            elif keys and part.kind == "value":
                told |= {"key": part.key}
            return told
    return part


def _called(words: str) -> object:
    """What a thing is called, as JSON: its words, or a list of them and of players."""
    found = words.with_seats() if isinstance(words, Text) else words
    if isinstance(found, str):
        return str(found)
    return [{"seat": one} if isinstance(one, int) else one for one in found]


def join(separator: str, items: Iterable[Part]) -> Text:
    """Strings, texts and parts with a separator between them."""
    found: list[Part] = []
    for i, item in enumerate(items):
        found += [separator, item] if i else [item]
    return Text.of(*found)


def listed(items: Iterable[Part]) -> Text:
    """`a`, `a and b`, `a, b and c`; `nothing` without any."""
    found = list(items)
    if not found:
        return Text.of("nothing")
    if len(found) == 1:
        return Text.of(found[0])
    return Text.of(join(", ", found[:-1]), " and ", found[-1])
