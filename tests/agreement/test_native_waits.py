"""What may be waited for, in native code: choices together or alone, of one thing or several, by chance and
with weights, and what is said.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import croupier
from croupier.execution.native_state import NativeState
from croupier.play.digest import digest
from croupier.play.match import MatchConfig
from croupier.play.simulate import simulate
from lockstep import lock_step, play
from needs import compiler

ROOT = Path(__file__).parents[1]
pytestmark = compiler


def whole_games(ruleset: croupier.Ruleset, setup: MatchConfig, games: int) -> None:
    """Native code plays them alone, and comes to the same as the evaluator."""
    state = setup.initial_state(ruleset)
    assert isinstance(state, NativeState)
    assert all(played is not None for _, played in state.native.play_rows(setup.seed, 1, games).games())
    found = []
    for backend in ("native", "reference"):
        one = MatchConfig(
            players=setup.players, parameters=setup.parameters, seed=setup.seed, backend=backend, verify=True
        )
        found.append(
            digest(
                sorted(simulate(ruleset, ruleset.path, one, games, load=croupier.load), key=lambda g: g.game)
            )
        )
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["together", "decisions", "no_plan"])
def test_programs(name: str) -> None:
    ruleset = croupier.load(ROOT / "data" / "programs" / f"{name}.yaml")
    most = ruleset.players[-1]
    for _ in lock_step(ruleset, "native", 2, [most]):
        pass
    whole_games(ruleset, MatchConfig(players=most, seed=1, backend="native"), 5)


@pytest.mark.parametrize("way", ["optional", "chance_constrained"])
def test_choices_of_several(way: str) -> None:
    ruleset = croupier.load(ROOT / "language" / "choose_several.yaml")
    setup = MatchConfig(players=1, parameters={"way": way}, seed=1, backend="native")
    play(ruleset.new_initial_state(1, {"way": way}), setup.initial_state(ruleset), random.Random(1))
    whole_games(ruleset, setup, 3)


@pytest.mark.parametrize("slip", ["none_for_one", "too_dear_a_search", "below_nothing"])
def test_decisions_that_cannot_be_made(slip: str) -> None:
    """They fault alike, on all back ends."""
    ruleset = croupier.load(ROOT / "data" / "programs" / "slips.yaml")
    for backend in ("python", "native"):
        play(
            *(ruleset.new_initial_state(2, {"slip": slip}, backend=b) for b in ("reference", backend)),
            random.Random(2),
        )


@pytest.mark.parametrize("truth", [False, True])
def test_what_may_be_said_is_found_out_again(truth: bool) -> None:
    """Also in a position that is gone back to, after others in which something else could be said."""
    ruleset = croupier.load(ROOT / "data" / "programs" / "talk.yaml")
    rng = random.Random(1)
    pairs = [
        tuple(ruleset.new_initial_state(2, {"truth": truth}, backend=b) for b in ("reference", "native"))
    ]
    for _ in range(150):
        a, b = (state.clone() for state in rng.choice(pairs))
        assert (a.is_terminal(), a.legal_actions()) == (b.is_terminal(), b.legal_actions())
        if not a.is_terminal():
            action = rng.choice(a.legal_actions())
            a.apply_action(action)
            b.apply_action(action)
            assert a.hash() == b.hash()
            pairs.append((a, b))
    whole_games(ruleset, MatchConfig(players=2, parameters={"truth": truth}, seed=1, backend="native"), 20)
