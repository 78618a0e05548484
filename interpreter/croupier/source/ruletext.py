"""Rule text, with a map of its offsets to the author's file.

A literal block is dedented by YAML, so an offset inside the rule text is not an offset inside the file.  Both
texts have the same lines, so one pair of offsets a line is enough.  Text that YAML changes in other ways
(quotes, folding) is never made into rule text; `YamlScalar.rule_problem` reports it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import field
from functools import cached_property

from croupier.diagnostics import Source, Span
from croupier.records import dataclass

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")


@dataclass(frozen=True)
class RuleText:
    """Text in the rule language.

    Line ends are line feeds; `lines` pairs the offset of each line here and in the file.
    """

    text: str
    source: Source
    lines: tuple[tuple[int, int], ...] = field(repr=False)

    def span(self, start: int, end: int) -> Span:
        """The span in the author's file of the characters from `start` up to `end` of the text.

        Offsets outside the text are moved to its ends.  An empty span stays empty.
        """
        length = len(self.text)
        if not 0 <= start <= end <= length:
            start = max(0, min(start, length))
            end = max(start, min(end, length))
        starts, lines, most = self._starts, self.lines, len(self.source.text)
        at = bisect_right(starts, start) - 1 if len(starts) > 1 else 0
        here, there = lines[at]
        first = min(there + start - here, most)
        if start == end:
            return Span(self.source, first, first)
        if at + 1 == len(starts) or end <= starts[at + 1]:
            return Span(self.source, first, min(there + end - 1 - here, most) + 1)
        return Span(self.source, first, self.offset(end - 1) + 1)

    def offset(self, at: int) -> int:
        """The offset in the author's file of the character at an offset of the text."""
        lines = self.lines
        here, there = lines[0] if len(lines) == 1 else lines[bisect_right(self._starts, at) - 1]
        return min(there + at - here, len(self.source.text))

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return tuple(here for here, _ in self.lines)


def plain(source: Source, start: int, text: str) -> RuleText:
    """Rule text that is a contiguous part of the source, from `start`."""
    return RuleText(text, source, ((0, start),))


def whole(source: Source) -> RuleText:
    """A whole source as rule text: an expression of the command line, an example of a document.

    Line ends must be line feeds.
    """
    return plain(source, 0, source.text)


def literal(source: Source, header: int, text: str) -> RuleText:
    """Rule text of the literal block whose `|` stands at offset `header` and whose dedented text is `text`.

    Each line of a literal block is a line of the file without its first n characters, the same n for all
    lines (fewer for blank lines).  So n is learned from the first line that is not blank, whatever the header
    says about indentation.
    """
    indent: int | None = None
    offsets: list[tuple[int, int]] = []
    here = 0
    at = _line_end(source.text, header)
    lines = text.split("\n")
    if lines[-1] == "" and len(lines) > 1:
        lines.pop()  # the text ends with a line feed: what follows it is not a line of the block
    for line in lines:
        found = _LINE.match(source.text, at)
        length = len(found.group().rstrip("\r\n")) if found else 0
        if indent is None and line:
            indent = length - len(line)
            offsets = [
                (h, min(t + indent, e))
                for (h, t), e in zip(offsets, _ends(source.text, offsets), strict=True)
            ]
        offsets.append((here, at + (length - len(line))))
        here += len(line) + 1
        at = found.end() if found else at
    return RuleText(text, source, tuple(offsets))


def _line_end(text: str, at: int) -> int:
    found = _LINE.match(text, at)
    return found.end() if found else len(text)


def _ends(text: str, offsets: list[tuple[int, int]]) -> list[int]:
    return [at + len(text[at : _line_end(text, at)].rstrip("\r\n")) for _, at in offsets]
