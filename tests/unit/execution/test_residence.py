"""States of one game in native code take turns in its memory: whatever one does, the others stand where they
stood, as the evaluator has them.
"""

from __future__ import annotations

import gc
import random
import threading
from array import array
from pathlib import Path

import pytest

import croupier
from croupier.execution.native_state import NativeState
from croupier.runtime.faults import IllegalAction
from croupier.runtime.state import State
from needs import compiler
from programs import small

pytestmark = compiler
PROGRAMS = Path(__file__).parents[2] / "data" / "programs"
DIVIDES = (
    "for p in turns():\n    choose n from 0..3 by p\n    total = total + 6 // n\n    if total > 20: "
    "finish win p"
)
SHORT = "for p in turns():\n    choose n from 0..3 by p\n    total = n"
Pair = tuple[State, State]


def pair(ruleset: croupier.Ruleset, players: int | None = None) -> Pair:
    """The evaluator's first position, and that of native code."""
    a, b = (ruleset.new_initial_state(players, backend=backend) for backend in ("reference", "native"))
    assert isinstance(b, NativeState)
    return a, b


def alike(a: State, b: State) -> None:
    assert (a.is_terminal(), a.is_simultaneous_node(), a.is_chance_node()) == (
        b.is_terminal(),
        b.is_simultaneous_node(),
        b.is_chance_node(),
    )
    assert (a.current_player(), a.pending_seats(), a.legal_actions()) == (
        b.current_player(),
        b.pending_seats(),
        b.legal_actions(),
    )
    assert [a.legal_actions(seat) for seat in range(-1, a.players)] == [
        b.legal_actions(seat) for seat in range(-1, a.players)
    ]
    assert (a.chance_outcomes(), a.returns(), a.history, a.hash()) == (
        b.chance_outcomes(),
        b.returns(),
        b.history,
        b.hash(),
    )


def step(a: State, b: State, rng: random.Random) -> None:
    """One step of both; now and then something illegal is tried before, and the seat is said."""
    seat = rng.choice(a.pending_seats() or [-1])
    legal = a.legal_actions(seat)
    if rng.random() < 0.3:
        for state in (a, b):
            with pytest.raises(IllegalAction):
                state.apply_action(max(legal) + 1, seat)
    action, said = rng.choice(legal), a.is_simultaneous_node() or rng.random() < 0.5
    for state in (a, b):
        state.apply_action(action, seat if said and seat >= 0 else None)


def take_turns(pairs: list[Pair], rng: random.Random, steps: int) -> None:
    """States go on in any order; some are copied, and then both go on."""
    for _ in range(steps):
        a, b = rng.choice(pairs)
        if rng.random() < 0.3:
            pairs.append((a.clone(), b.clone()))
        for _ in range(3):
            alike(a, b)
            if not a.is_terminal():
                step(a, b, rng)
        alike(*rng.choice(pairs))
    for a, b in pairs:
        alike(a, b)


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "kuhn_poker", "leduc_poker", "plain_tricks"])
def test_states_take_turns(name: str) -> None:
    ruleset = croupier.load(name)
    first = pair(ruleset)
    take_turns([first, (first[0].clone(), first[1].clone())], random.Random(name), 25)


@pytest.mark.parametrize("program", ["together", "talk", "chance", "decisions"])
def test_whatever_is_waited_for(program: str) -> None:
    """Choices at the same time, what may be said, weights, choices of several."""
    ruleset = croupier.load(PROGRAMS / f"{program}.yaml")
    take_turns([pair(ruleset, ruleset.players[-1])], random.Random(program), 25)


def test_an_action_that_deviates(tmp_path: Path) -> None:
    """The evaluator stands in for that state alone, from the position before."""
    ruleset = small(tmp_path, DIVIDES)
    a, b = pair(ruleset)
    for state in (a, b):
        state.apply_action(2)
    pairs = [(a.clone(), b.clone()) for _ in range(3)]
    for state in pairs[1]:
        state.apply_action(0)
    alike(*pairs[1])
    assert pairs[1][1].outcome() == pairs[1][0].outcome() and pairs[1][1].outcome()["status"] == "faulted"
    for k in (0, 2):
        for state in pairs[k]:
            state.apply_action(3)
    for one in pairs:
        alike(*one)
    take_turns([(a, b), *pairs], random.Random(1), 15)


