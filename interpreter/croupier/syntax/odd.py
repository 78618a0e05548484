"""Names that look like others: letters of other alphabets, letters composed of several characters.

The same rule holds for names in YAML (`schema.leaves`): what a reader sees must be what the program reads.
"""

from __future__ import annotations

import re
import unicodedata

from croupier.syntax.lines import mask

_NAME = re.compile(r"[^\W\d][\w\u0300-\u036f]*")


def is_odd(name: str) -> bool:
    """Has this name a letter that is not Latin, or that is written as several characters?"""
    if name.isascii():
        return False
    plain = unicodedata.normalize("NFKC", name)
    return plain != name or any(not c.isascii() and not unicodedata.name(c, "").startswith("LATIN ") for c in name)


def odd_names(source: str) -> list[tuple[str, int, int]]:
    """The first place of each odd name in a rule text."""
    if source.isascii():
        return []
    found: dict[str, tuple[str, int, int]] = {}
    for m in _NAME.finditer(mask(source)):
        if m.group() not in found and is_odd(m.group()):
            found[m.group()] = (m.group(), m.start(), m.end())
    return list(found.values())
