"""The states that a bot takes for possible at a decision, for bots that do not look at what is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.runtime.visibility import hides_nothing_ever

if TYPE_CHECKING:
    from croupier.runtime.state import State, StateSampler
    from croupier.runtime.streams import Stream


class PossibleStates:
    """Draws states that a seat cannot tell from the true one, in one game.

    Where nothing can ever be hidden, that is the true one: nothing is drawn, and no state is copied.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._is_open: bool | None = None
        self._sampler: StateSampler | None = None
        self._state: State | None = None

    def stand(self, state: State, seat: int) -> None:
        """Go on to a decision of a seat. Raises NoResample (a ValueError) where no state can be found."""
        if self._is_open is None:
            self._is_open = hides_nothing_ever(state.game)
        self._state = state
        if not self._is_open:
            self._sampler = state.resampler(seat, self._sampler)

    @property
    def is_one(self) -> bool:
        """Tell whether the true state is the only possible one because nothing can be hidden."""
        return self._is_open is True

    def draw(self) -> State:
        """A possible state, which must not be changed."""
        assert self._state is not None
        return self._state if self._is_open or self._sampler is None else self._sampler.draw(self._stream)

    @property
    def sampler(self) -> StateSampler | None:
        """What draws the states; `None` where nothing can be hidden."""
        return None if self._is_open else self._sampler
