"""Merging: what one event says, or several neighbours together.

In: the events of one reader, in order. Out: clauses; each holds the shapes of its events, so that what it
says can be unfolded into what these said one by one.

Two steps. Events that are one deed of several parts join: what goes one way, what is shuffled, shown or
rolled, what one seat chose of one kind, the values that one entry had one after the other. Then clauses join
that say the same of several: of players ("everybody draws 3 Cards"), or of one thing after another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from croupier.diagnostics import Span
from croupier.narration.sentences import article, outcome, predicate, several, split_subject
from croupier.records import dataclass
from croupier.runtime.events import Change, Deed, Event, Listing, Outcome, Transfer
from croupier.runtime.wording import counted, plural
from croupier.text import Number, Part, Seat, Text, Thing, join, listed

HEADINGS = ("group", "phase")  # kinds of events that are no lines, but stand above them
DONE = "done"  # the words that end a choice of several
MOST_IN_ORDER = 12  # things that are told in their order; of more, how many there are of each
MAX_LIST = 90  # characters of a list of many things
TIMES = " × "  # between a number and the thing that there is so often (`counted`)
MOST_VALUES = 4  # values of one entry; of more in equal steps, the first two and the last


@dataclass(frozen=True, slots=True)
class Plain:
    """A single event: its words as they are, or as a sentence (`said`)."""

    text: Text
    said: Text | None = None

    @property
    def words(self) -> Text:
        return self.text if self.said is None else self.said


@dataclass(frozen=True, slots=True)
class Moves:
    """Components that go one way, one after the other."""

    ways: tuple[Transfer, ...]

    def joined(self, way: Transfer) -> Moves | None:
        """Return the clause with one more; `None` if that goes another way, or was several already."""
        last = self.ways[-1]
        if last.several or way.several or replace(last, what=way.what) != way:
            return None
        return Moves((*self.ways, way))

    @property
    def things(self) -> tuple[Text, ...]:
        return tuple(way.what for way in self.ways)

    @property
    def what(self) -> Text:
        """The words for all that moves."""
        return tally(self.things)

    def route(self, seat: int) -> Text:
        """The words for the way alone, behind a deed of this seat: `from their hand to the row`."""
        way = self.ways[0]
        start = ("from ", _their(way.source, seat)) if way.source is not None else ()
        goal = ("to ", _their(way.target, seat)) if way.target is not None else ()
        return Text.of(*start, " " if start and goal else "", *goal)

    @property
    def words(self) -> Text:
        way = self.ways[0]
        many = way.several or len(self.ways) > 1
        if way.source is not None and way.source == way.target:
            return Text.of(self.what, " stay in " if many else " stays in ", place(way.source))
        if way.taker is not None and way.source is not None:
            return Text.of(Seat(way.taker), " draws ", self.what, " from ", place(way.source))
        if way.player is not None and way.target is not None:
            return Text.of(Seat(way.player), " plays ", self.what, " to ", _their(way.target, way.player))
        source = None if way.source is None else place(way.source)
        target = None if way.target is None else place(way.target)
        return replace(way, what=self.what, source=source, target=target, several=many).text


@dataclass(frozen=True, slots=True)
class Shared:
    """Things of which the same is said."""

    items: tuple[Listing, ...]

    def joined(self, item: Listing) -> Shared | None:
        """Return the clause with one more; `None` if something else is said of it."""
        if replace(item, item=self.items[0].item) != self.items[0]:
            return None
        return Shared((*self.items, item))

    @property
    def words(self) -> Text:
        first = self.items[0]
        after = first.after if len(self.items) == 1 else first.plural
        return Text.of(first.before, tally([place(item.item) for item in self.items]), after)


@dataclass(frozen=True, slots=True)
class Choices:
    """Decisions of one seat in the same words but for one part: `player 1 discards BAT and RAVEN`.

    That the seat `is_done` with them goes without saying.
    """

    deeds: tuple[Deed, ...]
    at: int | None = None  # the part of the words in which they differ; `None`: they are the same
    is_done: bool = False

    def joined(self, deed: Deed) -> Choices | None:
        """Return the clause with one more decision of the same seat; `None` if its words are others."""
        first = self.deeds[0]
        if self.is_done or deed.seat != first.seat or deed.is_refusal or first.is_refusal:
            return None
        if deed.label == DONE and first.label != DONE:
            return replace(self, is_done=True)
        if self.at is None:  # so far all are the same
            at = differing(told(first), told(deed))
            is_like = at is not None or told(first) == told(deed)
            return Choices((*self.deeds, deed), at) if is_like else None
        alike = is_but(told(first), told(deed), self.at)
        return Choices((*self.deeds, deed), self.at) if alike else None

    @property
    def texts(self) -> tuple[Text, ...]:
        return tuple(told(deed) for deed in self.deeds)

    @property
    def words(self) -> Text:
        texts = self.texts
        if self.at is not None:
            return with_part(texts[0], self.at, tally([Text.of(one.parts[self.at]) for one in texts]))
        return Text.of(texts[0], times(len(texts)))

    def names(self, things: Sequence[Text]) -> bool:
        """Return whether the words name each of these things, and say that it was done."""
        named = Counter(part for one in self.texts for part in one.parts)
        return not self.deeds[0].is_refusal and all(
            named[part] >= number for part, number in Counter(p for one in things for p in one.parts).items()
        )


@dataclass(frozen=True, slots=True)
class Values:
    """The values that one entry of state had, one after the other, in words that differ in one part."""

    changes: tuple[Change, ...]
    at: int

    def joined(self, change: Change) -> Values | None:
        """Return the clause with one more change; `None` if it is of another entry, or in other words."""
        first = self.changes[0]
        if change.entry != first.entry or not is_but(first.text, change.text, self.at):
            return None
        return Values((*self.changes, change), self.at)

    @property
    def words(self) -> Text:
        values = [change.text.parts[self.at] for change in self.changes]
        return with_part(self.changes[0].text, self.at, in_turn(values))

    @property
    def last(self) -> Text:
        """The words for the last value alone."""
        return self.changes[-1].text


@dataclass(frozen=True, slots=True)
class Alike:
    """Clauses that say the same, but for one part: of several players, things or zones."""

    forms: tuple[Single, ...]
    at: int
    players: int

    @property
    def parts(self) -> list[Part]:
        return [form.words.parts[self.at] for form in self.forms]

    @property
    def words(self) -> Text:
        first, parts = self.forms[0].words, self.parts
        if self.at > 0:
            return with_part(first, self.at, tally([Text.of(part) for part in parts]))
        rest = Text.of(*first.parts[1:])
        seats = [part.seat for part in parts if isinstance(part, Seat)]
        if len(seats) == self.players > 1:
            return Text.of("everybody", rest)
        many = several(rest.without(" "))
        assert many is not None  # they would not have joined
        return Text.of(tally([Text.of(part) for part in parts]), " ", many)


@dataclass(frozen=True, slots=True)
class Dealt:
    """The same number of things for each of several players, some of which the reader may see:
    `everybody draws 3 Cards from the deck, player 2 BAT, RAVEN and GHOST`.
    """

    forms: tuple[Single, ...]
    players: int
    is_open: bool  # everybody knows which things these are: then which ones matters more than how many
    is_short: bool = False  # without the things that the reader sees and others do not

    @property
    def shares(self) -> list[Share]:
        """What each player got in all, in the order in which they got something first."""
        found: dict[Seat, Share] = {}
        for share in filter(None, map(share_of, self.forms)):
            before = found.get(share.seat)
            found[share.seat] = share if before is None else before.plus(share)
        return list(found.values())

    @property
    def words(self) -> Text:
        seen = [share for share in self.shares if share.things]
        if self.is_short and not self._are_named:
            return self._summary
        if self._are_named:
            begin, seen = self.forms[0].words, seen[1:]
        elif self.is_short:
            begin, seen = self._summary, []
        else:
            begin = self._summary
        return Text.of(begin, *[Text.of(", ", s.seat, " ", s.named) for s in seen])

    @property
    def _are_named(self) -> bool:
        """True if the words name each thing: `player 1 plays BAT, player 2 RAVEN`."""
        shares = self.shares
        return self.is_open and len(shares) == len(self.forms) and all(share.things for share in shares)

    @property
    def _summary(self) -> Text:
        shares = self.shares
        first = shares[0]
        if first.count == 1:
            what = Text.of(f"{article(first.noun)} {first.noun}")
        else:
            what = Text.of(Number(first.count), f" {plural(first.noun)}")
        said = Text.of(first.verb, what, *first.after)
        alike = [share for share in shares if share.count == first.count]
        if len(alike) == self.players:
            return Text.of("everybody ", said)
        others = [Text.of(", ", s.seat, " ", Number(s.count)) for s in shares if s.count != first.count]
        if len(alike) == 1:
            return Text.of(first.seat, " ", said, *others)
        return Text.of(listed([s.seat for s in alike]), " ", several(said) or said, *others)


@dataclass(frozen=True, slots=True)
class Many:
    """Many things of one kind that happened one after the other, in words that differ in several parts; a
    long list is told by its first, its last and its length.
    """

    forms: tuple[Single, ...]

    @property
    def words(self) -> Text:
        texts = [form.words for form in self.forms]
        first = self.forms[0]
        if isinstance(first, Moves):
            texts = [texts[0], *[_way(first, form) for form in self.forms[1:] if isinstance(form, Moves)]]
        whole = join(", ", texts)
        if len(whole) <= MAX_LIST or len(texts) < 4:
            return whole
        return Text.of(texts[0], ", ", texts[1], " … ", texts[-1], f" ({len(texts)} in all)")


Single: TypeAlias = Plain | Moves | Shared | Choices | Values
Form: TypeAlias = Single | Alike | Dealt | Many


# ---------------------------------------------------------------- parts of texts
def differing(one: Text, other: Text) -> int | None:
    """The only part in which two texts differ; `None` if there is none, or if it is words."""
    if len(one.parts) != len(other.parts):
        return None
    found = [i for i, (a, b) in enumerate(zip(one.parts, other.parts, strict=True)) if a != b]
    return found[0] if len(found) == 1 and is_but(one, other, found[0]) else None


def is_but(one: Text, other: Text, at: int) -> bool:
    """Return whether two texts are the same but for one part, which is of one kind in both."""
    if len(one.parts) != len(other.parts):
        return False
    if any(a != b for i, (a, b) in enumerate(zip(one.parts, other.parts, strict=True)) if i != at):
        return False
    a, b = one.parts[at], other.parts[at]
    if isinstance(a, Thing) and isinstance(b, Thing):
        return {a.kind, b.kind} <= {"component", "unseen"} or a.kind == b.kind
    return type(a) is type(b) and not isinstance(a, str)


def with_part(text: Text, at: int, part: Text) -> Text:
    """A text with something else in the place of a part."""
    return Text.of(*text.parts[:at], part, *text.parts[at + 1 :])


def tally(things: Sequence[Text]) -> Text:
    """Things as a list, neighbours of one name as a number of them; of many, how many there are of each."""
    if len(things) <= MOST_IN_ORDER:
        return listed(counted(things))
    first: dict[str, int] = {}
    for at, thing in enumerate(things):
        first.setdefault(thing, at)
    return listed(counted(sorted(things, key=lambda thing: first[thing])))


def _way(first: Moves, moves: Moves) -> Text:
    """What goes the same way as another but for one end, behind the words for that one."""
    way, other = moves.ways[0], first.ways[0]
    words = moves.what
    if way.source is not None and way.source != other.source:
        words = Text.of(words, " from ", place(way.source))
    if way.target is not None and way.target != other.target:
        words = Text.of(words, " to ", place(way.target))
    return words


def place(zone: Text) -> Text:
    """A zone in a sentence: `the deck`, unless it has words of the author."""
    thing = zone.parts[0] if len(zone.parts) == 1 else None
    if isinstance(thing, Thing) and thing.kind == "zone" and thing.noun:
        return Text.of(replace(thing, words=Text.of("the ", thing.words), noun=""))
    return zone


def _their(zone: Text, seat: int) -> Text:
    """A zone of a player in a sentence about this player: `the table of player 2` is `their table`."""
    thing = zone.parts[0] if len(zone.parts) == 1 else None
    words = thing.words if isinstance(thing, Thing) else None
    if not isinstance(words, Text) or len(words.parts) != 2 or words.parts[1] != Seat(seat):
        return place(zone)
    name = words.parts[0]
    if not isinstance(name, str) or not name.endswith(" of "):
        return place(zone)
    return Text.of(f"their {name.removeprefix('the ').removesuffix(' of ')}")


def times(number: int) -> str:
    """How often something was done, behind the words for it; empty for once."""
    if number == 1:
        return ""
    return " twice" if number == 2 else f" {number} times"


def in_turn(values: Sequence[Part]) -> Text:
    """Values one after the other: `8, then 4`; in many equal steps `8, 7 … 2`."""
    numbers = [value.value for value in values if isinstance(value, Number)]
    steps = {b - a for a, b in zip(numbers, numbers[1:], strict=False)}
    if len(values) > MOST_VALUES and len(numbers) == len(values) and len(steps) == 1:
        return Text.of(values[0], ", ", values[1], " … ", values[-1])
    if len(values) > MOST_IN_ORDER:
        return Text.of(join(", ", values[:MOST_VALUES]), " … ", values[-1], f" ({len(values)} in all)")
    return Text.of(join(", ", values[:-1]), ", then ", values[-1])


def told(deed: Deed) -> Text:
    """A decision as a sentence: the author's words, or the seat and what it did."""
    return Text.of(Seat(deed.seat), " ", predicate(deed.label)) if not deed.told else deed.told


