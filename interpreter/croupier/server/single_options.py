"""Decisions with a single option: which of them are taken without a question.

A question that is not asked takes no time, and others see that. So it is left out only where they learn
nothing by it: where each of them knows that it is asked, and can work out that there is but one option; and
in a block of rules that takes its time whoever acts (`match_time.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.play.session import may_see
from croupier.runtime import lookahead
from croupier.runtime.state import SPECTATOR

if TYPE_CHECKING:
    from croupier.runtime.state import State


def may_be_left_out(state: State, seat: int) -> bool:
    """Tell whether all others, and spectators, know that a seat is asked now and what is on offer."""
    others = [who for who in range(state.players + 1) if who != seat]
    return state._m.asking()[0].seats == "one" and all(_knows_offer(state, who) for who in others)


def _knows_offer(state: State, who: int) -> bool:
    """Tell whether somebody (the number of players: a spectator) can work out which options are on offer."""
    m = state._m
    if not state.is_open_to(SPECTATOR if who == state.players else who):
        return False
    if may_see(state, who, range(len(m.game.zones))):
        return True
    op, frame = m.asking()
    return not any(lookahead.active(m)) and op.is_open_to(m, frame, who)
