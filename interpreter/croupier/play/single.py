"""One simulated game, played step by step or by a back end alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from croupier.play.game import Game
from croupier.play.match import Match
from croupier.play.plain import plain
from croupier.play.record import Step
from croupier.play.setup import Setup

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State


def _reason(outcome: Mapping[str, Any]) -> str | None:
    """Why a game did not finish; of a fault the code and the author's line too."""
    reason: str | None = outcome.get("reason")
    fault = outcome.get("fault")
    if not isinstance(fault, Mapping) or "line" not in fault:
        return reason
    return f"{reason}; {fault['code']} at {fault['file']}:{fault['line']}"


def play_one(ruleset: Ruleset, setup: Setup, initial: State, number: int, should_stop: Callable[[], bool]) -> Game | None:
    """One whole game; None if it was told to stop before its end, because half a game is no result."""
    if setup.bots == ("random",) and not setup.invariants and not setup.turn_order:
        rolled = _rolled(initial, setup.seed, number)
        if rolled is not None:
            return rolled
    try:
        match = Match(ruleset, setup, number, initial=initial.clone(), light=True)
        while match.step():
            if should_stop():
                return None
        record = match.record()
    except Exception as error:
        error.add_note(f"in game {number} with seed {setup.seed}")
        raise
    scores = record.outcome.get("scores")
    return Game(
        game=number,
        final_hash=record.final_hash,
        status=record.status,
        returns=tuple(record.returns),
        winners=tuple(record.outcome["winners"] or ()),
        scores=tuple(scores) if scores is not None else None,
        grade=record.outcome.get("grade"),
        decisions=record.decisions,
        chance_events=record.chance_events,
        reason=_reason(record.outcome),
        order=turn_order(match.steps, match.players) if setup.turn_order else None,
    )


def turn_order(steps: Sequence[Step], players: int) -> tuple[int, ...]:
    """The seats in the order of their first decisions; who decides at once with others, and who decides nothing, in the order of seats."""
    decided = dict.fromkeys(choice.seat for step in steps if not step.is_chance for choice in step.choices)
    return tuple(dict.fromkeys((*decided, *range(players))))


def _rolled(initial: State, seed: int, number: int) -> Game | None:
    """The same game played by the back end alone, where it can play whole games: only those that finish, because others need words."""
    result = initial._whole_game(seed, number)
    if result is None or result.outcome["status"] != "finished":
        return None
    outcome = plain(result.outcome)
    return Game(
        game=number,
        final_hash=result.final_hash,
        status="finished",
        returns=tuple(outcome["returns"]),
        winners=tuple(outcome["winners"] or ()),
        scores=None if outcome["scores"] is None else tuple(outcome["scores"]),
        grade=outcome["grade"],
        decisions=result.decisions,
        chance_events=result.chance_events,
        reason=None,
    )
