"""Lock step with OpenSpiel, for every game that both have.

The long run, `tools/conformance`, also counts how often rare rules were met.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

import croupier
from openspiel import MATCHES, Match, play

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed: an optional group, croupier[peers]"
)


def run(match: Match, games: int) -> Counter[str]:
    rules, there = croupier.load(match.ruleset), pyspiel.load_game(match.spiel)
    met: Counter[str] = Counter()
    for number in range(games):
        rng = random.Random(f"{match.name} {number}")
        theirs = there.new_initial_state()
        for action in match.begin:
            theirs.apply_action(action)
        met += play(match, rules.new_initial_state(match.players or 2, match.parameters), theirs, rng)
    return met


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match.name)
def test_lock_step(match: Match) -> None:
    run(match, match.games)


@pytest.mark.soak
@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match.name)
def test_a_thousand_games_meet_the_rare_rules(match: Match) -> None:
    met = run(match, 1000)
    print(match.name, dict(met))
    assert [feature for feature in match.features if not met[feature]] == []
