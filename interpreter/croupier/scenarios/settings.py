"""The setting of a scenario: players, parameters and the position, and the games that are set up for it."""

from __future__ import annotations

import json
from dataclasses import replace

from croupier.diagnostics import Diagnostic, Label, RulesetError, Span, diagnose
from croupier.kernel import types as t
from croupier.records import dataclass
from croupier.ruleset import Ruleset
from croupier.runtime.engine import Engine
from croupier.runtime.trace import Trace
from croupier.scenarios.context import ScenarioContext, Seats, read_seats
from croupier.scenarios.document import Given, ScenarioStep
from croupier.schema import Text
from croupier.source import YamlMapping, YamlNode, YamlScalar, as_json

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


MOST_KEPT = 64


class SetUpRefused(RulesetError):
    """The ruleset refuses these players or parameters."""


class Games:
    """Sets games up for settings, and knows what was executed since it was last asked."""

    def __init__(self, ruleset: Ruleset, traced: bool = True) -> None:
        self.ruleset, self._traced = ruleset, traced
        self._made: dict[str, Engine] = {}
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
        engine = self._made[key]
        if engine.trace is not None:
            engine.trace.clear()
            self._used.append(engine.trace)
        return ScenarioContext(engine, seats)

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


def _placed(diagnostic: Diagnostic, setting: Setting) -> Diagnostic:
    """A mistake of a set-up shown where the scenario asks for it."""
    nodes = {name.text: name.span.to(node.span) for name, node in setting.parameters}
    place: Span | None = next(
        (span for name, span in nodes.items() if f"`{name}`" in diagnostic.message), None
    )
    place = place or (setting.players.span if setting.players is not None else setting.span)
    if diagnostic.span is None:
        return replace(diagnostic, span=place)
    return replace(
        diagnostic, span=place, labels=(Label(diagnostic.span, "declared here"), *diagnostic.labels)
    )
