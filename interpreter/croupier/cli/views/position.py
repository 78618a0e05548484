"""A position for people: a JSON value as indented lines, short lists and objects on one line, boards with rows as rows."""

from __future__ import annotations

from typing import Any

from croupier.cli.views.grid import grid_lines
from croupier.cli.views.words import value
from croupier.diagnostics import sanitise
from croupier.play.look import Grid

_WIDEST = 100


def position(thing: Any) -> str:
    """The value as indented text; nothing authored in it can reach a terminal unseen."""
    return "\n".join(_lines(thing, 0))


def _lines(thing: Any, depth: int) -> list[str]:
    space = "  " * depth
    if isinstance(thing, Grid):
        return ["", *(f"{space}{line}" for line in grid_lines(thing))]
    short = value(thing)
    simple = not isinstance(thing, dict | list) or not thing
    if simple or (depth > 0 and len(space) + len(short) <= _WIDEST and not _is_deep(thing)):
        return [f"{space}{short}"]
    lines: list[str] = []
    pairs = thing.items() if isinstance(thing, dict) else enumerate(thing, 1)
    for key, item in pairs:
        below = _lines(item, depth + 1)
        name = f"{space}{sanitise(str(key))}:"
        lines += [f"{name} {below[0].strip()}"] if len(below) == 1 else [name, *(below[1:] if isinstance(item, Grid) else below)]
    return lines


def _is_deep(thing: Any) -> bool:
    items = thing.values() if isinstance(thing, dict) else thing
    return isinstance(thing, dict) and any(isinstance(item, dict | list | Grid) and item for item in items)
