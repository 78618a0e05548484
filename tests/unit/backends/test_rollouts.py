"""Whole games on compiled code are the games that a match of random agents plays."""

from __future__ import annotations

import pytest

import croupier
from croupier.backends.choice import compiled
from croupier.backends.python.position import Deviation
from croupier.backends.python.rollouts import Chooser, roll_out
from croupier.play.match import GameMatch, MatchConfig

NAMES = (
    "tic_tac_toe", "kuhn_poker", "plain_tricks", "goofspiel", "leduc_poker", "witches_of_blackmore", "two_dice_pig", "liars_dice", "sealed_auction",
    "fish_market", "mill",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_same_games(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.backends.python.FEW_GAMES", 1)
    ruleset = croupier.load(name)
    initial = ruleset.new_initial_state(backend="python")
    for number in (1, 2, 3):
        record = GameMatch(ruleset, MatchConfig(seed=11), number, light=True).play()
        rolled = initial._whole_game(11, number)
        assert rolled is not None
        assert (rolled.final_hash, rolled.decisions, rolled.chance_events) == (record.final_hash, record.decisions, record.chance_events)
        assert rolled.outcome["returns"] == record.outcome["returns"] and rolled.outcome["winners"] == record.outcome["winners"]


def test_whole_games_have_functions_of_their_own() -> None:
    """In which players and chance pick at once: a game is one call from the first decision on."""
    code = compiled(croupier.load("tic_tac_toe").game(2, None))
    assert code.whole is not code
    assert "S.offer" in code.source and "S.offer" not in code.whole.source


def test_a_word_that_might_not_count_deviates(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last 2^32 of 2^64 words: the evaluator draws again where they do not count, so it plays the game."""
    words = [5, 6, 7, 2**64 - 2]
    monkeypatch.setattr("croupier.backends.python.rollouts.WORDS", lambda digest: words)
    with pytest.raises(Deviation):
        Chooser(1, 1, "chance").uniform(3)
    words[3] = 8
    assert Chooser(1, 1, "chance").uniform(3) == 5 % 3


def test_a_game_that_comes_to_a_limit_is_left_to_the_evaluator() -> None:
    ruleset = croupier.load("two_dice_pig")
    code = compiled(ruleset.game(2, None))
    stands, fuel, search, looks, _, chances = code.whole.rules()
    code._rules = stands, fuel, search, looks, 3, chances
    with pytest.raises(Deviation):
        roll_out(code, 1, 1)
