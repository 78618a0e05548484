"""The greedy agent looks one step ahead and takes the option after which a measure is highest.

`greedy` alone measures what the rules pay: an option that ends the game well is taken, one that ends it badly is left; `greedy:EXPRESSION` measures
an expression of the rule language, in which `me` is the seat. Ties are broken at random. What the seat does not see is drawn (`State.resample`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.play.measure import Measure

if TYPE_CHECKING:
    from croupier.runtime.state import State
    from croupier.runtime.streams import Stream


class GreedyAgent:
    """Takes the option after which its measure is highest."""

    _stream: Stream

    def __init__(self, expression: str = "") -> None:
        self._expression = expression
        self._measure: Measure | None = None

    def name(self) -> str:
        """`greedy`, with its expression."""
        return f"greedy:{self._expression}" if self._expression else "greedy"

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """Draws from this stream."""
        self._stream, self._measure = stream, None

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """The option after which the measure is highest. Raises RulesetError for an expression that the ruleset does not know."""
        if len(options) == 1:
            return options[0]
        possible = state.resample(seat, self._stream)
        worth = [self._worth(possible, seat, option) for option in options]
        best = [option for option, value in zip(options, worth, strict=True) if value == max(worth)]
        return best[self._stream.uniform(len(best))]

    def _worth(self, state: State, seat: int, option: int) -> float:
        after = state.clone()
        after.apply_action(option, seat)
        if not self._expression:
            return float(after.returns()[seat])
        if self._measure is None:
            self._measure = Measure(state.game, self._expression)
        return self._measure.value(after, seat)

    def end(self, state: State, seat: int) -> None:
        """There is nothing to learn."""
