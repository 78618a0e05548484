"""Agents, one per file, and the table of their names.

`bots` in a command or a saved game is one name for all seats, or one name a seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from croupier.diagnostics import did_you_mean
from croupier.play.agents.agent import Agent, AgentFactory
from croupier.play.agents.first_agent import FirstAgent
from croupier.play.agents.random_agent import RandomAgent

AGENTS: Mapping[str, AgentFactory] = MappingProxyType({"random": RandomAgent, "first": FirstAgent})


class UnknownAgent(ValueError):
    """A name of a bot that does not exist, or the wrong number of names; the message is for the user."""


def seat_agents(names: Sequence[str], players: int, seed: int, game: int) -> list[Agent]:
    """An agent for each seat.  Raises UnknownAgent for an unknown name, or if there is neither one name nor one a seat."""
    return [AGENTS[name](seed, game, seat) for seat, name in enumerate(agent_names(names, players))]


def agent_names(names: Sequence[str], players: int) -> list[str]:
    """One name a seat.  Raises UnknownAgent as `seat_agents` does."""
    for name in names:
        if name not in AGENTS:
            near = did_you_mean(name, AGENTS)
            hint = f"did you mean `{near}`?" if near else f"there are {', '.join(f'`{known}`' for known in AGENTS)}"
            raise UnknownAgent(f"there is no bot `{name}`; {hint}")
    if len(names) == 1:
        return [names[0]] * players
    if len(names) != players:
        raise UnknownAgent(f"{len(names)} bots for {players} seats; give one for all seats, or one a seat")
    return list(names)


__all__ = ["AGENTS", "Agent", "AgentFactory", "UnknownAgent", "agent_names", "seat_agents"]
