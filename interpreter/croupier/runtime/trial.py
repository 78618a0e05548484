"""Trying something out: on a copy of the machine, within limits of its own.

Trying takes no fuel of the action that tries. All that one action tries has, together, a number of positions that may be examined, and as much
fuel again as an action has. Past either, every back end gives the same fault.
"""

from __future__ import annotations

from typing import Any

from croupier.limits import MAX_POSITIONS
from croupier.runtime.faults import Fault


def examine(m: Any, span: Any) -> Any:
    """A copy of a machine to try something on. Raises `Fault` when too many positions were examined."""
    m.examined[0] += 1
    if m.examined[0] > MAX_POSITIONS:
        raise Fault("R018", span, limit=MAX_POSITIONS)
    trial = m.copy()
    if m.search is None:
        trial.search, trial.fuel = (0, -1), m.examined[1]
    return trial


def examine_machine(m: Any, span: Any) -> Any:
    """The same of the evaluator's machine, for whoever looks at it."""
    trial = examine(m, span)
    trial.seen = m.seen
    return trial


def examined(m: Any, trial: Any) -> None:
    """What was tried is over: the fuel it took is gone for whatever is tried next."""
    if m.search is None:
        m.examined[1] = trial.fuel
    else:
        m.fuel = trial.fuel
