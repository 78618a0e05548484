"""Lines: what somebody decided and what followed from that, under the headings of the phases.

Prompts: what stands above the options of a seat.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field, replace

from croupier.narration.merging import (
    Alike,
    Choices,
    Clauses,
    Dealt,
    EventClause,
    Many,
    Moves,
    Plain,
    Values,
)
from croupier.narration.sentences import several, split_subject
from croupier.records import dataclass
from croupier.runtime.events import Event
from croupier.text import Seat, Text, join

MAX_LINE = 100  # characters, after which something new begins a line of its own
MAX_CLAUSES = 2  # in a line
MAX_REACTED_TO = 160  # characters
MIN_ABOUT = 3  # characters: more than a preposition
_WORDING = re.compile(r"“(.*)”$")
# before what is chosen
_JOINT = re.compile(
    r"(?:(?:^|\s+)(?:a|an|the|of|to|from|on|onto|at|in|into|over|under|with|for|by|and|is|are))+$"
)
_REACTION = "react in "


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a narration: clauses that belong together, below a heading or not; or only a heading."""

    clauses: tuple[EventClause, ...]
    heading: EventClause | None = None
    groups: tuple[EventClause, ...] = ()  # of phases that begin here, such as a turn: from the outermost on

    @property
    def text(self) -> Text:
        """The words as a sentence: who did something is named once, and so is what then goes somewhere."""
        parts: list[Text] = []
        before: EventClause | None = None
        for clause in self.clauses:
            words = _behind(before, clause)
            parts += [words] if words else []
            before = clause
        # a sentence goes on behind them
        return join(", ", [*map(_open_ended, parts[:-1]), *parts[-1:]])

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules it follows from, each once."""
        above = self.groups if self.heading is None else (*self.groups, self.heading)
        return tuple(dict.fromkeys(rule for clause in (*above, *self.clauses) for rule in clause.rules))

    @property
    def title(self) -> Text:
        """The words of the heading; empty without one."""
        return Text() if self.heading is None else self.heading.words

    @property
    def part(self) -> Text:
        """The titles of the groups of phases that begin here, a round, a turn; empty if no group begins."""
        return join(", ", [group.words for group in self.groups])

    @property
    def actor(self) -> int | None:
        """The seat that decided first in this line; `None` if nobody did."""
        return self.clauses[0].actor if self.clauses else None


def _open_ended(words: Text) -> Text:
    """Words without the full stop at their end."""
    last = words.parts[-1] if words.parts else ""
    if isinstance(last, str) and last.endswith(".") and not last.endswith(".."):
        return Text.of(*words.parts[:-1], last[:-1])
    return words


def _behind(before: EventClause | None, clause: EventClause) -> Text:
    """The words of a clause behind another in one line; empty if they are the same."""
    words = clause.words
    if before is None:
        return words
    if before.words == words:
        return Text()
    if isinstance(before.form, Choices) and isinstance(clause.form, Moves) and _goes_on(before, clause):
        return clause.form.route(before.form.deeds[0].seat)
    if isinstance(before.form, Alike | Dealt | Many):
        return words  # somebody else was named last
    subject, last = split_subject(words), split_subject(before.words)
    if subject is None or last is None or subject[0] != last[0]:
        return words
    return words if several(subject[1]) is None else subject[1]


class Narrator:
    """A narrator of a log as it grows, in time that is linear in what is new.

    A phase or a group in which nothing happened is left out, but for the last if the log has an open end:
    somebody decides there. `brief` tells decisions, and what the author has words for: what follows from a
    decision without such words is left out, and of a value that changes step by step the last is told.
    """

    def __init__(self, *, together: bool = True, brief: bool = False, players: int = 0) -> None:
        self.brief = brief
        self._clauses = Clauses(together=together, players=players)
        self._tail = _Tail()
        self._part = self._step = Text()

    def copy(self) -> Narrator:
        """A narrator in the same state that goes on independently."""
        other = Narrator(brief=self.brief)
        other._clauses = self._clauses.copy()
        other._tail = self._tail
        other._part = self._part
        other._step = self._step
        return other

    def tell(self, events: Iterable[Event]) -> list[Line]:
        """The new lines that nothing changes any more, each once."""
        settled: list[Line] = []
        for event in events:
            if event.kind == "group":
                self._part, self._step = Text.of(event.text), Text()
            elif event.kind == "phase":
                self._step = Text() if event.quiet else Text.of(event.text)
            whole = self._clauses.add(event)
            if whole is not None:
                self._tail, line = self._after(self._tail, whole)
                settled += [] if line is None else [line]
        return settled

    def unsettled(self, *, open_end: bool = False) -> list[Line]:
        """The lines behind those: what comes may still change them."""
        tail, lines = self._tail, list[Line]()
        for clause in self._clauses.rest:
            tail, line = self._after(tail, clause)
            lines += [] if line is None else [line]
        lines += [] if tail.line is None else [tail.line]
        if (tail.heading is not None or tail.groups) and open_end:
            lines.append(Line((), tail.heading, tail.groups))
        return lines

    def _after(self, tail: _Tail, clause: EventClause) -> tuple[_Tail, Line | None]:
        together = self._clauses.together
        if self.brief and clause.kind != "group":
            short = shortened(clause)
            if short is None:
                return (tail.at_new_phase, None) if clause.kind == "phase" else (tail, None)
            clause = short
        return tail.after(clause, together=together)

    def prompt(self, seat: int, asks: str, *, at_once: bool = False) -> Prompt:
        """Return the prompt of a seat that perceived the events so far.

        `asks` is what its decision is called (`observation(seat)["decision"]["asks"]`); `at_once`: it is one
        of several seats that choose at the same time.
        """
        if asks.startswith(_REACTION):
            last = next(
                (line.clauses[-1].last_words for line in reversed(self.unsettled()) if line.clauses), Text()
            )
            if not last or len(last) > MAX_REACTED_TO:
                last = Text.of(asks.removeprefix(_REACTION).replace("_", " "))
            return Prompt(seat, self._part, self._step, reacts_to=last)
        wording = _WORDING.search(asks)
        about = "" if wording is None else _JOINT.sub("", wording[1].partition("…")[0].strip(" :,"))
        return Prompt(seat, self._part, self._step, about if len(about) >= MIN_ABOUT else "", at_once=at_once)


@dataclass(frozen=True, slots=True)
class _Tail:
    """The last line, which the next clause may still join, and the headings that wait for a line.

    `is_whole`: a phase without a heading began behind the line, so that nothing joins it any more.
    """

    line: Line | None = None
    heading: EventClause | None = None
    groups: tuple[EventClause, ...] = ()
    is_whole: bool = False

    @property
    def at_new_phase(self) -> _Tail:
        """The tail when a phase begins whose heading is left out."""
        return replace(self, is_whole=True)

    def after(self, clause: EventClause, *, together: bool) -> tuple[_Tail, Line | None]:
        """Return the tail with one more clause, and the line before it if that is whole now."""
        if clause.kind == "group":
            return _Tail(
                self.line, None, (*(group for group in self.groups if group.level < clause.level), clause)
            ), None
        if clause.kind == "phase":
            return _Tail(self.line, clause, self.groups), None
        if (
            together
            and self.heading is None
            and not self.groups
            and not self.is_whole
            and self.line is not None
        ):
            if _belongs(self.line, clause):
                return _Tail(replace(self.line, clauses=(*self.line.clauses, clause))), None
            if _is_led_to(self.line, clause):
                *before, told = self.line.clauses
                return _Tail(Line((told, clause))), replace(self.line, clauses=tuple(before))
        return _Tail(Line((clause,), self.heading, self.groups)), self.line


def narrate(
    events: Iterable[Event],
    *,
    open_end: bool = False,
    together: bool = True,
    brief: bool = False,
    players: int = 0,
) -> list[Line]:
    """The lines of a log; a line for each event, unless what belongs `together` is told so."""
    narrator = Narrator(together=together, brief=brief, players=players)
    return [*narrator.tell(events), *narrator.unsettled(open_end=open_end)]


def shortened(clause: EventClause) -> EventClause | None:
    """A clause as brief logs tell it; `None` if they leave it out."""
    if clause.kind == "phase" or not clause.is_said:
        return None
    match clause.form:
        case Values() as values:
            return replace(clause, form=Plain(values.last))
        case Dealt() as dealt if clause.kind != "decision":
            return replace(clause, form=replace(dealt, is_short=True))
    return clause


def _goes_on(before: EventClause, clause: EventClause) -> bool:
    """Return whether a clause says only where something goes that the decision before it names."""
    if not isinstance(before.form, Choices) or not isinstance(clause.form, Moves):
        return False
    return before.form.names(clause.form.things)


def _is_led_to(line: Line, clause: EventClause) -> bool:
    """Return whether a line ends with what was told about the player who now decides: `player 2 owes
    a card` and `ignores it` stand in one line.
    """
    last = line.clauses[-1]
    if clause.actor is None or len(line.clauses) == 1 or last.kind != "tell":
        return False
    subject = split_subject(last.words)
    return subject is not None and subject[0] == Seat(clause.actor) and _belongs(Line((last,)), clause)


def _belongs(line: Line, clause: EventClause) -> bool:
    """Return whether a clause is told in the same line.

    What follows from a decision is, and so is the same seat's next decision. Something announced stands
    before the decision that it leads to.
    """
    last = line.clauses[-1]
    if clause.kind == "end":
        return False
    if len(line.clauses) >= MAX_CLAUSES and not _goes_on(last, clause):
        return False
    if len(line.text) + len(clause.words) + 2 > MAX_LINE:
        return False
    if last.is_secret and not clause.is_secret and isinstance(last.form, Choices):
        return False
    if _begins_anew(line, clause):
        return False
    if clause.actor is None:
        return True
    if all(one.kind in ("say", "tell") and one.actor is None for one in line.clauses):
        return True
    if line.actor == clause.actor:
        return all(one.actor in (None, clause.actor) for one in line.clauses)
    # several decide the same: a vote, sealed bids
    is_asked_alike = clause.asked_at is not None and clause.asked_at == last.asked_at
    return is_asked_alike and isinstance(last.form, Choices) and isinstance(clause.form, Choices)


def _begins_anew(line: Line, clause: EventClause) -> bool:
    """Return whether a clause is something new: what several got or played in turn, behind something that
    one of them did.
    """
    return isinstance(clause.form, Dealt) and split_subject(line.clauses[-1].words) is not None


@dataclass(frozen=True, slots=True)
class Prompt:
    """The line above the options of a seat.

    `part` is the group of phases that it is in (a turn, a round), `step` the phase; `about` are words that
    its options share; `reacts_to` is the last event, if the seat is asked for a reaction. Each is empty if
    there is nothing to say. `at_once`: others choose at the same time.
    """

    seat: int
    part: Text = field(default=Text())
    step: Text = field(default=Text())
    about: str = ""
    reacts_to: Text = field(default=Text())
    at_once: bool = False

    @property
    def text(self) -> Text:
        """The prompt as a line."""
        who = Seat(self.seat)
        if self.reacts_to:
            return Text.of(who, " may react to: ", self.reacts_to)
        steps = (self.part, self.step, "all at once" if self.at_once else "")
        where = join(" · ", [words for words in steps if words])
        line = Text.of(who, " decides")
        if where:
            line = Text.of(line, " · ", where)
        return Text.of(line, f": {self.about}") if self.about else line


def prompt(events: Iterable[Event], seat: int, asks: str, *, at_once: bool = False) -> Prompt:
    """The prompt of a seat that perceived these events (`Narrator.prompt`)."""
    narrator = Narrator()
    narrator.tell(events)
    return narrator.prompt(seat, asks, at_once=at_once)
