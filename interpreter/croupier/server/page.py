"""The page of one seat: its view, its log, the words of the rules that the log cites.

A function of what the seat may know, and of the ruleset.

The log only grows: its lines are kept. A page that names its version is sent only the lines that it does not
have.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from croupier.diagnostics import JsonObject
from croupier.narration import Line, Narrator, Prompt
from croupier.play.score_parts import score_columns
from croupier.play.start_and_end import start_values, who_won, why_over
from croupier.runtime.state import SPECTATOR
from croupier.table import text_of, view

if TYPE_CHECKING:
    from croupier.runtime.events import Event
    from croupier.runtime.state import State
    from croupier.text import Text


MAX_LINES = 400  # of the log, the last ones
MAX_MARKS = 4  # how many actions back an event may change before the whole log is made anew
_DIGEST = 8  # bytes


@dataclass(frozen=True)
class LogLine:
    """A line of the log as JSON, and the rules that it cites."""

    text: str
    rules: tuple[str, ...]


class Log:
    """The log of one reader: settled lines, of which the last ones are kept, and the lines that later events
    may still change.
    """

    def __init__(self, players: int = 0) -> None:
        self.players = players  # what all of them do is told of everybody
        self._events: Sequence[Event] = ()
        # after so many events: the narrator, how many lines were settled
        self._marks: list[tuple[int, Narrator, int]] = [(0, Narrator(players=players), 0)]
        self._digests = bytearray(_DIGEST)  # of the first 0, 1, 2 … settled lines
        self._kept: list[LogLine] = []  # settled lines, the last ones
        self.tail: tuple[LogLine, ...] = ()  # those that may still change
        self._start: Text | None = None

    @property
    def settled(self) -> int:
        """The number of lines that later events cannot change; only taking a decision back can."""
        return len(self._digests) // _DIGEST - 1

    @property
    def narrator(self) -> Narrator:
        """The narrator after the last event."""
        return self._marks[-1][1]

    def start(self, state: State, reader: int | None) -> Text:
        """The start of the game in words (`start_values`): the same in the whole game."""
        if self._start is None:
            self._start = start_values(state, reader)
        return self._start

    def update(self, events: Sequence[Event], *, open_end: bool) -> None:
        """Take the events as they are now: usually those of before, and more. They are kept."""
        count = len(self._events)
        if events[:count] != self._events:
            same = next(
                (i for i, (a, b) in enumerate(zip(self._events, events, strict=False)) if a != b),
                min(count, len(events)),
            )
            self._go_back(same)
        start, narrator, _ = self._marks[-1]
        narrator = narrator.copy()
        for line in narrator.tell(events[start:]):
            settled = log_line(line)
            self._digests += _digest(self.digest(self.settled), settled.text)
            self._kept.append(settled)
        if len(self._kept) > 2 * MAX_LINES:
            del self._kept[:-MAX_LINES]
        if len(events) > start:
            self._marks = [*self._marks[-MAX_MARKS:], (len(events), narrator, self.settled)]
        self._events = events
        self.tail = tuple(log_line(line) for line in narrator.unsettled(open_end=open_end))

    def _go_back(self, events: int) -> None:
        """Go back to the log after so many events, or before."""
        self._marks = [mark for mark in self._marks if mark[0] <= events]
        gone = self.settled - (self._marks[-1][2] if self._marks else 0)
        if not self._marks or gone > max(0, len(self._kept) - MAX_LINES) and self.settled > len(self._kept):
            self.__init__(self.players)  # type: ignore[misc]
        elif gone:
            del self._kept[-gone:], self._digests[-gone * _DIGEST :]

    def digest(self, lines: int) -> bytes:
        """A short text that stands for the first settled lines."""
        return bytes(self._digests[lines * _DIGEST : (lines + 1) * _DIGEST])

    def now(self) -> tuple[int, tuple[LogLine, ...], bytes]:
        """The last lines as they are now, the number of the first of them, the digests of the settled
        ones.
        """
        lines = (*self._kept[-MAX_LINES:], *self.tail)[-MAX_LINES:]
        return self.settled + len(self.tail) - len(lines), lines, bytes(self._digests)


def _digest(before: bytes, text: str) -> bytes:
    return hashlib.blake2b(before + text.encode(), digest_size=_DIGEST).digest()


@dataclass(frozen=True)
class TakenOption:
    """Something that a seat did without choosing it: why ("single": there was nothing else to do; "time": its
    time was over), and the words of the option.
    """

    why: str
    words: Text


@dataclass(frozen=True)
class Page:
    """The page of a seat: a version, the last lines of the log from the line `first` on, and everything else
    as JSON.

    The version says how many lines are settled, and which: `digests` stand for the first 0, 1, 2 … of them.
    """

    version: str
    first: int
    lines: tuple[LogLine, ...]
    digests: bytes
    rest: str
    rules: Mapping[str, tuple[str, str]]

    def since(self, known: str | None = None) -> bytes:
        """For a page of that version: the log from where it does not know it; all of it for others.

        `from` is the number of its first line.
        """
        settled, _, digest = (known or "").partition("-")
        line = int(settled) if settled.isdecimal() and len(settled) < _DIGEST else 0
        is_known = digest.partition("-")[0] == self.digests[line * _DIGEST : (line + 1) * _DIGEST].hex()
        first = max(self.first, line) if is_known else self.first
        lines = self.lines[first - self.first :]
        cited = {rule: self.rules[rule][1] for line in lines for rule in line.rules if rule in self.rules}
        log = ", ".join(line.text for line in lines)
        return (
            f'{{"version": "{self.version}", {self.rest}, "rules": {json.dumps(cited)}, "from": {first}, '
            f'"log": [{log}]}}'.encode()
        )


def page_of(
    state: State,
    seat: int | None,
    names: tuple[str, ...],
    log: Log,
    *,
    has_chosen: bool = False,
    can_undo: bool = False,
    time: JsonObject | None = None,
    taken: Sequence[TakenOption] = (),
) -> Page:
    """Return the page of a seat (`None`: a spectator); `has_chosen` while others still choose at the same
    time; `time` is what it says of the time that is kept (`MatchTime.to_json`), `taken` what the seat
    did without choosing it.

    The log goes on, and belongs to this seat.

    `can_undo` follows from what the seat perceived, too (`HostedMatch.can_undo`).
    """
    reader = SPECTATOR if seat is None else seat
    events = state.events(reader)
    seen = view(state, reader, events)
    if has_chosen:
        seen = replace(seen, decision=None)
    log.update(events, open_end=not state.is_terminal())
    body: JsonObject = {"seat": seat, "names": names, "has_chosen": has_chosen, "can_undo": can_undo}
    if time is not None:
        body["time"] = time
    if taken:
        body["taken"] = [{"why": one.why, "words": one.words.with_seats()} for one in taken]
    body |= {
        "start": log.start(state, reader).with_seats(),
        "ended": ended(state, reader),
    }
    body["prompt"] = None
    if seat is not None and seen.decision is not None:
        prompt = log.narrator.prompt(seat, seen.decision.asks, at_once=state.is_simultaneous_node())
        body["prompt"] = prompt_parts(prompt)
    rest = f'{json.dumps(body)[1:-1]}, "view": {text_of(state, seen)}'
    first, lines, digests = log.now()
    whole = hashlib.sha256("\n".join([rest, *(line.text for line in log.tail)]).encode()).hexdigest()[:32]
    version = f"{log.settled}-{digests[-_DIGEST:].hex()}-{whole}"
    return Page(version, first, lines, digests, rest, state.ruleset.program.rule_ids)


def page(
    state: State,
    seat: int | None,
    names: tuple[str, ...],
    *,
    has_chosen: bool = False,
    can_undo: bool = False,
) -> bytes:
    """All that a seat is sent, for a page without a version."""
    return page_of(state, seat, names, Log(state.players), has_chosen=has_chosen, can_undo=can_undo).since()


def log_line(line: Line) -> LogLine:
    """A line of the log, as pages read it.

    Those of several seats are mostly the same: equal texts are kept once.
    """
    return LogLine(sys.intern(json.dumps(line_parts(line))), line.rules)


def line_parts(line: Line) -> dict[str, object]:
    """The parts of a line of the log. Texts are as in a view: players in them are seats."""
    return {
        "part": line.part.with_seats(),
        "heading": line.title.with_seats(),
        "text": line.text.with_seats(),
        "rules": line.rules,
        "actor": line.actor,
    }


def prompt_parts(prompt: Prompt) -> dict[str, object]:
    """The parts of what a seat is asked, with texts as in a view."""
    return {
        "seat": prompt.seat,
        "part": prompt.part.with_seats(),
        "step": prompt.step.with_seats(),
        "about": prompt.about,
        "reacts_to": prompt.reacts_to.with_seats(),
        "at_once": prompt.at_once,
    }


def ended(state: State, reader: int | None) -> dict[str, object] | None:
    """Who won a finished game, the rule that decided, the columns of its scores; `None` before the end."""
    outcome = state.outcome()
    if outcome["status"] != "finished":
        return None
    columns = [
        {"name": column.name, "kind": column.kind, "values": column.values}
        for column in score_columns(state, reader)
    ]
    return {"won": who_won(outcome).with_seats(), "why": why_over(state, reader), "scores": columns}
