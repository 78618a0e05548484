"""The end of a game.

The state says `finished`, `unfinished` (a declared limit), `stuck` or `faulted`.  The driver adds what only
it can know: the user interrupted the game, an invariant that it was asked to check does not hold, or a seat
must act and cannot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from croupier.diagnostics import Diagnostic, JsonObject, sanitise
from croupier.diagnostics.render import as_json
from croupier.play.plain import plain
from croupier.text import Seat, Text

if TYPE_CHECKING:
    from croupier.runtime.state import State


INTERRUPTED = "interrupted"
STATUSES = ("finished", "unfinished", "stuck", "faulted")


def outcome_of(state: State, findings: Sequence[Diagnostic] = ()) -> JsonObject:
    """The outcome as a JSON value.

    `findings` are invariants that do not hold; a game that goes on counts as interrupted.
    """
    outcome: JsonObject = plain(state.outcome())
    if findings:
        first = findings[0]
        reason = sanitise(first.message)
        return outcome | {
            "status": "faulted",
            "winners": [],
            "returns": [],
            "scores": None,
            "reason": reason,
            "fault": as_json(first),
        }
    if outcome["status"] != "running":
        return outcome
    seat = stuck_seat(state)
    if seat is not None:
        return outcome | {
            "status": "stuck",
            "winners": [],
            "returns": [],
            "reason": Text.of(Seat(seat), " must act and has no legal action"),
        }
    return outcome | {"status": "unfinished", "winners": [], "returns": [], "reason": INTERRUPTED}


def reason_of(outcome: JsonObject) -> str | None:
    """Return the reason why a game did not finish; of a fault the code and the author's line too."""
    reason: str | None = outcome.get("reason")
    fault = outcome.get("fault")
    if not isinstance(fault, Mapping) or "line" not in fault:
        return reason
    return f"{reason}; {fault['code']} at {fault['file']}:{fault['line']}"


def stuck_seat(state: State) -> int | None:
    """The first seat, from 0, that must act and has no legal action, or `None`."""
    return next((seat for seat in state.pending_seats() if not state.legal_actions(seat)), None)
