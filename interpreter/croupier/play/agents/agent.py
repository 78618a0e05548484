"""What an agent is: something that picks one of the legal actions of its seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from croupier.runtime.state import State
    from croupier.runtime.streams import Stream


class Agent(Protocol):
    """A bot at one seat in one game: four methods.

    One that plays fairly reads no more of a state than `state.observation(seat)` and `state.information_state(seat)`, and thinks about what it does
    not see by `state.resample(seat, stream)`. Whatever it does at random it draws from the stream that it is given: then the same seed gives the
    same game. It is copied (`copy.deepcopy`) where a person may take a decision back.
    """

    def name(self) -> str:
        """The specification that makes it again: what stands in `--bots`, in records and in summaries."""
        ...

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """A game begins; the seat counts from 0."""
        ...

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """One of the options, which are the seat's legal actions in canonical order and never empty."""
        ...

    def end(self, state: State, seat: int) -> None:
        """The game is over; `state.outcome()` says how."""
        ...


AgentFactory = Callable[[str], Agent]
"""Makes an agent from what follows its name in a specification: `50` in `flat:50`. Raises ValueError with words for what it cannot be made of."""
