"""What the parser asks of a text: its characters, and where they stand in the author's file."""

from __future__ import annotations

from typing import Protocol

from croupier.diagnostics import Span


class Positioned(Protocol):
    """A text that knows where its offsets stand in the author's file (`source.RuleText`, or a part of one)."""

    @property
    def text(self) -> str: ...

    def span(self, start: int, end: int) -> Span: ...
