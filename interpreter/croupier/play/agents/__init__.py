"""Agents, and what makes them of specifications: `random`, `flat:50`, `avoid:pass:mcts:100`, the class of a
file.

`bots` in a command or a saved game is one specification for all seats, or one a seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from croupier.diagnostics import did_you_mean
from croupier.play.agents.agent import Agent, AgentFactory, file_agent, is_file
from croupier.play.agents.expression_agents import GreedyAgent, PolicyAgent
from croupier.play.agents.search_agents import FlatAgent, tree_agent
from croupier.play.agents.simple_agents import AvoidingAgent, FirstAgent, RandomAgent
from croupier.runtime.streams import Stream, seat_purpose


class UnknownAgent(ValueError):
    """A name of a bot that does not exist, or the wrong number of names; the message is for the user."""


def _plain(make: Callable[[], Agent]) -> AgentFactory:
    """The factory of a bot that takes no argument."""

    def made(text: str) -> Agent:
        if text:
            raise ValueError(f"takes nothing after its name, not `{text}`")
        return make()

    return made


def _avoiding(text: str) -> Agent:
    pattern, _, other = text.partition(":")
    if not pattern:
        raise ValueError("wants the words of what is never taken, as in `avoid:*pass*:random`")
    return AvoidingAgent(pattern, new_agent(other or "random"))


AGENTS: Mapping[str, AgentFactory] = MappingProxyType(
    {
        "random": _plain(RandomAgent),
        "first": _plain(FirstAgent),
        "greedy": GreedyAgent,
        "flat": FlatAgent,
        "mcts": tree_agent(is_fair=False),
        "ismcts": tree_agent(is_fair=True),
        "policy": PolicyAgent,
        "avoid": _avoiding,
    }
)


ROLLING = ("flat", "mcts", "ismcts")
LOOKING_AHEAD = ("greedy", *ROLLING)


def new_agent(specification: str) -> Agent:
    """The agent that a specification means. Raises UnknownAgent."""
    name, _, text = specification.partition(":")
    if name in AGENTS:
        make = AGENTS[name]
    elif is_file(specification):
        name, text, make = specification, specification, file_agent
    else:
        near = did_you_mean(name, AGENTS)
        hint = (
            f"did you mean `{near}`?"
            if near
            else f"there are {', '.join(f'`{known}`' for known in AGENTS)}, and `FILE.py:CLASS`"
        )
        raise UnknownAgent(f"there is no bot `{name}`; {hint}")
    try:
        return make(text)
    except UnknownAgent:
        raise
    except ValueError as error:
        raise UnknownAgent(f"the bot `{name}` {error}" if name in AGENTS else str(error)) from None


def rolls_out(specification: str) -> bool:
    """Tell whether a bot plays games to their end while it thinks."""
    return _is_of(ROLLING, specification)


def looks_ahead(specification: str) -> bool:
    """Tell whether a bot takes steps of the game while it thinks, so that native code pays off at once."""
    return _is_of(LOOKING_AHEAD, specification)


def _is_of(names: Sequence[str], specification: str) -> bool:
    name, _, text = specification.partition(":")
    return name in names or name == "avoid" and _is_of(names, text.partition(":")[2])


def seat_agents(names: Sequence[str], players: int, seed: int, game: int) -> list[Agent]:
    """An agent for each seat, ready for that game.

    Raises UnknownAgent for an unknown name, or if there is neither one name nor one a seat.
    """
    agents = [new_agent(name) for name in _one_a_seat(names, players)]
    for seat, agent in enumerate(agents):
        agent.begin(seat, players, Stream(seed, game, seat_purpose(seat)))
    return agents


def agent_names(names: Sequence[str], players: int) -> list[str]:
    """The full specification of the agent of each seat. Raises UnknownAgent as `seat_agents` does."""
    return [new_agent(name).name() for name in _one_a_seat(names, players)]


def _one_a_seat(names: Sequence[str], players: int) -> list[str]:
    if len(names) == 1:
        return [names[0]] * players
    if len(names) != players:
        for name in names:
            new_agent(name)
        raise UnknownAgent(f"{len(names)} bots for {players} seats; give one for all seats, or one a seat")
    return list(names)


__all__ = [
    "AGENTS",
    "Agent",
    "AgentFactory",
    "UnknownAgent",
    "agent_names",
    "is_file",
    "looks_ahead",
    "new_agent",
    "rolls_out",
    "seat_agents",
]
