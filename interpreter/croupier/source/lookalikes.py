"""Characters that look like those of the language but are others: spaces, quotes, dashes and signs of
typography, digits of other scripts.

Word processors and web pages put them into what is copied from them. Inside texts, labels and comments they
are allowed; where a file needs the common character, each is named with what stands for it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from croupier.records import dataclass

SIGNS = {
    "≥": ">=", "≤": "<=", "≠": "!=", "⩾": ">=", "⩽": "<=", "→": "->", "⇒": "->", "×": "*", "·": "*", "⋅": "*",
    "∗": "*", "÷": "//", "∕": "//",
    "⁄": "//", "…": "..", "‥": "..", "∧": "and", "∨": "or", "¬": "not", "∈": "in", "∉": "not in", "¦": "|",
    "│": "|",
}  # fmt: skip
DASHES = "‐‑‒–—―−⁃﹣"
QUOTES = "“”„‟«»‹›‘’‚‛＂"
INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060"
OPENING = "“”„‟«»＂"
MAX_REPORTED = 20
_TEXT = re.compile(
    rf"""(?P<straight>"[^"\n]*") | (?P<curly>[{OPENING}][^"{OPENING}\n]*(?:[{OPENING}]|"(?![^\n]*[{OPENING}])) | ‹[^"‹›\n]*› | [‘‚‛][^"\n]*[’‘])
    | (?P<open>"[^"\n]*) | (?P<comment>\#[^\n]*)""",  # noqa: E501 the text as it is read
    re.VERBOSE,
)
_CLOSING = re.compile(rf"[{OPENING}](?=[^{OPENING}]*$)")


@dataclass(frozen=True)
class Lookalike:
    """Characters of a text by their offsets, what they are, what stands where they stand, and what a reader
    calls that.
    """

    start: int
    end: int
    what: str
    needed: str
    instead: str
    safe: bool = True  # is there no doubt what is meant?


def space(character: str) -> bool:
    """Tell whether a character is a space other than the common one, or takes no room."""
    return character in INVISIBLE or not character.isascii() and unicodedata.category(character) == "Zs"


def replacement(character: str) -> str | None:
    """Return what stands for a character that looks like those of the language; `None` for others."""
    if character.isascii():
        return None
    if character in INVISIBLE:
        return ""
    if space(character):
        return " "
    if character in DASHES:
        return "-"
    if character in SIGNS:
        return SIGNS[character]
    if (digit := unicodedata.decimal(character, None)) is not None:
        return str(digit)
    if character in OPENING:
        return None
    plain = unicodedata.normalize("NFKC", character)
    return (
        plain if len(plain) == 1 and plain.isascii() and plain.isprintable() and not plain.isalpha() else None
    )


def described(text: str) -> str:
    """A character with its number, or how often it stands there; the name for those that cannot be seen."""
    first = text[0]
    number = f"U+{ord(first):04X}"
    if space(first):
        name = unicodedata.name(first, "space").lower().replace("no-break", "non-breaking")
        return f"a {name} ({number})" if len(text) == 1 else f"a run of {len(text)} {name}s ({number})"
    return f"`{text}` ({number})"


def title_of_fix(sign: Lookalike) -> str:
    """The words of the fix that replaces or removes a look-alike."""
    if not sign.instead:
        return "leave it out"
    instead = sign.instead.strip()
    return f"write `{instead}`" if instead else "replace it"


def of_characters(text: str, start: int, instead: str) -> Lookalike:
    """Equal characters that stand together from an offset on, each to be replaced."""
    if instead.isspace():
        needed = "a common space"
    else:
        needed = f"`{instead}`" if instead else "nothing"
    return Lookalike(start, start + len(text), described(text), needed, instead)


def of_rule_text(source: str, hidden: str = "") -> Iterator[Lookalike]:
    """The look-alike characters of rule text, texts and comments left out.

    `hidden`: a pattern of what else is no code.
    """
    at = 0
    pattern = re.compile(rf"{_TEXT.pattern}|(?P<hidden>{hidden or '(?!)'})", re.VERBOSE)
    for found in pattern.finditer(source):
        yield from _of_code(source, at, found.start())
        at = found.end()
        text = found.group()
        if found["curly"]:
            yield Lookalike(
                found.start(),
                at,
                f"a text in typographic quotes ({text[0]} {text[-1]})",
                "one in straight quotes",
                f'"{text[1:-1]}"',
            )
        elif found["open"] and (closing := _CLOSING.search(text)):
            place = found.start() + closing.start()
            alone = not set(OPENING) & set(source[source.rfind("\n", 0, place) + 1 : found.start()])
            yield Lookalike(
                place, place + 1, f"the typographic quote {closing.group()}", "a straight one", '"', alone
            )
            yield from _of_code(source, place + 1, at)
    yield from _of_code(source, at, len(source))


def _of_code(source: str, begin: int, end: int) -> Iterator[Lookalike]:
    """The look-alike characters between two offsets; the same one several times in a row is one."""
    at = begin
    while at < end:
        instead = replacement(source[at])
        if source[at] in OPENING:
            yield Lookalike(
                at, at + 1, f"the typographic quote {source[at]}", "a straight one", '"', safe=False
            )
        if instead is None:
            at += 1
            continue
        last = at + 1
        while last < end and (
            source[last] == source[at] or instead.isdigit() and (replacement(source[last]) or "").isdigit()
        ):
            last += 1
        run = source[at:last]
        if instead.isdigit():
            instead = "".join(replacement(c) or c for c in run)
        elif instead == ".." or instead.isalpha() or len(run) == 1:
            last = at + 1
        else:
            instead *= len(run)
        if source[at] in DASHES and source[at - 1 : at].isdigit() and source[last : last + 1].isdigit():
            yield Lookalike(at, last, described(run), "`..` (a range) or `-`", "..", safe=False)
            at = last
            continue
        word_before = instead[:1].isalpha() and source[at - 1 : at].strip() != ""
        word_after = instead[-1:].isalpha() and source[last : last + 1].strip() != ""
        made = of_characters(source[at:last], at, instead)
        yield Lookalike(at, last, made.what, made.needed, " " * word_before + instead + " " * word_after)
        at = last


def of_edges(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of spaces that are no common ones at the beginning and at the end of a text."""
    begin, end = 0, len(text)
    while begin < end and space(text[begin]):
        begin += 1
    if begin:
        yield 0, begin
    while end > begin and space(text[end - 1]):
        end -= 1
    if end < len(text):
        yield end, len(text)
