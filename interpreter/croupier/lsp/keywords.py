"""The keywords of rule text, and which of them the parser would take at a place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from croupier.source import RuleText
from croupier.syntax.lines import mask
from croupier.syntax.parser import accepted, lark_parser

_LETTERS = re.compile(r"(?<!\\)\b[a-z]{2,}\b")
_WORD = re.compile(r"\w*\Z")
_NO_WORDS = ("NAME", "INT", "STRING", "TRIVIA", "_NL")


@lru_cache(maxsize=1)
def terminals() -> dict[str, tuple[str, ...]]:
    """The words of each terminal of the grammar that can be written in letters: of `PLACE`, `bottom` and `top`."""
    found = {t.name: tuple(_LETTERS.findall(t.pattern.value)) for t in lark_parser().terminals if t.name not in _NO_WORDS}
    return {name: words for name, words in found.items() if words}


@lru_cache(maxsize=1)
def keywords() -> tuple[str, ...]:
    """Every keyword."""
    return tuple(sorted({word for words in terminals().values() for word in words}))


@dataclass(frozen=True)
class Fitting:
    """What the parser would take at a place: which keywords, and whether a name."""

    keywords: tuple[str, ...]
    names: bool


def fitting(text: RuleText, starts: tuple[str, ...], offset: int) -> Fitting | None:
    """What fits at the word around an offset of the document; None where the text before it has a mistake that hides that.

    `starts`: the kinds of rule text that this may be.
    """
    before = text.text[: rule_offset(text, offset)]
    word = _WORD.search(before)
    before = before[: word.start()] if word is not None else before
    for code, start in _readings(before, starts):
        kinds = accepted(code, start)
        if kinds is not None:
            words = {word for kind in kinds for word in terminals().get(kind, ())}
            return Fitting(tuple(sorted(words)), "NAME" in kinds)
    return None


def rule_offset(text: RuleText, offset: int) -> int:
    """The offset in a rule text of an offset in its document."""
    here, there = max((pair for pair in text.lines if pair[1] <= offset), default=text.lines[0])
    return max(here, min(len(text.text), here + offset - there))


def _readings(before: str, starts: tuple[str, ...]) -> list[tuple[str, str]]:
    """What is read to find out what comes next: an open part of a template by itself, else all, else the last line."""
    line = before[before.rfind("\n") + 1 :]
    if mask(line).count('"') % 2:
        body = line[line.rfind('"') + 1 :]
        opened = _open_brace(body)
        return [] if opened is None else [(body[opened + 1 :], "expression")]
    return [*((before, start) for start in starts), *([(line.lstrip(), "block")] if {"block", "module"} & set(starts) else [])]


def _open_brace(body: str) -> int | None:
    opened: list[int] = []
    for at, sign in enumerate(body):
        if sign == "{":
            opened.append(at)
        elif sign == "}" and opened:
            opened.pop()
    return opened[0] if opened else None
