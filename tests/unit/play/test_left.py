"""Games that native code leaves: tried both ways, then played on what is quicker, with the same result."""

from __future__ import annotations

import pytest

import croupier
from croupier.play import single
from croupier.play.match import never
from croupier.play.setup import Setup
from croupier.play.single import Left


@pytest.mark.parametrize(("seconds", "quick"), [([3.0, 5.0, 2.0, 1.0], True), ([3.0, 5.0, 2.0, 4.0], False)])
def test_they_are_played_on_what_is_quicker(monkeypatch: pytest.MonkeyPatch, seconds: list[float], quick: bool) -> None:
    """The first game on either may hold what is done once: the quickest of each counts."""
    ruleset = croupier.load("tic_tac_toe")
    setup = Setup(2, {}, 1, backend="auto")
    initial, native = setup.initial_state(ruleset), ruleset.new_initial_state(2)
    monkeypatch.setattr(single, "native_state", lambda *_: native)
    clock = iter([t for s in seconds for t in (0.0, s)])
    monkeypatch.setattr(single.time, "perf_counter", lambda: next(clock))
    left = Left(ruleset, setup, initial)
    played = [left.play(number, never) for number in range(1, 6)]
    assert (left.is_quick, left.initial is native) == (quick, quick)
    monkeypatch.undo()
    assert played == [single.play_one(ruleset, setup, initial, number, never) for number in range(1, 6)]
