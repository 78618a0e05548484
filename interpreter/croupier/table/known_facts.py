"""What a seat was shown or told, and others were not: its own secrets, which stand on its table.

They follow from the events of the seat alone, with the part of the game in which it came to know them.
Whether one of them still holds is not looked up: the position knows, but the seat may not. What a card was
that others may have exchanged since, it was then.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from croupier.table.view import KnownFact
from croupier.text import Text

if TYPE_CHECKING:
    from croupier.runtime.events import Event

MAX_KNOWN = 12  # facts on a table, the last ones; all of them stand in the log


def known_facts(events: Iterable[Event]) -> tuple[KnownFact, ...]:
    """Return the last things that a seat was shown or told, others were not, by its events; what it came to
    know several times once, when it last did.
    """
    found: dict[str, KnownFact] = {}
    part = Text()
    for event in events:
        if event.kind == "phase":
            part = event.text
        elif event.is_private:
            found.pop(event.text, None)
            found[event.text] = KnownFact(part, event.text)
    return tuple(found.values())[-MAX_KNOWN:]
