"""What a YAML parser knows about its error, with the questions that wordings ask about the text around it."""

from __future__ import annotations

from dataclasses import dataclass

from ruamel.yaml.events import Event

from croupier.diagnostics import Source, Span


@dataclass(frozen=True)
class Trouble:
    """An error of the parser: where its construct began, where it was noticed, what was met there, what came before."""

    source: Source
    began: int
    at: int
    met: str
    last: Event | None

    def span(self, start: int, end: int | None = None) -> Span:
        """A place of one character, or up to `end`, that does not reach beyond the text."""
        length = len(self.source.text)
        return self.source.span(min(start, length), min(start + 1 if end is None else end, length))

    def line(self, offset: int) -> int:
        """The number of the line of an offset."""
        return self.source.position(offset)[0]

    def words(self, offset: int) -> Span:
        """From an offset to the end of its line, without spaces at the end."""
        line, column = self.source.position(offset)
        return self.span(offset, offset + max(1, len(self.source.line(line)[column - 1 :].rstrip())))

    def line_words(self, offset: int) -> Span:
        """The first character of an offset's line that is not a space, up to the offset."""
        line, column = self.source.position(offset)
        text = self.source.line(line)[: column - 1]
        return self.span(offset - len(text.lstrip(" ")), max(offset, offset - len(text.lstrip(" ")) + 1))
