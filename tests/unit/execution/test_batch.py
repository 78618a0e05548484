"""Games side by side stand, action for action, where single states stand."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import croupier
from croupier import CHANCE, TERMINAL, IllegalAction, State, Stream
from croupier.diagnostics import RulesetError
from croupier.play.match import MatchConfig
from croupier.play.simulate import simulate
from croupier.printers.llvm_batch import NEAR_WORDS
from croupier.runtime.streams import CHANCE as PURPOSE
from needs import compiler

numpy = pytest.importorskip(
    "numpy", reason="NumPy is not installed: games side by side are an optional extra, croupier[learn]"
)
pytestmark = compiler
PROGRAMS = Path(__file__).parents[2] / "data" / "programs"
NAMES = (
    "tic_tac_toe",
    "kuhn_poker",
    "liars_dice",
    "goofspiel",
    "witches_of_blackmore",
    "una_notte_da_lupi",
    "oware",
    "magpie",
)


def settled(state: State, chance: Stream) -> None:
    """Chance falls as the run's stream says."""
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        state.apply_action(outcomes[chance.weighted([p for _, p in outcomes])][0])


@pytest.mark.parametrize(
    "name",
    [
        *NAMES,
        *(str(PROGRAMS / f"{name}.yaml") for name in ("together", "maps_of_none", "limit", "at_the_limit")),
    ],
)
def test_in_step_with_states(name: str) -> None:
    ruleset, rng, count = croupier.load(name), random.Random(1), 4
    batch = croupier.Batch(ruleset, count, seed=5)
    states = [ruleset.new_initial_state(backend="python") for _ in range(count)]
    chances = [Stream(5, number, PURPOSE) for number in range(1, count + 1)]
    for _ in range(400):
        actions = numpy.full(count, -1)
        for k, (state, chance) in enumerate(zip(states, chances, strict=True)):
            settled(state, chance)
            if state.is_terminal():
                assert (
                    batch.current_players[k] == TERMINAL
                    and list(batch.returns[k]) == state.returns()
                    and not batch.masks[k].any()
                )
                continue
            seat = state.pending_seats()[0]
            legal = state.legal_actions(seat)
            assert (batch.current_players[k], numpy.flatnonzero(batch.masks[k]).tolist()) == (seat, legal)
            assert not batch.returns[k].any() and not batch.failed[k]
            actions[k] = rng.choice(legal)
            state.apply_action(int(actions[k]), seat)
        if batch.done.all():
            return
        batch.step(actions)
    raise AssertionError("the games do not end")


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "kuhn_poker", "goofspiel", "una_notte_da_lupi", "baron_voodoo"]
)
def test_random_games_are_those_of_simulate(name: str) -> None:
    """Whatever stands beside them, and in whatever order they end."""
    ruleset, found, games = croupier.load(name), {}, 2 if name == "baron_voodoo" else 12
    batch = croupier.Batch(ruleset, min(5, games), seed=3)
    while len(found) < games:
        batch.step(batch.sample())
        found.update(
            {int(batch.games[k]): tuple(map(int, batch.returns[k])) for k in numpy.flatnonzero(batch.done)}
        )
        if games > 2:
            batch.reset()
    played = simulate(
        ruleset, ruleset.path, MatchConfig(seed=3, backend="native"), max(found), load=croupier.load
    )
    assert found.items() <= {game.game: game.returns for game in played}.items()


def test_games_that_exceed_the_near_caches_are_the_same() -> None:
    ruleset = croupier.load("witches_of_blackmore")
    large, small = croupier.Batch(ruleset, 1500, seed=3), croupier.Batch(ruleset, 20, seed=3)
    assert large._memory.size > NEAR_WORDS > small._memory.size
    for _ in range(30):
        for batch in (large, small):
            batch.step(batch.sample())
        assert (large.masks[:20] == small.masks).all() and (
            large.current_players[:20] == small.current_players
        ).all()


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    batch = croupier.Batch(croupier.load("tic_tac_toe"), 3)
    batch.step(numpy.array([0, 1, 2]))
    before = batch.masks.copy()
    for wrong in ([3, 1, 4], [3, 4, 9], [3, 4, -1], [3, 4, 10**9]):
        with pytest.raises(IllegalAction, match="in row"):
            batch.step(numpy.array(wrong))
        assert (batch.masks == before).all() and (batch.current_players == 1).all()
    with pytest.raises(ValueError):
        batch.step(numpy.array([3, 4]))


def test_masks_grow_unless_they_are_fixed() -> None:
    ruleset = croupier.load("breakthrough")
    batch = croupier.Batch(ruleset, 2)
    assert batch.masks.shape[1] >= int(numpy.flatnonzero(batch.masks[0])[-1]) + 1 > 8
    assert croupier.Batch(ruleset, 2, actions=500).masks.shape == (2, 504)
    with pytest.raises(ValueError, match="masks have room for 8"):
        croupier.Batch(ruleset, 2, actions=3)


def test_new_games_begin_where_they_are_asked_for() -> None:
    batch = croupier.Batch(croupier.load("tic_tac_toe"), 3)
    batch.step(numpy.array([0, 1, 2]))
    batch.reset(numpy.array([False, True, False]))
    assert batch.games.tolist() == [1, 4, 3] and batch.current_players.tolist() == [1, 0, 1]
    batch.reset()
    assert batch.games.tolist() == [1, 4, 3]


def test_a_game_that_faults_has_failed() -> None:
    batch = croupier.Batch(croupier.load(PROGRAMS / "watch_settles.yaml"), 2)
    while not batch.done.all():
        batch.step(batch.sample())
    assert batch.failed.all() and not batch.returns.any()


def test_refusals() -> None:
    ruleset = croupier.load("tic_tac_toe")
    for wrong in ({"count": 0}, {"count": 1, "seed": -1}, {"count": 1, "actions": 1 << 20}):
        with pytest.raises(ValueError):
            croupier.Batch(ruleset, **wrong)
    with pytest.raises(RulesetError):
        croupier.Batch(ruleset, 1, players=3)
    assert CHANCE == -1
