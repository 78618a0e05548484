"""What hostile input must come to: an answer at once, shown without harm."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from croupier.diagnostics import Diagnostic
from croupier.diagnostics.render import render_github, render_human, render_json, render_sarif

RENDERERS = (render_human, render_json, render_github, render_sarif)
SECONDS = 2.0  # of the processor's time
LONGEST = 20_000  # characters of one diagnostic, shown
HARMFUL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def judged(path: Path, find: Callable[[Path], list[Diagnostic]]) -> list[Diagnostic]:
    """What is found in a file, at once, and shown by every renderer without a sign that controls anything."""
    started = time.process_time()
    found = find(path)
    shown = [render(found) for render in RENDERERS]
    assert time.process_time() - started < SECONDS
    for text in shown:
        assert not HARMFUL.search(text)
        assert len(text) < LONGEST or len(found) > 1
    return found


def judge_one(path: Path, find: Callable[[Path], list[Diagnostic]], case: Mapping[str, Any]) -> None:
    """One diagnostic is found, of the `code`, `line` and `column` of the case."""
    found = judged(path, find)
    places = [(d.code, d.span.line, d.span.column) for d in found if d.span is not None]
    assert places == [(case["code"], int(case["line"]), int(case["column"]))] and len(found) == 1


def made_of(recipe: Mapping[str, Any], folder: Path) -> Path:
    """The file of a recipe: its `text` is pieces, each with how often it comes."""
    path = folder / "long.yaml"
    path.write_bytes("".join(piece * times for piece, times in recipe["text"]).encode())
    return path
