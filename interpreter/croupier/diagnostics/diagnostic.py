"""Diagnostics are values; the catalogue words them.

`diagnose` is the only place where a template meets the names that go into it.  A name that an author made very long is
shortened here, so that a hostile ruleset cannot make a message of a megabyte.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from croupier.diagnostics.catalogue import CODES
from croupier.diagnostics.sanitise import sanitise
from croupier.diagnostics.source import Span

Severity = Literal["error", "warning"]
LONGEST_NAME = 160


@dataclass(frozen=True)
class Label:
    """A second place that explains the first: "colour was promised here"."""

    span: Span
    text: str


@dataclass(frozen=True)
class Fix:
    """A replacement for the text of a span.  `safe` means that applying it cannot change what a correct ruleset says."""

    span: Span
    replacement: str
    title: str
    safe: bool = True


@dataclass(frozen=True)
class Diagnostic:
    """One finding.  `span` is None only where there is no text to point into (a missing file, a command line)."""

    code: str
    severity: Severity
    message: str
    span: Span | None
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    fix: Fix | None = None

    @property
    def is_error(self) -> bool:
        """Whether it stops the ruleset from running."""
        return self.severity == "error"

    @property
    def name(self) -> str:
        """What the code is called: `wrong-type` of T001."""
        return CODES.names[self.code]

    def __str__(self) -> str:
        where = f"{self.span}: " if self.span is not None else ""
        return sanitise(f"{where}{self.severity}[{self.code} {self.name}]: {self.message}")


class RulesetError(Exception):
    """A ruleset, or what was asked of it, is wrong.  Carries every diagnostic that was found, at least one of them an error."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__("\n".join(str(diagnostic) for diagnostic in self.diagnostics))


def diagnose(
    code: str,
    span: Span | None,
    /,
    *,
    labels: Iterable[Label] = (),
    notes: Iterable[str] = (),
    help: str | None = None,
    fix: Fix | None = None,
    **args: object,
) -> Diagnostic:
    """A diagnostic worded by the catalogue: `args` fill the placeholders of the entry's message and default help.

    A `help` given here replaces the default one.  Raises KeyError for a code or a placeholder that does not exist: a bug.
    """
    entry = CODES[code]
    words = {name: shorten(str(value)) for name, value in args.items()}
    if help is None and entry.help is not None:
        help = entry.help.format_map(words)
    return Diagnostic(code, entry.severity, entry.message.format_map(words), span, tuple(labels), tuple(notes), help, fix)


def shorten(text: str, limit: int = LONGEST_NAME) -> str:
    """The text, with its middle left out if it is longer than `limit` characters."""
    if len(text) <= limit:
        return text
    keep = (limit - 1) // 2
    return f"{text[:keep]}…{text[-keep:]}"
