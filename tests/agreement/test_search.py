"""A tree search finds the same on every back end: the same rounds, the same figures, whether native code
plays them or the state is stepped.
"""

from __future__ import annotations

import pytest

import croupier
from croupier import resources
from croupier.execution.native_state import NativeState
from croupier.execution.search import OptionFigures, figures, new_tree, play_rounds
from croupier.execution.search_start import SearchStart
from croupier.play.measure import Ranking
from croupier.runtime.state import State
from needs import compiler

SHIPPED = [name for name in resources.shipped() if "/" not in name]
ROUNDS, DECISIONS, HORIZON = 6, 2, 4


def decisions(state: State) -> list[State]:
    """The first positions at which somebody chooses among several options, with the first outcomes of
    chance.
    """
    found: list[State] = []
    while not state.is_terminal() and len(found) < DECISIONS:
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
            continue
        seat = state.pending_seats()[0]
        options = state.legal_actions(seat)
        if len(options) > 1:
            found.append(state.clone())
        state.apply_action(options[len(options) // 2], seat)
    return found


def searched(state: State, horizon: int, rounds: int = ROUNDS) -> list[OptionFigures]:
    """What a search finds in a position."""
    seat = state.pending_seats()[0]
    ranking = Ranking(state.game)
    start = SearchStart(seat, 7, 1, horizon)
    tree = play_rounds(state, new_tree(rounds), start, rounds, ranking.scores if horizon else None)
    return figures(tree, state.legal_actions(seat), seat, state.players)


@compiler
@pytest.mark.parametrize("name", SHIPPED)
def test_native_code_and_steps_find_the_same(name: str) -> None:
    ruleset = croupier.load(name)
    for native in decisions(ruleset.new_initial_state(backend="native")):
        assert isinstance(native, NativeState)
        stepped = native.clone()
        stepped.search_rounds = lambda *_: False  # type: ignore[method-assign]
        horizons = (0, HORIZON) if Ranking(native.game).is_there else (0,)
        for horizon in horizons:
            assert searched(native, horizon) == searched(stepped, horizon)
            start = SearchStart(native.pending_seats()[0], 7, 1, horizon)
            assert native.search_rounds(new_tree(ROUNDS), start, ROUNDS), "native code gave a round up"


@pytest.mark.parametrize("name", ["connect_four", "goofspiel", "kuhn_poker", "hosts", "mill"])
@pytest.mark.parametrize("horizon", [0, HORIZON])
def test_the_evaluator_and_compiled_python_find_the_same(name: str, horizon: int) -> None:
    ruleset = croupier.load(name)
    if horizon and not Ranking(ruleset.game(ruleset.default_players, None)).is_there:
        pytest.skip("players are not ranked by what can be read at any time")
    found = [
        [searched(state, horizon) for state in decisions(ruleset.new_initial_state(backend=backend))]
        for backend in ("reference", "python")
    ]
    assert found[0] and found[0] == found[1]


def test_a_tree_tries_everything_once_before_anything_twice() -> None:
    state = croupier.load("tic_tac_toe").new_initial_state()
    options = state.legal_actions()
    for rounds in (9, 20):
        tree = play_rounds(state, new_tree(rounds), SearchStart(0, 1), rounds)
        visits = [one.visits for one in figures(tree, options, 0, 2)]
        assert sum(visits) == rounds and min(visits) >= 1


def test_a_search_finds_the_move_that_wins() -> None:
    state = croupier.load("tic_tac_toe").new_initial_state()
    for cell in (0, 3, 1, 4):
        state.apply_action(cell)
    found = searched(state, 0, 200)
    best = max(found, key=lambda one: one.visits)
    assert best.action == 2 and best.worth == 1.0


def test_rounds_one_by_one_are_the_rounds_together() -> None:
    state = croupier.load("connect_four").new_initial_state()
    whole = play_rounds(state, new_tree(20), SearchStart(0, 3), 20)
    tree = new_tree(20)
    for number in range(1, 21):
        tree = play_rounds(state, tree, SearchStart(0, 3, number), 1)
    assert tree.tobytes() == whole.tobytes()


def test_a_program_asks_what_a_search_finds() -> None:
    state = croupier.load("tic_tac_toe").new_initial_state()
    for cell in (0, 3, 1, 4):
        state.apply_action(cell)
    found = croupier.search(state, "mcts:200")
    assert max(found, key=lambda one: one.visits).action == 2
    assert sum(one.visits for one in found) == 200
    assert found == croupier.search(state, "mcts:200", seat=0, seed=1)
    assert [one.words for one in found] == [state.action_to_string(0, one.action) for one in found]


@pytest.mark.parametrize("backend", ["reference", "python", "native"])
def test_a_state_is_asked_for_the_same(backend: str) -> None:
    state = croupier.load("kuhn_poker").new_initial_state(backend=backend)
    for action in (0, 1, 0):
        state.apply_action(action)
    before = state.serialize()
    found = state.search("ismcts:50", seed=4)
    assert found == croupier.search(state, "ismcts:50", 1, 4)
    assert (sum(one.visits for one in found), state.serialize()) == (50, before)
    assert [one.words for one in found] == [state.action_to_string(1, one.action) for one in found]


@pytest.mark.parametrize(
    ("bot", "seat", "words"),
    [
        ("random", None, "`random` does not search"),
        ("mcts:0", None, "wants a number of roll-outs from 1 to 1048576"),
        ("mcts:9", 1, "seat 1 has nothing to decide"),
        ("mcts:9", 5, "5"),
    ],
)
def test_what_cannot_be_searched_is_told(bot: str, seat: int | None, words: str) -> None:
    state = croupier.load("tic_tac_toe").new_initial_state()
    with pytest.raises(ValueError, match=words):
        state.search(bot, seat)


def test_a_seed_that_is_none_is_refused() -> None:
    state = croupier.load("tic_tac_toe").new_initial_state()
    with pytest.raises(ValueError, match="seed"):
        state.search("mcts:9", seed=-1)
