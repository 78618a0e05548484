"""Where a scenario begins, once the file's own `given` and that of the scenario are laid over each other."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.diagnostics import RulesetError, Span, diagnose
from croupier.scenarios.shape import Given
from croupier.scenarios.steps import Step
from croupier.schema import Text
from croupier.source import Node

Entries = tuple[tuple[Text, Node], ...]
LOOPS = "it gives the variables of the loops around a phase: add `at: PHASE`"


@dataclass(frozen=True)
class Setting:
    """Everything that is given. `at`, `call` and `after` exclude each other; without them the game begins at its set-up."""

    span: Span
    players: Node | None
    parameters: Entries
    play: tuple[Step, ...]
    at: Text | None
    bound: Entries
    zones: Entries
    state: Entries
    rest: Node | None
    call: Text | None
    after: Text | None
    lent: frozenset[str] = frozenset()  # loop variables that only the file gives, for a phase that the scenario names itself

    @property
    def declared(self) -> bool:
        """Whether it is a declared position."""
        return self.at is not None or self.call is not None


def over(file: Given | None, own: Given | None, span: Span) -> Setting:
    """The scenario's `given` laid over the file's: entry by entry in groups, otherwise as a whole. Raises `RulesetError`."""
    layers = [g for g in (file, own) if g is not None]
    ways = own if own is not None and (own.begins or file is None) else file
    merged: dict[str, Entries] = {}
    for name in ("parameters", "bound", "zones", "state"):
        by_name: dict[str, tuple[Text, Node]] = {}
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
        None if ways is None else ways.call,
        None if ways is None else ways.after,
        frozenset(_names(file)) - frozenset(_names(own)) if ways is own else frozenset(),
    )
    if own is not None:
        _all_read(setting, own)
    return setting


def _names(given: Given | None) -> list[str]:
    return [] if given is None else [key.text for key, _ in given.bound]


def _all_read(setting: Setting, own: Given) -> None:
    """What a scenario gives itself must be read. Raises `RulesetError`."""
    if own.bound and setting.at is None:
        raise RulesetError([diagnose("K021", own.bound[-1][0].span, key="with", help=LOOPS)])
    if setting.declared or setting.after is not None:
        return
    for key, entries in (("zones", own.zones), ("state", own.state)):
        if entries:
            raise RulesetError([diagnose("K021", entries[-1][0].span, key=key)])
    if own.rest is not None:
        raise RulesetError([diagnose("K021", own.rest.span, key="rest")])
