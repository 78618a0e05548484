"""What callers from Python may do to a state, and what they are told: the same on all back ends, and nothing
has changed where a call is refused.
"""

from __future__ import annotations

import copy
import pickle
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.play.match import GameMatch, MatchConfig
from needs import BACKENDS
from programs import small
from trees import random_game

backends = pytest.mark.parametrize("backend", BACKENDS)
PROGRAMS = Path(__file__).parents[2] / "data" / "programs"


@dataclass(frozen=True)
class Number:
    """A whole number of another library's."""

    value: int

    def __index__(self) -> int:
        return self.value

    def __eq__(self, other: object) -> bool:
        raise ValueError("the truth value of this is ambiguous")


def start(name: str, backend: str) -> croupier.State:
    return croupier.load(name).new_initial_state(backend=backend)


def seen(state: croupier.State) -> Any:
    """All that a caller could notice of a state."""
    return (
        state.serialize(),
        state.legal_actions(),
        state.pending_seats(),
        state.chance_outcomes(),
        state.hash(),
    )


# ---------------------------------------------------------------- what calls give
@backends
@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "goofspiel"])
def test_lists_belong_to_the_caller(name: str, backend: str) -> None:
    state = start(name, backend)
    for _ in range(3):
        before = seen(state)
        for seat in (None, -1, 0, 1):
            state.legal_actions(seat).append(77)
            state.legal_actions(seat).clear()
        for step in state.history:
            if isinstance(step, list):
                step.clear()
        state.history.clear()
        state.chance_outcomes().clear()
        state.pending_seats().clear()
        assert seen(state) == before
        with pytest.raises(croupier.IllegalAction):
            state.apply_action(77)
        state.apply_action(state.legal_actions()[0])
    assert state.history == state.clone().history and len(state.history) == 3


def test_a_history_says_who_and_what() -> None:
    state = start("kuhn_poker", "reference")
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    assert state.history == [(0,), (1,), 0]
    sealed = start("goofspiel", "reference")
    sealed.apply_actions([1, 6])
    assert sealed.history == [[0, 1], [1, 6]]


# ---------------------------------------------------------------- actions and seats that come in
@backends
@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "goofspiel"])
def test_whole_numbers_of_other_libraries(name: str, backend: str) -> None:
    state, twin = start(name, backend), start(name, "reference")
    for _ in range(4):
        seat = next(iter(twin.pending_seats()), -1)
        state.apply_action(Number(twin.legal_actions()[-1]), Number(seat))  # type: ignore[arg-type]
        twin.apply_action(twin.legal_actions()[-1])
        assert seen(state) == seen(twin) and state.information_state(0) == twin.information_state(0)


@backends
def test_a_truth_value_is_kept_as_a_number(backend: str) -> None:
    state = start("tic_tac_toe", backend)
    state.apply_action(True)
    assert [type(step) for step in state.history] == [int] and state == croupier.load(
        "tic_tac_toe"
    ).deserialize(state.serialize())


@backends
@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "goofspiel"])
@pytest.mark.parametrize("action", [1.0, 4.5, "1", None, [1]])
def test_what_is_no_number_is_no_action(name: str, backend: str, action: Any) -> None:
    state = start(name, backend)
    before = seen(state)
    with pytest.raises(croupier.IllegalAction, match="actions are whole numbers, not"):
        state.apply_action(action)
    with pytest.raises(croupier.IllegalAction):
        state.apply_actions([action, action])
    with pytest.raises(croupier.IllegalAction):
        state.action_to_string(0, action)
    assert seen(state) == before


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "connect_four", "breakthrough"])
def test_actions_are_not_counted_from_behind(name: str) -> None:
    state = start(name, "reference")
    for call in (state.action_to_string, state.action_to_struct, state.described):
        with pytest.raises(croupier.IllegalAction, match="-1 is no action here"):
            call(0, -1)


@backends
@pytest.mark.parametrize("seat", [2, -2, 0.0, "0", [0]])
def test_a_seat_that_is_not_there(backend: str, seat: Any) -> None:
    state = start("tic_tac_toe", backend)
    before = seen(state)
    for call in (
        state.observation, state.information_state, state.events, state.legal_actions, state.is_open_to,
        lambda s: state.apply_action(4, s),
        lambda s: state.action_to_string(s, 4), lambda s: state.action_to_struct(s, 4),
        lambda s: state.string_to_action(s, "(2,2)"),
        lambda s: state.struct_to_action(s, "(2,2)"), lambda s: croupier.explain_move(state, 4, s),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="seat must be 0 or 1, got"):
            call(seat)
    assert seen(state) == before


