"""Where something that is executed stands, beside the rules that it cites."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.diagnostics import Span


class Cites(tuple[str, ...]):
    """The rules that a statement cites. `span` is the statement's place, so that an event knows both."""

    span: Span | None

    def __new__(cls, rules: Iterable[str], span: Span | None) -> Cites:
        made = super().__new__(cls, rules)
        made.span = span
        return made


def place_of(cites: tuple[str, ...]) -> Span | None:
    """The place of what cites, where it is known."""
    return cites.span if isinstance(cites, Cites) else None
