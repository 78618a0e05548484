"""What a seat may think of what it does not see: states that it cannot tell from the real one, drawn fast.

In comes a state and a seat, out come states with the same information state. Where components that lie in
zones are all that is hidden, a history is a table of where each lay, and components that the seat did not see
may trade places (`core/exchanges.py`); every proposal is played anew and looked at by what the seat would
have perceived. Elsewhere all histories are followed (`resampling.py`).

    sightings.py          a recorder that notes which components a seat sees or hears named
    history_table.py      a history as a table, or why it cannot be one
    exchangeable.py       what in a ruleset speaks against the table, with positions
    exchange_sampler.py   the chain that draws histories
    resampling.py         the chain over all histories, and all of them where they are few
    replays.py            a history played anew, on native code or by the evaluator
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.inference.exchange_sampler import ExchangeSampler
from croupier.inference.exchangeable import reasons_against
from croupier.inference.history_table import NoTable
from croupier.inference.resampling import Resampler
from croupier.runtime.visibility import hides_nothing_ever

if TYPE_CHECKING:
    from croupier.runtime.engine import Engine
    from croupier.runtime.state import State, StateSampler


def fits_exchanges(engine: Engine) -> bool:
    """Return whether hidden states of a game may be drawn by exchanges of components."""
    return not hides_nothing_ever(engine.game) and not reasons_against(engine.game)


def sampler(state: State, seat: int, previous: StateSampler | None = None) -> StateSampler:
    """Return a sampler of states that a seat, from 0, cannot tell from a state: by exchanges where its
    history is a table, else by histories.

    With the `previous` one of the same seat and game, the history up to there is not followed again. Raises
    NoResample (a ValueError) where the state cannot be understood so.
    """
    if state.engine.kept(fits_exchanges):
        try:
            return ExchangeSampler(state, seat, previous)
        except NoTable:
            pass
    return Resampler(state, seat, previous=previous if isinstance(previous, Resampler) else None)


__all__ = ["ExchangeSampler", "NoTable", "reasons_against", "sampler"]
