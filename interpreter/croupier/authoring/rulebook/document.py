"""The parts of a document: plain values, free of any format.  Text in them is an author's and not escaped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Mark = Literal["plain", "strong", "em", "code", "rule"]


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text in one style; `rule` is the id of a rule."""

    text: str
    mark: Mark = "plain"


Line: TypeAlias = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, from `level` 1 down."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line of text that stands alone."""

    line: Line


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list, with a list of its own below it."""

    line: Line
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Items:
    """A list; `rules` are the sentences of rules."""

    items: tuple[Item, ...]
    kind: Literal["plain", "rules"] = "plain"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under the names of their columns."""

    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True, slots=True)
class RuleText:
    """Rule text as its author wrote it, to unfold; `start` is what the parser reads it as. It is open where no sentence says the same."""

    text: str
    start: str
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example: where it begins, what happens, and how things stand then."""

    title: str
    given: tuple[Line, ...]
    course: tuple[Line, ...]
    result: tuple[Line, ...]
    rules: tuple[str, ...]


Block: TypeAlias = Heading | Paragraph | Items | Table | RuleText | Example
Document: TypeAlias = tuple[Block, ...]


def line(*parts: str | Run) -> Line:
    """A line of texts and runs; empty ones are left out."""
    runs = (Run(part) if isinstance(part, str) else part for part in parts)
    return tuple(run for run in runs if run.text)


def with_rules(text: Line, ids: Iterable[str]) -> Line:
    """A line with the ids of rules behind it."""
    out = list(text)
    for k, name in enumerate(ids):
        out += [Run(" [" if k == 0 else ", "), Run(name, "rule")]
    return tuple(out) + ((Run("]"),) if len(out) > len(text) else ())
