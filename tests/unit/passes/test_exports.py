"""Functions that are called from outside of a program stay in it, whatever the passes do."""

from __future__ import annotations

import pytest

import croupier
from croupier.core.types import CoreProgram
from croupier.lowering import lower
from croupier.lowering.watchers import INVARIANTS
from croupier.passes.native import prepare_native_games, prepare_native_steps
from croupier.play.watching import probing_of
from croupier.runtime.game import Game


def programs(game: Game, program: CoreProgram) -> list[CoreProgram]:
    return [prepare_native_games(program, game), prepare_native_steps(program, game)]


# of a size that is optimized by inlining
@pytest.mark.parametrize("name", ["witches_of_blackmore", "lantern", "hearts"])
def test_native_code_keeps_the_test_of_the_invariants(name: str) -> None:
    game = croupier.load(name).game(None, {})
    lowered = lower(game, invariants=True)
    assert all(INVARIANTS in program.functions for program in programs(game, lowered.program))


def test_native_code_keeps_measures() -> None:
    engine = croupier.load("witches_of_blackmore").engine(None, {})
    game = engine.game
    lowered = lower(game, probing=probing_of(engine, ("points", "1 + 1"), samples=True, pace="2"))
    assert all(
        {"measure0", "measure1", "pace"} <= program.functions.keys()
        for program in programs(game, lowered.program)
    )
