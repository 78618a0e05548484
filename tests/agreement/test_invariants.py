"""Compiled code tests the invariants after every action, and what does not hold is told as the evaluator
tells it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.execution.backends import load_native
from croupier.play.digest import digest
from croupier.play.match import MatchConfig
from croupier.play.results import GameResult
from croupier.play.simulate import simulate
from croupier.runtime.state import State
from needs import compiler

SEVEN = str(Path(__file__).parent / "invariants" / "seven.yaml")


def games_of(name: str, backend: str, games: int, **options: Any) -> tuple[str, list[GameResult]]:
    ruleset = croupier.load(name)
    setup = MatchConfig(seed=1, invariants=True, backend=backend, **options)
    played = sorted(simulate(ruleset, ruleset.path, setup, games, load=croupier.load), key=lambda g: g.game)
    return digest(played), list(played)


@pytest.mark.parametrize("options", [{}, {"verify": True}, {"bots": ("first", "random")}])
@pytest.mark.parametrize("name", [SEVEN, "tic_tac_toe", "kuhn_poker", "witches_of_blackmore"])
@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=compiler)])
def test_invariants_in_whole_games(name: str, backend: str, options: dict[str, Any]) -> None:
    assert games_of(name, backend, 8, **options) == games_of(name, "reference", 8, **options)


def test_invariants_where_somebody_looks_ahead() -> None:
    assert games_of("baron_voodoo", "python", 1) == games_of("baron_voodoo", "reference", 1)


@pytest.mark.parametrize("options", [{}, {"verify": True}, {"bots": ("first", "random")}])
def test_the_evaluator_tests_only_what_fails_compiled(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled Python tests the invariants of every position; the evaluator is asked once in each game in
    which one does not hold.
    """
    asked = []
    by_evaluator = State.check_invariants
    monkeypatch.setattr(State, "check_invariants", lambda self: asked.append(self) or by_evaluator(self))
    _, played = games_of(SEVEN, "python", 20, **options)
    assert len(asked) == sum(game.status == "faulted" for game in played) > 0
    asked.clear()
    games_of("witches_of_blackmore", "python", 2, **options)
    assert not asked


@compiler
def test_a_game_in_which_something_does_not_hold_is_unusual() -> None:
    ruleset = croupier.load(SEVEN)
    checked, code = (load_native(ruleset, ruleset.engine(None, {}), checked=c) for c in (True, False))
    assert checked is not None and code is not None
    games = list(
        simulate(
            ruleset,
            ruleset.path,
            MatchConfig(None, {}, 1, ("random",), True, "reference"),
            20,
            load=croupier.load,
        )
    )
    assert (
        [number for number, played in checked.play_rows(1, 1, 20).games() if played is None]
        == [g.game for g in games if g.status == "faulted"]
        != []
    )
    assert all(played is not None for _, played in code.play_rows(1, 1, 20).games())
