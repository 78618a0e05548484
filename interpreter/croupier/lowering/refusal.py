"""What is not lowered, as a typed error."""

from __future__ import annotations

from croupier.diagnostics import Span


class NotLowered(Exception):
    """A construct that the core has no code for yet: `what` names it, `span` is where it stands."""

    def __init__(self, what: str, span: Span | None = None) -> None:
        super().__init__(what)
        self.what, self.span = what, span
