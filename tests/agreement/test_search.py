"""A tree search finds the same on every back end: the same rounds, the same figures, whether native code
plays them or the state is stepped.
"""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

import croupier
from croupier import resources
from croupier.core.search_tree import LIKE_OTHERS, PUCT, TRIED_FIRST, UCB1
from croupier.execution.native_state import NativeState
from croupier.execution.search import OptionFigures, figures, grown_tree, new_tree, play_rounds
from croupier.execution.search_start import SearchStart
from croupier.play.agents import new_agent
from croupier.play.agents.search_agents import FlatAgent, TreeAgent
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.measure import Ranking
from croupier.runtime.state import State
from croupier.runtime.streams import Stream, seat_purpose
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
    state: State,
    horizon: int,
    rounds: int = ROUNDS,
    *,
    is_flat: bool = False,
    rule: int = UCB1,
    urgency: int = TRIED_FIRST,
) -> list[OptionFigures]:
    """What a search finds in a position; a flat one tries every option in each round."""
    seat = state.pending_seats()[0]
    ranking = Ranking(state.engine)
    start = SearchStart(seat, 7, 1, horizon, tuple(state.legal_actions(seat)) if is_flat else ())
    branches = len(start.each) or rounds
    tree = new_tree(branches, rule, urgency)
    tree = play_rounds(state, tree, start, rounds, ranking.scores if horizon else None)
    return figures(tree, state.legal_actions(seat), seat, state.players)


@compiler
@pytest.mark.parametrize("name", SHIPPED)
def test_native_code_and_steps_find_the_same(name: str) -> None:
    ruleset = croupier.load(name)
    for native in decisions(ruleset.new_initial_state(backend="native")):
        assert isinstance(native, NativeState)
        stepped = native.clone()
        stepped.search_rounds = lambda *_: False  # type: ignore[method-assign]
        horizons = (0, HORIZON) if Ranking(native.engine).is_there else (0,)
        for horizon in horizons:
            assert searched(native, horizon) == searched(stepped, horizon)
            by_puct = searched(native, horizon, rule=PUCT, urgency=LIKE_OTHERS)
            assert by_puct == searched(stepped, horizon, rule=PUCT, urgency=LIKE_OTHERS)
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
    if horizon and not Ranking(ruleset.engine(ruleset.default_players, None)).is_there:
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
    assert [one.words for one in found] == [state.action_to_string(0, one.action) for one in found]


@compiler
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


def test_a_search_that_looks_into_hands_says_so() -> None:
    state = croupier.load("kuhn_poker").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    with pytest.raises(ValueError, match="`ismcts:9` plays by what its seat knows"):
        croupier.search(state, "mcts:9")
    assert sum(one.visits for one in croupier.search(state, "mcts!:9")) == 9


HIDDEN = Path(__file__).with_name("hidden_choice.yaml")
SETTINGS = ("60:puct", "60:urgency=0.9", "60:reuse", "60:puct:urgency=0.4:reuse")


@compiler
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize(
    ("name", "kind"),
    [("connect_four", "mcts"), ("baron_voodoo", "mcts"), ("leduc_poker", "ismcts"), ("hosts", "mcts!")],
)
def test_settings_of_a_search_decide_alike_on_every_back_end(name: str, kind: str, settings: str) -> None:
    found = []
    for backend in ("native", "python"):
        bots = (f"{kind}:{settings}",)
        match = GameMatch(croupier.load(name), MatchConfig(seed=3, bots=bots, backend=backend), light=True)
        while len(match.steps) < 12 and match.step():
            pass
        found.append([(step.seat, [choice.action for choice in step.choices]) for step in match.steps])
    assert found[0] == found[1]


def asked(name: str, bot: str) -> tuple[State, TreeAgent, int]:
    """The first decision of a game, and a bot that begins."""
    state, agent = croupier.load(name).new_initial_state(), new_agent(bot)
    assert isinstance(agent, TreeAgent)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    seat = state.pending_seats()[0]
    agent.begin(seat, state.players, Stream(5, 1, seat_purpose(seat)))
    return state, agent, seat


def visits(agent: TreeAgent, state: State, seat: int) -> int:
    """How many rounds a search counts, those that were kept included."""
    return sum(one.visits for one in agent.search(state, seat, state.legal_actions(seat)))


def test_a_search_begins_with_what_lies_behind_the_moves_made_since() -> None:
    state, agent, seat = asked("tic_tac_toe", "mcts:500:reuse")
    found = agent.search(state, seat, state.legal_actions(seat))
    assert sum(one.visits for one in found) == 500
    state.apply_action(max(found, key=lambda one: one.visits).action)
    state.apply_action(state.legal_actions()[0])
    kept = visits(agent, state, seat) - 500
    assert 0 < kept < max(one.visits for one in found)


def test_what_was_never_searched_is_not_kept() -> None:
    state, agent, seat = asked("tic_tac_toe", "mcts:9:reuse")
    assert visits(agent, state, seat) == 9
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    assert visits(agent, state, seat) == 9


def test_a_copy_of_a_bot_has_an_empty_tree() -> None:
    state, agent, seat = asked("tic_tac_toe", "mcts:200:reuse")
    agent.search(state, seat, state.legal_actions(seat))
    state.apply_action(0)
    state.apply_action(1)
    again = copy.deepcopy(agent)
    assert visits(again, state, seat) == 200 < visits(agent, state, seat)


@pytest.mark.parametrize(("bot", "is_kept"), [("ismcts:64:reuse", False), ("mcts!:64:reuse", True)])
def test_where_the_way_is_hidden_a_fair_bot_keeps_nothing(bot: str, is_kept: bool) -> None:
    state, agent, seat = asked(str(HIDDEN), bot)
    assert visits(agent, state, seat) == 64
    state.apply_action(state.legal_actions(seat)[0], seat)
    other = state.pending_seats()[0]
    state.apply_action(state.legal_actions(other)[0], other)
    assert state.pending_seats() == [seat]
    assert (visits(agent, state, seat) > 64) == is_kept


def test_a_seed_that_is_none_is_refused() -> None:
    state = croupier.load("tic_tac_toe").new_initial_state()
    with pytest.raises(ValueError, match="seed"):
        state.search("mcts:9", seed=-1)


@compiler
@pytest.mark.parametrize("name", ["leduc_poker", "plain_tricks", "witches_of_blackmore", "go_fish"])
@pytest.mark.parametrize("bot", ["ismcts:9", "flat:4"])
def test_a_search_of_drawn_states_finds_the_same_everywhere(name: str, bot: str) -> None:
    """Native code draws and searches in one call; the evaluator draws a state a round, and steps it."""
    found = []
    for backend in ("native", "reference"):
        state, choose = croupier.load(name).new_initial_state(backend=backend), Stream(2, 1, "choices")
        while len(state.history) < 30 or state.is_chance_node():
            options = state.legal_actions()
            if len(state.history) >= 5 and not state.is_chance_node() and len(options) > 1:
                break
            state.apply_action(options[choose.uniform(len(options))])
        seat = state.pending_seats()[0]
        agent = new_agent(bot)
        agent.begin(seat, state.players, Stream(5, 1, seat_purpose(seat)))
        assert isinstance(agent, (TreeAgent, FlatAgent))
        found.append(agent.search(state, seat, state.legal_actions(seat)))
        found.append(agent.search(state, seat, state.legal_actions(seat)))  # with what it drew before
    assert found[:2] == found[2:]
