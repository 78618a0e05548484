"""Lines of a rule text, its masked code (without texts, comments and citations), and error recovery.

Only texts with a mistake are split into lines: these tell how it is described and how far it reaches. To
recover after a mistake, the statement is replaced by a marker that the grammar knows, and the text is parsed
again. A marker keeps the indentation and the block below, if there is one, so that the mistake causes no
other report. Offsets do not change: a marker is followed by as many blanks as characters it replaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property
from itertools import islice
from string import ascii_lowercase
from typing import Protocol

from croupier.diagnostics import Span
from croupier.records import dataclass
from croupier.source.files import is_confusable
from croupier.source.lookalikes import MAX_REPORTED, Lookalike, of_rule_text
from croupier.source.statement_words import BLOCK_WORDS, YOUNG_LINES


class Positioned(Protocol):
    """A text that maps its offsets to the author's file (`source.RuleText`, or a part of one)."""

    @property
    def text(self) -> str: ...

    def span(self, start: int, end: int) -> Span: ...


CITATION = r"@(?:[A-Z]{1,8}-[A-Z]*[0-9]+[a-z]?(?:(?:,|\.\.)[A-Z]*[0-9]+[a-z]?)*|[a-z]\w*(?![\w-]))"
_HIDDEN = re.compile(rf'"[^"\n]*"?|#[^\n]*|{CITATION}')
_BRACKETS = re.compile(r"[(\[{]|[)\]}]")
TRIVIA = "\x05"  # the grammar's character for each character of a comment or citation
PARTNER = {"(": ")", "[": "]", "{": "}"}


def without_trivia(source: str) -> str:
    """The same number of characters, without comments and citations: what is parsed."""
    return _HIDDEN.sub(
        lambda found: found.group() if found.group().startswith('"') else TRIVIA * len(found.group()), source
    )


def trivia(source: str) -> Iterator[tuple[int, int]]:
    """The offsets (start, end) of comments and citations."""
    return (found.span() for found in _HIDDEN.finditer(source) if not found.group().startswith('"'))


def mask(source: str) -> str:
    """The same number of characters, without comments and citations, and with `x` for the characters of
    texts.
    """
    return _HIDDEN.sub(_blank, source)


# ---------------------------------------------------------------- soft keywords
# `suppose` and `gives` are younger than version 1: `suppose` is a keyword before a statement, `gives` behind
# one; elsewhere they are names.
SOFT_KEYWORDS = ("suppose", "gives")
_SOFT = re.compile(rf"(?<![\w.])(?:{'|'.join(SOFT_KEYWORDS)})\b")
_SUPPOSED = re.compile(
    r"[ \t]*(?!(?:and|or|in|is|if|else|for|mod|not|otherwise|by|to|where|from|with|as)\b)[^\W\d]"
)
_BLOCK = re.compile(r"[ \t]*:[ \t]*$", re.MULTILINE)
_BEFORE_BLOCK = re.compile(r"(?:=|:|\breturn)[ \t]*$")
STAND_INS = str.maketrans({letter: chr(ord(letter) + 0xFEE0) for letter in ascii_lowercase})
"""Letters for the parser in place of those of a word that is a name: wide ones, which no name may hold."""


def names_not_keywords(code: str) -> list[tuple[int, int]]:
    """The offsets (start, end) where `suppose` or `gives` is a name, in a text with comments and texts
    masked.
    """
    names, open_ = [], 0
    for m in _SOFT.finditer(code) if "suppose" in code or "gives" in code else ():
        if m.group() == "suppose" and _begins_supposition(code, m):
            open_ += 1
        elif m.group() == "gives" and open_:
            open_ -= 1
        else:
            names.append(m.span())
    return names


def words_as_names(code: str) -> Iterator[tuple[int, int]]:
    """The offsets (start, end) where the word of a young statement may be a name, in a text with comments and
    texts masked: where what follows could not follow the word, and its line is no such statement.
    """
    for word, line in YOUNG_LINES.items():
        for m in _as_name(word).finditer(code) if word in code else ():
            if re.match(line, code[m.start() :].partition("\n")[0]) is None:
                yield m.span()


