"""Lines: what somebody decided and what followed from that, under the headings of the phases.

Prompts: what stands above the options of a seat.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from croupier.narration.clauses import Choices, Clauses, EventClause, Moves
from croupier.records import dataclass
from croupier.runtime.events import Event

MAX_LINE = 240  # characters, after which something new begins a line of its own
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
    def text(self) -> str:
        """The words; of neighbouring decisions of one seat the seat is named once, and so is what was chosen
        and then goes somewhere.
        """
        parts: list[str] = []
        before: EventClause | None = None
        for clause in self.clauses:
            if before is not None and isinstance(before.form, Choices) and len(before.form.seats) == 1:
                chosen = before.form
            else:
                chosen = None
            same = (
                before is not None
                and before.actor is not None
                and before.actor == clause.actor
                and isinstance(before.form, Choices)
            )
            if chosen is not None and isinstance(clause.form, Moves):
                way = clause.form.follows_from(chosen.label)
            else:
                way = ""
            if way:
                parts[-1] += f", {way}"
            else:
                parts.append(clause.form.label if same and isinstance(clause.form, Choices) else clause.words)
            before = clause
        # a sentence goes on behind them
        ends = [part[:-1] if part.endswith(".") and not part.endswith("..") else part for part in parts[:-1]]
        return "; ".join([*ends, *parts[-1:]])

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules it follows from, each once."""
        above = self.groups if self.heading is None else (*self.groups, self.heading)
        return tuple(dict.fromkeys(rule for clause in (*above, *self.clauses) for rule in clause.rules))

    @property
    def title(self) -> str:
        """The words of the heading; empty without one."""
        return "" if self.heading is None else self.heading.words

    @property
    def part(self) -> str:
        """The titles of the groups of phases that begin here, a round, a turn; empty if no group begins."""
        return ", ".join(group.words for group in self.groups)

    @property
    def actor(self) -> int | None:
        """The seat that decided first in this line; `None` if nobody did."""
        return self.clauses[0].actor if self.clauses else None


class Narrator:
    """A narrator of a log as it grows, in time that is linear in what is new.

    A phase or a group in which nothing happened is left out, but for the last if the log has an open end:
    somebody decides there.
    """

    def __init__(self, *, together: bool = True) -> None:
        self._clauses = Clauses(together=together)
        self._tail = _Tail()
        self._part = self._step = ""

    def copy(self) -> Narrator:
        """A narrator in the same state that goes on independently."""
        other = Narrator()
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
                self._part, self._step = event.text, ""
            elif event.kind == "phase":
                self._step = "" if event.quiet else event.text
            whole = self._clauses.add(event)
            if whole is not None:
                self._tail, line = self._tail.after(whole, together=self._clauses.together)
                settled += [] if line is None else [line]
        return settled

    def unsettled(self, *, open_end: bool = False) -> list[Line]:
        """The lines behind those: what comes may still change them."""
        tail, lines = self._tail, list[Line]()
        if self._clauses.last is not None:
            tail, line = tail.after(self._clauses.last, together=self._clauses.together)
            lines += [] if line is None else [line]
        lines += [] if tail.line is None else [tail.line]
        if (tail.heading is not None or tail.groups) and open_end:
            lines.append(Line((), tail.heading, tail.groups))
        return lines

    def prompt(self, seat: int, asks: str, *, at_once: bool = False) -> Prompt:
        """Return the prompt of a seat that perceived the events so far.

        `asks` is what its decision is called (`observation(seat)["decision"]["asks"]`); `at_once`: it is one
        of several seats that choose at the same time.
        """
        if asks.startswith(_REACTION):
            last = next((line.clauses[-1].words for line in reversed(self.unsettled()) if line.clauses), "")
            return Prompt(
                seat,
                self._part,
                self._step,
                reacts_to=last[:MAX_REACTED_TO] or asks.removeprefix(_REACTION).replace("_", " "),
            )
        wording = _WORDING.search(asks)
        about = "" if wording is None else _JOINT.sub("", wording[1].partition("…")[0].strip(" :,"))
        return Prompt(seat, self._part, self._step, about if len(about) >= MIN_ABOUT else "", at_once=at_once)


@dataclass(frozen=True, slots=True)
class _Tail:
    """The last line, which the next clause may still join, and the headings that wait for a line."""

    line: Line | None = None
    heading: EventClause | None = None
    groups: tuple[EventClause, ...] = ()

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
            and self.line is not None
            and _belongs(self.line, clause)
        ):
            return _Tail(replace(self.line, clauses=(*self.line.clauses, clause))), None
        return _Tail(Line((clause,), self.heading, self.groups)), self.line


def narrate(events: Iterable[Event], *, open_end: bool = False, together: bool = True) -> list[Line]:
    """The lines of a log; a line for each event, unless what belongs `together` is told so."""
    narrator = Narrator(together=together)
    return [*narrator.tell(events), *narrator.unsettled(open_end=open_end)]


def _belongs(line: Line, clause: EventClause) -> bool:
    """Return whether a clause is told in the same line.

    A decision is, behind those of the same seat and what followed from them, and behind decisions of others
    that begin alike or that the same construct asked for: a vote, sealed bids. What follows from something
    is. What was announced stands before the decision that it leads to.
    """
    if clause.kind == "end" or len(line.text) + len(clause.words) > MAX_LINE:
        return False
    last = line.clauses[-1].form
    if line.clauses[-1].is_secret and not clause.is_secret and isinstance(last, Choices):
        return False
    if (
        isinstance(clause.form, Choices)
        and isinstance(last, Choices)
        and not set(last.seats) & set(clause.form.seats)
    ):
        same = clause.asked_at is not None and clause.asked_at == line.clauses[-1].asked_at
        return all(isinstance(c.form, Choices) for c in line.clauses) and (
            same or clause.form.begins_like(last)
        )
    if clause.kind == "decision" and all(c.kind in ("say", "tell") and c.actor is None for c in line.clauses):
        return clause.actor is not None
    if clause.kind == "decision" or clause.actor is not None:
        return (
            clause.actor is not None
            and line.actor == clause.actor
            and all(c.actor in (None, clause.actor) for c in line.clauses)
        )
    return True


@dataclass(frozen=True, slots=True)
class Prompt:
    """The line above the options of a seat.

    `part` is the group of phases that it is in (a turn, a round), `step` the phase; `about` are words that
    its options share; `reacts_to` is the last event, if the seat is asked for a reaction. Each is empty if
    there is nothing to say. `at_once`: others choose at the same time.
    """

    seat: int
    part: str = ""
    step: str = ""
    about: str = ""
    reacts_to: str = ""
    at_once: bool = False

    @property
    def text(self) -> str:
        """The prompt as a line."""
        who = f"player {self.seat + 1}"
        if self.reacts_to:
            return f"{who} may react to: {self.reacts_to}"
        where = " · ".join(
            words for words in (self.part, self.step, "all at once" if self.at_once else "") if words
        )
        line = f"{who} decides"
        if where:
            line += f" · {where}"
        if self.about:
            line += f": {self.about}"
        return line


def prompt(events: Iterable[Event], seat: int, asks: str, *, at_once: bool = False) -> Prompt:
    """The prompt of a seat that perceived these events (`Narrator.prompt`)."""
    narrator = Narrator()
    narrator.tell(events)
    return narrator.prompt(seat, asks, at_once=at_once)
