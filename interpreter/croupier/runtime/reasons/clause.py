"""A clause that forbids something, and what is known about something that is not offered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from croupier.diagnostics import Span

Rename = Callable[[str], str]
NOT_AMONG, NOT_OFFERED, NOT_USED, NOT_SAID, MUST = (
    "it is not among those to choose from",
    "the option is not offered",
    "it cannot be used here",
    "it may not be said",
    "something must be chosen",
)


@dataclass(frozen=True)
class Clause:
    """Why something is not offered. `kind`: turn, condition (its words are the author's), source, where, option, such that, how many, order,
    alike, reaction, claim, look-ahead; `rules` are those it cites; `span` is its place, none for what the rules as a whole say."""

    kind: str
    words: str
    rules: tuple[str, ...] = ()
    span: Span | None = None

    @property
    def told(self) -> str:
        """The clause as a sentence for people."""
        return f"“{self.words}” does not hold" if self.kind == "condition" else self.words

    def to_json(self) -> dict[str, Any]:
        place = {} if self.span is None else {"file": self.span.source.name, "line": self.span.line, "column": self.span.column}
        return {"kind": self.kind, "words": self.words, "rules": list(self.rules), **place}


@dataclass(frozen=True)
class WhyNot:
    """Whether a text names anything that this decision is about, and the clauses that forbid it; `label` is how the game calls it."""

    known: bool
    clauses: tuple[Clause, ...] = ()
    label: str | None = None


def folded(text: str) -> str:
    """A text for comparison: neither spaces nor capitals make a difference."""
    return " ".join(text.split()).casefold()