# ---------------------------------------------------------------- shares
@dataclass(frozen=True, slots=True)
class Share:
    """What a sentence says that a player got: `player 2 is dealt 3 Cards`, or which ones."""

    seat: Seat
    verb: str
    count: int
    noun: str
    things: tuple[Thing, ...]
    after: tuple[Part, ...]

    def is_like(self, other: Share) -> bool:
        """Return whether as much was got in the same way."""
        return replace(self, seat=other.seat, things=()) == replace(other, things=())

    @property
    def named(self) -> Text:
        """The things that the reader may see, equal neighbours as a number of them."""
        return listed(counted([Text.of(thing) for thing in self.things]))

    def plus(self, other: Share) -> Share:
        """What the player got in all, with a further share."""
        return replace(self, count=self.count + other.count, things=(*self.things, *other.things))


def share_of(form: Form) -> Share | None:
    """What a clause says that a player got; `None` if it says something else."""
    found = split_subject(form.words)
    if found is None or len(found[1].parts) < 2:
        return None
    verb, *rest = found[1].parts
    if not isinstance(verb, str):
        return None
    end = 0
    while end < len(rest) and (isinstance(rest[end], Thing | Number) or rest[end] in (", ", " and ", TIMES)):
        end += 1
    what, after = rest[:end], tuple(rest[end:])
    things = _components(what)
    nouns = {thing.noun for thing in things}
    if len(nouns) == 1:
        return Share(found[0], verb, len(things), nouns.pop(), things, after)
    if len(what) == 1 and isinstance(what[0], Number) and after and isinstance(after[0], str):
        noun, space, more = after[0].removeprefix(" ").partition(" ")
        singular = noun if what[0].value == 1 else _singular(noun)
        behind = (f"{space}{more}", *after[1:]) if space or more else after[1:]
        return Share(found[0], verb, what[0].value, singular, (), tuple(behind))
    if len(what) == 1 and isinstance(what[0], Thing) and what[0].kind == "unseen":
        return Share(found[0], verb, 1, what[0].words.partition(" ")[2], (), after)
    return None


