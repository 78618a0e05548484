"""What a bot that searches thinks of a position, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.play.agents import UnknownAgent, admitted_names, new_agent
from croupier.play.agents.search_agents import TreeAgent
from croupier.runtime.arguments import keys_of, seat_of
from croupier.runtime.state import SearchedOption
from croupier.runtime.streams import Stream, seat_purpose

if TYPE_CHECKING:
    from croupier.runtime.state import State


def search(state: State, bot: str, seat: int | None = None, seed: int = 1) -> list[SearchedOption]:
    """What a bot that searches (`mcts:1000`, `ismcts:100`, `mcts!:100`) finds of each legal action of a seat,
    in the order of `legal_actions`. `State.search` calls this.

    `seat`: from 0; the first that has to decide, if it is left out. The same seed finds the same on every
    back end.

    Raises ValueError for a bot that does not search, or looks at what is hidden and does not say so; for a
    seat that is not there, or has nothing to decide, and for a seed that is not from 0 to 2^64 - 1.
    """
    seed, game = keys_of(seed, 1)
    agent = new_agent(bot)
    if not isinstance(agent, TreeAgent):
        raise UnknownAgent(f"`{bot}` does not search: write `mcts:N` or `ismcts:N`")
    admitted_names([bot], state.game)
    pending = state.pending_seats()
    if not pending:
        raise ValueError("nobody has to decide here")
    who = pending[0] if seat is None else seat_of(seat, state.players)
    options = state.legal_actions(who)
    if not options:
        raise ValueError(f"seat {who} has nothing to decide here")
    agent.begin(who, state.players, Stream(seed, game, seat_purpose(who)))
    return [
        SearchedOption(one.action, str(state.action_to_string(who, one.action)), one.visits, one.worth)
        for one in agent.search(state, who, options)
    ]
