"""The random agent: every legal action is as likely as any other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.runtime.streams import Stream, seat_purpose

if TYPE_CHECKING:
    from croupier.runtime.state import State


class RandomAgent:
    """Draws `uniform` over the options in canonical order, from a stream of its own for each game and seat."""

    def __init__(self, seed: int, game: int, seat: int) -> None:
        self._stream = Stream(seed, game, seat_purpose(seat))

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """An option drawn at random; a single option uses up no random number."""
        return options[self._stream.uniform(len(options))]
