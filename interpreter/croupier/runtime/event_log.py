"""The log of the events that one reader perceives, and of the moves among them.

In come machines while they run, and functions that word an event for a seat; out come `Event`s
(`events.py`). A recorder (`recorder.py`) says what each kind of event is called.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from croupier.diagnostics import JsonObject
from croupier.limits import MAX_EVENTS, MAX_EVENTS_AT_ONCE
from croupier.runtime.disclosure import Level, WordedStatement
from croupier.runtime.events import Change, Deed, Event, Outcome, Shape, Silent, Transfer, Words
from croupier.runtime.faults import Fault
from croupier.runtime.game import Game
from croupier.runtime.machine import Machine
from croupier.runtime.trace import place_of
from croupier.runtime.visibility import (
    EVERYBODY,
    OWNER,
    SeatObserver,
    Seen,
    counts_zone,
    perceives,
    seen_now,
)
from croupier.runtime.wording import level
from croupier.text import Text, Thing

_NO_DATA: JsonObject = {}  # of all events for seats; never changed


class EventLog:
    """The events that one seat perceives; with `who` of `None` those of the referee, who perceives
    everything.
    """

    def __init__(self, players: int, who: int | None = None) -> None:
        self.players, self.who = players, who
        self.step = -2  # entries of the history that were applied, less 2 as long as the game has not begun
        self.phase = ""  # the phase that began last
        self.events: list[Event] = []
        # before which event the seat chose, and from what; if that is asked for
        self.offers: list[tuple[int, str]] = []
        self.on_offer: str | None = None  # what it may choose from now, where that is known already
        self.statement: WordedStatement | None = None  # while a statement runs that has words of its own
        # of such statements that wait, by their levels; never changed in place
        self.waiting: dict[Level, WordedStatement] = {}
        self._fuel = 0
        self._most = 0
        # what each seat saw before, where the position says who sees what; never changed in place
        self._seen: Seen | None = None

    def begin(self, fuel: int) -> None:
        """The game, or an action, begins: its texts have this much fuel."""
        self.step += 1
        self._fuel = fuel
        self._most = min(MAX_EVENTS, len(self.events) + MAX_EVENTS_AT_ONCE)

    def begin_game(self, m: Machine) -> None:
        """The game begins: what each seat sees now makes no event."""
        if any(m.game.by_position):
            self._seen = seen_now(m)

    def offered(self, text: Callable[[], str | None]) -> None:
        """The seat is about to choose: keep what it was offered, if the text says so."""
        line = text() if self.on_offer is None else self.on_offer
        if line is not None:
            self.offers.append((len(self.events), line))

    def add(
        self,
        m: Machine,
        kind: str,
        words: Words,
        data: Callable[[], dict[str, object]] | None = None,
        actor: int | None = None,
        depth: int = 0,
    ) -> None:
        """Record an event, if the reader perceives it, and what is seen only now. `words(seat)` returns the
        words that a seat perceives, or `None` if it perceives nothing; the referee is asked for as `None`.

        `actor` stands in the words, too.
        """
        if len(self.events) < self._most and perceives(m.event_audience, self.who):
            told, parts = self._worked_out(m, words, data)
            if told is not None:
                self._append(m, told, kind, parts, actor, depth)
        if self._seen is not None:
            self.record_newly_seen(m)

    def record_newly_seen(self, m: Machine) -> None:
        """Record components and values that were there already and that a seat sees only now.

        What moves or changes has events of its own.
        """
        before, now = self._seen, seen_now(m)
        self._seen = now
        if before is None or before == now:
            return
        statement, self.statement = self.statement, None
        for thing, (there, seen) in now.items():
            was, known = before[thing]
            gained: dict[tuple[int, ...], list[int]] = {}
            for one in sorted(there & was):
                seats = tuple(
                    seat
                    for seat, (old, new) in enumerate(zip(known, seen, strict=True))
                    if one in new and one not in old
                )
                if seats:
                    gained.setdefault(seats, []).append(one)
            for seats, ones in gained.items():
                self.newly_seen(m, thing, seats, ones)
        self.statement = statement

    def newly_seen(self, m: Machine, thing: tuple[str, int], seats: tuple[int, ...], ones: list[int]) -> None:
        """These components of a zone, its number, or entries of a state variable are seen by these seats
        now.
        """

    def _worked_out(
        self, m: Machine, words: Words, data: Callable[[], JsonObject] | None
    ) -> tuple[Text | Shape | Silent | None, JsonObject]:
        """Return the words and the data of an event, which take fuel of their own."""
        fuel, examined, seen = m.fuel, m.examined, m.observer
        m.fuel, m.examined = self._fuel, [0, 0]
        try:
            told = words(self.who)
            m.observer = None
            parts = data() if data is not None and self.who is None else {}
            return Text.of(told) if isinstance(told, str) else told, parts
        except Fault as fault:
            return Text.of(f"({fault.code})") if self.who is None else None, _NO_DATA
        finally:
            self._fuel, m.fuel, m.examined, m.observer = max(0, m.fuel), fuel, examined, seen

    def _append(
        self,
        m: Machine,
        told: Text | Shape | Silent,
        kind: str,
        data: JsonObject,
        actor: int | None,
        depth: int,
    ) -> None:
        unsaid = isinstance(told, Deed | Outcome) and told.is_unsaid
        silent = isinstance(told, Silent) or unsaid
        shape = None if isinstance(told, Text | Silent) else told
        statement = self.current_statement(m)
        asks = kind == "decision" and actor is not None and m.frames
        self.events.append(
            Event(
                told if isinstance(told, Text) else told.text,
                kind,
                tuple(m.because()),
                data=data,
                quiet=silent or statement is not None,
                span=place_of(m.cites) if self.who is None or kind == "end" else None,
                shape=shape,
                actor=actor,
                worded=statement is not None and not silent,
                level=depth,
                is_secret=m.event_audience is not None,
                is_open=isinstance(shape, Transfer) and shape.is_open,
                asked_at=place_of(m.asking()[0].cites) if asks else None,
                step=self.step,
                phase=self.phase,
            )
        )
        if statement is not None:
            statement.kind, statement.after = kind, len(self.events)
            if isinstance(shape, Change):
                statement.entries += (shape.entry,)

    def lasting(self) -> int:
        """Return how many of the first events are final: nothing is put between them any more.

        That does not count a statement that runs now: the words of one that waits stand behind its last
        event.
        """
        return min(
            (statement.after for statement in self.waiting.values() if statement.kind),
            default=len(self.events),
        )

    def current_statement(self, m: Machine) -> WordedStatement | None:
        """The statement with words of its own that runs now; `None` if what happens is not its own doing
        (`wording.level`).
        """
        return self.statement if self.statement is not None and self.statement.level == level(m) else None

    def worded(self, m: Machine, statement: WordedStatement, text: Callable[[], str]) -> None:
        """Insert the words of a statement after the last event that it made itself."""
        count, event_audience, cites = len(self.events), m.event_audience, m.cites
        m.event_audience, m.cites = statement.event_audience, statement.cites
        self.add(m, statement.kind, lambda p: self.text_for(m, p, None, text, statement.named) or None)
        m.event_audience, m.cites = event_audience, cites
        if len(self.events) > count:
            event = self.events.pop()
            if statement.picked is not None and all(words in event.text for words in statement.needed):
                decision = self.events[statement.picked]
                self.events[statement.picked] = replace(decision, quiet=True, worded=bool(statement.needed))
                event = replace(event, rules=tuple(dict.fromkeys((*decision.rules, *event.rules))))
            # it stands behind the last event that it made
            step = self.events[statement.after - 1].step if statement.after else event.step
            is_open = self.all_see(m, statement.moved)
            event = replace(event, step=step, is_open=is_open)
            if len(set(statement.entries)) == 1 and not statement.moved:
                change = Change(event.text, statement.entries[0], is_said=True)
                event = replace(event, shape=change)
            self.events.insert(statement.after, event)

    def all_see(self, m: Machine, components: tuple[int, ...]) -> bool:
        """Return whether these components lie where everybody sees them, by the declaration of the zones: who
        sees what may itself be hidden.
        """
        return all(
            m.where[component] >= 0
            and m.game.zones[m.where[component]].seen_by == EVERYBODY
            and not m.game.zones[m.where[component]].sight
            for component in components
        )

    def text_for(
        self,
        m: Machine,
        who: int | None,
        teller: int | None,
        text: Callable[[], str],
        told: frozenset[int] = frozenset(),
    ) -> Text:
        """A text as a seat reads it, which knows the `told` components anyway; the referee and whoever it is
        about read all of it.
        """
        m.observer = None if who is None or who == teller else SeatObserver(m, who, told)
        return Text.of(text())

    # ------------------------------------------------------------ zones and moves
    def zone_text(self, m: Machine, z: int) -> Text:
        """Return the words for a zone, as the ruleset labels it."""
        if z < 0:
            return Text.of("nowhere")
        zone = m.game.zones[z]
        definition = m.game.program.zones[zone.family]
        words = m.rules.words(definition, (zone.key,))
        if words is not None:
            return Text.of(Thing("zone", words(m), z))
        return Text.of(Thing("zone", m.game.zone_title(zone, m), z, zone.family))

    def transfer(self, m: Machine, p: int | None, source: int, z: int, end: str = "top") -> Transfer | None:
        """Return the move from one zone to another, without the components, as far as a seat may know it.

        `None` if neither zone is named to the seat.
        """
        leaves = source >= 0 and (p is None or counts_zone(m, source, p))
        comes = p is None or counts_zone(m, z, p)
        if not leaves and not comes:
            return None
        if p is not None:
            m.observer = SeatObserver(m, p)
        start = self.zone_text(m, source) if leaves else None
        way = Transfer(Text(), start, self.end_text(m, z, end) if comes else None)
        m.observer = None
        if leaves and comes and end == "top":
            return replace(way, taker=self._taker(m, source, z), player=self._player(m, source, z))
        return way

    def _taker(self, m: Machine, source: int, z: int) -> int | None:
        """Return the seat that draws, if this goes from a pile of nobody to the hand of a player; else
        `None`.
        """
        start, goal = m.game.zones[source], m.game.zones[z]
        return goal.owner if start.owner is None and start.order == "pile" and self._is_hand(m, z) else None

    def _player(self, m: Machine, source: int, z: int) -> int | None:
        """Return the seat that plays, if this goes from a player's hand to a zone of theirs that everybody
        sees; else `None`.
        """
        start, goal = m.game.zones[source], m.game.zones[z]
        if start.owner == goal.owner and goal.seen_by == EVERYBODY and self._is_hand(m, source):
            return goal.owner
        return None

    def is_played(self, m: Machine, seat: int, source: int, z: int) -> bool:
        """Return whether something that a seat chose goes from its hand to a zone that everybody sees and
        that is nobody's, or its own.
        """
        if source < 0 or z < 0 or m.game.zones[source].owner != seat or not self._is_hand(m, source):
            return False
        goal = m.game.zones[z]
        return goal.owner in (None, seat) and goal.seen_by == EVERYBODY

    def _is_hand(self, m: Machine, z: int) -> bool:
        """Return whether a zone is the only one of its player that nobody else sees."""
        zone = m.game.zones[z]
        return (
            zone.owner is not None
            and zone.seen_by == OWNER
            and sum(1 for s in m.game.zones if s.owner == zone.owner and s.seen_by == OWNER) == 1
        )

    def end_text(self, m: Machine, z: int, end: str) -> Text:
        """Return the words for the place where something is put.

        The end of a pile or sequence is named if it is not the usual one.
        """
        order = m.game.zones[z].order if end == "bottom" else ""
        before = {"pile": "the bottom of ", "sequence": "the front of "}.get(order, "")
        return Text.of(before, self.zone_text(m, z))


def component_data(game: Game, component: int) -> JsonObject:
    """A component as data."""
    return {"component": game.component_key(component), "class": game.components[component].kind}


def move_data(game: Game, source: int, z: int) -> JsonObject:
    """The zones of a move as data: the names of their declarations, and their keys in a family."""
    (start, start_of), (goal, goal_of) = game.zone_key(source), game.zone_key(z)
    return {"from": start, "from_of": start_of, "to": goal, "to_of": goal_of}


def display_name(name: str) -> str:
    """A name of a ruleset as people read it."""
    return name.replace("_", " ")
