"""What a variant changed, one value a change: for diagnostics that show both sides, and for whoever tells the difference in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from croupier.diagnostics import Span

Kind = Literal["sets", "replaces", "adds", "removes"]


@dataclass(frozen=True)
class Change:
    """One thing that a variant sets, replaces, adds or removes.

    `section` and `name` as in the file (`zones`, `deck`); `part` is the id of a row, a value or a piece; `span` is the place in the variant,
    `base` the place in what it extends, if it was there; `gone` are names that what it replaces had, and it has not.
    """

    kind: Kind
    section: str
    name: str
    span: Span
    base: Span | None = None
    part: str | None = None
    gone: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which a diagnostic may mention it."""
        return (self.name, *self.gone) if self.part is None else (self.part, self.name)
