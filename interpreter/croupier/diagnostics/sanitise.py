"""Making text that a stranger wrote safe to show.

Terminals, browsers, spreadsheets and build servers give meaning to characters that look like nothing.  Every sink passes
authored text through `sanitise`, which turns such characters into visible escapes (`\x1b`, `\u202e`, `\n`); pages add
what only they need (`escaped`).  The result is for people: it is not meant to be read back."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

# Control, format (bidirectional overrides, zero-width joiners, tags), lone surrogates, line and paragraph separators.
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


# ---------------------------------------------------------------- markup
# Text on its way into a page: nothing that an author wrote can become markup, a script or an invisible character.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a page may load: nothing but its own styles. Whatever slipped through would still not run."""


def escaped(text: str) -> str:
    """A text for the inside of an element or of an attribute in double quotes."""
    return html.escape(sanitise(text), quote=True)
