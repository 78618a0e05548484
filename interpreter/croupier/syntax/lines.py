"""What in a rule text is code rather than text, comment or citation; and its lines as a reader sees them: indentation, brackets.

Only of texts with a mistake are the lines looked at: it is how a mistake is worded and how far it reaches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

CITATION = r"@[A-Z]{1,8}-[A-Z]*[0-9]+[a-z]?(?:(?:,|\.\.)[A-Z]*[0-9]+[a-z]?)*"
_HIDDEN = re.compile(rf'"[^"\n]*"?|#[^\n]*|{CITATION}')
_BRACKETS = re.compile(r"[(\[{]|[)\]}]")
TRIVIA = "\x05"  # what the grammar reads in the place of each character of a comment or citation
PARTNER = {"(": ")", "[": "]", "{": "}"}


def without_trivia(source: str) -> str:
    """The same number of characters, without comments and citations: what is parsed."""
    return _HIDDEN.sub(lambda found: found.group() if found.group().startswith('"') else TRIVIA * len(found.group()), source)


def trivia(source: str) -> Iterator[tuple[int, int]]:
    """Where comments and citations begin and end."""
    return (found.span() for found in _HIDDEN.finditer(source) if not found.group().startswith('"'))


def mask(source: str) -> str:
    """The same number of characters, without comments and citations, and with `x` for the characters of texts."""
    return _HIDDEN.sub(_blank, source)


def _blank(found: re.Match[str]) -> str:
    hidden = found.group()
    if not hidden.startswith('"'):
        return " " * len(hidden)
    closed = len(hidden) > 1 and hidden.endswith('"')
    return '"' + "x" * (len(hidden) - 1 - closed) + '"' * closed


@dataclass(frozen=True)
class Line:
    """One line: `start` is its offset in the text, `code` its masked characters without blanks at the end."""

    number: int
    start: int
    text: str
    code: str

    @cached_property
    def indent(self) -> int:
        """How many characters stand before the first one."""
        return len(self.text) - len(self.text.lstrip())

    @property
    def blank(self) -> bool:
        """Whether nothing but comments and citations stands here."""
        return not self.code.strip()

    @property
    def end(self) -> int:
        """The offset after the last character of code."""
        return self.start + len(self.code)

    @property
    def first(self) -> int:
        """The offset of the first character that is not a blank."""
        return self.start + self.indent

    @property
    def word(self) -> str:
        """The first word, if the line begins with one."""
        found = re.match(r"\s*(\w+)", self.code)
        return found.group(1) if found else ""


_JOINS = r"(?:and|or|not|in|mod|otherwise)\b|[-+*/<>=!]=?|,|\."
_BEGINS = re.compile(rf"\s*(?:{_JOINS})")
_ENDS = re.compile(r"(?:\b(?:and|or|not|in|mod|otherwise)|[-+*/<>=,.])\s*$")


def goes_on(line: Line, below: Line | None) -> bool:
    """Does the line below carry on an expression of this one, as in other languages, so that both are one statement?"""
    return below is not None and below.indent > line.indent and (_ENDS.search(line.code) is not None or _BEGINS.match(below.code) is not None)


class Lines:
    """All lines of one text."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.code = mask(source)
        self.all: list[Line] = []
        at = 0
        for number, (text, code) in enumerate(zip(source.split("\n"), self.code.split("\n"), strict=True)):
            self.all.append(Line(number, at, text, code.rstrip()))
            at += len(text) + 1

    def at(self, offset: int) -> Line:
        """The line of an offset; of a blank one, the last line before it that is not blank."""
        number = self.source.count("\n", 0, max(0, min(offset, len(self.source))))
        line = self.all[number]
        return (self.before(line) or line) if line.blank else line

    def before(self, line: Line) -> Line | None:
        """The last line before this one that is not blank."""
        return next((x for x in reversed(self.all[: line.number]) if not x.blank), None)

    def after(self, line: Line) -> Line | None:
        """The first line after this one that is not blank."""
        return next((x for x in self.all[line.number + 1 :] if not x.blank), None)

    def deeper(self, line: Line) -> list[Line]:
        """The lines below this one that are indented more, up to the first that is not."""
        found: list[Line] = []
        for x in self.all[line.number + 1 :]:
            if not x.blank and x.indent <= line.indent:
                break
            found.append(x)
        return found

    def statement(self, line: Line) -> tuple[Line, Line]:
        """The first and the last line of the statement that this line belongs to.

        A bracket that is open at the end of a line carries the statement on, unless the next line is not indented more and does
        not begin with a closing bracket: then the bracket was never closed.
        """
        first, depth = self.all[0], 0
        for x in self.all:
            carried = depth > 0 and (x.blank or x.indent > first.indent or x.code.lstrip()[:1] in (")", "]", "}"))
            if not carried:
                if x.number > line.number:
                    return first, self.all[x.number - 1]
                first, depth = x, 0
            depth = max(0, depth + sum(1 if c in PARTNER else -1 for c in _BRACKETS.findall(x.code)))
        return first, self.all[-1]

    def opened(self, start: int, end: int) -> list[tuple[int, str]]:
        """The brackets opened between two offsets and not closed there, each with its offset."""
        opened: list[tuple[int, str]] = []
        for found in _BRACKETS.finditer(self.code, start, end):
            if found.group() in PARTNER:
                opened.append((found.start(), found.group()))
            elif opened:
                opened.pop()
        return opened
