"""A tree search finds the same on every back end: the same rounds, the same figures, whether native code
plays them or the state is stepped.
"""

from __future__ import annotations

import pytest

import croupier
from croupier import resources
from croupier.execution.native_state import NativeState
from croupier.execution.search import OptionFigures, figures, grown_tree, new_tree, play_rounds
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


def searched(
    state: State, horizon: int, rounds: int = ROUNDS, *, is_flat: bool = False
) -> list[OptionFigures]:
    """What a search finds in a position; a flat one tries every option in each round."""
    seat = state.pending_seats()[0]
    ranking = Ranking(state.game)
    start = SearchStart(seat, 7, 1, horizon, tuple(state.legal_actions(seat)) if is_flat else ())
    branches = len(start.each) or rounds
    tree = play_rounds(state, new_tree(branches), start, rounds, ranking.scores if horizon else None)
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


@compiler
@pytest.mark.parametrize("name", SHIPPED)
def test_native_code_and_steps_try_every_option_alike(name: str) -> None:
    ruleset = croupier.load(name)
    for native in decisions(ruleset.new_initial_state(backend="native"))[:1]:
        assert isinstance(native, NativeState)
        stepped = native.clone()
        stepped.search_rounds = lambda *_: False  # type: ignore[method-assign]
        found = searched(native, 0, 2, is_flat=True)
        assert found == searched(stepped, 0, 2, is_flat=True)
        assert {one.visits for one in found} == {2}
        each = tuple(native.legal_actions(native.pending_seats()[0]))
        start = SearchStart(native.pending_seats()[0], 7, 1, 0, each)
        assert native.search_rounds(new_tree(len(each)), start, 2), "native code gave a round up"


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


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=compiler)])
def test_a_tree_that_grows_finds_the_same(backend: str) -> None:
    state = croupier.load("connect_four").new_initial_state(backend=backend)
    whole, tree, played = new_tree(400), new_tree(1), 0
    whole = play_rounds(state, whole, SearchStart(0, 3), 400)
    for batch in (1, 2, 97, 300):
        tree = grown_tree(state, tree, played + batch)
        tree = play_rounds(state, tree, SearchStart(0, 3, played + 1), batch)
        played += batch
    options = state.legal_actions()
    assert figures(tree, options, 0, 2) == figures(whole, options, 0, 2)


def test_a_program_asks_what_a_search_finds() -> None:
    state = croupier.load("tic_tac_toe").new_initial_state()
    for cell in (0, 3, 1, 4):
        state.apply_action(cell)
    found = croupier.search(state, "mcts:200")
    assert max(found, key=lambda one: one.visits).action == 2
    assert sum(one.visits for one in found) == 200
    assert found == croupier.search(state, "mcts:200", seat=0, seed=1)


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
        croupier.search(state, bot, seat)


def test_a_search_that_looks_into_hands_says_so() -> None:
    state = croupier.load("kuhn_poker").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    with pytest.raises(ValueError, match="`ismcts:9` plays by what its seat knows"):
        croupier.search(state, "mcts:9")
    assert sum(one.visits for one in croupier.search(state, "mcts!:9")) == 9
