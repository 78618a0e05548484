"""Which rules the logs of a game cite: the referee's log of random games and of scenarios."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import croupier
from croupier.narration import narrate
from croupier.runtime.state import State
from croupier.scenarios.document import Scenario
from croupier.scenarios.running import StepRunner
from random_steps import step


def cited_by(state: State) -> set[str]:
    """The ids that the lines of a state's log cite."""
    return {rule for line in narrate(state.events()) for rule in line.rules}


def cited_in_games(folder: Path, games: int) -> set[str]:
    """The ids cited in the logs of random games, at every number of players in turn."""
    rules = croupier.load(folder)
    found: set[str] = set()
    for number in range(games):
        state = rules.new_initial_state(rules.players[number % len(rules.players)])
        rng = random.Random(number)
        while not state.is_terminal():
            step(state, rng)
        found |= cited_by(state)
    return found


@contextmanager
def citations_of_scenarios() -> Iterator[set[str]]:
    """Collects the ids cited in the logs of the scenarios that are run meanwhile, each to the end of what it
    plays.
    """
    found: set[str] = set()
    end = StepRunner.unexpected_fault

    def collect(runner: StepRunner, scenario: Scenario) -> None:
        found.update(cited_by(runner.state))
        end(runner, scenario)

    StepRunner.unexpected_fault = collect  # type: ignore[method-assign]
    try:
        yield found
    finally:
        StepRunner.unexpected_fault = end  # type: ignore[method-assign]
