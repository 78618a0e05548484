"""Every ruleset of the repository, on the reference evaluator and on the core at once, run by the interpreter of the tests and as printed Python.

In the suite the beginning of one game for the fewest players, variants and documents left out; `tools/agree --backend core` plays the rest. What is
not lowered stands in `not_lowered.txt`, which may only become shorter.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import croupier
from core_lockstep import core_of, lock_step, many, play
from croupier.lowering import NotLowered
from croupier.runtime.state import State
from lockstep import Differs
from programs import names, rulesets

KNOWN = (Path(__file__).parent / "not_lowered.txt").read_text(encoding="utf-8").splitlines()
REFUSED = {line.split(":")[0] for line in KNOWN if line and not line.startswith("#")}
STEPS = 15


def refused(name: str) -> bool:
    """Plays; is any ruleset of a file or document refused?"""
    found = False
    for ruleset in rulesets(name).values():
        try:
            for printed, most in ((False, STEPS), (True, 4 * STEPS)):
                for _ in lock_step(ruleset, 1, ruleset.players[:1], most=most, printed=printed):
                    pass
        except NotLowered:
            found = True
    return found


@pytest.mark.parametrize("name", [n for n in names() if "/variants/" not in n and n.endswith(".yaml")])
def test_the_core_plays_like_the_evaluator(name: str) -> None:
    assert refused(name) == (name in REFUSED), f"what is not lowered stands in {KNOWN[0]}"


def test_the_core_plays_random_programs_like_the_evaluator() -> None:
    tally = many(8, most=40)
    assert tally.sound >= 4, str(tally)
    assert many(8, most=40, printed=True).steps == tally.steps


def test_a_difference_is_noticed() -> None:
    """An evaluator that offers less is found out."""
    ruleset = croupier.load("tic_tac_toe")

    class Wrong(State):
        def legal_actions(self, seat: int | None = None) -> list[int]:
            return super().legal_actions(seat)[:3]

    with pytest.raises(Differs):
        play(Wrong(ruleset, ruleset.game(None, None)), core_of(ruleset.game(None, None)), random.Random(1))
