"""Agents, and what makes them of specifications: `random`, `flat:50`, `avoid:pass:mcts:100`, the class of a
file.

`bots` in a command or a saved game is one specification for all seats, or one a seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from croupier.diagnostics import JsonObject, did_you_mean
from croupier.play.agents.agent import Agent, AgentFactory, file_agent, is_file
from croupier.play.agents.budget import TIME
from croupier.play.agents.expression_agents import GreedyAgent, PolicyAgent
from croupier.play.agents.search_agents import FlatAgent, tree_agent
from croupier.play.agents.simple_agents import AvoidingAgent, FirstAgent, RandomAgent
from croupier.runtime.streams import Stream, seat_purpose
from croupier.runtime.visibility import hides_nothing_ever

if TYPE_CHECKING:
    from croupier.runtime.game import Game


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
        "mcts": tree_agent("mcts"),
        "mcts!": tree_agent("mcts!"),
        "ismcts": tree_agent("ismcts"),
        "policy": PolicyAgent,
        "avoid": _avoiding,
    }
)


PEEKING = ("mcts", "mcts!")  # these search from the true position
ROLLING = ("flat", "mcts", "mcts!", "ismcts")
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


def is_timed(specification: str) -> bool:
    """Tell whether a bot thinks by the clock, so that the same seed does not give the same game."""
    name, _, text = specification.partition(":")
    if name == "avoid":
        return is_timed(text.partition(":")[2])
    return name in ROLLING and TIME.fullmatch(text.partition(":")[0]) is not None


def clock_note(names: Sequence[str]) -> JsonObject:
    """What the header of an output says of bots that think by the clock; nothing if there are none."""
    return {"reproducible": False} if any(map(is_timed, names)) else {}


def peeks(specification: str) -> bool:
    """Tell whether a bot looks at the true position, whatever is hidden from its seat."""
    return _is_of(PEEKING, specification)


def seat_agents(names: Sequence[str], game: Game, seed: int, number: int) -> list[Agent]:
    """An agent for each seat, ready for the game of this number.

    Raises UnknownAgent for an unknown name, if there is neither one name nor one a seat, and for a bot that
    looks at what is hidden and does not say so.
    """
    _refuse_peeking(names, game)
    agents = [new_agent(name) for name in _one_a_seat(names, game.players)]
    for seat, agent in enumerate(agents):
        agent.begin(seat, game.players, Stream(seed, number, seat_purpose(seat)))
    return agents


def admitted_names(names: Sequence[str], game: Game) -> list[str]:
    """The full specification of the agent of each seat. Raises UnknownAgent as `seat_agents` does."""
    found = agent_names(names, game.players)
    _refuse_peeking(names, game)
    return found


def agent_names(names: Sequence[str], players: int) -> list[str]:
    """The full specification of the agent of each seat, whatever the game.

    Raises UnknownAgent for an unknown name, and if there is neither one name nor one a seat.
    """
    return [new_agent(name).name() for name in _one_a_seat(names, players)]


def renamed_bots(names: Sequence[str], game: Game) -> tuple[str, ...]:
    """The bots of a game that was saved when `mcts` looked at what is hidden without saying so."""
    if hides_nothing_ever(game):
        return tuple(names)
    return tuple(_replaced(name, "mcts!") if _is_of(("mcts",), name) else name for name in names)


def _refuse_peeking(names: Sequence[str], game: Game) -> None:
    """Raise UnknownAgent for `mcts` where something can be hidden."""
    for name in names:
        if _is_of(("mcts",), name) and not hides_nothing_ever(game):
            fair, all_the_same = _replaced(name, "ismcts"), _replaced(name, "mcts!")
            raise UnknownAgent(
                f"`{name}` looks at what is hidden from its seat, and in {game.program.title} something may "
                f"be hidden, so its figures mislead; `{fair}` plays by what its seat knows, `{all_the_same}` "
                f"looks all the same"
            )


def _replaced(specification: str, by: str) -> str:
    """A specification with another bot in place of the `mcts` that decides."""
    name, _, text = specification.partition(":")
    if name == "avoid":
        pattern, _, other = text.partition(":")
        return f"avoid:{pattern}:{_replaced(other, by)}"
    return f"{by}:{text}" if text else by


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
    "admitted_names",
    "agent_names",
    "clock_note",
    "is_file",
    "is_timed",
    "looks_ahead",
    "new_agent",
    "peeks",
    "renamed_bots",
    "rolls_out",
    "seat_agents",
]
