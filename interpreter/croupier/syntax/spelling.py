"""Words that are nearly words of the language, and what becomes of a text if another word stands in their
place.

What comes in is a text with a mistake. A change is tried: the text is parsed with it, and it counts only if
the parser then reads on. So nothing is proposed that leads to the next mistake. Only texts with a mistake
come here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from croupier.source.statement_words import STATEMENT_WORDS
from croupier.syntax.lines import Lines, SourceLine

WORDS = tuple(sorted({*STATEMENT_WORDS} - {"add"} | {
    "adjust", "after", "and", "any", "as", "at", "before", "bottom", "by", "case", "chance",
    "def", "elif", "else", "end", "every", "from", "gives", "group", "in", "instead", "is", "leaks", "list",
    "lose", "merging", "mod", "nested", "none", "not", "of", "once", "only", "option", "or", "otherwise",
    "pay", "per", "possible", "rank", "replace", "seen", "set", "such", "suppose", "that", "this", "time",
    "to", "told", "top", "unseen", "until", "watch", "weighing", "when", "where", "win", "window", "with",
    "within",
}))  # fmt: skip
"""The words of the grammar that authors misspell (`add` is too near to `and`);
`tests/unit/syntax/test_spelling.py` holds them against the grammar.
"""

FOREIGN = {
    "define": ("def",), "fn": ("def",), "func": ("def",), "fun": ("def",), "function": ("def",),
    "procedure": ("def",), "sub": ("def",),
    "default": ("else",), "foreach": ("for",), "switch": ("match",), "when": ("case", "if"),
    "unless": ("if not",), "until": ("repeat until",),
    "const": ("let",), "val": ("let",), "loop": ("repeat",), "into": ("to",), "onto": ("to",),
    "orelse": ("otherwise",), "div": ("//",),
    "modulo": ("mod",), "rem": ("mod",), "isnt": ("is not", "!="), "equals": ("==",), "xor": ("!=",),
    "on": ("after",),
    "afterwards": ("after",), "whenever": ("after",), "override": ("replace",), "returns": ("->",),
    "int": ("let",), "bool": ("let",), "number": ("let",), "opt": ("option",), "otherwise": ("else",),
    "x": ("*",),
    "exit": ("break",), "quit": ("break",), "leave": ("break",), "next": ("continue",), "skip": ("continue",),
    "stop": ("break",),
}  # fmt: skip
"""Words of other languages, and what may stand for them; what the text can be read with is proposed."""

HINTED = ("each", "elseif", "elsif", "lambda", "then", "while")
"""Words near to others that have a message of their own (`mistakes.HINTS`)."""

_WORD = re.compile(r"[^\W\d]\w*")
_TOKEN = re.compile(r'\w+|"x*"|[^\w\s]')
FAR = 3  # words and signs behind a mistake that are read if its first word is another one
LONG = 6  # letters from which on two may be wrong


@dataclass(frozen=True)
class Proposal:
    """A word of a text, by its offsets, and what should stand there; `kind` tells why."""

    start: int
    end: int
    word: str
    instead: str
    kind: str  # "spelling", "capitals", "foreign" or "glued"
    is_only: bool = True  # no other word can stand there


@dataclass(frozen=True)
class Trial:
    """A text with a mistake at an offset; `first_mistake` gives the offset of the first mistake of a text, or
    its length if it has none.
    """

    lines: Lines
    at: int
    first_mistake: Callable[[str], int]

    def reads_on(self, start: int, end: int, replacement: str) -> bool:
        """Tell whether the text goes on behind the replacement and behind the mistake, by a token at
        least.
        """
        behind = max(self.at, self._after(end))
        return self.mistake_with(start, end, replacement) > behind

    def reads_line(self, start: int, end: int, replacement: str) -> bool:
        """Tell whether the whole statement is read with the replacement."""
        _, last = self.lines.statement(self.lines.at(start))
        return self.mistake_with(start, end, replacement) > last.start + len(last.text)

    def reads_far(self, start: int, end: int, replacement: str) -> bool:
        """Tell whether the text goes on behind the mistake by several words and signs, though not to the end
        of the line.
        """
        behind = max(self.at, end)
        found = min(self.mistake_with(start, end, replacement), self.lines.at(start).end)
        return len(_TOKEN.findall(self.lines.code, behind, max(behind, found))) >= FAR

    def _after(self, offset: int) -> int:
        """The offset of the next character that is no blank."""
        source = self.lines.source
        while offset < len(source) and source[offset] in " \t":
            offset += 1
        return offset

    def mistake_with(self, start: int, end: int, replacement: str, until: SourceLine | None = None) -> int:
        """Return where the parser stops with the replacement, as an offset of the text without it.

        What stands below the line after that statement, or after `until`, is left out.
        """
        source = self.lines.source
        last = until or self.lines.statement(self.lines.at(start))[1]
        below = self.lines.after(last)
        stop = last.start + len(last.text) if below is None else below.start + len(below.text)
        changed = source[:start] + replacement + source[end:stop] + "\n"
        found = self.first_mistake(changed)
        if found >= len(changed):
            return len(source) + 1
        return (
            found - len(replacement) + (end - start)
            if found >= start + len(replacement)
            else min(found, start)
        )


def is_near(word: str, known: str) -> bool:
    """Tell whether a word may be a misspelt form of a known one: one letter too many, too few, wrong or
    swapped; two in a long word; or the same letters.
    """
    if len(word) < 2 or len(known) < 2 or word == known:
        return False
    if len(word) > 2 and sorted(word) == sorted(known):
        return True
    return distance(word, known) <= (2 if min(len(word), len(known)) >= LONG else 1)


def distance(first: str, second: str) -> int:
    """Insertions, deletions, substitutions and swaps of neighbours between two words; 3 where their lengths
    differ by more than 2.
    """
    if abs(len(first) - len(second)) > 2:
        return 3
    above: list[int] = []
    row = list(range(len(second) + 1))
    for i, left in enumerate(first, 1):
        current = [i]
        for j, right in enumerate(second, 1):
            cost = min(row[j] + 1, current[j - 1] + 1, row[j - 1] + (left != right))
            if i > 1 and j > 1 and left == second[j - 2] and first[i - 2] == right:
                cost = min(cost, above[j - 2] + 1)
            current.append(cost)
        above, row = row, current
    return row[-1]


def words_at(lines: Lines, line: SourceLine, offset: int) -> list[re.Match[str]]:
    """The words of a line that may be the cause of a mistake at an offset: the one there, those before it,
    the first of the line.
    """
    found = [m for m in _WORD.finditer(lines.code, line.start, line.end) if m.start() <= offset]
    return [*reversed(found[-4:]), *found[:2]]


def proposals(word: str) -> Iterator[tuple[str, str]]:
    """Yield the words that may stand for a word, each with its kind; the nearest first."""
    if word.casefold() != word and word.casefold() in WORDS:
        yield word.casefold(), "capitals"
    small = word.casefold()
    for instead in FOREIGN.get(small, ()):
        yield instead, "foreign"
    for at in range(1, len(word)):
        if word[:at] in WORDS or word[at:] in WORDS:
            yield f"{word[:at]} {word[at:]}", "glued"
    if small not in WORDS and small not in HINTED:
        near = [known for known in WORDS if is_near(small, known)]
        yield from (
            (known, "spelling") for known in sorted(near, key=lambda known: (distance(small, known), known))
        )


def misspelt(trial: Trial, line: SourceLine) -> Proposal | None:
    """The word of the line with which its statement can be read; `None` if there is none."""
    for found in words_at(trial.lines, line, trial.at):
        readings = _readings(trial, found)
        first = next(readings, None)
        if first is not None:
            is_only = all(other.instead == first.instead for other in islice(readings, 1))
            return replace(first, is_only=is_only)
    return _first_word(trial, line)


def _readings(trial: Trial, found: re.Match[str]) -> Iterator[Proposal]:
    """Yield the words that may stand for a word so that its statement can be read, the nearest first."""
    start, end = found.span()
    for instead, kind in proposals(found.group()):
        if kind == "glued" and trial.lines.code[start - 1 : start] == ".":
            continue
        if (
            trial.reads_line(start, end, instead)
            or kind == "capitals"
            and trial.reads_on(start, end, instead)
        ):
            yield Proposal(start, end, found.group(), instead, kind)


def _first_word(trial: Trial, line: SourceLine) -> Proposal | None:
    """The first word of a line that has another mistake further on."""
    found = _WORD.match(trial.lines.code, line.first)
    if found is None:
        return None
    start, end = found.span()
    for instead, kind in proposals(found.group()):
        if kind == "spelling" and trial.reads_far(start, end, instead):
            return Proposal(start, end, found.group(), instead, kind)
    return None
