"""Clauses: what one event says, or several neighbours together.

Each can say what its events said one by one (`counted_back`).

Players are named last (`names.py`). Lists, numbers of things and plurals are those of the words of
statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from itertools import pairwise
from typing import TypeAlias

from croupier.diagnostics import Span
from croupier.records import dataclass
from croupier.runtime.events import Event, Listing, Transfer
from croupier.runtime.wording import counted, listed

HEADINGS = ("group", "phase")  # kinds of events that are no lines, but stand above them
DONE = "done"  # the words that end a choice of several
MAX_SHARED = 60  # characters of words that decisions share
# words before a number that is a value and no name
HAVING = ("has", "have", "holds", "hold", "is", "are", "now")
MAX_LISTED = 40  # values in one sentence; of more, the first ones and the last are named
FIRST_LISTED = 5


@dataclass(frozen=True, slots=True)
class Plain:
    """The form of a single event: its words as they are."""

    text: str

    @property
    def words(self) -> str:
        return self.text

    @property
    def counted_back(self) -> tuple[str, ...]:
        return (self.text,)


@dataclass(frozen=True, slots=True)
class Moves:
    """Components on their ways; neighbours on one way, from one zone to several, or from several to one."""

    ways: tuple[Transfer, ...]

    @property
    def counted_back(self) -> tuple[str, ...]:
        return tuple(way.text for way in self.ways)

    def joins(self, way: Transfer) -> bool:
        last = self.ways[-1]
        if (
            last.several
            or way.several
            or (last.taker, last.player).count(None) != (way.taker, way.player).count(None)
        ):
            return False
        if _route(last) == _route(way):
            return True
        if (
            way.taker is not None
            or way.player is not None
            or None in (way.source, way.target, last.source, last.target)
        ):
            return False
        return all(w.source == way.source for w in self.ways) or all(
            w.target == way.target for w in self.ways
        )

    def follows_from(self, label: str) -> str:
        """Return the words for the way alone, if a decision of these words has named the things that go it.

        They are empty if it has not, or if there are several ways.
        """
        first = self.ways[0]
        what = listed(counted([way.what for way in self.ways]))
        named = re.search(rf"(?<![\w-]){re.escape(what)}(?![\w-])", label) is not None
        if (
            not named
            or first.taker is not None
            or first.player is not None
            or any(_route(way) != _route(first) for way in self.ways)
        ):
            return ""
        return " ".join(
            [f"from {first.source}"] * (first.source is not None)
            + [f"to {first.target}"] * (first.target is not None)
        )

    @property
    def words(self) -> str:
        runs: list[list[Transfer]] = []
        for way in self.ways:
            if runs and _route(runs[-1][0]) == _route(way):
                runs[-1].append(way)
            else:
                runs.append([way])
        runs = [run for run in runs if run[0].source != run[0].target] or runs
        parts = []
        for i, run in enumerate(runs):
            what, first = counted([way.what for way in run]), run[0]
            if first.source == first.target:
                parts.append(
                    f"{listed(what)} {'stay' if first.several or len(run) > 1 else 'stays'} in {first.source}"
                )
            elif first.taker is not None:
                parts.append(f"player {first.taker + 1} draws {listed(what)} from {first.source}")
            elif first.player is not None:
                parts.append(
                    f"player {first.player + 1} plays {listed(what)} to "
                    f"{_their(first.target or '', first.player)}"
                )
            elif i == 0:
                parts.append(replace(first, what=listed(what), several=first.several or len(run) > 1).text)
            else:
                source = f" from {first.source}" if len({one[0].source for one in runs}) > 1 else ""
                target = f" to {first.target}" if len({one[0].target for one in runs}) > 1 else ""
                parts.append(f"{listed(what)}{source}{target}")
        return "; ".join(parts) if any(len(run) > 1 for run in runs) else ", ".join(parts)


def _route(way: Transfer) -> tuple[str | None, str | None]:
    return way.source, way.target


def _their(zone: str, seat: int) -> str:
    """A zone of a player in a sentence about this player: `the table of player 2` is `their table`."""
    return re.sub(rf"^(?:the )?(.+) of player {seat + 1}$", r"their \1", zone)


@dataclass(frozen=True, slots=True)
class Shared:
    """Things of which the same is said."""

    items: tuple[Listing, ...]

    @property
    def counted_back(self) -> tuple[str, ...]:
        return tuple(item.text for item in self.items)

    def joins(self, item: Listing) -> bool:
        return replace(item, item="") == replace(self.items[0], item="")

    @property
    def words(self) -> str:
        first = self.items[0]
        after = first.after if len(self.items) == 1 else first.plural
        return f"{first.before}{listed(counted([item.item for item in self.items]))}{after}"


@dataclass(frozen=True, slots=True)
class Choices:
    """Decisions of one seat that begin with the same words, or the same decision of several seats.

    That one seat `is_done` with them goes without saying.
    """

    seats: tuple[int, ...]
    shared: str
    ends: tuple[str, ...]
    is_done: bool = False

    @property
    def counted_back(self) -> tuple[str, ...]:
        seats = self.seats if len(self.seats) == len(self.ends) else self.seats * len(self.ends)
        texts = tuple(
            f"player {seat + 1}: {self.shared}{end}" for seat, end in zip(seats, self.ends, strict=True)
        )
        return (*texts, f"player {self.seats[0] + 1}: {DONE}") if self.is_done else texts

    def joined(self, seat: int, label: str) -> Choices | None:
        """Return the clause with one more decision; `None` if that begins with other words."""
        if self.is_done:
            return None
        if label == DONE and self.seats == (seat,) and self.ends != (DONE,):
            return replace(self, is_done=True)
        if self.seats != (seat,):
            alike = (
                len(set(self.ends)) == 1
                and f"{self.shared}{self.ends[0]}" == label
                and seat not in self.seats
            )
            return Choices((*self.seats, seat), "", (label,) * (len(self.seats) + 1)) if alike else None
        if len(set(self.seats)) != len(self.seats):
            return None
        labels = [*(f"{self.shared}{end}" for end in self.ends), label]
        shared = _beginning(labels)
        if not shared or (self.shared and shared != self.shared):
            return None
        return Choices(self.seats, shared, tuple(label[len(shared) :] for label in labels))

    def begins_like(self, other: Choices) -> bool:
        """Return whether the words of both begin alike, or are the same."""
        mine, theirs = f"{self.shared}{self.ends[0]}", f"{other.shared}{other.ends[0]}"
        return mine == theirs or bool(_beginning([mine, theirs]))

    @property
    def label(self) -> str:
        """The words of what was chosen, without who chose."""
        if len(self.seats) > 1:
            return self.ends[0]
        if not self.shared or self.shared.endswith(": "):
            return f"{self.shared}{', '.join(counted(self.ends))}"
        if len(set(self.ends)) == 1:
            return (
                f"{self.shared}{self.ends[0]} {'twice' if len(self.ends) == 2 else f'{len(self.ends)} times'}"
            )
        return f"{self.shared}{listed(counted(self.ends))}"

    @property
    def words(self) -> str:
        return f"{listed([f'player {seat + 1}' for seat in self.seats])}: {self.label}"


def _beginning(labels: Sequence[str]) -> str:
    """The words that all begin with; they end before a word, and do not end with `player`.

    Something is left of each label.
    """
    least, most = min(labels), max(labels)
    size = next((i for i, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), len(least))
    shared = least[:size]
    shared = shared[: shared.rfind(" ") + 1]
    shared = re.sub(r"\bplayer $", "", shared)
    enough = shared.endswith(": ") or len(shared.split()) > 1
    if enough and len(shared) <= MAX_SHARED and all(len(label) > len(shared) for label in labels):
        return shared
    return ""


@dataclass(frozen=True, slots=True)
class Values:
    """Texts that differ in one word: what several dice show, what a value was after each change.

    Of what grows or shrinks step by step the last value is told, and how many steps of which size led to it.
    """

    shared: str
    ends: tuple[str, ...]
    after: str = ""

    @property
    def counted_back(self) -> tuple[str, ...]:
        return tuple(f"{self.shared}{end}{self.after}" for end in self.ends)

    @property
    def words(self) -> str:
        steps = (
            {int(b) - int(a) for a, b in pairwise(self.ends)} if all(map(str.isdecimal, self.ends)) else set()
        )
        if len(steps) == 1 and steps != {0}:
            return (
                f"{self.shared}{self.ends[-1]}{self.after}, in {len(self.ends)} steps of {abs(steps.pop())}"
            )
        # it belongs to each thing: `draws 2 Cards`, `draws a Card, a Die`
        article = re.search(r"\ban? $", self.shared)
        shared = self.shared if article is None else self.shared[: article.start()]
        ends = counted([f"{'' if article is None else article[0]}{end}" for end in self.ends])
        if len(ends) > MAX_LISTED:
            return f"{shared}{', '.join(ends[:FIRST_LISTED])} … {ends[-1]}{self.after} ({len(ends):,} in all)"
        return f"{shared}{', '.join(ends)}{self.after}"


def _values(before: Plain | Values, text: str) -> Values | None:
    """Return the clause with one more text.

    `None` if it differs in another word than the last, or in a number that somebody or something has: `has 3
    coins`.
    """
    if isinstance(before, Values):
        is_one = (
            text.startswith(before.shared)
            and text.endswith(before.after)
            and len(text) > len(before.shared) + len(before.after)
        )
        end = text[len(before.shared) : len(text) - len(before.after)] if is_one else " "
        return Values(before.shared, (*before.ends, end), before.after) if " " not in end else None
    old, new = before.text.split(" "), text.split(" ")
    at = [i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b] or [len(new) - 1]
    if (
        len(old) != len(new)
        or len(at) > 1
        or at[0] < 2
        or new[at[0] - 1] == "player"
        or new[at[0] - 1].isdecimal()
    ):
        return None  # behind a number stands what there is so much of: `has 1 coin`, `has 1 point`
    if at[0] < len(new) - 1 and not (
        old[at[0]].isdecimal() and new[at[0]].isdecimal() and new[at[0] - 1] in HAVING
    ):
        return None
    shared, after = " ".join(new[: at[0]]), " ".join(["", *new[at[0] + 1 :]])
    return Values(f"{shared} ", (old[at[0]], new[at[0]]), after)


Form: TypeAlias = Plain | Moves | Shared | Choices | Values


@dataclass(frozen=True, slots=True)
class EventClause:
    """Some neighbouring events of one kind, told together: the form of the words, the rules, who decided
    (`None`: nobody, or several).

    `level` is the number of titled groups around a group of phases that begins. `is_secret`: it happened
    while what happened was not for everybody; `asked_at` is the construct that asked for the decision.
    """

    form: Form
    kind: str
    rules: tuple[str, ...]
    actor: int | None = None
    level: int = 0
    is_secret: bool = False
    asked_at: Span | None = field(default=None, compare=False, repr=False)

    @property
    def words(self) -> str:
        return self.form.words

    @property
    def counted_back(self) -> tuple[str, ...]:
        """The texts of its events, one for each."""
        return self.form.counted_back

    def citing(self, rules: Iterable[str]) -> EventClause:
        """The clause with further rules."""
        return replace(self, rules=tuple(dict.fromkeys((*self.rules, *rules))))


def _label(event: Event) -> str | None:
    """The words of a decision, without who decided."""
    if event.kind not in ("decision", "say") or event.actor is None:
        return None
    who = f"player {event.actor + 1}: "
    return event.text[len(who) :] if event.text.startswith(who) else None


def _alone(event: Event) -> EventClause:
    label = _label(event)
    form: Form
    if event.kind == "decision" and label is not None and event.actor is not None:
        form = Choices((event.actor,), "", (label,))
    elif isinstance(event.shape, Transfer):
        form = Moves((event.shape,))
    elif isinstance(event.shape, Listing):
        form = Shared((event.shape,))
    else:
        form = Plain(event.text)
    return EventClause(
        form, event.kind, event.rules, event.actor, event.level, event.is_secret, event.asked_at
    )


def _together(clause: EventClause, event: Event) -> EventClause | None:
    """Return a clause with one more event; `None` if they are not told together."""
    if clause.kind != event.kind or clause.is_secret != event.is_secret:
        return None
    form: Form | None = None
    label = _label(event)
    if (
        isinstance(clause.form, Moves)
        and isinstance(event.shape, Transfer)
        and clause.form.joins(event.shape)
    ):
        form = Moves((*clause.form.ways, event.shape))
    elif (
        isinstance(clause.form, Shared)
        and isinstance(event.shape, Listing)
        and clause.form.joins(event.shape)
    ):
        form = Shared((*clause.form.items, event.shape))
    elif isinstance(clause.form, Choices) and label is not None and event.actor is not None:
        if clause.actor == event.actor and clause.asked_at != event.asked_at:
            return None
        form = clause.form.joined(event.actor, label)
    elif isinstance(clause.form, Plain | Values) and event.kind in ("state", "move") and event.shape is None:
        form = _values(clause.form, event.text)
    if form is None:
        return None
    actor = clause.actor if isinstance(form, Choices) and len(form.seats) == 1 else None
    return EventClause(
        form,
        clause.kind,
        tuple(dict.fromkeys((*clause.rules, *event.rules))),
        actor,
        0,
        clause.is_secret,
        clause.asked_at,
    )


def ends_choice(event: Event, before: Event) -> bool:
    """Return whether a decision says no more than that the choice is over to which the event before it
    belongs.
    """
    same = (
        event.kind == before.kind == "decision"
        and event.actor == before.actor
        and event.asked_at == before.asked_at is not None
    )
    return same and _label(event) == DONE


class Clauses:
    """Events as clauses, one after another, without bookkeeping.

    `last` is the clause that the next event may still join; `None` before the first.

    Neighbours that are alike share one, if they are told `together`; then the words of statements stand for
    what these did, else beside it. What a statement does that says nothing is cited where its words would
    stand: by the clause before it in its phase, or else by the one behind it.
    """

    def __init__(self, *, together: bool = True) -> None:
        self.together = together
        self._last: EventClause | None = None
        self._unsaid: tuple[str, ...] = ()  # rules of what was left out since the last clause

    def copy(self) -> Clauses:
        other = Clauses(together=self.together)
        other._last, other._unsaid = self._last, self._unsaid
        return other

    def add(self, event: Event) -> EventClause | None:
        """The next event; the clause before it if that is whole now."""
        if event.quiet if self.together else event.is_bookkeeping:
            self._unsaid += event.rules if event.worded else ()
            return None
        rules = [rule for rule in self._unsaid if rule not in event.rules]
        self._unsaid = ()
        before = self._last
        if rules and before is not None and before.kind not in HEADINGS:
            before = self._last = before.citing(rules)
        elif rules:
            event = replace(event, rules=tuple(dict.fromkeys((*rules, *event.rules))))
        joined = _together(before, event) if before is not None and self.together else None
        self._last = _alone(event) if joined is None else joined
        return before if joined is None else None

    @property
    def last(self) -> EventClause | None:
        return self._last.citing(self._unsaid) if self._last is not None and self._unsaid else self._last


def clauses(events: Iterable[Event], *, together: bool = True) -> list[EventClause]:
    """The events as clauses, in their order."""
    fold = Clauses(together=together)
    found = [whole for event in events if (whole := fold.add(event)) is not None]
    return found if fold.last is None else [*found, fold.last]
