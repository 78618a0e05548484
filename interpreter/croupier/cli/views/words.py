"""Small pieces of text that several views need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import unified_diff
from itertools import groupby

from croupier.diagnostics import sanitise


# ---------------------------------------------------------------- words
# Small pieces of text that several views need.
def numbers(values: Iterable[int]) -> str:
    """Whole numbers with runs joined: `2-4, 6`."""
    ordered = sorted(set(values))
    runs = [[number for _, number in group] for _, group in groupby(enumerate(ordered), key=lambda pair: pair[1] - pair[0])]
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def seats(values: Sequence[int]) -> str:
    """Seats counted from 0, as people read them: `player 1`, `players 1 and 3`."""
    if len(values) == 1:
        return f"player {values[0] + 1}"
    counted = [str(seat + 1) for seat in values]
    return f"players {', '.join(counted[:-1])} and {counted[-1]}" if counted else "nobody"


def bots(names: Sequence[str]) -> str:
    """The names of the bots, once if they are all the same."""
    return ", ".join(names if len(set(names)) > 1 else names[:1])


def value(thing: object) -> str:
    """A JSON value on one line, as people read it."""
    if isinstance(thing, str):
        return sanitise(thing)
    if thing is None:
        return "none"
    if isinstance(thing, bool):
        return "true" if thing else "false"
    if isinstance(thing, dict):
        return "{" + ", ".join(f"{sanitise(str(key))}: {value(item)}" for key, item in thing.items()) + "}"
    if isinstance(thing, list | tuple):
        return "[" + ", ".join(value(item) for item in thing) + "]"
    return sanitise(str(thing))


def plural(count: int, word: str, words: str | None = None) -> str:
    """A number and its noun: `1 game`, `2 games`."""
    return f"{count:,} {word if count == 1 else words or word + 's'}"


# ---------------------------------------------------------------- difference
# Two versions of a text, shown.
def difference(name: str, old: str, new: str) -> str:
    """A unified diff, each line safe to show."""
    lines = unified_diff(old.splitlines(), new.splitlines(), name, name, lineterm="")
    return "\n".join(sanitise(line) for line in lines)
