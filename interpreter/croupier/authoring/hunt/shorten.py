"""Fewer actions that lead to the same fault, and the scenario that they make.

Actions are left out in pieces, half of them at first, then ever smaller ones, as long as the game still comes
to the same fault (A. Zeller, R. Hildebrandt, Simplifying and isolating failure-inducing input, IEEE
Transactions on Software Engineering 28, 2002). What is left is played leniently: an action that is not
possible where it stands is left out, a forced decision that is missing is made. A hunt gives this a limited
number of actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from croupier.authoring.hunt.knowledge import moves_from, setup_from, setup_to_json
from croupier.authoring.hunt.plans import Plan, Setup, plan_from
from croupier.authoring.hunt.player import (
    CRASHED,
    GamePlayer,
    Moves,
    Played,
    Trouble,
    is_possible,
    trouble_of,
)
from croupier.diagnostics import JsonObject
from croupier.play.outcome import outcome_of
from croupier.play.plain import plain
from croupier.play.record import GameRecord, RecordedChoice, RecordedStep, count_decisions
from croupier.play.scenario_template import scenario_text
from croupier.resources import MAIN_FILE, VARIANTS
from croupier.resources import name_of as shipped_name
from croupier.runtime.state_view import CHANCE

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State

MAX_ACTIONS = 15_000  # that are played to shorten one game
MAX_FORCED = 200  # decisions and outcomes in a row of which there is one
MAX_STEPS = 2_000  # of a scenario
NO_FAULT = ('      facts: ["true"]',)  # the checks of a scenario, which fails at a fault whatever they are
GOES_ON = ("      outcome: {status: running}",)  # those where a game came to an end without one


@dataclass(frozen=True)
class Finding:
    """Something wrong: why, the set-up, what was done, and the game that showed it first; `games` ended
    so.
    """

    trouble: Trouble
    setup: Setup
    moves: Moves
    game: int
    plan: Plan
    games: int = 1

    def to_json(self) -> JsonObject:
        """Everything, as a JSON value."""
        return {
            **asdict(self.trouble),
            **setup_to_json(self.setup),
            "game": self.game,
            "games": self.games,
            "plan": self.plan.words,
            "policy": self.plan.to_json(),
            "actions": list(map(list, self.moves)),
        }


def finding_of(data: dict[str, Any]) -> Finding:
    """The finding of `to_json`. Raises KeyError, TypeError or ValueError for anything else."""
    trouble = Trouble(
        str(data["status"]), str(data["code"]), str(data["message"]), str(data["file"]), int(data["line"])
    )
    plan = plan_from(data["policy"])
    return Finding(
        trouble, setup_from(data), moves_from(data["actions"]), int(data["game"]), plan, int(data["games"])
    )


def first_finding(played: Played) -> Finding | None:
    """Return the finding of a game; `None` if nothing went wrong."""
    task = played.task
    return (
        None
        if played.trouble is None
        else Finding(played.trouble, task.setup, played.moves, task.number, replace(task.plan, effects={}))
    )


# ------------------------------------------------------------ fewer actions
def shortened(finding: Finding, player: GamePlayer, should_stop: Callable[[], bool]) -> Finding:
    """The finding with fewer actions, if there are fewer that lead to it."""
    if finding.trouble.status in ("unfinished", CRASHED):
        return finding
    left = MAX_ACTIONS
    moves, size = list(finding.moves), max(1, len(finding.moves) // 2)
    while not should_stop() and left > 0:
        at, is_shorter = 0, False
        while at < len(moves) and left > 0 and not should_stop():
            tried = [*moves[:at], *moves[at + size :]]
            left -= len(tried) + 1
            found = _replayed(finding, tried, player)
            if found is not None and len(found) < len(moves):
                moves, is_shorter = found, True
            else:
                at += size
        if size == 1 and not is_shorter:
            break
        size = max(1, size // 2)
    return replace(finding, moves=tuple(moves))


def _replayed(
    finding: Finding, moves: list[tuple[int, int]], player: GamePlayer
) -> list[tuple[int, int]] | None:
    """The actions that lead to the same trouble, as far as they are possible; `None` if they do not."""
    state, done = player.initial(finding.setup), list[tuple[int, int]]()
    for move in _possible(state, moves):
        done.append(move)
        state.apply_action(move[1], move[0])
        broken = player.broken(state)
        if broken or state.is_terminal():
            break
    found = trouble_of(state, player.broken(state))
    return done if found is not None and found.key == finding.trouble.key else None


def _possible(state: State, moves: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Those that are possible where they come up, and forced ones before them; the state is changed in
    between.
    """
    for seat, action in moves:
        for _ in range(MAX_FORCED):
            if is_possible(state, seat, action):
                break
            forced = _forced(state)
            if forced is None:
                break
            yield forced
        if is_possible(state, seat, action):
            yield seat, action


