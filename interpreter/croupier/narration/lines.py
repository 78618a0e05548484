"""Lines: what somebody decided and what followed from that, under the headings of the phases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from croupier.narration.clauses import Choices, Clause, clauses
from croupier.runtime.events import Event

MAX_LINE = 240  # characters, after which something new begins a line of its own


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a narration: clauses that belong together, below a heading or not; or only a heading."""

    clauses: tuple[Clause, ...]
    heading: Clause | None = None

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
        own = () if self.heading is None else self.heading.rules
        return tuple(dict.fromkeys((*own, *(rule for clause in self.clauses for rule in clause.rules))))

    @property
    def title(self) -> str:
        """The words of the heading; empty without one."""
        return "" if self.heading is None else self.heading.words

    @property
    def actor(self) -> int | None:
        """Who decided first in this line, if somebody did."""
        return self.clauses[0].actor if self.clauses else None


def narrate(events: Iterable[Event], *, open_end: bool = False, together: bool = True) -> list[Line]:
    """The lines of a log; a line for each event, unless what belongs `together` is told so.

    A phase in which nothing happened is left out, but for the last if the log has an `open_end`: somebody decides there.
    """
    lines: list[Line] = []
    heading: Clause | None = None
    for clause in clauses(events, together=together):
        if clause.kind == "phase":
            heading = clause
            continue
        if together and heading is None and lines and _belongs(lines[-1], clause):
            lines[-1] = Line((*lines[-1].clauses, clause), lines[-1].heading)
            continue
        lines.append(Line((clause,), heading))
        heading = None
    if heading is not None and open_end:
        lines.append(Line((), heading))
    return lines


def _belongs(line: Line, clause: Clause) -> bool:
    """Is this told in the same line?

    A decision is, behind those of the same seat and what followed from them, and behind decisions of others that begin alike: a vote. What follows
    from something is.
    """
    if clause.kind == "end" or len(line.text) + len(clause.words) > MAX_LINE:
        return False
    if isinstance(clause.form, Choices) and isinstance(line.clauses[-1].form, Choices) and line.clauses[-1].actor != clause.actor:
        return all(isinstance(c.form, Choices) for c in line.clauses) and clause.form.begins_like(line.clauses[-1].form)
    if clause.kind == "decision" or clause.actor is not None:
        return clause.actor is not None and line.actor == clause.actor and all(c.actor in (None, clause.actor) for c in line.clauses)
    return True