HELD_UP = """\
croupier: 1
ruleset: held_up
title: Held up
players: 2
components:
  Card: {ids: [ace, king]}
zones:
  deck: {holds: Card, start: all}
  hand:
    holds: Card
    per: Player
    seen_by: AUDIENCE
state:
  spy: bool per Player = true seen by everybody
  mark: 0..3 per Player = 1 seen by AUDIENCE
phases:
  play: |
    for p in players: move deck.first! to hand[p]
    for p in players: mark[p] = 2
    reveal hand[players.last].first!
    choose n from 1..2 by players.first
    finish draw
"""


@pytest.mark.parametrize("audience", ["others", "q if q != key", "q if spy[q] and q != key"])
def test_a_spectator_sees_nothing_that_a_player_does_not(audience: str, tmp_path: Path) -> None:
    """Whoever holds cards that only the others see could look on as well."""
    file = tmp_path / "held_up.yaml"
    file.write_text(HELD_UP.replace("AUDIENCE", audience), encoding="utf-8")
    state = croupier.load(file).new_initial_state(2)
    seen, told = state.observation(croupier.SPECTATOR), [e.text for e in state.events(croupier.SPECTATOR)]
    assert (
        seen["zones"]["hand"] == {"player 1": {"count": 1}, "player 2": {"count": 1}}
        and seen["state"]["mark"] == {}
    )
    assert told == [
        "play",
        *(f"a Card goes from deck to hand of player {p}" for p in (1, 2)),
        "everybody sees king (hand of player 2)",
    ]
    assert "king" in str(state.observation(0)) and "king" not in str(state.observation(1))


def test_a_spectator_sees_what_everybody_sees() -> None:
    state = start("kuhn_poker", "reference")
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    assert state.observation(croupier.SPECTATOR)["zones"]["hand"] == {
        "player 1": {"count": 1},
        "player 2": {"count": 1},
    }
    assert not any(
        "hand of player 1" in e.text and "deck" not in e.text for e in state.events(croupier.SPECTATOR)
    )
    assert "1 goes" in " ".join(e.text for e in state.events(0)) and "1 goes" not in " ".join(
        e.text for e in state.events(croupier.SPECTATOR)
    )
    with pytest.raises(ValueError, match="seat must be 0 or 1, got `-1`"):
        state.observation(-1)


@backends
def test_refusals_say_why(backend: str) -> None:
    def refused(state: croupier.State, call: str, *arguments: Any) -> str:
        before = seen(state)
        with pytest.raises(croupier.IllegalAction) as caught:
            getattr(state, call)(*arguments)
        assert seen(state) == before
        return str(caught.value)

    state = start("tic_tac_toe", backend)
    assert refused(state, "apply_action", 9).startswith(
        "action 9 is not legal for seat 0; legal: 0 `(1,1)`, 1 `(1,2)`, "
    )
    assert refused(state, "apply_action", 4, 1) == "seat 0 acts here, counted from 0, not seat 1"
    assert refused(state, "apply_action", 4, -1) == "seat 0 acts here, counted from 0, not chance"
    assert (
        refused(state, "apply_actions", [4])
        == "one seat acts here: `apply_actions` is for several that choose at once"
    )
    together = start("goofspiel", backend)
    assert (
        refused(together, "apply_actions", [0])
        == "2 seats choose here, not 1: one action each, in the order of `pending_seats()`"
    )
    assert "is not legal for seat 1" in refused(together, "apply_actions", [0, 99])
    together.apply_action(0)
    assert refused(together, "apply_action", 0, 0) == "seat 1 acts here, counted from 0, not seat 0"
    chance = start("kuhn_poker", backend)
    assert refused(chance, "apply_action", 0, 0) == "chance acts here, not seat 0"
    assert refused(chance, "apply_action", 99) == "99 is no outcome of this chance event"
    over = random_game(start("tic_tac_toe", backend), random.Random(1))
    assert refused(over, "apply_actions", [0]).startswith("nobody acts any more")
    assert refused(over, "apply_action", 0, 1) == "the game is over"


