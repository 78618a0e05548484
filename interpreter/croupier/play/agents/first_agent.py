"""The first agent: always the first legal action in canonical order; the same game every time, but for chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.runtime.state import State


class FirstAgent:
    """Takes the first option."""

    def __init__(self, seed: int, game: int, seat: int) -> None:
        pass

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """The first option."""
        return options[0]