def _components(what: Sequence[Part]) -> tuple[Thing, ...]:
    """The components of a list, each as often as it says: `BAT`, `2 × BAT`; empty if it has anything else."""
    found: list[Thing] = []
    number = 1
    for at, part in enumerate(what):
        if isinstance(part, Number) and what[at + 1 : at + 2] == [TIMES]:
            number = part.value
        elif isinstance(part, Thing) and part.kind == "component":
            found += [part] * number
            number = 1
        elif not isinstance(part, str):
            return ()
    return tuple(found)


def _singular(noun: str) -> str:
    """The word of which this is the plural by the usual rules; the word itself if it is none."""
    ways = (noun[:-1], noun[:-2], f"{noun[:-3]}y", noun)
    return next((word for word in ways if word and plural(word) == noun), noun)


# ---------------------------------------------------------------- clauses
@dataclass(frozen=True, slots=True)
class EventClause:
    """Some neighbouring events of one kind, told together: the form of the words, the rules, who decided
    (`None`: nobody, or several).

    `level` is the number of titled groups around a group of phases that begins. `is_secret`: it happened
    while what happened was not for everybody; `asked_at` is the construct that asked for the decision;
    `is_said`: the words are the author's, or those of a decision; `is_open`: everybody knows which things
    they name.
    """

    form: Form
    kind: str
    rules: tuple[str, ...]
    actor: int | None = None
    level: int = 0
    is_secret: bool = False
    asked_at: Span | None = field(default=None, compare=False, repr=False)
    is_said: bool = field(default=True, compare=False, repr=False)
    is_open: bool = field(default=False, compare=False, repr=False)

    @property
    def words(self) -> Text:
        return self.form.words

    @property
    def last_words(self) -> Text:
        """The words of the last of several."""
        match self.form:
            case Alike() | Dealt() | Many():
                return self.form.forms[-1].words
        return self.words

    def citing(self, rules: Iterable[str]) -> EventClause:
        """The clause with further rules."""
        return replace(self, rules=tuple(dict.fromkeys((*self.rules, *rules))))