def test_other_arguments_of_the_wrong_type() -> None:
    rules = croupier.load("tic_tac_toe")
    state = rules.new_initial_state(players=Number(2))  # type: ignore[arg-type]
    for players in (2.0, "2"):
        with pytest.raises(ValueError, match="the number of players is a whole number"):
            rules.new_initial_state(players=players)  # type: ignore[arg-type]
    for parameters in ({1: 2}, "x", []):
        with pytest.raises(ValueError, match="parameters are given as a dict"):
            rules.new_initial_state(parameters=parameters)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="what an action is called is a text"):
        state.string_to_action(0, None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="an expression is a text"):
        state.evaluate(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="actions are whole numbers"):
        croupier.explain_move(state, 4.5)  # type: ignore[arg-type]


# ---------------------------------------------------------------- copies, pickles, texts
@backends
@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "goofspiel", "witches_of_blackmore"])
def test_copies_and_pickles_go_on_alike_and_alone(name: str, backend: str) -> None:
    rng = random.Random(name)
    state = start(name, backend)
    for _ in range(3):
        state.apply_action(rng.choice(state.legal_actions()))
    before = seen(state)
    for other in (copy.copy(state), copy.deepcopy([state])[0], pickle.loads(pickle.dumps(state))):
        assert type(other) is type(state) and other.backend == backend and seen(other) == before
        assert other.history == state.history and other.information_state(0) == state.information_state(0)
        random_game(other, random.Random(1))
        assert seen(state) == before
    assert (
        len(
            {
                random_game(s, random.Random(2)).hash()
                for s in (copy.copy(state), pickle.loads(pickle.dumps(state)))
            }
        )
        == 1
    )


def test_a_ruleset_is_pickled_as_its_file_and_hash(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    text = (PROGRAMS / "decisions.yaml").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    rules = croupier.load(path)
    pickled = pickle.dumps(rules)
    assert pickle.loads(pickled).ruleset_hash == rules.ruleset_hash
    assert copy.copy(rules) is rules and copy.deepcopy([rules]) == [rules]
    other = tmp_path / "other.yaml"
    other.write_text(text, encoding="utf-8")
    pickled = pickle.dumps(croupier.load(other))
    other.write_text(text.replace("players: 2..3", "players: 2"), encoding="utf-8")
    with pytest.raises(ValueError, match="has been changed since it was pickled"):
        pickle.loads(pickled)
    other.unlink()
    with pytest.raises(croupier.RulesetError):
        pickle.loads(pickled)


def test_states_go_to_other_processes_and_come_back() -> None:
    state = start("tic_tac_toe", "python")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        (again,) = pool.map(copy.copy, [state])
    assert again == state and again.backend == "python"


@backends
def test_a_saved_state_comes_back_on_the_back_end_asked_for(backend: str) -> None:
    for name in ("tic_tac_toe", "kuhn_poker", "goofspiel"):
        state = start(name, "reference")
        for _ in range(3):
            state.apply_action(state.legal_actions()[0])
        for replay in (True, False):
            again = croupier.load(name).deserialize(state.serialize(), backend=backend, replay=replay)
            assert again.backend == backend and seen(again) == seen(state) and again.history == state.history
    with pytest.raises(ValueError, match="the back ends are"):
        croupier.load("tic_tac_toe").deserialize("{}", backend="fast")


# ---------------------------------------------------------------- whole games
@backends
@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "goofspiel", "plain_tricks"])
def test_games_are_played_out_as_in_a_run(name: str, backend: str) -> None:
    state = start(name, backend)
    record = GameMatch(state.ruleset, MatchConfig(seed=11), 3, light=True).play()
    rolled = state.roll_out(11, 3)
    assert (rolled.final_hash, rolled.decisions, rolled.chance_events) == (
        record.final_hash,
        record.decisions,
        record.chance_events,
    )
    assert rolled.outcome["returns"] == record.outcome["returns"] and state.history == []
    for _ in range(4):
        state.apply_action(state.legal_actions()[0])
    twin = croupier.load(name).deserialize(state.serialize())
    assert state.roll_out(5) == twin.roll_out(5, 1) and len(state.history) == 4


