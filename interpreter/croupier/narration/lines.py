"""Lines: what somebody decided and what followed from that, under the headings of the phases. Prompts: what stands above the options of a seat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from croupier.narration.clauses import Choices, Clause, clauses
from croupier.runtime.events import Event

MAX_LINE = 240  # characters, after which something new begins a line of its own
MAX_REACTED_TO = 160  # characters
MIN_ABOUT = 3  # characters: more than a preposition
_WORDING = re.compile(r"“(.*)”$")
_REACTION = "react in "


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a narration: clauses that belong together, below a heading or not; or only a heading."""

    clauses: tuple[Clause, ...]
    heading: Clause | None = None
    groups: tuple[Clause, ...] = ()  # of phases that begin here, such as a turn: from the outermost on

    @property
    def is_heading(self) -> bool:
        """Is there nothing here but a heading?"""
        return not self.clauses

    @property
    def text(self) -> str:
        """The words; of neighbouring decisions of one seat the seat is named once."""
        parts: list[str] = []
        before: Clause | None = None
        for clause in self.clauses:
            same = before is not None and before.actor is not None and before.actor == clause.actor and isinstance(before.form, Choices)
            parts.append(clause.form.label if same and isinstance(clause.form, Choices) else clause.words)
            before = clause
        return "; ".join(parts)

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
        """The titles of the groups of phases that begin here, a round, a turn; empty if none does."""
        return ", ".join(group.words for group in self.groups)

    @property
    def actor(self) -> int | None:
        """Who decided first in this line, if somebody did."""
        return self.clauses[0].actor if self.clauses else None


def narrate(events: Iterable[Event], *, open_end: bool = False, together: bool = True) -> list[Line]:
    """The lines of a log; a line for each event, unless what belongs `together` is told so.

    A phase or a group in which nothing happened is left out, but for the last if the log has an `open_end`: somebody decides there.
    """
    lines: list[Line] = []
    heading: Clause | None = None
    groups: tuple[Clause, ...] = ()
    for clause in clauses(events, together=together):
        if clause.kind == "group":
            heading, groups = None, (*(group for group in groups if group.level < clause.level), clause)
        elif clause.kind == "phase":
            heading = clause
        elif together and heading is None and not groups and lines and _belongs(lines[-1], clause):
            lines[-1] = replace(lines[-1], clauses=(*lines[-1].clauses, clause))
        else:
            lines.append(Line((clause,), heading, groups))
            heading, groups = None, ()
    if (heading is not None or groups) and open_end:
        lines.append(Line((), heading, groups))
    return lines


def _belongs(line: Line, clause: Clause) -> bool:
    """Is this told in the same line?

    A decision is, behind those of the same seat and what followed from them, and behind decisions of others that begin alike: a vote. What follows
    from something is. What was announced stands before the decision that it leads to.
    """
    if clause.kind == "end" or len(line.text) + len(clause.words) > MAX_LINE:
        return False
    last = line.clauses[-1].form
    if isinstance(clause.form, Choices) and isinstance(last, Choices) and not set(last.seats) & set(clause.form.seats):
        return all(isinstance(c.form, Choices) for c in line.clauses) and clause.form.begins_like(last)
    if clause.kind == "decision" and all(c.kind in ("say", "tell") and c.actor is None for c in line.clauses):
        return clause.actor is not None
    if clause.kind == "decision" or clause.actor is not None:
        return clause.actor is not None and line.actor == clause.actor and all(c.actor in (None, clause.actor) for c in line.clauses)
    return True


@dataclass(frozen=True, slots=True)
class Prompt:
    """What stands above the options of a seat.

    `part` is the group of phases that it is in (a turn, a round), `step` the phase; `about` are words that its options share; `reacts_to` is what
    happened last, if the seat is asked for a reaction. Empty where there is none.
    """

    seat: int
    part: str = ""
    step: str = ""
    about: str = ""
    reacts_to: str = ""

    @property
    def text(self) -> str:
        """The prompt as a line."""
        who = f"player {self.seat + 1}"
        if self.reacts_to:
            return f"{who} may react to: {self.reacts_to}"
        where = " · ".join(words for words in (self.part, self.step) if words)
        return f"{who} decides" + (f" · {where}" if where else "") + (f": {self.about}" if self.about else "")


def prompt(events: Sequence[Event], seat: int, asks: str) -> Prompt:
    """The prompt of a seat that perceived these events, and whose decision is called so (`observation(seat)["decision"]["asks"]`)."""
    part, step = "", ""
    for event in events:
        if event.kind == "group":
            part, step = event.text, ""
        elif event.kind == "phase":
            step = "" if event.quiet else event.text
    if asks.startswith(_REACTION):
        last = next((line.clauses[-1].words for line in reversed(narrate(events)) if line.clauses), "")
        return Prompt(seat, part, step, reacts_to=last[:MAX_REACTED_TO] or asks.removeprefix(_REACTION).replace("_", " "))
    wording = _WORDING.search(asks)
    about = "" if wording is None else wording[1].partition("…")[0].strip(" :,")
    return Prompt(seat, part, step, about if len(about) >= MIN_ABOUT else "")
