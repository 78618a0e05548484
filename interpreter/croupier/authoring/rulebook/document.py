"""The parts of a document: plain values, free of any format.  Text in them is an author's and not escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from croupier.diagnostics import Span

Mark = Literal["plain", "strong", "em", "code", "rule", "del", "sign"]

SIGN = "◆"
"""The sign in front of something new where there is no margin to colour."""


Place: TypeAlias = tuple[str, str]
"""A place in the book: a section, and the heading within it; the heading is empty for the section itself."""


@dataclass(frozen=True, slots=True)
class TextRun:
    """A piece of text in one style; `rule` is the id of a rule, `del` what does not hold any more, `sign`
    stands for the mark of what is new. A text with `to` is a link to a place in the book. `span` is the place
    of what is shown as code.
    """

    text: str
    mark: Mark = "plain"
    to: Place | None = None
    span: Span | None = field(default=None, compare=False)


Line: TypeAlias = tuple[TextRun, ...]


@dataclass(frozen=True, slots=True)
class Telling:
    """What a passage tells: the place of a clause of the rules, by its author's explanation or in steps."""

    span: Span
    by: Literal["doc", "step"]


Tells: TypeAlias = tuple[Telling, ...]

# In the rulebook of a variant `is_new` marks what the rulebook of its base does not have (`margin.py`).


@dataclass(frozen=True, slots=True)
class HeadingBlock:
    """A heading, from `level` 1 down."""

    level: int
    text: str
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line of text that stands alone."""

    line: Line
    is_new: bool = False
    tells: Tells = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class ListItem:
    """A line of a list, with a list of its own below it."""

    line: Line
    items: tuple[ListItem, ...] = ()
    is_new: bool = False
    tells: Tells = field(default=(), compare=False)

    def walk(self) -> Iterator[ListItem]:
        """The item and all below it, in order."""
        yield self
        for item in self.items:
            yield from item.walk()


def untold(item: ListItem) -> ListItem:
    """An item that only says again what other passages tell."""
    return replace(item, tells=(), items=tuple(map(untold, item.items)))


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list; `rules` are the sentences of rules, `numbered` has numbers, in the lists below it, too."""

    items: tuple[ListItem, ...]
    kind: Literal["plain", "rules", "numbered"] = "plain"


@dataclass(frozen=True, slots=True)
class TableBlock:
    """Rows under the names of their columns; of a variant, the numbers of those that are new."""

    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]
    new_rows: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class RuleTextBlock:
    """Rule text as its author wrote it, to unfold; `start` is what the parser reads it as.

    It is open where no sentence says the same.
    """

    text: str
    start: str
    is_open: bool = False
    is_new: bool = False
    span: Span | None = field(default=None, compare=False)  # its place


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example: where it begins, what happens, and how things stand then, in words; `before` and
    `after` are the rows of text pictures of what is on boards.

    `goes_on` is the title of the one that it goes on from, `agreed` what players must agree on for it, by the
    names of the parameters.
    """

    title: str
    given: tuple[Line, ...]
    course: tuple[Line, ...]
    result: tuple[Line, ...]
    rules: tuple[str, ...]
    goes_on: str | None = None
    agreed: tuple[tuple[str, str], ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class PictureBlock:
    """A picture as SVG, whose texts are escaped, what it shows, and the same for readers without pictures: in
    words, and boards as rows of text.
    """

    svg: str
    caption: str
    words: tuple[str, ...]
    rows: tuple[str, ...] = ()
    is_new: bool = False


Block: TypeAlias = HeadingBlock | Paragraph | ListBlock | TableBlock | RuleTextBlock | Example | PictureBlock
Document: TypeAlias = tuple[Block, ...]


def headings_of(document: Iterable[Block]) -> Iterator[tuple[HeadingBlock, Place]]:
    """The headings below the title in order, each with its place."""
    section = ""
    for block in document:
        if isinstance(block, HeadingBlock) and block.level > 1:
            section = block.text if block.level == 2 else section
            yield block, (section, "" if block.level == 2 else block.text)


def anchors_of(document: Document, anchor: Callable[[int, HeadingBlock], str]) -> dict[Place, str]:
    """The anchor of each place; of headings that are called alike in one section, that of the first.

    `anchor` returns that of a heading and its number, from 1.
    """
    found: dict[Place, str] = {}
    for number, (heading, place) in enumerate(headings_of(document), 1):
        found.setdefault(place, anchor(number, heading))
    return found


def parts_of(example: Example) -> Iterator[tuple[str, tuple[Line, ...], tuple[str, ...], bool]]:
    """The parts of an example in order: title, lines, rows of a picture, and whether the lines are steps;
    without those that are empty.
    """
    agreed = [
        line(TextRun("Only if agreed on: ", "strong"), f"{option}: {words}")
        for option, words in example.agreed
    ]
    goes_on = [] if example.goes_on is None else [line(f"Goes on after: {example.goes_on}")]
    for title, lines, picture, is_steps in (
        ("Before", (*agreed, *goes_on, *example.given), example.before, False),
        ("What happens", example.course, (), True),
        ("After", example.result, example.after, False),
    ):
        if lines or picture:
            yield title, tuple(lines), picture, is_steps


def words_of(line: Line) -> str:
    """The words of a line, without its styles."""
    return "".join(run.text for run in line)


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
