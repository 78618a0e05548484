"""The random agent: every legal action is as likely as any other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.runtime.state import State
    from croupier.runtime.streams import Stream


class RandomAgent:
    """Draws `uniform` over the options in canonical order, from a stream of its own for each game and seat."""

    _stream: Stream

    def name(self) -> str:
        """`random`."""
        return "random"

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """Draws from this stream."""
        self._stream = stream

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """An option drawn at random; a single option uses up no random number."""
        return options[self._stream.uniform(len(options))]

    def end(self, state: State, seat: int) -> None:
        """There is nothing to learn."""
