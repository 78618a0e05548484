"""Native code tests the invariants after every action, and what does not hold is told as the evaluator tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.execution.backends import load_native
from croupier.play.match import MatchConfig
from croupier.play.record import digest
from croupier.play.simulate import simulate
from needs import compiler

pytestmark = compiler
SEVEN = str(Path(__file__).parent / "invariants" / "seven.yaml")


def games_of(name: str, backend: str, games: int) -> tuple[str, list[object]]:
    ruleset = croupier.load(name)
    played = sorted(
        simulate(ruleset, ruleset.path, MatchConfig(None, {}, 1, ("random",), True, backend), games, load=croupier.load), key=lambda g: g.game
    )
    return digest(played), list(played)


@pytest.mark.parametrize("name", [SEVEN, "tic_tac_toe", "connect_four", "kuhn_poker"])
def test_invariants_in_whole_games(name: str) -> None:
    assert games_of(name, "native", 20) == games_of(name, "reference", 20)


def test_a_game_in_which_something_does_not_hold_is_unusual() -> None:
    ruleset = croupier.load(SEVEN)
    checked, code = (load_native(ruleset, ruleset.game(None, {}), checked=c) for c in (True, False))
    assert checked is not None and code is not None
    games = list(simulate(ruleset, ruleset.path, MatchConfig(None, {}, 1, ("random",), True, "reference"), 20, load=croupier.load))
    assert [number for number, played in checked.play_games(1, 1, 20) if played is None] == [g.game for g in games if g.status == "faulted"] != []
    assert all(played is not None for _, played in code.play_games(1, 1, 20))
