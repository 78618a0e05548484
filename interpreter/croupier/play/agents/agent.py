"""What an agent is: something that picks one of the legal actions of its seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from croupier.runtime.state import State


class Agent(Protocol):
    """An agent at one seat in one game.  One that plays fairly reads no more of a state than `state.observation(seat)`."""

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """One of the options, which are the seat's legal actions in canonical order and never empty; `seat` counts from 0."""
        ...


AgentFactory = Callable[[int, int, int], Agent]
"""Makes an agent from the seed, the number of the game from 1, and the seat from 0."""
