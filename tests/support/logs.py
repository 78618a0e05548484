"""Which rules the logs of a game cite: the referee's log of random games and of scenarios, without the bookkeeping that no log tells."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.random_steps import step

import croupier
from croupier.runtime.state import State
from croupier.scenarios import run_scenarios
from croupier.scenarios.running import Player


def rules_of(state: State) -> Iterator[str]:
    """The ids that the events of a state cite."""
    return (rule for event in state.events() if not event.quiet for rule in event.rules)


def cited_in_games(folder: Path, games: int) -> set[str]:
    """The ids cited in the logs of random games, at every number of players in turn."""
    rules = croupier.load(folder)
    first = {n: rules.new_initial_state(n, backend="python") for n in rules.players}
    found: set[str] = set()
    for number in range(games):
        state = first[rules.players[number % len(rules.players)]].clone()
        rng = random.Random(number)
        while not state.is_terminal():
            step(state, rng)
        found.update(rules_of(state))
    return found


def cited_in_scenarios(folder: Path, patch: pytest.MonkeyPatch) -> set[str]:
    """The ids cited in the logs of a ruleset's scenarios, each to the end of what it plays."""
    found: set[str] = set()
    ended = Player.unexpected_fault

    def end(player: Player, scenario: object) -> None:
        found.update(rules_of(player.state))
        ended(player, scenario)  # type: ignore[arg-type]

    patch.setattr(Player, "unexpected_fault", end)
    run_scenarios(folder)
    patch.undo()
    return found
