"""The first agent: always the first legal action in canonical order; the same game every time, but for chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.runtime.state import State
    from croupier.runtime.streams import Stream


class FirstAgent:
    """Takes the first option."""

    def name(self) -> str:
        """`first`."""
        return "first"

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """There is nothing to prepare."""

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """The first option."""
        return options[0]

    def end(self, state: State, seat: int) -> None:
        """There is nothing to learn."""
