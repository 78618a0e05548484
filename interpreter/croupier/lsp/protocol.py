"""Positions of the protocol, changes of texts, and the interpreter's diagnostics as they go out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lsprotocol.types import Diagnostic as Report
from lsprotocol.types import (
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    Location,
    Position,
    Range,
    TextDocumentContentChangeEvent,
    TextDocumentContentChangePartial,
)

from croupier.diagnostics import Diagnostic, Source, Span, sanitise
from croupier.lsp.analysis import real_path

# ---------------------------------------------------------------- positions
# Conversion between offsets and the positions of the protocol: lines from 0, columns in code units of UTF-16
# (or of the encoding agreed on).
UNITS: dict[str, Callable[[str], int]] = {
    "utf-8": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "utf-16": lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    "utf-32": len,
}


class Positions:
    """Converts in one encoding of positions."""

    def __init__(self, encoding: str = "utf-16") -> None:
        self.width = UNITS.get(encoding, UNITS["utf-16"])

    def position(self, source: Source, offset: int) -> Position:
        """The position of an offset."""
        line, column = source.position(offset)
        return Position(line - 1, self.width(source.line(line)[: column - 1]))

    def range(self, span: Span) -> Range:
        """The range of a span."""
        return Range(self.position(span.source, span.start), self.position(span.source, span.end))

    def whole(self, source: Source) -> Range:
        """The range of a whole text."""
        return self.range(source.span(0, len(source.text)))

    def offset(self, source: Source, position: Position) -> int:
        """The offset of a position; one outside the text is moved to its nearest end, one inside a character
        to its beginning.
        """
        if position.line >= source.line_count:
            return len(source.text)
        start, text = source.line_start(position.line + 1), source.line(position.line + 1)
        if text.isascii():
            return start + min(position.character, len(text))
        at = units = 0
        while at < len(text) and units + self.width(text[at]) <= position.character:
            units += self.width(text[at])
            at += 1
        return start + at

    def changed(self, text: str, changes: Iterable[TextDocumentContentChangeEvent]) -> str:
        """The text after some changes: each is the whole text, or a range of the text that the change before
        it has left.
        """
        for change in changes:
            if isinstance(change, TextDocumentContentChangePartial):
                source = Source("", text)
                start, end = self.offset(source, change.range.start), self.offset(source, change.range.end)
                text = text[:start] + change.text + text[max(start, end) :]
            else:
                text = change.text
        return text


# ---------------------------------------------------------------- reports
# Our diagnostics as those of the protocol.
SOURCE = "croupier"
BEGINNING = Range(Position(0, 0), Position(0, 1))


def report(diagnostic: Diagnostic, positions: Positions, uri: Callable[[str], str]) -> Report:
    """A diagnostic of the protocol: message with notes and help; labels as related information."""
    lines = [
        diagnostic.message,
        *diagnostic.notes,
        *((f"help: {diagnostic.help}",) if diagnostic.help is not None else ()),
    ]
    related = [
        DiagnosticRelatedInformation(location(label.span, positions, uri), sanitise(label.text))
        for label in diagnostic.labels
    ]
    return Report(
        range=positions.range(diagnostic.span) if diagnostic.span is not None else BEGINNING,
        message="\n".join(sanitise(line) for line in lines),
        severity=DiagnosticSeverity.Error if diagnostic.is_error else DiagnosticSeverity.Warning,
        code=f"{diagnostic.code} {diagnostic.name}",
        source=SOURCE,
        related_information=related or None,
    )


def location(span: Span, positions: Positions, uri: Callable[[str], str]) -> Location:
    """The location of a span in a file."""
    return Location(uri(real_path(span.source.name)), positions.range(span))
