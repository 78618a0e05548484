"""The results of coverage: everything that can happen in a ruleset, with how often it did, as values, as JSON
and in words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from croupier.diagnostics import JsonObject, Source, Span
from croupier.diagnostics.render import short_place

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
    """A place of the ruleset and how often it was executed in games and in scenarios; `kind` and `words` as
    in `runtime.trace.TracedPlace`.

    `inside` says that the clause it belongs to was never executed either, so that it is nothing to report of
    its own. `told` is the place in the rulebook that tells the clause; empty if it is of a variant that only
    some values of parameters switch on, or no rule of the game.
    """

    kind: str
    span: Span
    words: str
    rules: tuple[str, ...]
    games: int
    scenarios: int
    inside: bool = False
    told: str = ""

    @property
    def count(self) -> int:
        return self.games + self.scenarios


@dataclass(frozen=True)
class RuleCount:
    """A rule of the rule list: in how many games and scenarios something that cites it was executed, and
    where it is cited.
    """

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
    """A value of a parameter (or a number of players, `name` none), and in how many games and scenarios it
    held.
    """

    name: str | None
    value: object
    games: int
    scenarios: int
    span: Span | None

    @property
    def count(self) -> int:
        return self.games + self.scenarios


@dataclass(frozen=True)
class StoppedGame:
    """The first random game that ended before it was over for some reason, how it was set up, and how many
    did for the same.
    """

    status: str
    reason: str | None
    game: int
    players: int
    parameters: dict[str, str]
    count: int = 1

    def __str__(self) -> str:
        set_up = ", ".join(
            [f"{self.players} players", *(f"{name} = {value}" for name, value in self.parameters.items())]
        )
        others = f", and {self.count - 1} more" if self.count > 1 else ""
        return (
            f"{self.status}: game {self.game} with "
            f"{set_up}{others}{f' ({self.reason})' if self.reason else ''}"
        )


@dataclass(frozen=True)
class Coverage:
    """Everything that was counted.

    `statuses` says how many games ended how, `failed` which scenarios did not pass.
    """

    ruleset: str
    title: str
    ruleset_hash: str
    seed: int
    games: int
    statuses: dict[str, int]
    stopped: tuple[StoppedGame, ...]
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

    def to_json(self) -> JsonObject:
        """The report as a JSON value, without its header; positions count from 1."""
        return {
            "seed": self.seed,
            "statuses": self.statuses,
            "stopped": [asdict(game) for game in self.stopped],
            "scenarios": self.scenarios,
            "failed": list(self.failed),
            "complete": self.complete,
            "totals": {title: {"happened": have, "of": of} for title, have, of in self.totals()},
            "rules": [{**vars(r), "cited": [short_place(s) for s in r.cited]} for r in self.rules],
            "places": [
                {
                    "kind": p.kind,
                    "words": p.words,
                    "place": short_place(p.span),
                    "text": one_line(p.span.text),
                    "rules": list(p.rules),
                    "told": p.told or None,
                    "games": p.games,
                    "scenarios": p.scenarios,
                }
                for p in self.places
            ],
            "values": [
                {
                    "parameter": v.name,
                    "value": v.value,
                    "games": v.games,
                    "scenarios": v.scenarios,
                    "place": short_place(v.span),
                }
                for v in self.values
            ],
        }


def one_line(text: str) -> str:
    """The first line of a text, which may have been written over several."""
    return text.strip().split("\n")[0].rstrip()


_WIDEST = 90


def place_words(place: Counted) -> str:
    """A place in words: the text that stands there, and which way or option of it is meant."""
    text = place.span.text.strip().split("\n")[0].rstrip()
    text = text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
    match place.kind:
        case "procedure" | "power":
            return f"`{place.words}` is never run"
        case "branch":
            return f"`{text}`: {place.words}"
        case "option":
            return f"option “{place.words}”"
        case "value":
            return f"`{text}`: {place.words}"
    return f"`{text}`"


def told_words(place: Counted) -> str:
    """Where the rulebook tells a place; empty if that is not known."""
    return f"told in the rulebook: {place.told}" if place.told else ""


def value_words(v: ValueCount) -> str:
    """A parameter's value, or a number of players."""
    if v.name is None:
        return f"{v.value} players"
    return f"{v.name} = {v.value if isinstance(v.value, str) else json.dumps(v.value, ensure_ascii=False)}"
