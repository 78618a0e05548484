"""The context of a scenario: its game, its seats by name, and the names of components."""

from __future__ import annotations

import re
from functools import cached_property
from typing import NoReturn

from croupier.diagnostics import Diagnostic, RulesetError, Span, diagnose, did_you_mean
from croupier.kernel import types as t
from croupier.records import dataclass
from croupier.runtime.engine import Engine
from croupier.runtime.game import Game, Value, Zone
from croupier.runtime.option_matching import seat_number
from croupier.runtime.parameters import admitted, usual_players
from croupier.runtime.setup import AttributeValues, possible_labels
from croupier.scenarios.document import WORDS
from croupier.semantics.context import CheckContext
from croupier.semantics.names import NameResolver
from croupier.semantics.program import Program, VarDef, ZoneDef
from croupier.semantics.type_words import NUMBER_WORDS
from croupier.source import YamlNode, YamlScalar, YamlSequence
from croupier.text import Text

MOST_SEATS = 64
HALVED = 'between brackets a comma ends a text: write each on a line of its own, or in quotes: `"(1,1)"`'
RESERVED = {
    *WORDS,
    "because",
    "result",
    "nobody",
    "everybody",
    "nothing",
    "none",
    "referee",
    "else",
    "true",
    "false",
}
_NAME = re.compile(r"[^\W\d]\w*\Z")


def fail(code: str, span: Span, **words: object) -> NoReturn:
    """Raise the one diagnostic."""
    raise RulesetError([diagnose(code, span, **words)])  # type: ignore[arg-type]


def is_halved(text: str) -> bool:
    """Tell whether this is one half of a text with a comma in it, like a cell, that YAML took for two between
    brackets or braces.
    """
    return text.startswith("(") and text.count("(") != text.count(")")


_NUMBERED_LABEL = re.compile(r"(?P<words>.*\D)(?P<number>\d{1,6})")


def suggestion(name: str, candidates: list[str]) -> dict[str, str]:
    """The help that names the nearest candidate, or all of a few."""
    if is_halved(name):
        return {"help": HALVED}
    digits = NUMBER_WORDS.get(name.strip().casefold())
    if digits is not None:
        return {"help": f"numbers are written in digits: `{digits}`"}
    numbered = _NUMBERED_LABEL.fullmatch(name)
    if numbered is not None:
        alike = [found for found in map(_NUMBERED_LABEL.fullmatch, candidates) if found is not None]
        numbers = [int(found["number"]) for found in alike if found["words"] == numbered["words"]]
        if len(numbers) > 1:
            words = numbered["words"]
            return {"help": f"there are `{words}{min(numbers)}` to `{words}{max(numbers)}`"}
    near = did_you_mean(name, candidates)
    if near is not None:
        return {"help": f"did you mean `{near}`?"}
    return (
        {"help": "there are " + ", ".join(f"`{c}`" for c in candidates)} if 0 < len(candidates) <= 12 else {}
    )


@dataclass(frozen=True)
class Seats:
    """The names of the seats in the order of play.

    A seat is also found by its number: `2`, `P2`, `player 2`.
    """

    names: tuple[str, ...]

    def find(self, text: str) -> int | None:
        """The seat, from 0, of a name or number."""
        if text in self.names:
            return self.names.index(text)
        number = seat_number(text)
        return None if number is None or number > len(self.names) else number - 1

    def seat(self, text: str, span: Span) -> int:
        """The same; raises `RulesetError` for a name that no seat has."""
        seat = self.find(text)
        if seat is None:
            fail("K008", span, name=text, **suggestion(text, list(self.names)))
        return seat

    def named(self, text: str) -> str:
        """A text of the rules with the names of the seats; a plain string as it is, for it names nobody."""
        if not isinstance(text, Text):
            return text
        return text.rendered(lambda seat: self.names[seat.seat])

    def listed(self, seats: list[int] | tuple[int, ...]) -> str:
        return ", ".join(self.names[p] for p in seats) or "nobody"


