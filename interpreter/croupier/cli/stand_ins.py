"""Plain stand-ins for characters that the encoding of a stream lacks: `-` for a dot in the middle of a line,
`->` for an arrow.

What comes in is a character, what goes out are ASCII characters that read alike: those of the table, a letter
without its accent, or `?`. `ERRORS` is the name of the error handler for `open` and
`TextIOWrapper.reconfigure`, once `register` was called.
"""

from __future__ import annotations

import codecs
import unicodedata

ERRORS = "croupier.stand_ins"
UNKNOWN = "?"
STAND_INS = {
    **dict.fromkeys("·–—−‐‑‒―•∙", "-"),
    **dict.fromkeys("“”„‟", '"'),
    **dict.fromkeys("‘’‚‛", "'"),
    **dict.fromkeys("─━═╌", "="),
    **dict.fromkeys("│┃║▏▕", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬┏┓┗┛", "+"),
    **dict.fromkeys("●○◆■▪", "o"),
    **dict.fromkeys("█▓▒░", "#"),
    "→": "->", "←": "<-", "↑": "^", "↓": "v", "⇒": "=>", "↔": "<->",
    "…": "...", "×": "x", "÷": "/", "⁄": "/", "∕": "/", "±": "+-", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~",
    "‹": "<", "›": ">", "«": "<<", "»": ">>", "✓": "+", "✗": "x", "☐": "[ ]", "☑": "[x]", "∞": "inf",
    "€": "EUR", "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe",
}  # fmt: skip
"""The text that stands for a character. A line of a drawing is `=`, since the dot beside it is `-`."""


def stand_in(character: str) -> str:
    """ASCII characters that read like a character: of the table, else what is left without accents, else
    `?`.
    """
    if character in STAND_INS:
        return STAND_INS[character]
    parts = unicodedata.normalize("NFKD", character)
    plain = "".join(STAND_INS.get(part, part) for part in parts)
    plain = "".join(part for part in plain if part.isascii())
    if plain:
        return plain
    return (
        "" if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Cf") else UNKNOWN
    )


def register() -> None:
    """Make the error handler `ERRORS` known."""
    codecs.register_error(ERRORS, _replace)


def _replace(error: UnicodeError) -> tuple[str, int]:
    """Return plain characters for those that cannot be encoded. Raises any other error."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(stand_in, error.object[error.start : error.end])), error.end
