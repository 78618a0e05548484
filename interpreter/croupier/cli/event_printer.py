"""The events that `croupier play` prints line by line.

For each seat of the person, the events that it perceived and that were not printed yet. At the beginning
these are all events so far. An event that two seats perceive alike is printed once. If the person plays
several seats, a heading names the seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.console import draw, width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from croupier.narration import Names
    from croupier.play.session import Session
    from croupier.runtime.events import Event


class EventPrinter:
    """Prints the events that the seats of a session's person perceive, each once."""

    def __init__(self, session: Session, names: Names, detail: str, spoken: bool = False) -> None:
        self.session, self.names, self.detail, self.spoken = session, names, detail, spoken
        self._shown: dict[int, int] = dict.fromkeys(session.persons, 0)
        # events printed for other seats since the last of this one
        self._told_elsewhere: dict[int, list[Event]] = {p: [] for p in session.persons}
        self._view: int | None = None  # the seat of the last heading
        self._begun = False

    def begin(self, seat: int | None) -> None:
        """Print all events so far for each seat, last for the seat that decides, if there is one.

        Only the first call does so.
        """
        if self._begun:
            return
        self._begun = True
        for p in sorted(self._shown, key=lambda p: (p == seat, p)):
            self._tell(p, self.session.state.events(p))
        self.forget()

    def tell(self, seat: int) -> None:
        """Print the new events of a seat, without those printed for another seat of the person, and the
        current phase.
        """
        from croupier.cli.views.interactive import events_not_told
        from croupier.narration import ends_choice

        events, begin = self.session.state.events(seat), self._shown[seat]
        if 0 < begin < len(events) and ends_choice(events[begin], events[begin - 1]):
            begin += 1  # the line before named what was chosen
        new = events_not_told(events[begin:], self._told_elsewhere[seat])
        self._tell(seat, new)
        self._told_elsewhere[seat].clear()
        for p, said in self._told_elsewhere.items():
            if p != seat:
                said += new

    def text(self, events: Sequence[Event]) -> Text:
        """Return events in words, with the current phase while the game goes on."""
        from croupier.cli.views.interactive import recent_events

        state, room = self.session.state, None if self.spoken else width()
        return recent_events(events, not state.is_terminal(), self.names, self.detail, room, state.players)

    def _tell(self, seat: int, events: list[Event]) -> None:
        from croupier.cli.views.interactive import view_heading

        told = self.text(events)
        if told and len(self._shown) > 1 and self._view != seat:
            draw(view_heading(seat, self.names))
            self._view = seat
        if told:
            draw(told)
        self._shown[seat] = len(self.session.state.events(seat))

    def forget(self) -> None:
        """Forget printed events after an undo, so that they are printed when they happen again."""
        self._shown = {p: min(n, len(self.session.state.events(p))) for p, n in self._shown.items()}
        self._told_elsewhere = {p: [] for p in self._told_elsewhere}
