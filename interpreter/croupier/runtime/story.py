"""An event, and how a recorder takes one down: with fuel of its own, for one reader, without changing what happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from croupier.diagnostics import Span
from croupier.limits import MAX_EVENTS, MAX_EVENTS_AT_ONCE
from croupier.runtime.clauses import place_of
from croupier.runtime.faults import Fault
from croupier.runtime.sight import Eyes, perceives

QUIET = "\0"  # before a text that a story leaves out; no text of a ruleset holds it


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: words, a kind (decision, chance, move, state, show, tell, say, phase, end), the rules it cites, and its parts."""

    text: str
    kind: str
    rules: tuple[str, ...]
    data: dict[str, Any] = field(default_factory=dict, compare=False)
    quiet: bool = False  # bookkeeping, that a story leaves out
    span: Span | None = field(default=None, compare=False, repr=False)  # the clause that it follows from; for the referee only


class Story:
    """Collects the events that one seat perceives (none: the referee, who perceives everything)."""

    def __init__(self, players: int, who: int | None = None) -> None:
        self.players, self.who = players, who
        self.events: list[Event] = []
        self.offers: list[tuple[int, str]] = []  # before which event the seat chose, and from what; if that is asked for
        self.on_offer: str | None = None  # what it may choose from now, where that is known already
        self._fuel = 0
        self._most = 0

    def begin(self, fuel: int) -> None:
        """An action begins: its texts have this much fuel."""
        self._fuel = fuel
        self._most = min(MAX_EVENTS, len(self.events) + MAX_EVENTS_AT_ONCE)

    def offered(self, text: Callable[[], str | None]) -> None:
        """The seat chooses."""
        line = text() if self.on_offer is None else self.on_offer
        if line is not None:
            self.offers.append((len(self.events), line))

    def add(self, m: Any, kind: str, words: Callable[[int | None], str | None], data: Callable[[], dict[str, Any]] | None = None) -> None:
        """`words(seat)` is what a seat perceives, none if nothing; none as a seat asks for the referee."""
        if len(self.events) >= self._most or not perceives(m.viewer, self.who):
            return
        fuel, examined, seen = m.fuel, m.examined, m.seen
        m.fuel, m.examined = self._fuel, [0, 0]
        text, parts = None, {}
        try:
            text = words(self.who)
            m.seen = None
            parts = data() if data is not None and self.who is None else {}
        except Fault as fault:
            text = f"({fault.code})" if self.who is None else None
        finally:
            self._fuel, m.fuel, m.examined, m.seen = max(0, m.fuel), fuel, examined, seen
        if text is not None:
            span = place_of(m.cites) if self.who is None else None
            self.events.append(Event(text.removeprefix(QUIET), kind, tuple(m.because()), parts, text.startswith(QUIET), span))

    def through(self, m: Any, who: int | None, teller: int | None, text: Callable[[], str], told: frozenset[int] = frozenset()) -> str:
        """A text as a seat reads it, that which components are `told` is known to; the referee and whoever it is about read all of it."""
        m.seen = None if who is None or who == teller else Eyes(m, who, told)
        return text()
