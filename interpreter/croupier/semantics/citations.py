"""Citations against the rule list: each id must exist; a range stands for the ids between its ends."""

from __future__ import annotations

import re
from collections.abc import Mapping

from croupier.syntax import nodes as n

NUMBER = re.compile(r"^(.*-[A-Z]*)([0-9]+)([a-z]?)$")


def spread(cite: n.Cite) -> list[str]:
    """The ids a citation names, range ends included."""
    return between(cite.first, cite.last)


def between(first: str, last: str | None) -> list[str]:
    """The ids from one to another, or the one; nothing where that is no range."""
    if last is None:
        return [first]
    a, b = NUMBER.match(first), NUMBER.match(last)
    if a is None or b is None or a.group(1) != b.group(1) or int(a.group(2)) > int(b.group(2)) or int(b.group(2)) - int(a.group(2)) > 500:
        return []
    return [f"{a.group(1)}{i}" for i in range(int(a.group(2)), int(b.group(2)) + 1)]


def prefix_help(name: str, known: Mapping[str, object]) -> dict[str, str]:
    """Help where the letters of an id, not its number, are wrong."""
    prefixes = sorted({k.rsplit("-", 1)[0] for k in known})
    if name.rsplit("-", 1)[0] in prefixes:
        return {}
    return {"help": "the ids of the rule list begin with " + " or ".join(f"`{p}-`" for p in prefixes[:5])}
