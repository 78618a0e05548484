"""Two versions of a text, shown."""

from __future__ import annotations

from difflib import unified_diff

from croupier.diagnostics import sanitise


def difference(name: str, old: str, new: str) -> str:
    """A unified diff, each line safe to show."""
    lines = unified_diff(old.splitlines(), new.splitlines(), name, name, lineterm="")
    return "\n".join(sanitise(line) for line in lines)