def alone(event: Event) -> EventClause:
    """A clause of one event."""
    form: Single
    match event.shape:
        case Deed() as deed if event.kind == "decision":
            form = Choices((deed,))
        case Deed() as deed:
            form = Plain(deed.text, Text.of(Seat(deed.seat), " says “", deed.label, "”"))
        case Transfer() as way:
            form = Moves((way,))
        case Listing() as item:
            form = Shared((item,))
        case Outcome() as chosen:
            form = Plain(chosen.text, chosen.told or outcome(chosen.label))
        case _:
            form = Plain(Text.of(event.text))
    return EventClause(
        form,
        event.kind,
        event.rules,
        event.actor,
        event.level,
        event.is_secret,
        event.asked_at,
        event.is_said,
        event.is_open,
    )


def _joined(clause: EventClause, last: Event, event: Event) -> EventClause | None:
    """Return a clause with one more event behind its `last`; `None` if they are not one deed."""
    if clause.kind != event.kind or clause.is_secret != event.is_secret or clause.actor != event.actor:
        return None
    form: Form | None = None
    match clause.form, event.shape:
        case Moves() as moves, Transfer() as way:
            form = moves.joined(way)
        case Shared() as shared, Listing() as item:
            form = shared.joined(item)
        case Choices() as choices, Deed() as deed if clause.asked_at == event.asked_at:
            form = choices.joined(deed)
        case Values() as values, Change() as change:
            form = values.joined(change)
        case Plain(), Change() as change if isinstance(last.shape, Change):
            at = differing(last.shape.text, change.text)
            if at is not None and last.shape.entry == change.entry:
                form = Values((last.shape, change), at)
    return None if form is None else replace(clause, form=form).citing(event.rules)


