"""What a scenario came to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from croupier.diagnostics import Diagnostic
from croupier.diagnostics.render.human import render_human

WHOLE_FILE = "(file)"
"""The id of the result that stands for what is wrong with a file itself."""


@dataclass(frozen=True)
class ScenarioResult:
    """One scenario, run. `message` says what differs (empty if it passed), `cites` are the rules that it lists, one by one,
    `executed` those that it executed or read; `seconds` is its duration."""

    file: Path
    id: str
    title: str | None
    passed: bool
    message: str
    seconds: float
    cites: tuple[str, ...] = ()
    executed: frozenset[str] = frozenset()
    line: int = 1
    diagnostics: tuple[Diagnostic, ...] = ()


def failed_file(file: Path, found: list[Diagnostic]) -> ScenarioResult:
    """The result that stands for what is wrong with a file."""
    return ScenarioResult(file, WHOLE_FILE, None, False, worded(found), 0.0, diagnostics=tuple(found))


def worded(found: list[Diagnostic]) -> str:
    """Diagnostics for people."""
    return render_human(found).rstrip("\n")
