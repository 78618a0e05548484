"""An event, and how a recorder takes one down: with fuel of its own, for one reader, without changing what happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from croupier.diagnostics import Span
from croupier.limits import MAX_EVENTS, MAX_EVENTS_AT_ONCE
from croupier.runtime.clauses import place_of
from croupier.runtime.faults import Fault
from croupier.runtime.sight import Eyes, perceives

QUIET = "\0"  # before a text that a story leaves out; no text of a ruleset holds it


@dataclass(frozen=True, slots=True)
class Transfer:
    """A way of components as one reader perceives it: what is said of them, from where, to where; none for a place that is not named to the reader.

    `taker` is the seat that draws it: from a pile that is nobody's to a place that only this seat sees; `player` the seat that plays it: from there
    to a place of theirs that everybody sees. Both are none where a player has several places that only they see.
    """

    what: str
    source: str | None
    target: str | None
    taker: int | None = None
    player: int | None = None
    several: bool = False  # `what` is more than one

    @property
    def text(self) -> str:
        if self.source is None:
            return f"{self.what} {'come' if self.several else 'comes'} to {self.target}"
        if self.target is None:
            return f"{self.what} {'leave' if self.several else 'leaves'} {self.source}"
        return f"{self.what} {'go' if self.several else 'goes'} from {self.source} to {self.target}"


@dataclass(frozen=True, slots=True)
class Listing:
    """Words around one thing that neighbours of the same words may share; `after` says something of one thing, `plural` of several."""

    before: str
    item: str
    after: str = ""
    plural: str = ""

    @property
    def text(self) -> str:
        return f"{self.before}{self.item}{self.after}"


Shape: TypeAlias = Transfer | Listing
Words: TypeAlias = Callable[[int | None], "str | Shape | None"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: words, a kind (decision, chance, move, state, show, tell, say, phase, end), the rules it cites, and its parts.

    `shape` are the same words in their parts, where neighbours can be told together; `actor` is the seat that decided or claimed.
    """

    text: str
    kind: str
    rules: tuple[str, ...]
    data: dict[str, Any] = field(default_factory=dict, compare=False)
    quiet: bool = False  # bookkeeping, that a story leaves out
    span: Span | None = field(default=None, compare=False, repr=False)  # the clause that it follows from; for the referee only
    shape: Shape | None = field(default=None, compare=False, repr=False)
    actor: int | None = field(default=None, compare=False, repr=False)


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

    def add(self, m: Any, kind: str, words: Words, data: Callable[[], dict[str, Any]] | None = None, actor: int | None = None) -> None:
        """`words(seat)` is what a seat perceives, none if nothing; none as a seat asks for the referee. `actor` stands in the words, too."""
        if len(self.events) >= self._most or not perceives(m.viewer, self.who):
            return
        fuel, examined, seen = m.fuel, m.examined, m.seen
        m.fuel, m.examined = self._fuel, [0, 0]
        told: str | Shape | None = None
        parts: dict[str, Any] = {}
        try:
            told = words(self.who)
            m.seen = None
            parts = data() if data is not None and self.who is None else {}
        except Fault as fault:
            told = f"({fault.code})" if self.who is None else None
        finally:
            self._fuel, m.fuel, m.examined, m.seen = max(0, m.fuel), fuel, examined, seen
        if told is not None:
            span = place_of(m.cites) if self.who is None else None
            text, shape = (told, None) if isinstance(told, str) else (told.text, told)
            self.events.append(Event(text.removeprefix(QUIET), kind, tuple(m.because()), parts, text.startswith(QUIET), span, shape, actor))

    def through(self, m: Any, who: int | None, teller: int | None, text: Callable[[], str], told: frozenset[int] = frozenset()) -> str:
        """A text as a seat reads it, that which components are `told` is known to; the referee and whoever it is about read all of it."""
        m.seen = None if who is None or who == teller else Eyes(m, who, told)
        return text()