def _merged(one: EventClause, other: EventClause, players: int) -> EventClause | None:
    """Return two clauses that say the same of two as one; `None` if they do not."""
    if (one.kind, one.is_secret, one.is_said) != (other.kind, other.is_secret, other.is_said):
        return None
    if one.kind in (*HEADINGS, "say", "tell", "end"):
        return None
    form = _dealt(one, other, players) or _alike(one.form, other.form, players)
    if form is None and one.actor is None and other.actor is None and one.kind != "chance":
        form = _many(one.form, other.form)
    if form is None:
        return None
    actor = one.actor if one.actor == other.actor else None
    return replace(one, form=form, actor=actor).citing(other.rules)


def _dealt(before: EventClause, clause: EventClause, players: int) -> Form | None:
    one, other = before.form, clause.form
    if isinstance(other, Alike | Dealt | Many) or isinstance(one, Alike | Many):
        return None
    forms = one.forms if isinstance(one, Dealt) else (one,)
    shares, share = [share_of(form) for form in forms], share_of(other)
    if share is None or any(known is None or not known.is_like(share) for known in shares):
        return None
    seats = [known.seat for known in shares if known is not None]
    if len(forms) == 1 and seats[0] == share.seat:
        return None
    if share.seat in seats and clause.is_open:
        return None  # the next round: what everybody knows is told in its order
    if before.is_open != clause.is_open and share.things and any(s is not None and s.things for s in shares):
        return None  # some that everybody knows, some that nobody else does
    return Dealt((*forms, other), players, before.is_open and clause.is_open)


def _alike(one: Form, other: Form, players: int) -> Form | None:
    if isinstance(other, Alike | Dealt | Many) or isinstance(one, Dealt | Many):
        return None
    forms = one.forms if isinstance(one, Alike) else (one,)
    first, words = forms[0].words, other.words
    at = one.at if isinstance(one, Alike) else differing(first, words)
    if at is None and first == words:
        at = next((i for i, p in enumerate(words.parts) if isinstance(p, Thing) and p.kind == "unseen"), None)
    if at is None or not is_but(first, words, at):
        return None
    if at == 0 and any(form.words == words for form in forms):
        return None
    part = words.parts[at]
    if isinstance(part, Number):
        return None  # two things are called alike: which of them has which number, a list would not say
    if at == 0:
        rest = Text.of(*first.parts[1:])
        is_subject = str(rest).startswith(" ") and several(rest.without(" ")) is not None
        return Alike((*forms, other), 0, players) if is_subject else None
    is_last = at == len(words.parts) - 1
    return Alike((*forms, other), at, players) if is_last and not isinstance(one, Moves) else None


