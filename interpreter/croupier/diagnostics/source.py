"""A text with a name, places in it, and how what a stranger wrote is made safe to show.

Offsets count code points of the text from 0; lines and columns count from 1, as editors show them.  A line
ends with a line feed, a carriage return or both; nothing else ends a line.  A byte order mark at the very
start occupies no column.

Terminals, browsers, spreadsheets and build servers give meaning to characters that look like nothing.  Every
sink passes authored text through `sanitise`, which turns such characters into visible escapes (`\x1b`,
`\u202e`, `\n`); pages add what only they need (`escaped`).  The result is for people: it is not meant to be
read back.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import field
from functools import cached_property, lru_cache

from croupier.records import dataclass

BYTE_ORDER_MARK = "\ufeff"
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Source:
    """A text to point into.

    `name` is the path as it should be shown to people; it is not opened by anything here.
    """

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        first = 1 if self.text.startswith(BYTE_ORDER_MARK) else 0
        return (first, *(match.end() for match in _LINE_END.finditer(self.text)))

    @property
    def line_count(self) -> int:
        """The number of lines; a text that ends with a line end has an empty last line."""
        return len(self._line_starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a code point offset; offsets outside the text are moved to its
        nearest end.
        """
        starts = self._line_starts
        offset = max(starts[0], min(offset, len(self.text)))
        index = bisect_right(starts, offset) - 1
        return index + 1, offset - starts[index] + 1

    def line_start(self, number: int) -> int:
        """The offset where a line, counted from 1, begins.

        Raises IndexError for a line that does not exist.
        """
        if number < 1:
            raise IndexError(number)
        return self._line_starts[number - 1]

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line end.

        Raises IndexError for a line that does not exist.
        """
        start = self.line_start(number)
        end = self._line_starts[number] if number < self.line_count else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def span(self, start: int, end: int) -> Span:
        """The place from one offset up to, not including, another."""
        return Span(self, start, end)


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a source: code point offsets, `end` exclusive.

    An empty span points between two characters.
    """

    source: Source
    start: int
    end: int

    def __hash__(self) -> int:
        return self.start  # sets hold thousands of spans of one source

    @property
    def line(self) -> int:
        """The line where the place begins, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column where the place begins, from 1, in code points."""
        return self.source.position(self.start)[1]

    @property
    def end_position(self) -> tuple[int, int]:
        """Line and column, from 1, of the first character after the place."""
        return self.source.position(self.end)

    @property
    def text(self) -> str:
        """The characters in the span."""
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """The smallest place that covers this one and another of the same source."""
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"


# ------------------------------------------------------------ what is safe to show
# Control, format (bidirectional overrides, zero-width joiners, tags), lone surrogates, line and paragraph
# separators.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ORDINARY = re.compile(r"[ -~]*\Z")
_BUILD_COMMAND = re.compile(r"\s*(::|##\[)")


def sanitise(text: str) -> str:
    """The text on one line, with every invisible or controlling character as a visible escape.

    A text that begins like a command to a build server (`::error`, `##[group]`) has its first sign escaped.
    """
    if not _ORDINARY.match(text):
        text = "".join(map(visible, text))
    command = _BUILD_COMMAND.match(text)
    if command:
        at = command.start(1)
        text = f"{text[:at]}\\x{ord(text[at]):02x}{text[at + 1 :]}"
    return text


@lru_cache(maxsize=4096)
def visible(character: str) -> str:
    """One character, or its escape if it is invisible or controls something."""
    if character in _NAMED:
        return _NAMED[character]
    number = ord(character)
    if unicodedata.category(character) not in _INVISIBLE and number & 0xFFFE != 0xFFFE:
        return character
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
