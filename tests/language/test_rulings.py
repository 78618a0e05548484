"""The rulings: a ruleset whose scenarios hold what a small mistake of the engine would change, on every back
end.
"""

from __future__ import annotations

import pytest

import croupier
from croupier.scenarios import run_scenarios
from doubled import play_scenarios
from programs import ROOT

RULINGS = ROOT / "tests" / "language" / "rulings"


def test_the_scenarios_pass() -> None:
    assert croupier.check(RULINGS).diagnostics == ()
    results = run_scenarios(RULINGS)
    assert results and [r.id + "\n" + r.message for r in results if not r.passed] == []


@pytest.mark.parametrize("path", sorted(RULINGS.glob("scenarios/*.yaml")), ids=lambda path: path.stem)
def test_compiled_code_follows_them(path) -> None:
    tally, failed = play_scenarios(path, "python")
    assert tally.steps > 0 and not failed
