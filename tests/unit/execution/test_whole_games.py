"""Whole games on compiled Python are the games that a match of random agents plays."""

from __future__ import annotations

import pytest

import croupier
from croupier.execution.python_program import Bailout, BufferedStream, run_playout
from croupier.execution.python_state import PythonGame, PythonState
from croupier.runtime.state import State, rolled_out

NAMES = (
    "tic_tac_toe", "connect_four", "kuhn_poker", "plain_tricks", "goofspiel", "witches_of_blackmore",
    "two_dice_pig", "sealed_auction", "fish_market",
    "leduc_poker", "liars_dice", "mill",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_same_games(name: str) -> None:
    ruleset = croupier.load(name)
    engine = ruleset.engine(None, None)
    initial = PythonState(ruleset, PythonGame(engine))
    for number in (1, 2):
        assert initial._whole_game(11, number) == rolled_out(State(ruleset, engine), 11, number)


def test_nobody_waits_in_a_whole_game() -> None:
    """Players and chance pick at once: a game is one call."""
    program = PythonGame(croupier.load("tic_tac_toe").engine(2, None)).program
    assert program.playout() is not None
    assert "frames" in program.text and "frames" not in program.playout_text


def test_a_game_that_looks_ahead_is_played_step_by_step() -> None:
    ruleset = croupier.load("baron_voodoo")
    initial = ruleset.new_initial_state(backend="python")
    assert initial.compiled.program.playout() is None
    assert initial._whole_game(11, 1) == rolled_out(ruleset.new_initial_state(), 11, 1)


def test_a_word_that_does_not_count() -> None:
    """2^32 mod 3 is 1: of all words only 0 does not count, and the next one is taken."""
    chooser = BufferedStream(1, 1, "chance")
    chooser.words = [7, 2**31, 0]
    assert chooser.redraw(chooser.word() * 3, 3) == 2**31 * 3 and chooser.words == [7]


def test_a_game_that_comes_to_a_limit_is_unusual() -> None:
    program = PythonGame(croupier.load("two_dice_pig").engine(2, None)).program
    program.limits = 3, program.limits[1]
    with pytest.raises(Bailout):
        run_playout(program, 1, 1)


def test_a_game_is_rolled_out_for_at_most_so_many_decisions() -> None:
    ruleset = croupier.load("tic_tac_toe")
    for most in (0, 1, 4):
        assert rolled_out(ruleset.new_initial_state(), 11, 1, most).decisions == most
    assert rolled_out(ruleset.new_initial_state(), 11, 1, 99).decisions <= 9