def _many(one: Form, other: Form) -> Form | None:
    if isinstance(other, Alike | Dealt | Many) or isinstance(one, Alike | Dealt):
        return None
    forms = one.forms if isinstance(one, Many) else (one,)
    if isinstance(other, Moves):
        ways = [form.ways[0] for form in (*forms, other) if isinstance(form, Moves)]
        goals, starts = {way.target for way in ways}, {way.source for way in ways}
        if len(goals) > 1 < len(starts) or None in (*goals, *starts) or goals & starts:
            return None
    first, words = forms[0].words, other.words
    if any(isinstance(part, Seat) for part in first.parts) or len(first.parts) < 2:
        return None
    same = len(first.parts) == len(words.parts) and all(
        a == b if isinstance(a, str) or isinstance(b, str) else type(a) is type(b)
        for a, b in zip(first.parts, words.parts, strict=True)
    )
    return Many((*forms, other)) if same else None


class Clauses:
    """Events as clauses, one after another, without bookkeeping.

    Neighbours that are alike share one, if they are told `together`; then the words of statements stand for
    what these did, else beside it. What a statement does that says nothing is cited where its words would
    stand: by the clause before it in its phase, or else by the one behind it. `players` is their number, if
    it is known: what all of them do, `everybody` does.
    """

    def __init__(self, *, together: bool = True, players: int = 0) -> None:
        self.together, self.players = together, players
        self._event: Event | None = None  # the last event of `_open`
        self._open: EventClause | None = None  # which the next event may still join
        self._whole: EventClause | None = None  # the one before, which `_open` may join when it is whole
        self._unsaid: tuple[str, ...] = ()  # rules of what was left out since the last clause

    def copy(self) -> Clauses:
        other = Clauses(together=self.together, players=self.players)
        other._event, other._open, other._whole = self._event, self._open, self._whole
        other._unsaid = self._unsaid
        return other

    def add(self, event: Event) -> EventClause | None:
        """The next event; a clause before it if that is whole now."""
        if event.quiet if self.together else event.is_bookkeeping:
            self._unsaid += event.rules if event.is_cited_by_neighbours else ()
            return None
        rules = [rule for rule in self._unsaid if rule not in event.rules]
        self._unsaid = ()
        if rules and self._open is not None and self._open.kind not in HEADINGS:
            self._open = self._open.citing(rules)
        elif rules:
            event = replace(event, rules=tuple(dict.fromkeys((*rules, *event.rules))))
        before, self._event = self._event, event
        if self._open is not None and before is not None and self.together:
            joined = _joined(self._open, before, event)
            if joined is not None:
                self._open = joined
                return None
        done = self._close()
        self._open = alone(event)
        return done

    def _close(self) -> EventClause | None:
        """The open clause is whole: it joins the one before, or that one is final."""
        if self._open is None:
            return None
        if self._whole is not None and self.together:
            merged = _merged(self._whole, self._open, self.players)
            if merged is not None:
                self._whole, self._open = merged, None
                return None
        done, self._whole, self._open = self._whole, self._open, None
        return done

    @property
    def rest(self) -> list[EventClause]:
        """The clauses that what comes may still change."""
        end = self.copy()
        found = [clause for clause in (end._close(), end._whole) if clause is not None]
        return [*found[:-1], found[-1].citing(self._unsaid)] if found and self._unsaid else found


def clauses(events: Iterable[Event], *, together: bool = True, players: int = 0) -> list[EventClause]:
    """The events as clauses, in their order."""
    fold = Clauses(together=together, players=players)
    found = [whole for event in events if (whole := fold.add(event)) is not None]
    return [*found, *fold.rest]


def ends_choice(event: Event, before: Event) -> bool:
    """Return whether a decision says no more than that the choice is over to which the event before it
    belongs.
    """
    same = (
        event.kind == before.kind == "decision"
        and event.actor == before.actor
        and event.asked_at == before.asked_at is not None
    )
    return same and isinstance(event.shape, Deed) and event.shape.label == DONE
