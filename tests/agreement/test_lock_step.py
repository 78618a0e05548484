"""Every ruleset of the repository, on the reference evaluator and on the Python back end at once.

In the suite the beginning of one game for the fewest players, variants left out, of the smaller shipped games
every fifth, of the programs for tests every other one: `test_native.py` and `test_programs.py` play whole
games of the others. `tools/agree` plays the rest. What the back end refuses stands in `not_compiled.txt`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import RulesetError
from croupier.runtime.state import State
from lockstep import Differs, lock_step, play
from programs import names, rulesets

KNOWN = (Path(__file__).parent / "not_compiled.txt").read_text(encoding="utf-8").splitlines()
STEPS = 50
SMALLER = [name for name in names() if name.startswith(("rulesets/library/", "rulesets/classics/"))]
PROGRAMS = [name for name in names() if name.startswith("tests/data/programs/")]
LEFT_OUT = {*SMALLER, *PROGRAMS} - {*SMALLER[::5], *PROGRAMS[::2]} - {line.split(":")[0] for line in KNOWN}
PLAYED = [name for name in names() if "/variants/" not in name and name not in LEFT_OUT]
REFUSED = {line.split(":")[0] for line in KNOWN if line and not line.startswith("#")}


def refused(name: str) -> bool:
    """Plays; is any ruleset of a file or document refused?"""
    found = False
    for ruleset in rulesets(name).values():
        try:
            for _ in lock_step(ruleset, "python", 1, ruleset.players[:1], most=STEPS):
                pass
        except RulesetError as e:
            assert [d.code for d in e.diagnostics] == ["X601"]
            found = True
    return found


@pytest.mark.parametrize("name", PLAYED)
def test_python_plays_like_the_evaluator(name: str) -> None:
    assert refused(name) == (name in REFUSED), f"what is not compiled stands in {KNOWN[0]}"


def test_a_difference_is_noticed() -> None:
    """A back end that is one action behind is found out."""
    import random

    ruleset = croupier.load("tic_tac_toe")

    class Wrong(State):
        def legal_actions(self, seat: int | None = None) -> list[int]:
            return super().legal_actions(seat)[:3]

    with pytest.raises(Differs):
        play(ruleset.new_initial_state(), Wrong(ruleset, ruleset.engine(None, None)), random.Random(1))
