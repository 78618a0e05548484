"""Agents that do not think: a random one, one that takes the first option, and one that keeps options from
another agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from croupier.play.agents.agent import Agent

if TYPE_CHECKING:
    from croupier.runtime.state import State
    from croupier.runtime.streams import Stream


class RandomAgent:
    """Draws `uniform` over the options in canonical order, from a stream of its own for each game and
    seat.
    """

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


class FirstAgent:
    """Takes the first option in canonical order: the same game every time, but for chance."""

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


class AvoidingAgent:
    """Keeps some options from another agent."""

    def __init__(self, pattern: str, agent: Agent) -> None:
        self._pattern, self._agent = pattern, agent

    def name(self) -> str:
        """`avoid:PATTERN:BOT`."""
        return f"avoid:{self._pattern}:{self._agent.name()}"

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """Begin the other agent's game."""
        self._agent.begin(seat, players, stream)

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """Return the choice of the other agent among the options whose words do not match."""
        left = [
            option for option in options if not matches(state.action_to_string(seat, option), self._pattern)
        ]
        return self._agent.choose(state, seat, left or options)

    def end(self, state: State, seat: int) -> None:
        """End the other agent's game."""
        self._agent.end(state, seat)


def matches(words: str, pattern: str) -> bool:
    """Tell whether the words of an option match a pattern with `*` and `?`, whatever their capitals."""
    return fnmatchcase(words.casefold(), pattern.casefold())
