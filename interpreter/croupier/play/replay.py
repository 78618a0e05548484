"""The replay of a saved game, which verifies that it is the same game.

In a replay the actions are taken from the file, chance outcomes too, so no random number is drawn.  Before an
action is applied it must be the right seat's, legal, and mean the choice that is recorded beside it; after
it, the position's hash must be the recorded one.  At the end so must the result be, and the checksum that of
all that stands in the file: the seed, the bots and what was not played again are held by nothing else.  The
first difference ends the replay: what followed would be guesswork.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from croupier.diagnostics import Diagnostic, JsonObject, RulesetError, Span, diagnose
from croupier.play.outcome import INTERRUPTED, outcome_of
from croupier.play.plain import one_line, plain
from croupier.play.record import (
    CHANCE_SEAT,
    OVER,
    SEVERAL_SEATS,
    RecordedChoice,
    RecordedStep,
    checksum,
    count_decisions,
)
from croupier.play.saved import SavedGame
from croupier.play.script import who
from croupier.records import dataclass
from croupier.runtime.parameters import as_recorded

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State


@dataclass(frozen=True)
class Replayed:
    """The position after `applied` actions, all of them verified; `complete` if these were all and the result
    was verified too.
    """

    state: State
    applied: int
    complete: bool


def replay(
    saved: SavedGame,
    ruleset: Ruleset,
    at: int | None = None,
    backend: str = "reference",
    each: Callable[[State], object] | None = None,
) -> Replayed:
    """Apply and verify the first `at` recorded actions, or all of them and the result, on a back end: one of
    `execution.backends.BACKENDS`.

    `each` is called with the state at the beginning and after each action; who keeps it takes a copy. Where
    only words of the ruleset have changed since, options and results are compared without their words.

    Raises RulesetError with the first difference, or with what the ruleset says about the players and
    parameters, and ValueError if `at` is not a number of recorded actions.
    """
    record = saved.record
    if at is not None and not 0 <= at <= len(record.steps):
        raise ValueError(f"{at} is not between 0 and {len(record.steps)}")
    if not ruleset.goes_on(record.ruleset_hash, record.meaning_hash):
        place = saved.places["ruleset_hash"]
        found = record.ruleset_hash[:12]
        wanted = ruleset.ruleset_hash[:12]
        raise RulesetError([diagnose("X506", place, name=ruleset.name, found=found, wanted=wanted)])
    state = ruleset.new_initial_state(
        record.players, as_recorded(ruleset.program, record.parameters), backend=backend
    )
    if state.hash() != record.start_hash and not _is_faulted(state):
        raise RulesetError([diagnose("X515", saved.places["start_hash"], number=0)])
    count = len(record.steps) if at is None else at
    same_words = record.ruleset_hash == ruleset.ruleset_hash
    if each is not None:
        each(state)
    for number in range(1, count + 1):
        place = saved.actions[number - 1]
        problem = _apply(state, record.steps[number - 1], number, place, same_words=same_words)
        if problem is None and state.is_terminal() and number < len(record.steps):
            problem = diagnose("X511", saved.actions[number], number=number, recorded=len(record.steps))
        if problem is not None:
            raise RulesetError([problem])
        if each is not None:
            each(state)
    if at is None:
        differences = _compare_end(saved, state, same_words=same_words)
        if differences:
            raise RulesetError(differences)
    if checksum(record.to_json() | {"digest": saved.digest}) != saved.checksum:
        raise RulesetError([diagnose("X518", saved.places["checksum"])])
    return Replayed(state, count, complete=at is None)


def _apply(
    state: State, step: RecordedStep, number: int, place: Span, *, same_words: bool
) -> Diagnostic | None:
    wanted = [CHANCE_SEAT] if state.is_chance_node() else state.pending_seats()
    if [choice.seat for choice in step.choices] != wanted or step.several != state.is_simultaneous_node():
        expected = "nobody" if not wanted else " and ".join(map(who, wanted))
        found = "several seats at once" if step.seat == SEVERAL_SEATS else who(step.seat)
        return diagnose("X513", place, number=number, found=found, wanted=expected)
    for choice in step.choices:
        problem = _check(state, choice, number, place, same_words=same_words)
        if problem is not None:
            return problem
    if step.several:
        state.apply_actions([choice.action for choice in step.choices])
    else:
        state.apply_action(step.choices[0].action)
    if state.hash() == step.hash or _is_faulted(state):
        return None
    return diagnose("X515", place, number=number)


def _is_faulted(state: State) -> bool:
    """Did the rules fail there? The hash of such a position names the place in the text, which moves with
    every line before it.
    """
    return state.current_player() == OVER and state.outcome()["fault"] is not None


def _check(
    state: State, choice: RecordedChoice, number: int, place: Span, *, same_words: bool
) -> Diagnostic | None:
    chance = choice.seat == CHANCE_SEAT
    legal = [action for action, _ in state.chance_outcomes()] if chance else state.legal_actions(choice.seat)
    if choice.action not in legal:
        return diagnose("X512", place, number=number, who=who(choice.seat), action=one_line(choice.choice))
    if same_words and plain(state.action_to_struct(choice.seat, choice.action)) != state.with_full_name(
        choice.choice
    ):
        text = state.action_to_string(choice.seat, choice.action)
        return diagnose("X514", place, number=number, action=f"{choice.action} (`{text}`)")
    return None


RESULTS = ("status", "winners", "returns", "scores", "grade")
"""The parts of an outcome that are no words."""


def _result(outcome: JsonObject) -> JsonObject:
    """An outcome without its words and places: of a fault the code alone."""
    fault = outcome.get("fault")
    code = fault.get("code") if isinstance(fault, Mapping) else None
    return {name: outcome.get(name) for name in RESULTS} | {"fault": code}


def _compare_end(saved: SavedGame, state: State, *, same_words: bool) -> list[Diagnostic]:
    record = saved.record
    findings = state.check_invariants() if record.status == "faulted" and not state.outcome()["fault"] else []
    outcome = outcome_of(state, findings)
    if outcome["reason"] == INTERRUPTED and record.outcome.get("reason") != INTERRUPTED:
        place = saved.actions[-1] if saved.actions else saved.places["actions"]
        return [diagnose("X510", place, number=len(record.steps), status=f"`{record.status}`")]
    ended = replace(record, outcome=outcome, final_hash=state.hash())
    actual = {
        "outcome": outcome,
        "decisions": count_decisions(record.steps),
        "chance_events": sum(step.is_chance for step in record.steps),
        "final_hash": ended.final_hash,
        "digest": saved.digest if saved.digest == ended.former_digest else ended.digest,
    }
    recorded = record.to_json() | {"digest": saved.digest}
    if _is_faulted(state):
        actual["final_hash"] = record.final_hash
    if not same_words or _is_faulted(state):
        actual["outcome"], recorded["outcome"] = _result(outcome), _result(record.outcome)
    return [
        diagnose("X516", saved.places[name], name=name, wanted=one_line(value))
        for name, value in actual.items()
        if plain(recorded[name]) != value
    ]
