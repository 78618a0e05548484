"""The avoiding agent plays as another bot does, but never takes options whose words match: for restricted play.

`avoid:PATTERN:BOT`, as in `avoid:*pass*:mcts:100`: `*` stands for any words, capitals do not matter; without BOT it plays at random. Where
nothing else is on offer, it takes what there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.play.agents.agent import Agent
    from croupier.runtime.state import State
    from croupier.runtime.streams import Stream


class AvoidingAgent:
    """Keeps some options from another agent."""

    def __init__(self, pattern: str, agent: Agent) -> None:
        self._pattern, self._agent = pattern, agent

    def name(self) -> str:
        """`avoid:PATTERN:BOT`."""
        return f"avoid:{self._pattern}:{self._agent.name()}"

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """So does the other agent."""
        self._agent.begin(seat, players, stream)

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """What the other agent chooses of the options whose words do not match."""
        left = [option for option in options if not matches(state.action_to_string(seat, option), self._pattern)]
        return self._agent.choose(state, seat, left or options)

    def end(self, state: State, seat: int) -> None:
        """So does the other agent."""
        self._agent.end(state, seat)


def matches(words: str, pattern: str) -> bool:
    """Do the words of an option match a pattern with `*` and `?`, whatever their capitals?"""
    return fnmatchcase(words.casefold(), pattern.casefold())