def read_seats(node: YamlNode | None, program: Program, parameters: dict[str, object]) -> Seats:
    """The seats that `players` gives, a number or names; without it the usual number with these parameters.

    Raises `RulesetError`.
    """
    if node is None:
        return Seats(
            tuple(f"P{i + 1}" for i in range(usual_players(program, admitted(program, parameters)[0])))
        )
    if (
        isinstance(node, YamlScalar)
        and isinstance(node.value, int)
        and not isinstance(node.value, bool)
        and 1 <= node.value <= MOST_SEATS
    ):
        return Seats(tuple(f"P{i + 1}" for i in range(node.value)))
    if not isinstance(node, YamlSequence) or not node.items or len(node.items) > MOST_SEATS:
        fail("K009", node.span)
    names: list[str] = []
    for item in node.items:
        if not isinstance(item, YamlScalar):
            fail("K009", item.span)
        reason = _refusal(item.text, names, program)
        if reason is not None:
            fail("K007", item.span, name=item.text, reason=reason)
        names.append(item.text)
    return Seats(tuple(names))


def _refusal(name: str, before: list[str], program: Program) -> str | None:
    if not _NAME.match(name):
        return "it is not one word of letters"
    if name in before:
        return "another seat has this name"
    if name in RESERVED:
        return "the word has a meaning in scenarios"
    other = NameResolver(CheckContext(program)).describe(name)
    if other is not None:
        return f"it is the name of {other}"
    if any(name in e.values for e in program.enums.values()):
        return "it is a value of a type"
    if any(name == row for k in program.classes.values() for row, _, _ in k.rows):
        return "it is a component"
    return None


@dataclass(frozen=True)
class ScenarioContext:
    """A game that is set up, and who sits at it."""

    engine: Engine
    seats: Seats

    @property
    def game(self) -> Game:
        """What was set up."""
        return self.engine.game

    @cached_property
    def possible_labels(self) -> dict[str, dict[int, AttributeValues]]:
        """The labels that components can have which change in play, and what gives a component each of
        them.
        """
        return possible_labels(self.engine.rules)

    @cached_property
    def called(self) -> dict[str, str]:
        """Label of a component, with the names of seats in it or their numbers -> the label in the words of
        the rules.
        """
        labels = (*self.game.by_label, *self.possible_labels)
        return {self.seats.named(label): label for label in labels} | {label: label for label in labels}

    @cached_property
    def backs(self) -> dict[str, str]:
        """Return the backs of components whose faces are not seen: with the names of seats, or with their
        numbers -> in the words of the rules.
        """
        found = [component.back for component in self.game.components if component.back is not None]
        return {self.seats.named(back): back for back in found} | {back: back for back in found}

    def label(self, text: str) -> str:
        """Return the name of a component in the words of the rules, where a scenario may have named seats;
        another text is as it was.
        """
        return self.called.get(text, text)

    def components(self, text: str, kinds: frozenset[str] | None = None) -> list[int]:
        """The components, of some classes, that are called so: by the label that they start with or can have,
        by their name or their id.
        """
        game, label = self.game, self.label(text)
        found = (
            game.named(label)
            or list(self.possible_labels.get(label, ()))
            or [p.number for p in game.components if p.id == text]
        )
        return [p for p in found if kinds is None or game.components[p].kind in kinds]

    def labels(self) -> list[str]:
        """Return the names that components can have, with the names of the seats."""
        return list(dict.fromkeys(map(self.seats.named, (*self.game.by_label, *self.possible_labels))))

    def show(self, value: Value, kind: t.Type) -> str:
        """A value in words, with the names of the seats."""
        match kind:
            case t.Optional():
                return "none" if value is None else self.show(value, kind.base)
            case t.Player() if value is not None:
                return self.seats.names[value]
            case t.Collection():
                return "[" + ", ".join(self.show(v, kind.base) for v in value) + "]"
            case t.Map():
                pairs = zip(self.game.values(kind.key), value, strict=False)
                return (
                    "{"
                    + ", ".join(f"{self.show(k, kind.key)}: {self.show(v, kind.value)}" for k, v in pairs)
                    + "}"
                )
            case t.Zone() | t.Family() | t.Board():
                return str(kind)
        return self.seats.named(self.game.show(value, kind))

    def name_of_zone(self, zone: Zone, definition: ZoneDef) -> str:
        """The name of a zone, with what it is of where it is one of a family."""
        if definition.key is None:
            return definition.name
        return f"{definition.name} of {self.show(zone.key, definition.key)}"

    def other_value(self, span: Span, variable: VarDef, found: Value, wanted: Value) -> Diagnostic:
        """What is wrong where a variable of the state has another value than the one that is wanted."""
        here, there = self.show(found, variable.type), self.show(wanted, variable.type)
        return diagnose("K113", span, name=variable.name, found=here, wanted=there)
