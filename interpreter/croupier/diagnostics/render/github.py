"""Diagnostics as annotations of a GitHub Actions run, one line each."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.diagnostics.diagnostic import Diagnostic
from croupier.diagnostics.sanitise import sanitise


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """One workflow command a diagnostic.  Columns are given only for places within one line, as GitHub wants it."""
    return "".join(f"{_command(diagnostic)}\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    properties: dict[str, str] = {}
    span = diagnostic.span
    if span is not None:
        end_line, end_column = span.end_position
        properties |= {"file": sanitise(span.source.name), "line": str(span.line), "endLine": str(end_line)}
        if end_line == span.line:
            properties |= {"col": str(span.column), "endColumn": str(max(span.column, end_column - 1))}
    properties["title"] = f"{diagnostic.code} {diagnostic.name}"
    told = ",".join(f"{name}={_escape_property(value)}" for name, value in properties.items())
    lines = [diagnostic.message, *(f"note: {note}" for note in diagnostic.notes)]
    if diagnostic.help is not None:
        lines.append(f"help: {diagnostic.help}")
    return f"::{diagnostic.severity} {told}::{'%0A'.join(_escape(sanitise(line)) for line in lines)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
