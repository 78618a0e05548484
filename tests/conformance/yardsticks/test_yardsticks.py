"""The hand-written classes of `tools/bench` play the same games as their rulesets, decision by decision:
nobody compares different games.

A few games; `tools/yardsticks --games 1000` plays more.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

import croupier

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

from _yardsticks import YARDSTICKS, plain_c, same  # noqa: E402

GAMES = {"tic_tac_toe": 20, "connect_four": 10}
PLAYERS = {"witches_of_blackmore": (2, 6), "una_notte_da_lupi": (8, 9, 10)}  # every role is in one of these


@pytest.mark.parametrize("name", YARDSTICKS)
def test_same_game(name: str) -> None:
    ruleset = croupier.load(name)
    for players in PLAYERS.get(name, ruleset.players):
        for seed in range(GAMES.get(name, 3)):
            assert same.same_game(ruleset, players, seed) > 0


@pytest.mark.skipif(plain_c.compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("name", plain_c.SOURCES)
def test_same_game_in_c(name: str, tmp_path: Path) -> None:
    ruleset, program = croupier.load(name), plain_c.compiled(name, tmp_path)
    assert program is not None
    for players in PLAYERS.get(name, ruleset.players):
        assert plain_c.same_games(ruleset, program, players, GAMES.get(name, 3)) > 0


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    cls = YARDSTICKS["tic_tac_toe"]
    monkeypatch.setattr(cls, "LINES", cls.LINES[1:])  # type: ignore[attr-defined]
    with pytest.raises(same.Differs, match="^who acts: by hand"):
        for seed in range(100):
            same.same_game(croupier.load("tic_tac_toe"), 2, seed)


def test_every_end_of_the_night_is_met() -> None:
    """The games of `una_notte_da_lupi` that are compared are of every kind."""
    seen = Counter[str]()
    for players in range(3, 11):
        for seed in range(60):
            seen[same.random_game("una_notte_da_lupi", players, seed).result] += 1  # type: ignore[attr-defined]
    assert len(seen) == 4
