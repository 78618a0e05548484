"""Where a match stands in the blocks of its rules that take their time (`for 10 seconds`).

While such a block runs, only whoever is asked in it, or was, sees what happens: the pages of all others stay
as they were when it began, to the byte. When its time is over, whoever has not decided is decided for, as the
rules say, and everybody is shown at once how it stands. So neither what the others are sent nor when tells
who was asked, or whether anybody was.

The first block begins when everybody who plays has opened the table, so that nobody misses it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.diagnostics import JsonObject

if TYPE_CHECKING:
    from croupier.runtime.state import State


@dataclass(frozen=True)
class TimedBlock:
    """A block that runs: which one of the match, counted from 1; how many seconds it takes; what is chosen
    `otherwise` ("first" or "random"; empty if nobody decides in it).
    """

    number: int
    seconds: int
    otherwise: str


def no_call() -> None:
    """Return what is called when a block begins, unless somebody says more: nothing."""


class MatchTime:
    """The blocks of one match, whose `persons` are the seats of people."""

    def __init__(self, persons: Iterable[int]) -> None:
        self.block: TimedBlock | None = None
        self.number = 0  # blocks that have begun
        self.asked: set[int] = set()  # the people who were asked in the block that runs
        self.missing = set(persons)  # those who have not opened the table
        # what it refers to is called when a block begins, before anything happens in it
        self.on_begin: Callable[[], Callable[[], None] | None] = no_call
        self._depth = 0  # a block may call what has a block of its own, which is part of it

    @property
    def is_attended(self) -> bool:
        """Tell whether everybody has opened the table."""
        return not self.missing

    def is_hidden_from(self, seat: int | None) -> bool:
        """Tell whether a seat (`None`: a spectator) is not shown what happens now."""
        return self.block is not None and seat not in self.asked

    def note_asked(self, seats: Iterable[int]) -> None:
        """These people are asked now."""
        if self.block is not None:
            self.asked.update(seats)

    def is_awaited(self, state: State) -> bool:
        """Tell whether a block is about to begin, or the time of the one that runs must pass."""
        end = state.time_end()
        return end is not None and self._depth == int(end.is_end)

    def is_about_to_begin(self, state: State) -> bool:
        """Tell whether a block is about to begin."""
        return self._depth == 0 and self.is_awaited(state)

    def is_at_end(self, state: State) -> bool:
        """Tell whether everything in the block that runs has happened."""
        return self._depth == 1 and self.is_awaited(state)

    def pass_inner(self, state: State) -> bool:
        """Go on where the state stands at an end of a block within the one that runs; false elsewhere."""
        end = state.time_end()
        if end is None or self.is_awaited(state):
            return False
        self._depth += -1 if end.is_end else 1
        state.pass_time()
        return True

    def begin(self, state: State) -> None:
        """The block begins before which the state stands."""
        end = state.time_end()
        assert end is not None and not end.is_end
        self.number += 1
        self.block = TimedBlock(self.number, end.lasts(state._m), end.otherwise)
        self._depth = 1
        self.asked.clear()
        call = self.on_begin()
        if call is not None:
            call()
        state.pass_time()

    def end(self, state: State) -> None:
        """The time of the block is over, at whose end the state stands."""
        self.stop()
        state.pass_time()

    def stop(self) -> None:
        """No block runs any more."""
        self.block = None
        self._depth = 0
        self.asked.clear()

    def chosen_for(self, legal: Sequence[int]) -> int:
        """The action of whoever has not decided in time, one of the legal ones."""
        if self.block is not None and self.block.otherwise == "random":
            return secrets.choice(legal)
        return legal[0]

    def to_json(self, state: State) -> JsonObject | None:
        """What a page says of the time: the number and the seconds of the block that runs, or who has yet to
        open the table; `None` where no time is kept.
        """
        if self.block is not None:
            return {"number": self.block.number, "seconds": self.block.seconds}
        if self.missing and self.is_about_to_begin(state):
            return {"waits_for": sorted(self.missing)}
        return None
