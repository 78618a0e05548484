"""Names that players choose: refused where they imitate another player, or the words of the game's log.

What looks alike is what Unicode says looks alike (UTS #39, "Unicode Security Mechanisms"): two names are
alike if their skeletons are (section 4; the table is `confusables.txt`), whatever their capitals, spaces and
punctuation. A name is written in one script, or in those that Chinese, Japanese or Korean are written in,
which may stand with Latin ("highly restrictive", section 5.2), and in none that is out of use (UAX #31, table
5). Marks on a letter are bounded as in section 5.4.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path

MAX_NAME = 40  # characters
MAX_MARKS = 4  # marks on one letter, none of them twice in a row
MAX_SEATS = 100  # `player 1` and so on: names of seats

PUNCTUATION = " -'."
DIGITS = "0123456789"
APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bb\u02bc", "'"))
# letters and marks that are not seen (Default_Ignorable_Code_Point)
UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"

# by the first word of a character's name in Unicode
SCRIPTS = {
    word: word.title()
    for word in (
        "LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "THAANA", "DEVANAGARI",
        "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA",
        "THAI", "LAO", "TIBETAN", "MYANMAR", "ETHIOPIC", "KHMER", "HANGUL", "BOPOMOFO", "HIRAGANA",
        "KATAKANA",
    )
} | {"CJK": "Han", "IDEOGRAPHIC": "Han"}  # fmt: skip
SHARED = ("COMBINING", "KATAKANA-HIRAGANA")  # of no script of its own
MIXED = (
    {"Latin", "Han", "Hiragana", "Katakana"},
    {"Latin", "Han", "Bopomofo"},
    {"Latin", "Han", "Hangul"},
)

# what logs and pages call people
WORDS = (
    "you", "everybody", "everyone", "nobody", "no one", "somebody", "someone", "anybody", "players",
    "all players", "each player", "the players", "the others", "others", "chance", "spectator",
    "spectators", "a spectator", "bot", "server",
)  # fmt: skip


def fair_names(names: Sequence[str]) -> list[str]:
    """Return the names as they are shown: in the normal form NFKC, spaces once. An empty one is none.

    Raises ValueError, with words for the person who chose it, for a name that imitates.
    """
    found = [_fair(name) for name in names]
    known: dict[str, str] = {}
    for name in found:
        if not name:
            continue
        for look in _looks(name):
            other = known.get(look)
            if other is not None:
                raise ValueError(f"`{name}` looks like `{other}`, the name of another player")
        known.update(dict.fromkeys(_looks(name), name))
    return found


def _fair(name: str) -> str:
    """One name, for itself. Raises ValueError."""
    shown = " ".join(unicodedata.normalize("NFKC", name).translate(APOSTROPHES).split())
    if not shown:
        return ""
    if len(shown) > MAX_NAME:
        raise ValueError(f"a name has at most {MAX_NAME} characters")
    for character in shown:
        if not _is_usual(character):
            raise ValueError(f"a name has letters, digits, spaces and - ' . in it, not {_told(character)}")
    if not shown[0].isalnum() or not any(character.isalpha() for character in shown):
        raise ValueError(f"`{shown}` is no name: it begins with a letter or a digit, and has a letter")
    _check_marks(shown)
    scripts = {script for character in shown if (script := _script(character)) is not None}
    if len(scripts) > 1 and not any(scripts <= together for together in MIXED):
        raise ValueError(f"`{shown}` mixes {' and '.join(sorted(scripts))} letters, some of which look alike")
    if not _words().isdisjoint(_looks(shown)):
        raise ValueError(f"`{shown}` reads like what the log calls somebody else; choose another name")
    return shown


def _is_usual(character: str) -> bool:
    """Tell whether a character may stand in a name."""
    if character in PUNCTUATION or character in DIGITS:
        return True
    if character in UNSEEN or unicodedata.category(character)[0] not in "LM":
        return False
    return _first_word(character) in SCRIPTS or _first_word(character) in SHARED


def _check_marks(name: str) -> None:
    marks = 0
    parts = unicodedata.normalize("NFD", name)
    for before, character in zip(parts, parts[1:], strict=False):
        if unicodedata.category(character) != "Mn":
            marks = 0
            continue
        marks += 1
        if marks > MAX_MARKS or before == character or before in PUNCTUATION:
            raise ValueError(f"`{name}` has too many marks on a letter, or a mark on none")


def _first_word(character: str) -> str:
    return unicodedata.name(character, "").partition(" ")[0]


def _script(character: str) -> str | None:
    """The script of a character of a name; `None` for what stands in all."""
    return SCRIPTS.get(_first_word(character))


def _told(character: str) -> str:
    """A character in a message: what cannot be seen by its number."""
    number = f"U+{ord(character):04X}"
    return f"`{character}`" if character.isprintable() and character not in UNSEEN else number


# ------------------------------------------------------------ what looks alike
@cache
def _prototypes() -> dict[str, str]:
    """What each character looks like, of those that look like another one."""
    found = {}
    for line in Path(__file__).with_name("confusables.txt").read_text(encoding="utf-8").splitlines():
        entry = line.partition("#")[0]
        if entry.strip():
            source, _, target = entry.partition(";")
            found[chr(int(source, 16))] = "".join(chr(int(number, 16)) for number in target.split())
    return found


def skeleton(text: str) -> str:
    """Return the skeleton of a text, UTS #39, section 4: texts that look alike have the same."""
    prototypes = _prototypes()
    mapped = "".join(prototypes.get(character, character) for character in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", mapped)


@cache
def _words() -> frozenset[str]:
    """The looks of the words that logs and pages have for people."""
    seats = (f"{kind} {number}" for kind in ("player", "seat") for number in range(MAX_SEATS))
    return frozenset(look for word in (*WORDS, *seats) for look in _looks(word))


def _looks(name: str) -> frozenset[str]:
    """What a name looks like, without regard to capitals, spaces and punctuation.

    The skeleton of capitals may be another one than that of small letters: `I` looks like `l`, `i` does not.
    """
    plain = "".join(character for character in name if character not in PUNCTUATION)
    return frozenset((skeleton(plain.casefold()).casefold(), skeleton(plain).casefold()))
