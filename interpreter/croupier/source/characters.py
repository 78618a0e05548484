"""Characters that a ruleset or a table cannot hold, whatever stands around them.

Control characters, separators that only some programs take for line ends, lone surrogates, and the characters that change the
direction of the text around them: with those, what a reviewer sees is not what the program reads.
"""

from __future__ import annotations

import re
import unicodedata

from croupier.diagnostics import Diagnostic, Source, diagnose
from croupier.diagnostics.sanitise import visible

_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"0": "\0", "a": "\a", "b": "\b", "v": "\v", "f": "\f", "e": "\x1b", "N": "\x85", "L": "\u2028", "P": "\u2029"}
_NAMES = {0x7F: "DEL", 0x85: "NEL", 0x1B: "ESC", 0x00: "NUL", 0xFEFF: "byte order mark"}
MAX_REPORTED = 20


def forbidden_characters(source: Source, code: str) -> list[Diagnostic]:
    """A diagnostic with this code for each of the first 20 characters that are refused.  A byte order mark may begin the text."""
    found: list[Diagnostic] = []
    for match in _FORBIDDEN.finditer(source.text, 1 if source.text.startswith("\ufeff") else 0):
        found.append(diagnose(code, source.span(*match.span()), character=describe_character(match.group())))
        if len(found) == MAX_REPORTED:
            break
    return found


def forbidden_escapes(source: Source, start: int, end: int) -> list[Diagnostic]:
    """A diagnostic for each escape in the double-quoted text between two offsets that stands for a refused character."""
    found: list[Diagnostic] = []
    for match in _ESCAPE.finditer(source.text, start, end):
        digits = match.group(1) or match.group(2) or match.group(3)
        character = chr(int(digits, 16)) if digits else _ESCAPED.get(match.group(4), "")
        if _FORBIDDEN.match(character):
            found.append(diagnose("Y007", source.span(*match.span()), character=describe_character(character)))
    return found


def describe_character(character: str) -> str:
    """A character in back-ticks, escaped if it is invisible, and its usual name where it has one."""
    shown = f"`{visible(character)}`" if character != "`" else "a back-tick"
    usual = _NAMES.get(ord(character))
    return f"{shown} ({usual})" if usual is not None else shown


def is_confusable(name: str) -> bool:
    """Has this name a letter that is not Latin, or that is written as several characters?"""
    if name.isascii():
        return False
    plain = unicodedata.normalize("NFKC", name)
    return plain != name or any(not c.isascii() and not unicodedata.name(c, "").startswith("LATIN ") for c in name)
