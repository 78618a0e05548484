"""What a bot that searches thinks of a position, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.play.agents import UnknownAgent, admitted_names, new_agent
from croupier.play.agents.search_agents import TreeAgent
from croupier.runtime.arguments import seat_of
from croupier.runtime.streams import Stream, seat_purpose

if TYPE_CHECKING:
    from croupier.execution.search import OptionFigures
    from croupier.runtime.state import State


def search(state: State, bot: str, seat: int | None = None, seed: int = 1) -> list[OptionFigures]:
    """What a bot that searches (`mcts:1000`, `ismcts:100`, `mcts!:100`) finds of each legal action of a seat.

    `seat`: from 0; the first that has to decide, if it is left out. Each result has `action`, `visits` (how
    many rounds of the search went into it) and `worth` (what it is worth to the seat, from 0 to 1 but for
    rounding and scores; `None` without a round). The same seed finds the same on every back end.

    Raises ValueError for a bot that does not search, or looks at what is hidden and does not say so; for a
    seat that is not there, and where nobody decides.
    """
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
    agent.begin(who, state.players, Stream(seed, 1, seat_purpose(who)))
    return agent.search(state, who, options)