def _forced(state: State) -> tuple[int, int] | None:
    """The decision or outcome that comes next, if there is only one."""
    if state.is_terminal():
        return None
    acting = [CHANCE] if state.is_chance_node() else state.pending_seats()
    for seat in acting:
        options = state.legal_actions(seat)
        if len(options) == 1:
            return seat, options[0]
    return None


# ------------------------------------------------------------ the scenario
def scenario_of(finding: Finding, ruleset: Ruleset, seed: int) -> str | None:
    """The text of a scenario file that plays the game, which fails while the fault is there; `None` for a
    game that is too long for one, or that a mistake of croupier ended.
    """
    if len(finding.moves) > MAX_STEPS or finding.trouble.status == CRASHED:
        return None
    record = _record(finding, ruleset, seed)
    then = NO_FAULT if finding.trouble.code else GOES_ON
    place = f" at {finding.trouble.file}:{finding.trouble.line}" if finding.trouble.line else ""
    title = (
        f"{finding.trouble.code or finding.trouble.status}{place}: game {finding.game} of a hunt with "
        f"seed {seed}"
    )
    return scenario_text(
        record, ruleset, len(record.steps), id=name_of(finding), title=title, then=then, of=_named(ruleset)
    )


def _named(ruleset: Ruleset) -> str:
    """Return how a file in the folder `scenarios` names a ruleset of another name than `ruleset.yaml`, which
    others may lie beside; empty for one that it need not name.
    """
    path = ruleset.path
    is_plain = path.name != MAIN_FILE and path.parent.name != VARIANTS and "+" not in path.name
    return f"../{path.name}" if is_plain and shipped_name(path) is None else ""


def name_of(finding: Finding) -> str:
    """The name of its scenario, and of the file without its suffix."""
    code = finding.trouble.code.lower() or finding.trouble.status
    return f"hunt-{code}-{finding.trouble.line}" if finding.trouble.line else f"hunt-{code}"


def _record(finding: Finding, ruleset: Ruleset, seed: int) -> GameRecord:
    """The game as a record."""
    state = ruleset.new_initial_state(finding.setup.players, dict(finding.setup.parameters))
    parameters, start, steps = plain(state.parameters), state.hash(), list[RecordedStep]()
    moves = list(finding.moves)
    while moves:
        several = state.is_simultaneous_node()
        together = moves[: len(state.pending_seats())] if several else moves[:1]
        del moves[: len(together)]
        choices = [
            RecordedChoice(seat, action, plain(state.action_to_struct(seat, action)))
            for seat, action in together
        ]
        is_whole = several and len(together) == len(state.pending_seats())
        for seat, action in together:
            if not state.is_terminal():
                state.apply_action(action, seat)
        steps.append(RecordedStep(tuple(choices), is_whole, ""))
    return GameRecord(
        ruleset=ruleset.name,
        ruleset_hash=ruleset.ruleset_hash,
        players=finding.setup.players,
        parameters=parameters,
        seed=seed,
        game=finding.game,
        bots=(),
        outcome=outcome_of(state),
        decisions=count_decisions(steps),
        chance_events=sum(step.is_chance for step in steps),
        start_hash=start,
        final_hash=state.hash(),
        steps=tuple(steps),
    )