@pytest.mark.parametrize("decisions", [1000, 13, 12, 11])
def test_native_code_goes_on_behind_an_action_that_it_left(decisions: int, tmp_path: Path) -> None:
    """Limits count as before, and copies take turns."""
    path = tmp_path / "left.yaml"
    text = (Path(__file__).parent / "left_for_an_action.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace("limits: {", f"limits: {{decisions: {decisions}, "), encoding="utf-8")
    rng = random.Random(decisions)
    a, b = pair(croupier.load(path))
    take_turns([(a, b)], rng, 20)
    while not a.is_terminal():
        step(a, b, rng)
        alike(a, b)
    assert a.outcome() == b.outcome()


def test_the_evaluator_applies_only_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three actions of this game: its numbers 2, 5 and 7 take a list that native code has no room for."""
    applied: list[int] = []
    by_evaluator = State.apply_action

    def noted(self: State, action: int, seat: int | None = None) -> None:
        applied.append(action)
        by_evaluator(self, action, seat)

    monkeypatch.setattr(State, "apply_action", noted)
    state, rng = (
        croupier.load(Path(__file__).parent / "left_for_an_action.yaml").new_initial_state(backend="native"),
        random.Random(5),
    )
    while not state.is_terminal():
        state.apply_action(
            rng.choice(state.chance_outcomes())[0]
            if state.is_chance_node()
            else rng.choice(state.legal_actions())
        )
    assert len(applied) == 3 and len(state.history) > 30


def test_a_limit(tmp_path: Path) -> None:
    """Also where copies go on."""
    path = Path(small(tmp_path, SHORT).path)
    path.write_text(
        path.read_text(encoding="utf-8").replace("\nplayers:", "\nlimits: {decisions: 6}\nplayers:", 1),
        encoding="utf-8",
    )
    a, b = pair(croupier.load(path))
    take_turns([(a, b)], random.Random(2), 15)
    while not a.is_terminal():
        step(a, b, random.Random(3))
    assert b.is_terminal() and a.outcome() == b.outcome()
    with pytest.raises(IllegalAction, match="the game is over"):
        b.apply_action(1)


def test_whole_games_in_between() -> None:
    """They need the memory, too; and who has it may be gone."""
    ruleset = croupier.load("tic_tac_toe")
    a, b = pair(ruleset)
    for state in (a, b):
        state.apply_action(4)
    before = b.native.playouts(5)
    alike(a, b)
    assert list(b.native.play_rows(1, 1, 3).games()) and b.native.playouts(5) == before
    for state in (a, b):
        state.apply_action(0)
    alike(a, b)
    gone = b.clone()
    gone.apply_action(1)
    del gone
    gc.collect()
    alike(a, b)


@pytest.mark.parametrize("action", [9, -1, 2**70, -(2**63)])
def test_what_is_no_action(action: int) -> None:
    a, state = pair(croupier.load("tic_tac_toe"))
    with pytest.raises(IllegalAction, match="is not legal for seat 0"):
        state.apply_action(action)
    alike(a, state)


def test_other_threads_go_on() -> None:
    """Where there are others, the lock of Python is released during a step: each plays its own game, and none
    is disturbed.
    """
    ruleset, games = croupier.load("tic_tac_toe"), [(4, 0, 1, 2), (0, 4, 8, 2), (6, 3, 5, 1)]
    pairs, together = [pair(ruleset) for _ in games], threading.Barrier(len(games))

    def play(k: int) -> None:
        together.wait(60)
        for action in games[k]:
            pairs[k][1].apply_action(action)

    threads = [threading.Thread(target=play, args=(k,)) for k in range(len(games))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for (a, b), actions in zip(pairs, games, strict=True):
        for action in actions:
            a.apply_action(action)
        alike(a, b)


def test_words_are_packed_and_unpacked() -> None:
    """Eight at a time, in as few bytes as the widest of them takes."""
    from croupier.core.operations import NONE
    from croupier.execution.llvm_compiler import ExecutionEngine, NativeMemory, compile_object
    from croupier.printers.llvm_builder import FunctionBuilder
    from croupier.printers.llvm_steps import print_pack, print_unpack

    texts = []
    for name in ("pack", "unpack"):
        go = FunctionBuilder(name, "*a n *b", public=True)
        go.ret(go.call(f"words.{name}", "%a", "%n", "%b"))
        texts.append(go.text())
    engine = ExecutionEngine(compile_object("\n".join([print_pack(), print_unpack(), *texts])))
    edges = [w for k in (7, 15, 31) for w in ((1 << k) - 1, -(1 << k) + 1, 1 << k, -(1 << k), NONE)]
    for words, size in (
        ([0] * 20, 3),
        ([NONE, 127, -127] * 5, 18),
        *(([w] * 7, None) for w in [*edges, 2**63 - 1, -(2**63)]),
    ):
        held, packed, out = NativeMemory(len(words) + 8), NativeMemory(100), NativeMemory(len(words) + 8)
        held.view[: len(words)] = array("q", words)
        end = engine.function("pack", "*a n *b")(held.address, len(words), packed.address)
        assert size is None or end - packed.address == size
        assert engine.function("unpack", "*a n *b")(packed.address, len(words), out.address) == end
        assert out.view[: len(words)].tolist() == words


def test_a_position_takes_few_bytes() -> None:
    """However much room its lists have."""
    state = croupier.load("vudu").new_initial_state(3, backend="native")
    assert isinstance(state, NativeState) and state.legal_actions()
    assert len(state.saved_words() or b"") < 2000
