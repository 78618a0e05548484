"""The links of Markdown files: relative ones lead to files of the checkout, anchors to headings; and the
numbers of sections, by which texts elsewhere cite them: "boards.md, section 2".

Anchors are those that GitHub gives to headings; the site is built with the same. Links to other sites are not
followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from urllib.parse import unquote

FENCED = re.compile(r"^(`{3,}|~{3,})[^\n]*\n.*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)")
DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?\s*$", re.MULTILINE)
HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
NAMED = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"")
NUMBERED = re.compile(r"^(#{2,6}) ((?:\d+\.)*\d+) ", re.MULTILINE)
CITED = re.compile(r"(?<![\w/-])([\w-]+)\.md,\s+sections?\s+((?:\d+\.)*\d+)\b")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def links(text: str) -> list[str]:
    """The targets of all links and pictures outside of code."""
    prose = CODE.sub("", FENCED.sub("", text))
    return [*LINK.findall(prose), *DEFINITION.findall(prose)]


@cache
def anchors(file: Path) -> frozenset[str]:
    """What `#…` may name in a page: its headings, the second of a name as `name-1`."""
    text = FENCED.sub("", file.read_text(encoding="utf-8"))
    found = set(NAMED.findall(text))
    for heading in HEADING.findall(text):
        words = re.sub(r"\]\([^)]*\)", "]", heading)  # of a link the words alone
        slug = plain = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
        number = 0
        while slug in found:
            number += 1
            slug = f"{plain}-{number}"
        found.add(slug)
    return frozenset(found)


def broken(file: Path, root: Path) -> Iterator[str]:
    """The links of a page that lead nowhere, and why."""
    for link in links(file.read_text(encoding="utf-8")):
        if ELSEWHERE.match(link):
            continue
        path, _, anchor = (unquote(part) for part in link.partition("#"))
        target = (file.parent / path).resolve() if path else file.resolve()
        if not target.is_relative_to(root.resolve()):
            yield f"{link}: outside of the checkout"
        elif not target.exists():
            yield f"{link}: there is no such file"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"{link}: there is no such heading"


@cache
def numbers(file: Path) -> tuple[str, ...]:
    """The numbers of the sections of a page, as they follow each other: `1`, `2`, `2.1`."""
    return tuple(number for _, number in NUMBERED.findall(FENCED.sub("", file.read_text(encoding="utf-8"))))


def misnumbered(found: Sequence[str]) -> str | None:
    """The first number that does not follow the one before it in its page; `None` if all do."""
    before: list[int] = []
    for number in found:
        parts = [int(part) for part in number.split(".")]
        outer = before[: len(parts) - 1]
        last = before[len(parts) - 1] if len(before) >= len(parts) else 0
        if parts != [*outer, last + 1]:
            return number
        before = parts
    return None
