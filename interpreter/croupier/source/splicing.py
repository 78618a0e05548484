"""Rule text that is put together from pieces of several texts: that of a ruleset, with what a variant changes
within it.

Whoever parses the text, shows it or looks for citations in it reads what holds; a span is still one of the
file in which the piece stands.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property

from croupier.diagnostics import Diagnostic, Span
from croupier.records import dataclass
from croupier.source.ruletext import RuleText
from croupier.source.yaml_tree import YamlScalar


@dataclass(frozen=True)
class Piece:
    """Characters of a spliced text.

    They are those of `written` from the offset `there`, or stand for that one place (indentation, `pass`).
    """

    text: str
    written: RuleText
    there: int
    is_copy: bool = True


@dataclass(frozen=True)
class Edit:
    """A replacement of the characters of a text from `start` up to `end`."""

    start: int
    end: int
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True)
class SplicedText(RuleText):
    """Rule text of pieces. `source` and `lines` are those of the text that was changed."""

    pieces: tuple[Piece, ...] = field(default=(), repr=False)

    def span(self, start: int, end: int) -> Span:
        """The span of the characters from `start` up to `end`: of those in one file, the file of the first
        one.
        """
        start = max(0, min(start, len(self.text)))
        end = max(start, min(end, len(self.text)))
        first = self._at(start)
        last = max(first, self._at(end - 1))
        if first == last:
            return self._within(first, start, end)
        begin = self._within(first, start, self._starts[first] + len(self.pieces[first].text))
        finish = self._within(last, self._starts[last], end)
        if begin.source is finish.source and begin.start <= finish.end:
            return Span(begin.source, begin.start, finish.end)
        return begin

    def offset(self, at: int) -> int:
        """The offset in its file of the character at an offset of the text."""
        number = self._at(at)
        piece = self.pieces[number]
        return piece.written.offset(piece.there + (at - self._starts[number] if piece.is_copy else 0))

    def change_within(self, start: int, end: int) -> Span | None:
        """The first piece of another file among the characters from `start` up to `end`."""
        for number in range(self._at(start), self._at(max(start, end - 1)) + 1):
            piece = self.pieces[number]
            if piece.is_copy and piece.text.strip() and piece.written.source is not self.source:
                return piece.written.span(piece.there, piece.there + len(piece.text))
        return None

    def _at(self, offset: int) -> int:
        """The number of the piece that holds an offset."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def _within(self, number: int, start: int, end: int) -> Span:
        piece = self.pieces[number]
        if not piece.is_copy:
            return piece.written.span(piece.there, piece.there + (end > start))
        shift = piece.there - self._starts[number]
        return piece.written.span(start + shift, end + shift)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        starts, at = [], 0
        for piece in self.pieces:
            starts.append(at)
            at += len(piece.text)
        return tuple(starts)


def splice(text: RuleText, edits: Iterable[Edit]) -> RuleText:
    """The text after some edits that do not overlap; several at one place stand there in the order given."""
    pieces = [
        piece for piece in _pieces(text, sorted(edits, key=lambda edit: (edit.start, edit.end))) if piece.text
    ]
    if not pieces:
        pieces = [Piece("\n", text, 0, is_copy=False)]
    return SplicedText("".join(piece.text for piece in pieces), text.source, text.lines, tuple(pieces))


def _pieces(text: RuleText, edits: Sequence[Edit]) -> Iterator[Piece]:
    at = 0
    for edit in edits:
        yield Piece(text.text[at : edit.start], text, at)
        yield from edit.pieces
        at = max(at, edit.end)
    yield Piece(text.text[at:], text, at)


@dataclass(frozen=True)
class SplicedScalar(YamlScalar):
    """A scalar whose rule text was changed; its span is that of the scalar in the file of the text that was
    changed.
    """

    rule: RuleText | None = None

    def rule_problem(self) -> Diagnostic | None:
        return None

    def rule_text(self) -> RuleText:
        assert self.rule is not None
        return self.rule

    def template_text(self) -> RuleText:
        return self.rule_text()

    @property
    def is_verbatim(self) -> bool:
        return False


def spliced(scalar: YamlScalar, rule: RuleText) -> SplicedScalar:
    """The scalar with another rule text."""
    return SplicedScalar(scalar.span, rule.text, "literal", rule.text, in_flow=False, rule=rule)
