"""What a merged line says can be taken apart again into what its events say, for shipped rulesets and for
random programs.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import croupier
from croupier.narration.merging import HEADINGS, clauses
from croupier.runtime.state import State
from generated.running import checked, programs
from random_steps import step
from unfolding import problem, texts_of

RULESETS = sorted(
    path.parent.name
    for kind in ("", "classics", "library")
    for path in (Path(__file__).parents[3] / "rulesets" / kind).glob("*/ruleset.yaml")
)
MOST_STEPS = 60


def problems(state: State) -> list[str]:
    """The clauses of each reader that do not say what their events say."""
    found = []
    for reader in (None, *range(state.players)):
        events = [event for event in state.events(reader) if not event.quiet]
        at = 0
        for clause in clauses(events, players=state.players):
            number = len(texts_of(clause.form))
            of = events[at : at + number]
            at += number
            if clause.kind in HEADINGS or number == 1:
                continue
            what = problem(clause, of, state.players)
            if what is not None:
                found.append(f"{reader}: {clause.words}: {what}")
        assert at == len(events)
    return found


@pytest.mark.parametrize("name", RULESETS)
def test_a_merged_line_unfolds_into_its_events(name: str) -> None:
    rules = croupier.load(name)
    for seed in range(2):
        state = rules.new_initial_state(rules.players[seed % len(rules.players)])
        rng, steps = random.Random(seed), 0
        while not state.is_terminal() and steps < MOST_STEPS:
            step(state, rng)
            steps += 1
        assert not problems(state)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(0, 100))
def test_so_does_one_of_a_random_program(made: Any, seed: int) -> None:
    ruleset = checked(made)
    if ruleset is None:
        return
    state = ruleset.new_initial_state(ruleset.players[0])
    rng, steps = random.Random(seed), 0
    while not state.is_terminal() and steps < MOST_STEPS:
        step(state, rng)
        steps += 1
    assert not problems(state)
