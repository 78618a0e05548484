"""What a person is told of the game: for each seat what it perceived and was not told yet.

At the beginning of a sitting each seat is told everything that it perceived so far. After that what two seats perceive alike is told once. Where the
person plays several seats a heading says whose view begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.console import draw

if TYPE_CHECKING:
    from croupier.narration import Names
    from croupier.play.session import Session
    from croupier.runtime.events import Event


class Teller:
    """Tells the seats of a session's person."""

    def __init__(self, session: Session, names: Names, detail: str) -> None:
        self.session, self.names, self.detail = session, names, detail
        self._shown: dict[int, int] = dict.fromkeys(session.persons, 0)
        self._said: dict[int, list[Event]] = {p: [] for p in session.persons}  # what other seats were told since this one was
        self._view: int | None = None  # whose view was told last
        self._begun = False

    def begin(self, seat: int | None) -> None:
        """Tell each seat everything so far, and last the seat that decides, if there is one; only the first time."""
        if self._begun:
            return
        self._begun = True
        for p in sorted(self._shown, key=lambda p: (p == seat, p)):
            self._tell(p, self.session.state.events(p))
        self.forget()

    def tell(self, seat: int) -> None:
        """What the seat perceived since it was last told, but for what another seat of the person's was told already, and the phase it is in."""
        from croupier.cli.views.table import without

        new = without(self.session.state.events(seat)[self._shown[seat] :], self._said[seat])
        self._tell(seat, new)
        self._said[seat].clear()
        for p, said in self._said.items():
            if p != seat:
                said += new

    def _tell(self, seat: int, events: list[Event]) -> None:
        from croupier.cli.views.table import happened, view

        state = self.session.state
        told = happened(events, not state.is_terminal(), self.names, self.detail)
        if told and len(self._shown) > 1 and self._view != seat:
            draw(view(seat, self.names))
            self._view = seat
        if told:
            draw(told)
        self._shown[seat] = len(state.events(seat))

    def forget(self) -> None:
        """What was told of a decision that was taken back is told again, when it happens."""
        self._shown = {p: min(n, len(self.session.state.events(p))) for p, n in self._shown.items()}
        self._said = {p: [] for p in self._said}
