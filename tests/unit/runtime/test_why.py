"""Why something cannot be chosen, in shipped games: for each thing the words, and the rules that they cite.

The answer is the same from Python, on the terminal and in the browser, since all of them ask `why_not`.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.runtime.legality import why_not

CASES = YAML(typ="safe", pure=True).load(
    Path(__file__).with_name("why.cases.yaml").read_text(encoding="utf-8")
)


def position(game: str, players: int, seed: int, steps: int) -> croupier.State:
    """The state after so many decisions of players who choose at random; chance does, too."""
    rng, state = random.Random(seed), croupier.load(game).new_initial_state(players)
    while steps or state.is_chance_node():
        steps -= not state.is_chance_node()
        seat = -1 if state.is_chance_node() else state.pending_seats()[0]
        outcomes = [a for a, _ in state.chance_outcomes()]
        action = rng.choice(outcomes or state.legal_actions(seat))
        state.apply_action(action, seat if state.is_simultaneous_node() else None)
    return state


@pytest.mark.parametrize("case", CASES, ids=[f"{case['game']}-{case['steps']}" for case in CASES])
def test_why(case: dict[str, object]) -> None:
    state = position(*(case[key] for key in ("game", "players", "seed", "steps")))  # type: ignore[arg-type]
    seat = state.pending_seats()[0]
    found = {}
    for words in case["why"]:  # type: ignore[attr-defined]
        answer = why_not(state, seat, words)
        assert answer.known, words
        found[words] = [" ".join((str(c.told), *(f"[{rule}]" for rule in c.rules))) for c in answer.clauses]
    assert found == case["why"]
