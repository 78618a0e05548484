"""What a place or a value is called in a report."""

from __future__ import annotations

import json

from croupier.authoring.coverage.report import Counted, ValueCount

_WIDEST = 90


def place_words(p: Counted) -> str:
    """A place in words: the text that stands there, and which way or option of it is meant."""
    text = p.span.text.strip().split("\n")[0].rstrip()
    text = text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
    match p.kind:
        case "procedure" | "power":
            return f"`{p.words}` is never run"
        case "branch":
            return f"`{text}`: {p.words}"
        case "option":
            return f"option “{p.words}”"
        case "value":
            return f"`{text}`: {p.words}"
    return f"`{text}`"


def value_words(v: ValueCount) -> str:
    """A parameter's value, or a number of players."""
    if v.name is None:
        return f"{v.value} players"
    return f"{v.name} = {v.value if isinstance(v.value, str) else json.dumps(v.value, ensure_ascii=False)}"
