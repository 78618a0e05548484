"""What is not compiled: refused in words, at the author's line."""

from __future__ import annotations

from croupier.diagnostics import Span


class Refused(Exception):
    """A back end does not compile a construct. `what` is the construct in words."""

    def __init__(self, what: str, span: Span | None) -> None:
        super().__init__(what)
        self.what, self.span = what, span
