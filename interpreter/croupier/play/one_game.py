"""One simulated game, played step by step or by a back end alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from croupier.play.match import GameMatch, MatchConfig
from croupier.play.measure import Grouping
from croupier.play.plain import plain
from croupier.play.record import RecordedStep
from croupier.play.results import GameResult, result_of
from croupier.runtime.state import State

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset


def play_one(
    ruleset: Ruleset, setup: MatchConfig, initial: State, number: int, should_stop: Callable[[], bool]
) -> GameResult | None:
    """One whole game; `None` if it was told to stop before its end, because half a game is no result."""
    if setup.bots == ("random",) and not setup.turn_order and not setup.by:
        rolled = _rolled_out(initial, setup, number)
        if rolled is not None:
            return rolled
    try:
        match = GameMatch(ruleset, setup, number, initial=initial.clone(), light=True)
        while match.step():
            if should_stop():
                return None
        record = match.record()
    except Exception as error:
        error.add_note(f"in game {number} with seed {setup.seed}")
        raise
    return replace(
        result_of(number, record.outcome, record.decisions, record.chance_events),
        order=turn_order(match.steps, match.players) if setup.turn_order else None,
        by=Grouping(match.state.engine, setup.by).values(match.state) if setup.by else None,
        verified_hash=record.final_hash if setup.verify else None,
        left_to_evaluator=isinstance(match.state, State) and match.state.left_to_evaluator(),
    )


def turn_order(steps: Sequence[RecordedStep], players: int) -> tuple[int, ...]:
    """The seats in the order of their first decisions; who decides at once with others, and who decides
    nothing, in the order of seats.
    """
    decided = dict.fromkeys(choice.seat for step in steps if not step.is_chance for choice in step.choices)
    return tuple(dict.fromkeys((*decided, *range(players))))


def _rolled_out(initial: State, setup: MatchConfig, number: int) -> GameResult | None:
    """Return the result of a game that its back end plays whole; `None` if it cannot, or if the game does not
    finish: such games need a reason in words.
    """
    result = initial._whole_game(setup.seed, number, setup.invariants)
    if result is None or result.outcome["status"] != "finished":
        return None
    game = result_of(number, plain(result.outcome), result.decisions, result.chance_events)
    return replace(game, verified_hash=result.final_hash) if setup.verify else game