@backends
@pytest.mark.parametrize(("limits", "ending"), [("", "faulted"), ("limits: {decisions: 3}\n", "unfinished")])
def test_games_that_do_not_finish_are_played_out_too(
    backend: str, limits: str, ending: str, tmp_path: Path
) -> None:
    path = Path(
        small(
            tmp_path, "for p in turns():\n    choose n from 0..1 by p\n    total = total + 2 // (1 - n)"
        ).path
    )
    path.write_text(
        path.read_text(encoding="utf-8").replace("\nplayers:", f"\n{limits}players:", 1), encoding="utf-8"
    )
    ruleset = croupier.load(path)
    found = set()
    for game in range(1, 12):
        record = GameMatch(ruleset, MatchConfig(seed=1), game, light=True).play()
        rolled = ruleset.new_initial_state(backend=backend).roll_out(1, game)
        assert (rolled.final_hash, rolled.decisions, rolled.outcome["status"]) == (
            record.final_hash,
            record.decisions,
            record.status,
        )
        found.add(record.status)
    assert ending in found


def test_a_game_that_is_over_is_played_out() -> None:
    over = random_game(start("tic_tac_toe", "reference"), random.Random(1))
    assert over.roll_out(1) == croupier.RolledOut(over.outcome(), over.hash(), 0, 0)


def held(rolled: croupier.RolledOuts, row: int) -> tuple[object, ...]:
    """A row of arrays."""
    won = [seat for seat, is_there in enumerate(rolled.winners[row].tolist()) if is_there]
    return (
        bool(rolled.failed[row]),
        rolled.returns[row].tolist(),
        won,
        int(rolled.decisions[row]),
        int(rolled.chance_events[row]),
    )


@backends
def test_many_ends_are_those_of_single_games(backend: str, tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    path = Path(
        small(
            tmp_path, "for p in turns():\n    choose n from 0..1 by p\n    total = total + 2 // (1 - n)"
        ).path
    )
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("\nplayers:", "\nlimits: {decisions: 4}\nplayers:", 1), encoding="utf-8")
    failed = 0
    for name, steps in (
        ("tic_tac_toe", 0),
        ("tic_tac_toe", 3),
        ("kuhn_poker", 3),
        ("goofspiel", 1),
        (path, 0),
        (path, 1),
        ("tic_tac_toe", 99),
    ):
        state = croupier.load(name).new_initial_state(backend=backend)
        for _ in range(steps):
            if not state.is_terminal():
                state.apply_action((state.legal_actions() or [0])[0])
        before, rolled = state.hash(), state.roll_outs(12, seed=3, first=5)
        for row in range(12):
            one = state.roll_out(3, 5 + row)
            finished, outcome = one.outcome["status"] == "finished", one.outcome
            ends = (outcome["returns"], outcome["winners"]) if finished else ([0] * state.players, [])
            assert held(rolled, row) == (not finished, *ends, one.decisions, one.chance_events)
        failed += int(rolled.failed.sum())
        assert state.hash() == before and rolled.returns.dtype == numpy.int64
    assert failed
    with pytest.raises(ValueError, match="1 or more, got `0`"):
        state.roll_outs(0, seed=1)
    with pytest.raises(TypeError):
        state.roll_outs(2.0, seed=1)  # type: ignore[arg-type]


@backends
@pytest.mark.parametrize(("seed", "game"), [(-1, 1), (2**64, 1), ("a", 1), (1.0, 1), (1, 0), (1, "1")])
def test_seeds_that_there_are_not(backend: str, seed: Any, game: Any) -> None:
    with pytest.raises(
        ValueError, match="a seed is a whole number from 0 to 18446744073709551615|games are counted from 1"
    ):
        start("tic_tac_toe", backend).roll_out(seed, game)


# ---------------------------------------------------------------- what they show
@backends
def test_states_and_rulesets_show_what_they_are(backend: str) -> None:
    state = start("goofspiel", backend)
    assert repr(state) == f"<State of goofspiel, 2 players, on {backend}, 0 steps; to act: seats 0 and 1>"
    assert (
        repr(start("kuhn_poker", backend))
        == f"<State of kuhn_poker, 2 players, on {backend}, 0 steps; chance acts>"
    )
    over = random_game(start("tic_tac_toe", backend), random.Random(1))
    assert (
        str(over) == f"<State of tic_tac_toe, 2 players, on {backend}, {len(over.history)} steps; finished>"
    )
    assert repr(state.ruleset) == "<Ruleset goofspiel>"


def test_the_shipped_names_can_be_loaded() -> None:
    names = croupier.shipped_names()
    assert "tic_tac_toe" in names and any("/" in name for name in names) and croupier.load(names[0]).players
