"""Our diagnostics as those of the protocol."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol.types import Diagnostic as Report
from lsprotocol.types import DiagnosticRelatedInformation, DiagnosticSeverity, Location, Position, Range

from croupier.diagnostics import Diagnostic, Span, sanitise
from croupier.lsp.analysis import real
from croupier.lsp.positions import Positions

SOURCE = "croupier"
BEGINNING = Range(Position(0, 0), Position(0, 1))


def report(d: Diagnostic, positions: Positions, uri: Callable[[str], str]) -> Report:
    """One finding: its message with notes and help, and the other places that explain it."""
    lines = [d.message, *d.notes, *((f"help: {d.help}",) if d.help is not None else ())]
    related = [DiagnosticRelatedInformation(location(label.span, positions, uri), sanitise(label.text)) for label in d.labels]
    return Report(
        range=positions.range(d.span) if d.span is not None else BEGINNING,
        message="\n".join(sanitise(line) for line in lines),
        severity=DiagnosticSeverity.Error if d.is_error else DiagnosticSeverity.Warning,
        code=f"{d.code} {d.name}",
        source=SOURCE,
        related_information=related or None,
    )


def location(span: Span, positions: Positions, uri: Callable[[str], str]) -> Location:
    """A place in a file."""
    return Location(uri(real(span.source.name)), positions.range(span))
