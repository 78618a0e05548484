"""Between offsets in a text and the positions of the protocol: lines from 0, columns in code units of UTF-16 (or what was agreed on)."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol.types import Position, Range

from croupier.diagnostics import Source, Span

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
        """The range of a place."""
        return Range(self.position(span.source, span.start), self.position(span.source, span.end))

    def whole(self, source: Source) -> Range:
        """The range of a whole text."""
        return self.range(source.span(0, len(source.text)))

    def offset(self, source: Source, position: Position) -> int:
        """The offset of a position; one outside the text is moved to its nearest end, one inside a character to its beginning."""
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
