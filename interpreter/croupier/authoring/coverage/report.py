"""What coverage comes to: everything that can happen, with how often it did in games and in scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from croupier.diagnostics import Source, Span

CLAUSES = ("statement", "condition", "procedure", "power")
"""Kinds of places that a rule can be executed at; the rest is how it went there."""

TITLES = {
    "rule": "rules",
    "procedure": "definitions and phases",
    "statement": "statements",
    "condition": "conditions",
    "branch": "branches",
    "power": "powers of components",
    "option": "options",
    "value": "values chosen",
    "parameter": "parameter values",
    "players": "numbers of players",
}


@dataclass(frozen=True)
class Counted:
    """A place of the ruleset and how often it was executed in games and in scenarios; `kind` and `words` as in `runtime.trace.Spot`.

    `inside` says that the clause it belongs to was never executed either, so that it is nothing to report of its own.
    """

    kind: str
    span: Span
    words: str
    rules: tuple[str, ...]
    games: int
    scenarios: int
    inside: bool = False

    @property
    def count(self) -> int:
        return self.games + self.scenarios


@dataclass(frozen=True)
class RuleCount:
    """A rule of the rule list: in how many games and scenarios something that cites it was executed, and where it is cited."""

    id: str
    tag: str
    text: str
    games: int
    scenarios: int
    cited: tuple[Span, ...]

    @property
    def count(self) -> int:
        return self.games + self.scenarios


@dataclass(frozen=True)
class ValueCount:
    """A value of a parameter (or a number of players, `name` none), and in how many games and scenarios it held."""

    name: str | None
    value: Any
    games: int
    scenarios: int
    span: Span | None

    @property
    def count(self) -> int:
        return self.games + self.scenarios


@dataclass(frozen=True)
class Coverage:
    """Everything that was counted. `statuses` says how many games ended how, `failed` which scenarios did not pass."""

    ruleset: str
    title: str
    ruleset_hash: str
    seed: int
    games: int
    statuses: dict[str, int]
    scenarios: int
    failed: tuple[str, ...]
    rules: tuple[RuleCount, ...]
    places: tuple[Counted, ...]
    values: tuple[ValueCount, ...]
    sources: Sequence[Source]

    def totals(self) -> Iterator[tuple[str, int, int]]:
        """Of each kind of thing: its title, how many of them happened, how many there are."""
        yield TITLES["rule"], sum(1 for r in self.rules if r.count), len(self.rules)
        for kind in ("procedure", "statement", "condition", "branch", "power", "option", "value"):
            found = [p for p in self.places if p.kind == kind]
            yield TITLES[kind], sum(1 for p in found if p.count), len(found)
        for title, wanted in (("parameter", True), ("players", False)):
            values = [v for v in self.values if (v.name is not None) == wanted]
            yield TITLES[title], sum(1 for v in values if v.count), len(values)

    def never(self) -> list[Counted]:
        """The places where nothing happened, but for those inside of others."""
        return [p for p in self.places if not p.count and not p.inside]

    @property
    def complete(self) -> bool:
        """Did everything happen?"""
        return all(have == of for _, have, of in self.totals())

    def to_json(self) -> dict[str, Any]:
        """The report as a JSON value; positions count from 1."""
        return {
            "ruleset": self.ruleset,
            "ruleset_hash": self.ruleset_hash,
            "seed": self.seed,
            "games": self.games,
            "statuses": self.statuses,
            "scenarios": self.scenarios,
            "failed": list(self.failed),
            "complete": self.complete,
            "totals": {title: {"happened": have, "of": of} for title, have, of in self.totals()},
            "rules": [
                {"id": r.id, "tag": r.tag, "text": r.text, "games": r.games, "scenarios": r.scenarios, "cited": [_place(s) for s in r.cited]}
                for r in self.rules
            ],
            "places": [
                {
                    "kind": p.kind,
                    "words": p.words,
                    **_place(p.span),
                    "text": _one_line(p.span.text),
                    "rules": list(p.rules),
                    "games": p.games,
                    "scenarios": p.scenarios,
                }
                for p in self.places
            ],
            "values": [
                {"parameter": v.name, "value": v.value, "games": v.games, "scenarios": v.scenarios, **(_place(v.span) if v.span is not None else {})}
                for v in self.values
            ],
        }


def _place(span: Span) -> dict[str, Any]:
    return {"file": span.source.name, "line": span.line, "column": span.column}


def _one_line(text: str) -> str:
    """The first line of a text, which may have been written over several."""
    return text.strip().split("\n")[0].rstrip()
