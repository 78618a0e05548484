"""Characters that a ruleset or a table cannot hold, whatever stands around them.

Control characters, separators that only some programs take for line ends, lone surrogates, and the characters that change the
direction of the text around them: with those, what a reviewer sees is not what the program reads.
"""

from __future__ import annotations

import re

from croupier.diagnostics import Diagnostic, Source, diagnose
from croupier.diagnostics.sanitise import visible

_REFUSED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
_NAMES = {0x7F: "DEL", 0x85: "NEL", 0x1B: "ESC", 0x00: "NUL", 0xFEFF: "byte order mark"}
MOST = 20


def refused_characters(source: Source, code: str) -> list[Diagnostic]:
    """A diagnostic with this code for each of the first 20 characters that are refused.  A byte order mark may begin the text."""
    found: list[Diagnostic] = []
    for match in _REFUSED.finditer(source.text, 1 if source.text.startswith("\ufeff") else 0):
        number = ord(match.group())
        name = f"`{visible(match.group())}`"
        if number in _NAMES:
            name += f" ({_NAMES[number]})"
        found.append(diagnose(code, source.span(*match.span()), character=name))
        if len(found) == MOST:
            break
    return found
