"""Every ruleset of the repository, on the reference evaluator and on the core at once, run by the interpreter
of the tests: a third opinion, which tells a mistake of lowering from one of a printer. What is printed as
Python and as native code is held against the evaluator next door.

In the suite the beginning of one game for the fewest players, of the test programs and every fourth other
file; `tools/agree --backend core` plays the rest. What is not lowered stands in `not_lowered.txt`, which may
only become shorter.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import croupier
from core_lockstep import INTERPRETED, core_of, lock_step, many, play
from croupier.execution.llvm_compiler import is_installed
from croupier.execution.native_game import NativeGame
from croupier.execution.native_state import NativeState
from croupier.lowering import NotLowered
from croupier.runtime.state import State, rolled_out
from lockstep import Differs
from programs import names, rulesets

KNOWN = (Path(__file__).parent / "not_lowered.txt").read_text(encoding="utf-8").splitlines()
REFUSED = {line.split(":")[0] for line in KNOWN if line and not line.startswith("#")}
STEPS = 10


def refused(name: str) -> bool:
    """Plays; is any ruleset of a file or document refused?"""
    found = False
    for ruleset in rulesets(name).values():
        try:
            for _ in lock_step(ruleset, 1, ruleset.players[:1], most=STEPS, target=INTERPRETED):
                pass
        except NotLowered:
            found = True
    return found


FILES = [n for n in names() if "/variants/" not in n and n.endswith(".yaml")]
PROGRAMS = [n for n in FILES if n.startswith("tests/data/programs")]


@pytest.mark.parametrize("name", [*PROGRAMS, *[n for n in FILES if n not in PROGRAMS][::4]])
def test_the_core_plays_like_the_evaluator(name: str) -> None:
    assert refused(name) == (name in REFUSED), f"what is not lowered stands in {KNOWN[0]}"


def test_the_core_plays_random_programs_like_the_evaluator() -> None:
    tally = many(4, most=40)
    assert tally.sound >= 2, str(tally)


WHOLE = [
    "tic_tac_toe",
    "una_notte_da_lupi",
    "kuhn_poker",
    "goofspiel",
    "liars_dice",
    "magpie",
    "witches_of_blackmore",
]


@pytest.mark.skipif(not is_installed(), reason="needs llvmlite")
@pytest.mark.parametrize("name", WHOLE)
def test_native_code_plays_whole_games_like_the_evaluator(name: str) -> None:
    """From the start and from a position on the way: the hash of the end, returns, and how many decisions and
    chance events.
    """
    ruleset = croupier.load(name)
    state = ruleset.new_initial_state()
    native = NativeGame(state.game, ruleset)
    other = NativeState(ruleset, state.engine, native)
    for _ in range(3):
        for number in (1, 2):
            assert other._whole_game(5, number) == rolled_out(state.clone(), 5, number)
        seat = state.pending_seats()[0] if not state.is_chance_node() else -1
        action = state._weights()[0][0] if seat == -1 else state.legal_actions(seat)[0]
        state.apply_action(action, seat)
        other.apply_action(action, seat)
    assert native.play_rows(5, 1, 2).bailout_count() == 0
    assert native.playouts(20).bailouts == 0


def test_a_difference_is_noticed() -> None:
    """An evaluator that offers less is found out."""
    ruleset = croupier.load("tic_tac_toe")

    class Wrong(State):
        def legal_actions(self, seat: int | None = None) -> list[int]:
            return super().legal_actions(seat)[:3]

    with pytest.raises(Differs):
        play(Wrong(ruleset, ruleset.engine(None, None)), core_of(ruleset.game(None, None)), random.Random(1))
