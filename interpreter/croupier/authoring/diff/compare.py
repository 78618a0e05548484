"""Everything that differs between two rulesets, in the order of a ruleset's sections."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.authoring.diff import rules, things
from croupier.authoring.diff.model import Difference, kind_of
from croupier.resolve import ResolvedRuleset
from croupier.schema import Component, Limits, Players


def diff_rulesets(old: ResolvedRuleset, new: ResolvedRuleset) -> tuple[Difference, ...]:
    """What has to be told to somebody who knows `old` and meets `new`."""
    return tuple(_all(old, new))


def _all(old: ResolvedRuleset, new: ResolvedRuleset) -> Iterator[Difference]:
    if old.title != new.title:
        yield Difference("changed", "title", "", None, old.title, new.title)
    before, after = (_players(r.players) for r in (old, new))
    if before != after:
        yield Difference("changed", "players", "", None, before, after, old.players.span, new.players.span)
    empty = Limits.model_construct()
    yield from things.fields("limits")("", old.limits or empty, new.limits or empty)
    yield from things.entries("type", old.types, new.types, things.fields("type"))
    yield from things.entries("parameter", old.parameters, new.parameters, things.fields("parameter"))
    yield from things.entries("component", old.components, new.components, _component)
    yield from things.entries("zone", old.zones, new.zones, things.fields("zone"))
    yield from things.entries("board", old.boards, new.boards, things.fields("board"))
    yield from things.entries("state", old.state, new.state, things.fields("state"))
    yield from rules.definitions(old.definitions, new.definitions)
    yield from things.entries("claim", old.claims, new.claims, things.fields("claim"))
    yield from rules.phases(old.phases, new.phases)
    yield from rules.whole("scoring", "", old.scoring, new.scoring)
    yield from things.entries("invariant", old.invariants, new.invariants, rules.expressions("invariant"))
    for id in dict.fromkeys((*old.rule_list, *new.rule_list)):
        mine, theirs = old.rule_list.get(id), new.rule_list.get(id)
        before_text, after_text = (None if entry is None else entry.text.text for entry in (mine, theirs))
        if before_text != after_text:
            kind = kind_of(before_text, after_text)
            spans = (None if entry is None else entry.span for entry in (mine, theirs))
            yield Difference(kind, "rule", id, None, before_text, after_text, *spans)


def _component(name: str, old: Component, new: Component) -> Iterator[Difference]:
    yield from things.fields("component")(name, old, new)
    yield from rules.powers(name, old, new)


def _players(players: Players) -> str:
    numbers = ", ".join(map(str, players.counts))
    if players.by is not None:
        numbers = f"{numbers} by {players.by.text}: " + "; ".join(f"{k.text} {c}" for k, c in players.cases)
    return numbers if players.default is None else f"{numbers} (default {players.default})"
