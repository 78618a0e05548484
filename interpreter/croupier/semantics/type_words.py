"""Types in words, for messages: a value of a type as somebody calls it who never programmed.

What comes in: a type. What goes out: words with their article, `a number from 0 to 10`, `a list of players`.
Names that an author has chosen stand in back-ticks; the signs of the language (`0..10`, `T?`) stay out.
"""

from __future__ import annotations

import re

from croupier.kernel import types as t
from croupier.kernel.types import Type

_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen",
    "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
NUMBER_WORDS = {word: str(number) for number, word in enumerate(_WORDS)}
"""Numbers as words, and how they are written in rules."""
_ENUMS = {t.DIRECTION.name: "a direction", t.AUDIENCE.name: "an audience"}
YES_OR_NO = "yes or no (`true` or `false`)"
_POSTFIX = re.compile(r"[^\W\d]\w*(?:\.\w+|\[[^\[\]\n]*(?:\[[^\[\]\n]*\])?[^\[\]\n]*\]|\([^()\n]*\))*")
_PLACE = re.compile(r"[^\W\d]\w*(?:\.\w+|\[[^\[\]()\n]*(?:\[[^\[\]()\n]*\])?[^\[\]()\n]*\])*")


def described(kind: Type) -> str:
    """Return one value of a type in words: `a number from 0 to 10`, `a player or none`."""
    match kind:
        case t.Bool():
            return YES_OR_NO
        case t.Int():
            return _number(kind)
        case t.Enum():
            return _ENUMS.get(kind.name, f"one of `{kind.name}`")
        case t.Player():
            return "a player"
        case t.Cell():
            return f"a `{kind.name}`"
        case t.Component():
            return " or ".join(f"a `{name}`" for name in sorted(kind.kinds))
        case t.Record():
            return f"a `{kind.name}`"
        case t.Text():
            return "a text"
        case t.Optional():
            return f"{described(kind.base)} or none"
        case t.Collection():
            return f"a {kind.kind} of {several(kind.base)}"
        case t.Map():
            return f"{described(kind.value)} for {_each(kind.key)}"
        case t.Zone():
            return f"a zone for {_kinds(kind.kinds)}"
        case t.Family():
            return f"the zones `{kind.zone}`, one for {_each(kind.key)}"
        case t.Board():
            return f"the board `{kind.name}`"
    return str(kind)


def several(kind: Type) -> str:
    """Return several values of a type in words: `players`, `numbers from 1 to 3`."""
    match kind:
        case t.Bool():
            return "answers `true` or `false`"
        case t.Int():
            return (
                _number(kind)
                .replace("a whole number", "whole numbers")
                .replace("a number", "numbers")
                .removeprefix("the ")
            )
        case t.Enum():
            return "directions" if kind == t.DIRECTION else f"values of `{kind.name}`"
        case t.Player():
            return "players"
        case t.Cell() | t.Record():
            return f"`{kind.name}`"
        case t.Component():
            return _kinds(kind.kinds)
        case t.Text():
            return "texts"
        case t.Optional():
            return f"{several(kind.base)} or none"
        case t.Collection():
            return f"{kind.kind}s of {several(kind.base)}"
        case t.Map():
            return f"{several(kind.value)} for {_each(kind.key)}"
    return str(kind)


def _number(kind: t.Int) -> str:
    """A number by its bounds."""
    if kind.low is None and kind.high is None:
        return "a whole number"
    if kind.low is None or kind.high is None:
        return f"a number of {t.in_words(kind)}"
    return f"the number {kind.low}" if kind.low == kind.high else f"a number from {kind.low} to {kind.high}"


def _each(kind: Type) -> str:
    """Return the keys of a map in words: `each player`, `each number from 1 to 3`."""
    match kind:
        case t.Bool():
            return "`true` and `false`"
        case t.Enum():
            return "each direction" if kind == t.DIRECTION else f"each `{kind.name}`"
    words = described(kind)
    return f"each {words.removeprefix('a ').removeprefix('the ')}"


def _kinds(kinds: frozenset[str]) -> str:
    """Kinds of components, by their names."""
    return " or ".join(f"`{name}`" for name in sorted(kinds))


# ---------------------------------------------------------------- what may be none
def name_of(text: str) -> str:
    """A value by what is written, if that is short enough to be read in a sentence; else `this`."""
    return f"`{text}`" if len(text) <= 40 and "\n" not in text and "`" not in text else "this"


def none_help(text: str, before: str) -> str:
    """Say what to write where a value may be `none` and must not be.

    Arguments:
        text: the value, as it is written
        before: what stands before it on its line
    """
    if _POSTFIX.fullmatch(text) is None or len(text) > 60:
        return (
            "if it always has a value, put it in brackets and write `!` behind them; if not, write "
            "`otherwise` and another value behind it"
        )
    always = f"if there always is one, write `!` behind it: `{text}!`"
    if _PLACE.fullmatch(text) is None:
        return f"{always}; if not, give it a name and ask first: `let x = {text}`, then `if x is not none:`"
    if re.search(r"\b(?:where|if|elif|and|until)\b[^\"]*$", before):
        return f"{always}; if not, ask first: `{text} is not none and …`"
    return f"{always}; if not, ask first: `if {text} is not none:`"


def reason_of_none(text: str) -> str | None:
    """Say why a value may be `none`, where its last word says so."""
    zone, _, member = text.rpartition(".")
    if zone and member in ("top", "bottom", "first", "last") and len(zone) <= 40:
        return f"`{zone}` may be empty"
    return None
