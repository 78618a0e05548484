"""The context of a scenario: the players and parameters it is set up with, its game, its seats by name,
values and actions as an author writes them.

An action is written in the words of an option, or as its structure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from typing import NoReturn

from croupier.diagnostics import Diagnostic, Label, RulesetError, Span, diagnose, did_you_mean
from croupier.play.action_refs import is_numbered, numbered
from croupier.records import dataclass
from croupier.ruleset import Ruleset
from croupier.runtime.aggregates import canonical
from croupier.runtime.choices import ChooseOp
from croupier.runtime.game import Game, Value
from croupier.runtime.label_matching import folded
from croupier.runtime.legality import WhyNot, could_read, why_not
from croupier.runtime.parameters import admitted, usual_players
from croupier.runtime.sets import SetOp
from croupier.runtime.setup import AttributeValues, possible_labels
from croupier.runtime.state import CHANCE, State
from croupier.runtime.trace import Trace
from croupier.scenarios.document import WORDS, Given, ScenarioStep, is_word
from croupier.schema import Text
from croupier.semantics import types as t
from croupier.semantics.context import CheckContext
from croupier.semantics.names import NameResolver
from croupier.semantics.program import Program
from croupier.semantics.type_words import NUMBER_WORDS
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence, as_json

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
_NUMBER = re.compile(r"(?:P|player )?([1-9][0-9]?)\Z", re.ASCII)
_NAME = re.compile(r"[^\W\d]\w*\Z")
_SHOWN = re.compile(r"\bplayer ([1-9][0-9]?)\b")


def fail(code: str, span: Span, **words: object) -> NoReturn:
    """Raise the one diagnostic."""
    raise RulesetError([diagnose(code, span, **words)])  # type: ignore[arg-type]


def is_halved(text: str) -> bool:
    """Tell whether this is one half of a text with a comma in it, like a cell, that YAML took for two between
    brackets or braces.
    """
    return text.startswith("(") and text.count("(") != text.count(")")


def suggestion(name: str, candidates: list[str]) -> dict[str, str]:
    """The help that names the nearest candidate, or all of a few."""
    if is_halved(name):
        return {"help": HALVED}
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
        match = _NUMBER.match(text)
        return int(match.group(1)) - 1 if match and int(match.group(1)) <= len(self.names) else None

    def seat(self, text: str, span: Span) -> int:
        """The same; raises `RulesetError` for a name that no seat has."""
        seat = self.find(text)
        if seat is None:
            fail("K008", span, name=text, **suggestion(text, list(self.names)))
        return seat

    def named(self, text: str) -> str:
        """A text of the rules with the names of the seats in the place of their numbers."""
        return _SHOWN.sub(
            lambda m: self.names[int(m.group(1)) - 1] if int(m.group(1)) <= len(self.names) else m.group(),
            text,
        )

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

    game: Game
    seats: Seats

    @cached_property
    def possible_labels(self) -> dict[str, dict[int, AttributeValues]]:
        """The labels that components can have which change in play, and what gives a component each of
        them.
        """
        return possible_labels(self.game)

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


# ---------------------------------------------------------------- values
def words_of(kind: t.Type, context: ScenarioContext) -> list[str]:
    """The words of the values of a type, if they are few."""
    game = context.game
    match kind:
        case t.Enum():
            return list(game.program.enums[kind.name].values)
        case t.Player():
            return list(context.seats.names)
        case t.Cell():
            return list(game.boards[kind.board].names)
        case t.Component():
            components = game.components
            return [
                context.seats.named(label)
                for label, found in game.by_label.items()
                if any(components[i].kind in kind.kinds for i in found)
            ]
        case t.Bool():
            return ["true", "false"]
    return []


def read_value(node: YamlNode, kind: t.Type, context: ScenarioContext, current: Value = None) -> Value:
    """The value of a type; entries of a map that are not written stay as in `current`.

    Raises `RulesetError`.
    """
    game = context.game
    match kind, node:
        case t.Optional(), YamlScalar() if _is_none(node) and not (
            isinstance(kind.base, t.Enum) and "none" in game.enum_values[kind.base.name]
        ):
            return None
        case t.Optional(), _:
            return read_value(node, kind.base, context, current)
        case t.Collection(), YamlSequence():
            values = tuple(read_value(item, kind.base, context) for item in node.items)
            return values if kind.kind == "list" else canonical(kind.kind, values)
        case t.Map(), YamlMapping():
            return _map(node, kind, context, current)
        case t.Map(), YamlSequence() if isinstance(kind.key, t.Cell) and _is_board(node, context, kind.key):
            return tuple(
                read_value(item, kind.value, context)
                for row in node.items
                if isinstance(row, YamlSequence)
                for item in row.items
            )
        case t.Map(), YamlSequence() if len(node.items) == len(game.values(kind.key)):
            return tuple(read_value(item, kind.value, context) for item in node.items)
        case t.Record(), YamlMapping():
            return _record(node, kind, context)
        case _, YamlScalar():
            found = _scalar(node, kind, context)
            if found is not None:
                return found[0]
    shown = node.text if isinstance(node, YamlScalar) else node.span.text
    help = suggestion(shown, words_of(kind, context)) if isinstance(node, YamlScalar) else {}
    digits = NUMBER_WORDS.get(shown.casefold()) if isinstance(kind, t.Int) else None
    if digits is not None:
        help = {"help": f"numbers are written in digits: `{digits}`"}
    fail("K017", node.span, value=shown, wanted=_wanted(kind, context), **help)


def _is_board(node: YamlSequence, context: ScenarioContext, kind: t.Cell) -> bool:
    """Tell whether these are the rows of a board."""
    rows = [item for item in node.items if isinstance(item, YamlSequence)]
    return len(rows) == len(node.items) and [len(row.items) for row in rows] == [
        len(row) for row in context.game.boards[kind.board].rows
    ]


def _is_none(node: YamlScalar) -> bool:
    return node.text in ("none", "nobody", "nothing") or (node.value is None and node.style == "plain")


def _wanted(kind: t.Type, context: ScenarioContext) -> str:
    if isinstance(kind, t.Int):
        low, high = context.game.int_bounds(kind)
        return f"number in {low}..{high}" if low is not None and high is not None else "number"
    return f"`{kind}`"


def _scalar(node: YamlScalar, kind: t.Type, context: ScenarioContext) -> tuple[Value] | None:
    game, text = context.game, node.text
    match kind:
        case t.Bool():
            return (node.value,) if isinstance(node.value, bool) else None
        case t.Int():
            low, high = game.int_bounds(kind)
            number = node.value
            fine = isinstance(number, int) and not isinstance(number, bool)
            return (
                (number,)
                if fine and (low is None or number >= low) and (high is None or number <= high)  # type: ignore[operator]
                else None
            )
        case t.Player():
            seat = context.seats.find(text)
            return None if seat is None else (seat,)
        case t.Enum():
            return (game.enum_values[kind.name][text],) if text in game.enum_values[kind.name] else None
        case t.Text():
            return (text,)
        case t.Cell():
            names = game.boards[kind.board].names
            return (names.index(text),) if text in names else None
        case t.Component():
            found = context.components(text, kind.kinds)
            return (found[0],) if found else None
    return None


def _map(node: YamlMapping, kind: t.Map, context: ScenarioContext, current: Value) -> Value:
    keys = context.game.values(kind.key)
    other = next((value for key, value in node.entries if key.text == "else"), None)
    out: list[Value] = list(current) if current is not None else [None] * len(keys)
    if other is not None:
        out = [read_value(other, kind.value, context, out[i]) for i in range(len(keys))]
    for key, value in node.entries:
        if key.text != "else":
            at = keys.index(read_value(key, kind.key, context))
            out[at] = read_value(value, kind.value, context, out[at])
    return tuple(out)


def _record(node: YamlMapping, kind: t.Record, context: ScenarioContext) -> Value:
    fields = context.game.program.records[kind.name].fields
    for key, _ in node.entries:
        if key.text not in fields:
            fail("K018", key.span, kind="field", name=key.text, **suggestion(key.text, list(fields)))
    missing = next((name for name in fields if node.get(name) is None), None)
    if missing is not None:
        fail("K017", node.span, value=node.span.text, wanted=f"`{kind}`", help=f"missing: `{missing}`")
    return tuple(read_value(node.get(name) or node, field, context) for name, field in fields.items())


# ---------------------------------------------------------------- setting
Entries = tuple[tuple[Text, YamlNode], ...]
LOOPS = "it gives the variables of the loops around a phase: add `at: PHASE`"


@dataclass(frozen=True)
class Setting:
    """Everything that is given.

    `at` and `call`, together or alone, and `after` exclude each other; without them the game begins at its
    set-up.
    """

    span: Span
    players: YamlNode | None
    parameters: Entries
    play: tuple[ScenarioStep, ...]
    at: Text | None
    bound: Entries
    zones: Entries
    state: Entries
    rest: YamlNode | None
    call: tuple[Text, ...]
    after: Text | None
    # loop variables that only the file gives, for a phase that the scenario names itself
    lent: frozenset[str] = frozenset()

    @property
    def declared(self) -> bool:
        """Tell whether it is a declared position."""
        return self.at is not None or bool(self.call)


def merge_settings(file: Given | None, own: Given | None, span: Span) -> Setting:
    """The scenario's `given` laid over the file's: entry by entry in groups, otherwise as a whole.

    Raises `RulesetError`.
    """
    layers = [g for g in (file, own) if g is not None]
    ways = own if own is not None and (own.begins or file is None) else file
    merged: dict[str, Entries] = {}
    for name in ("parameters", "bound", "zones", "state"):
        by_name: dict[str, tuple[Text, YamlNode]] = {}
        for g in layers:
            by_name.update({key.text: (key, value) for key, value in getattr(g, name)})
        merged[name] = tuple(by_name.values())
    at = None if ways is None else ways.at
    setting = Setting(
        span if own is None else own.span,
        next((g.players for g in reversed(layers) if g.players is not None), None),
        merged["parameters"],
        () if ways is None else ways.play,
        at,
        merged["bound"] if at is not None else (),
        merged["zones"],
        merged["state"],
        next((g.rest for g in reversed(layers) if g.rest is not None), None),
        () if ways is None else ways.call,
        None if ways is None else ways.after,
        frozenset(_names(file)) - frozenset(_names(own)) if ways is own else frozenset(),
    )
    if own is not None:
        _all_read(setting, own)
    return setting


def _names(given: Given | None) -> list[str]:
    return [] if given is None else [key.text for key, _ in given.bound]


def _all_read(setting: Setting, own: Given) -> None:
    """Check that everything is read that a scenario gives itself. Raises `RulesetError`."""
    if own.bound and setting.at is None:
        raise RulesetError([diagnose("K021", own.bound[-1][0].span, key="with", help=LOOPS)])
    if setting.declared or setting.after is not None:
        return
    for key, entries in (("zones", own.zones), ("state", own.state)):
        if entries:
            raise RulesetError([diagnose("K021", entries[-1][0].span, key=key)])
    if own.rest is not None:
        raise RulesetError([diagnose("K021", own.rest.span, key="rest")])


# ---------------------------------------------------------------- games
MOST_KEPT = 64


class SetUpRefused(RulesetError):
    """The ruleset refuses these players or parameters."""


class Games:
    """Sets games up for settings, and knows what was executed since it was last asked."""

    def __init__(self, ruleset: Ruleset, traced: bool = True) -> None:
        self.ruleset, self._traced = ruleset, traced
        self._made: dict[str, Game] = {}
        self._used: list[Trace] = []

    def context(self, setting: Setting) -> ScenarioContext:
        """The context of a setting.

        Raises `RulesetError` at the scenario's lines, `SetUpRefused` where no game can begin.
        """
        try:
            program = self.ruleset.program_for(_switches(setting))
        except RulesetError:  # variants that do not go together: setting up says so
            program = self.ruleset.program
        seats = read_seats(setting.players, program, _switches(setting))
        kinds = {name: p.type for name, p in program.params.items()}
        parameters = {
            name.text: _parameter(node, kinds.get(name.text, t.UNKNOWN), seats)
            for name, node in setting.parameters
        }
        key = json.dumps([len(seats.names), sorted(parameters.items())], default=str)
        if key not in self._made:
            if len(self._made) >= MOST_KEPT:
                self._made.clear()
            trace = Trace(program) if self._traced else None
            try:
                self._made[key] = self.ruleset.set_up(len(seats.names), parameters, trace)
            except RulesetError as error:
                self._used += [trace] if trace is not None else []
                raise SetUpRefused([_placed(d, setting) for d in error.diagnostics]) from None
        game = self._made[key]
        if game.trace is not None:
            game.trace.clear()
            self._used.append(game.trace)
        return ScenarioContext(game, seats)

    def used(self) -> tuple[Trace, ...]:
        """The traces of the games that were set up or played since the last time this was asked."""
        traces = tuple({id(trace): trace for trace in self._used}.values())
        self._used.clear()
        return traces


def _switches(setting: Setting) -> dict[str, object]:
    """The parameters that are given as one word each: those that switch variants on, and that decide on the
    number of players, are such.
    """
    return {
        name.text: node.value if node.value is not None else node.text
        for name, node in setting.parameters
        if isinstance(node, YamlScalar)
    }


def _parameter(node: YamlNode, kind: t.Type, seats: Seats) -> object:
    """A parameter as JSON; a seat may be given by name."""
    if isinstance(node, YamlScalar):
        kind = kind.base if isinstance(kind, t.Optional) else kind
        seat = seats.find(node.text) if isinstance(kind, t.Player) else None
        if seat is not None:
            return seat
        return node.value if node.value is not None or not node.text else node.text
    if isinstance(kind, t.Map) and isinstance(node, YamlMapping):
        return {
            _seat_or(key.text, kind.key, seats): _parameter(value, kind.value, seats)
            for key, value in node.entries
        }
    return as_json(node)


def _seat_or(word: str, kind: t.Type, seats: Seats) -> str:
    """The key of a map; that of a seat by its name becomes its number."""
    seat = seats.find(word) if isinstance(kind, t.Player) and word != "else" else None
    return word if seat is None else str(seat)


def _placed(d: Diagnostic, setting: Setting) -> Diagnostic:
    """A mistake of a set-up shown where the scenario asks for it."""
    nodes = {name.text: name.span.to(node.span) for name, node in setting.parameters}
    place: Span | None = next((span for name, span in nodes.items() if f"`{name}`" in d.message), None)
    place = place or (setting.players.span if setting.players is not None else setting.span)
    if d.span is None:
        return replace(d, span=place)
    return replace(d, span=place, labels=(Label(d.span, "declared here"), *d.labels))


# ------------------------------------------------------------ actions
MOST_SHOWN = 12
_NUMBERED = re.compile(r"-?[0-9]+")


def as_written(node: YamlNode) -> str:
    """A choice as written, on one line."""
    return node.text if isinstance(node, YamlScalar) else " ".join(node.span.text.split())


def words(state: State, seat: int, action: int, context: ScenarioContext) -> set[str]:
    """Every way to write an action: its words, with the names of seats too, and the mere value that it
    chooses.
    """
    label = state.action_to_string(seat, action)
    found = {label, context.seats.named(label)}
    if state.declines(action):
        found.add("no")
    elif state.ends(action):
        found.add("done")
    op = state._m.waiting
    struct = state.action_to_struct(seat, action)
    if isinstance(struct, dict) and not isinstance(getattr(op, "base", None), t.Player):
        value = struct.get("value", struct.get("item"))
        if isinstance(value, (str, int)):
            found.add(str(value).lower() if isinstance(value, bool) else str(value))
    if isinstance(getattr(op, "base", None), t.Player) and isinstance(op, ChooseOp) and action >= op.shift:
        found |= {context.seats.names[v] for v in [_value(op, state, seat, action)] if isinstance(v, int)}
    if isinstance(op, ChooseOp) and isinstance(op.base, t.Enum) and action >= op.shift:
        found |= {
            context.game.show(v, op.base, labelled=True)
            for v in [_value(op, state, seat, action)]
            if isinstance(v, int)
        }
    if seat == CHANCE and " shows " in label:
        found.add(label.rsplit(" shows ", 1)[1])
    return {folded(text) for text in found}


def _value(op: ChooseOp, state: State, seat: int, action: int) -> object:
    if isinstance(op, SetOp):
        return op.source(state._m, state._m.frames[-1].L)[action - 1] if action else None
    return op.value_of(state._m, state._m.frames[-1], action)


def find(
    state: State, seat: int, node: YamlNode, context: ScenarioContext, taken: Collection[int] = ()
) -> int | None:
    """The legal action, or outcome of chance, that a node names: rather one whose words it is than one whose
    value it is.

    `taken`: those that nodes before it named. Where several are called alike, the next one is named; a number
    says itself which one.
    """
    options = state.legal_actions(None if seat == CHANCE else seat)
    wanted = as_json(node)
    if not is_numbered(wanted):
        options = [a for a in options if a not in taken]
    else:
        return numbered(
            wanted, options, lambda action, text: folded(text) in _descriptions(state, seat, action, context)
        )
    if isinstance(node, YamlScalar):
        text = folded(node.text)
        described = next((a for a in options if text in _descriptions(state, seat, a, context)), None)
        return (
            described
            if described is not None
            else next((a for a in options if text in words(state, seat, a, context)), None)
        )
    structs = [(a, state.action_to_struct(seat, a)) for a in options]
    exact, with_none = state.with_full_name(wanted), state.with_full_name(_with_none(node))
    found = next((a for a, struct in structs if struct == exact), None)
    return found if found is not None else next((a for a, struct in structs if struct == with_none), None)


def _with_none(node: YamlNode) -> object:
    """A node as a JSON value, `none` being what is missing, as in the rule language."""
    if isinstance(node, YamlMapping):
        return {key.text: _with_none(value) for key, value in node.entries}
    if isinstance(node, YamlSequence):
        return [_with_none(item) for item in node.items]
    return None if is_word(node, "none") else as_json(node)


def _descriptions(state: State, seat: int, action: int, context: ScenarioContext) -> set[str]:
    """The words of an action, with the names of seats too."""
    label = state.action_to_string(seat, action)
    return {folded(label), folded(context.seats.named(label))}


def offered(state: State, seat: int, context: ScenarioContext) -> str:
    """The legal actions in words, alike ones once."""
    labels = _labels(state, seat, context)
    shown = ", ".join(f"`{label}`" for label in labels[:MOST_SHOWN])
    more = len(labels) - MOST_SHOWN
    return (shown or "nothing") + (f" and {more} more" if more > 0 else "")


def nearest(state: State, seat: int, node: YamlNode, context: ScenarioContext) -> str | None:
    """The legal action that what is written nearly reads like; of a structure, the key that is nearly
    written.
    """
    if isinstance(node, YamlMapping):
        structs = [
            state.action_to_struct(seat, a) for a in state.legal_actions(None if seat == CHANCE else seat)
        ]
        keys = list(dict.fromkeys(key for struct in structs if isinstance(struct, dict) for key in struct))
        return next(
            (
                near
                for key, _ in node.entries
                if key.text not in keys and (near := did_you_mean(key.text, keys)) is not None
            ),
            None,
        )
    return did_you_mean(as_written(node), _labels(state, seat, context))


def _labels(state: State, seat: int, context: ScenarioContext) -> list[str]:
    options = state.legal_actions(None if seat == CHANCE else seat)
    return list(dict.fromkeys(context.seats.named(state.action_to_string(seat, a)) for a in options))


def refusal(state: State, seat: int, node: YamlNode, context: ScenarioContext) -> WhyNot:
    """Return the reasons why a seat that may act cannot do this."""
    return why_not(state, seat, as_written(node), context.seats.named)


def is_known(state: State, text: str, context: ScenarioContext) -> bool:
    """Tell whether a text names anything of the game: what somebody may do now, a component, a cell, a value,
    a seat.
    """
    text = folded(text)
    if any(
        text in words(state, seat, a, context)
        for seat in state.pending_seats()
        for a in state.legal_actions(seat)
    ):
        return True
    named = is_named(text, context) or context.seats.find(text) is not None
    return text in ("no", "done") or named or could_read(state._m, text, context.seats.named)


def is_named(text: str, context: ScenarioContext) -> bool:
    """Tell whether this is a number, a seat, a component, a cell or a value of a type. `text` is folded."""
    game = context.game
    cells = (name for board in game.boards.values() for name in board.names)
    values = (value for enum in game.program.enums.values() for value in enum.values)
    words = (*context.called, *cells, *values, *context.seats.names)
    return _NUMBERED.fullmatch(text) is not None or any(folded(name) == text for name in words)
