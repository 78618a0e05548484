"""The parts of a document, free of any format, and the list of rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from croupier.schema import Text
from croupier.semantics.context import between, spread
from croupier.syntax.builder import find_cites
from croupier.syntax.lines import Positioned

# ---------------------------------------------------------------- document
# The parts of a document: plain values, free of any format.  Text in them is an author's and not escaped.
Mark = Literal["plain", "strong", "em", "code", "rule"]


@dataclass(frozen=True, slots=True)
class TextRun:
    """A piece of text in one style; `rule` is the id of a rule."""

    text: str
    mark: Mark = "plain"


Line: TypeAlias = tuple[TextRun, ...]


@dataclass(frozen=True, slots=True)
class HeadingBlock:
    """A heading, from `level` 1 down."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line of text that stands alone."""

    line: Line


@dataclass(frozen=True, slots=True)
class ListItem:
    """A line of a list, with a list of its own below it."""

    line: Line
    items: tuple[ListItem, ...] = ()


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list; `rules` are the sentences of rules."""

    items: tuple[ListItem, ...]
    kind: Literal["plain", "rules"] = "plain"


@dataclass(frozen=True, slots=True)
class TableBlock:
    """Rows under the names of their columns."""

    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True, slots=True)
class RuleTextBlock:
    """Rule text as its author wrote it, to unfold; `start` is what the parser reads it as. It is open where no sentence says the same."""

    text: str
    start: str
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example: where it begins, what happens, and how things stand then; `after` is the title of the one that it goes on from."""

    title: str
    given: tuple[Line, ...]
    course: tuple[Line, ...]
    result: tuple[Line, ...]
    rules: tuple[str, ...]
    after: str | None = None


@dataclass(frozen=True, slots=True)
class PictureBlock:
    """A picture as SVG, whose texts are escaped, what it shows, and the same in words for readers without pictures."""

    svg: str
    caption: str
    words: tuple[str, ...]


Block: TypeAlias = HeadingBlock | Paragraph | ListBlock | TableBlock | RuleTextBlock | Example | PictureBlock
Document: TypeAlias = tuple[Block, ...]


def line(*parts: str | TextRun) -> Line:
    """A line of texts and runs; empty ones are left out."""
    runs = (TextRun(part) if isinstance(part, str) else part for part in parts)
    return tuple(run for run in runs if run.text)


def with_rules(text: Line, ids: Iterable[str]) -> Line:
    """A line with the ids of rules behind it."""
    out = list(text)
    for k, name in enumerate(ids):
        out += [TextRun(" [" if k == 0 else ", "), TextRun(name, "rule")]
    return tuple(out) + ((TextRun("]"),) if len(out) > len(text) else ())


# ---------------------------------------------------------------- rules
# The rule list in a rulebook: the sentence of a rule stands once, where it is first cited; from then on its id is enough.
class RuleSentences:
    """The sentences of the rules (id to tag and sentence), and which of them stand in the document already."""

    def __init__(self, known: Mapping[str, tuple[str, str]]) -> None:
        self.known = known
        self.order = {name: place for place, name in enumerate(known)}
        self.used: set[str] = set()
        self.held: frozenset[str] = frozenset()  # those that a later part of the book tells, where they act
        self.groups: list[tuple[str, ...]] = []  # the rules of each list that was made, in order

    def sentences(self, ids: Iterable[str]) -> tuple[Block, ...]:
        """The sentences of those rules that do not stand anywhere yet, in the order of the rule list."""
        new = sorted({name for name in ids if name in self.known and name not in self.used and name not in self.held}, key=self.order.__getitem__)
        self.used.update(new)
        if not new:
            return ()
        self.groups.append(tuple(new))
        return (ListBlock(tuple(ListItem(line(TextRun(name, "rule"), f" {self.known[name][1]}")) for name in new), "rules"),)

    def others(self) -> tuple[Block, ...]:
        """The sentences that nothing cites so far."""
        return self.sentences(self.known)


def ids_of(cites: Iterable[Text]) -> tuple[str, ...]:
    """The ids that a declaration cites, ranges written out."""
    ids: list[str] = []
    for cite in cites:
        first, _, last = cite.text.partition("..")
        last = last if not last or "-" in last else first[: first.rindex("-") + 1] + last
        ids += between(first, last or None)
    return tuple(dict.fromkeys(ids))


def ids_in(text: Positioned) -> Iterator[str]:
    """The ids that a rule text cites, in its order, ranges written out."""
    for _, cite in find_cites(text):
        yield from spread(cite)
