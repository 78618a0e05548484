"""How a game ended.

The state says `finished`, `unfinished` (a declared limit), `stuck` or `faulted`.  The driver adds what only it can know: the
user interrupted the game, an invariant that it was asked to check does not hold, or a seat must act and cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from croupier.diagnostics import Diagnostic, sanitise
from croupier.diagnostics.render import as_json
from croupier.play.plain import plain

if TYPE_CHECKING:
    from croupier.runtime.state import State

INTERRUPTED = "interrupted"
STATUSES = ("finished", "unfinished", "stuck", "faulted")


def outcome_of(state: State, findings: Sequence[Diagnostic] = ()) -> dict[str, Any]:
    """The outcome as a JSON value.  `findings` are invariants that do not hold; a game that goes on counts as interrupted."""
    outcome: dict[str, Any] = plain(state.outcome())
    if findings:
        first = findings[0]
        reason = sanitise(first.message)
        return outcome | {"status": "faulted", "winners": [], "returns": [], "scores": None, "reason": reason, "fault": as_json(first)}
    if outcome["status"] != "running":
        return outcome
    seat = stuck_seat(state)
    if seat is not None:
        return outcome | {"status": "stuck", "winners": [], "returns": [], "reason": f"player {seat + 1} must act and has no legal action"}
    return outcome | {"status": "unfinished", "winners": [], "returns": [], "reason": INTERRUPTED}


def stuck_seat(state: State) -> int | None:
    """The first seat, from 0, that must act and has no legal action, or None."""
    return next((seat for seat in state.pending_seats() if not state.legal_actions(seat)), None)
