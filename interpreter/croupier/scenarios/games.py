"""The games of one ruleset that its scenarios are played with: set up once for the same players and parameters, and traced if wanted."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from croupier.diagnostics import Diagnostic, Label, RulesetError, Span
from croupier.load import Ruleset
from croupier.runtime.game import Game
from croupier.runtime.trace import Trace
from croupier.scenarios.setting import Setting
from croupier.scenarios.table import Seats, Table, read_seats
from croupier.scenarios.values import structure
from croupier.semantics import types as t
from croupier.source import Mapping, Node, Scalar

MOST_KEPT = 64


class SetUpRefused(RulesetError):
    """The ruleset refuses these players or parameters."""


class Games:
    """Sets games up for settings, and knows what was executed since it was last asked."""

    def __init__(self, ruleset: Ruleset, traced: bool = True) -> None:
        self.ruleset, self._traced = ruleset, traced
        self._made: dict[str, Game] = {}
        self._used: list[Trace] = []

    def table(self, setting: Setting) -> Table:
        """The table of a setting. Raises `RulesetError` at the scenario's lines, `SetUpRefused` where no game can begin."""
        try:
            program = self.ruleset.program_for(_words(setting))
        except RulesetError:  # variants that do not go together: setting up says so
            program = self.ruleset.program
        seats = read_seats(setting.players, program, _words(setting))
        kinds = {name: p.type for name, p in program.params.items()}
        parameters = {name.text: _parameter(node, kinds.get(name.text, t.UNKNOWN), seats) for name, node in setting.parameters}
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
        return Table(game, seats)

    def used(self) -> tuple[Trace, ...]:
        """The traces of the games that were set up or played since the last time this was asked."""
        traces = tuple({id(trace): trace for trace in self._used}.values())
        self._used.clear()
        return traces


def _words(setting: Setting) -> dict[str, Any]:
    """The parameters that are given as one word each: those that switch variants on, and that decide on the number of players, are such."""
    return {name.text: node.value if node.value is not None else node.text for name, node in setting.parameters if isinstance(node, Scalar)}


def _parameter(node: Node, kind: t.Type, seats: Seats) -> Any:
    """A parameter as JSON; a seat may be given by name."""
    if isinstance(node, Scalar):
        kind = kind.base if isinstance(kind, t.Optional) else kind
        seat = seats.find(node.text) if isinstance(kind, t.Player) else None
        return seat if seat is not None else node.value if node.value is not None or not node.text else node.text
    if isinstance(kind, t.Map) and isinstance(node, Mapping):
        return {_seat_or(key.text, kind.key, seats): _parameter(value, kind.value, seats) for key, value in node.entries}
    return structure(node)


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