@cache
def _as_name(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.]){word}(?=[ \t]*(?:[-+]?=|[\[(.!]|$))", re.MULTILINE)


def _begins_supposition(code: str, m: re.Match[str]) -> bool:
    """Tell whether a statement or a block follows."""
    if _BLOCK.match(code, m.end()):
        return _BEFORE_BLOCK.search(code, 0, m.start()) is not None
    return _SUPPOSED.match(code, m.end()) is not None


def _blank(found: re.Match[str]) -> str:
    hidden = found.group()
    if not hidden.startswith('"'):
        return " " * len(hidden)
    closed = len(hidden) > 1 and hidden.endswith('"')
    return '"' + "x" * (len(hidden) - 1 - closed) + '"' * closed


@dataclass(frozen=True)
class SourceLine:
    """One line: `start` is its offset in the text, `code` its masked characters without blanks at the end."""

    number: int
    start: int
    text: str
    code: str

    @cached_property
    def indent(self) -> int:
        """The number of characters before the first one that is no blank."""
        return len(self.text) - len(self.text.lstrip())

    @property
    def blank(self) -> bool:
        """True if nothing but comments and citations stands here."""
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


def continues(line: SourceLine, below: SourceLine | None) -> bool:
    """Tell whether the line below continues an expression of this line, as other languages allow."""
    return (
        below is not None
        and below.indent > line.indent
        and (_ENDS.search(line.code) is not None or _BEGINS.match(below.code) is not None)
    )


class Lines:
    """All lines of one text."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.code = mask(source)
        self.all: list[SourceLine] = []
        at = 0
        for number, (text, code) in enumerate(zip(source.split("\n"), self.code.split("\n"), strict=True)):
            self.all.append(SourceLine(number, at, text, code.rstrip()))
            at += len(text) + 1

    def at(self, offset: int) -> SourceLine:
        """The line of an offset; of a blank one, the last line before it that is not blank."""
        number = self.source.count("\n", 0, max(0, min(offset, len(self.source))))
        line = self.all[number]
        return (self.before(line) or line) if line.blank else line

    def before(self, line: SourceLine) -> SourceLine | None:
        """The last line before this one that is not blank."""
        return next((x for x in reversed(self.all[: line.number]) if not x.blank), None)

    def after(self, line: SourceLine) -> SourceLine | None:
        """The first line after this one that is not blank."""
        return next((x for x in self.all[line.number + 1 :] if not x.blank), None)

    def deeper(self, line: SourceLine) -> list[SourceLine]:
        """The lines below this one that are indented more, up to the first that is not."""
        found: list[SourceLine] = []
        for x in self.all[line.number + 1 :]:
            if not x.blank and x.indent <= line.indent:
                break
            found.append(x)
        return found

    def statement(self, line: SourceLine) -> tuple[SourceLine, SourceLine]:
        """The first and the last line of the statement that this line belongs to.

        A bracket that is open at the end of a line carries the statement on, unless the next line is not
        indented more and does not begin with a closing bracket: then the bracket was never closed.
        """
        first, depth = self.all[0], 0
        for x in self.all:
            carried = depth > 0 and (
                x.blank or x.indent > first.indent or x.code.lstrip()[:1] in (")", "]", "}")
            )
            if not carried:
                if x.number > line.number:
                    return first, self.all[x.number - 1]
                first, depth = x, 0
            depth = max(0, depth + sum(1 if c in PARTNER else -1 for c in _BRACKETS.findall(x.code)))
        return first, self.all[-1]

    def open_brackets(self, start: int, end: int) -> list[tuple[int, str]]:
        """The brackets opened between two offsets and not closed there, each with its offset."""
        open_brackets: list[tuple[int, str]] = []
        for found in _BRACKETS.finditer(self.code, start, end):
            if found.group() in PARTNER:
                open_brackets.append((found.start(), found.group()))
            elif open_brackets:
                open_brackets.pop()
        return open_brackets


# ---------------------------------------------------------------- names and signs that look like others
_NAME = re.compile(r"[^\W\d][\w\u0300-\u036f]*")


def confusable_names(source: str) -> list[tuple[str, int, int]]:
    """The first occurrence of each name with confusable letters: the name, its start and its end."""
    if source.isascii():
        return []
    found: dict[str, tuple[str, int, int]] = {}
    for m in _NAME.finditer(mask(source)):
        if m.group() not in found and is_confusable(m.group()):
            found[m.group()] = (m.group(), m.start(), m.end())
    return list(found.values())


def lookalikes(source: str) -> list[Lookalike]:
    """The characters of the code that look like signs of the language, the first ones."""
    return [] if source.isascii() else list(islice(of_rule_text(source, CITATION), MAX_REPORTED))


# ---------------------------------------------------------------- error recovery
STATEMENT, CONDITION, OPTION, CASE = "\x01", "\x02", "\x03", "\x04"
MARKERS = {"only": CONDITION, "option": OPTION, "group": OPTION, "case": CASE}
ITEMS = {"def", "replace", "window", "instead", "before", "after", "adjust", "in", "watch", "end", "at"}
BLOCKS = BLOCK_WORDS | {"elif", "else", "case", "option", "group"} | ITEMS


def is_marker(character: str) -> bool:
    """Tell whether a character is that of a marker."""
    return character in (STATEMENT, CONDITION, OPTION, CASE)


def without_statement(
    lines: Lines, at: int, start: str, misaligned: bool, meant: str = ""
) -> tuple[str, str]:
    """The text with a marker for the statement at an offset, and the code that was removed; `start` is the
    kind of text.

    `meant` is the word with which the statement was to begin, if that is misspelt.
    """
    texts = [x.text for x in lines.all]
    if misaligned:
        gone = _replace_misaligned(lines, lines.at(at), texts)
    else:
        first, last = lines.statement(lines.at(at))
        foreign = first.word in ITEMS and (start == "block" or first.indent > 0)
        gone = _replace(lines, first, last, texts, foreign, meant or first.word)
    return "\n".join(texts), "\n".join(x.code for x in gone)


_DOC = re.compile(r'\s*doc\s*"')


def without_block(lines: Lines, at: int) -> tuple[str, str]:
    """The text with a marker for the statement at an offset and for all that is indented more below it, and
    the code that was removed.
    """
    first, _ = lines.statement(lines.at(at))
    body = lines.deeper(first)
    texts = [x.text for x in lines.all]
    texts[first.number] = _padded(first.text[: first.indent] + MARKERS.get(first.word, STATEMENT), first)
    for x in body:
        texts[x.number] = " " * len(x.text)
    return "\n".join(texts), "\n".join(x.code for x in (first, *body))


def _replace(
    lines: Lines, first: SourceLine, last: SourceLine, texts: list[str], foreign: bool, word: str
) -> list[SourceLine]:
    """`foreign`: what stands below makes no sense without its head. `word` begins the statement."""
    body = [
        x
        for x in lines.all[last.number + 1 :][: len(lines.deeper(first)) + first.number - last.number]
        if not x.blank
    ]
    before = first.code.lstrip()[:1]
    if before == STATEMENT:  # what replaced it cannot stand here either: nothing can
        for x in (first, *body):
            texts[x.number] = " " * len(x.text)
        return body
    if is_marker(before):
        mark = STATEMENT
    else:
        mark = OPTION if before == '"' else MARKERS.get(word, STATEMENT)
    while body and continues(last, body[0]):  # it belongs to the head, which is gone
        last = body.pop(0)
    keeps_body = bool(body) and not foreign and (last.code.endswith(":") or word in BLOCKS)
    gone = lines.all[first.number : last.number + 1]
    texts[first.number] = _padded(first.text[: first.indent] + mark + ":" * keeps_body, first)
    for x in gone[1:] if keeps_body else [*gone[1:], *body]:
        texts[x.number] = " " * len(x.text)
    # what a definition does stands below its head only
    if keeps_body and body[0].word == "doc" and _DOC.match(body[0].code):
        texts[body[0].number] = " " * len(body[0].text)
    cases = any(x.indent == body[0].indent and x.word == "case" for x in body)
    if keeps_body and (word == "match" or cases):  # its `else` stands among the cases
        for x in body:
            if x.indent == body[0].indent and x.word == "else":
                texts[x.number] = _padded(x.text[: x.indent] + CASE + ":", x)
    return gone if keeps_body else [*gone, *body]


def _replace_misaligned(lines: Lines, line: SourceLine, texts: list[str]) -> list[SourceLine]:
    """A line whose indentation fits no block: it and what stands below it that is deeper than the block
    around it.
    """
    outer = line.indent
    for x in reversed(lines.all[: line.number]):
        if not x.blank and x.indent < outer:
            outer = x.indent
            break
    gone = [line]
    for x in lines.all[line.number + 1 :]:
        if not x.blank and x.indent <= outer:
            break
        gone.append(x)
    for x in gone:
        texts[x.number] = " " * len(x.text)
    texts[line.number] = _padded(" " * outer + STATEMENT, line)
    return gone


def _padded(text: str, line: SourceLine) -> str:
    return text + " " * (len(line.text) - len(text))
