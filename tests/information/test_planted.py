"""The leak lint against leaks that are shown by playing: no decision that leaks in a random ruleset goes
unreported.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from planted import Verdict, judged

QUICK = range(30)
LONG = range(1000, 2600)


def missed(found: dict[int, Verdict]) -> dict[int, set[str]]:
    """The decisions that leak and are not reported, by seed."""
    return {seed: set(v.shown - v.reported) for seed, v in found.items() if v.shown - v.reported}


def test_leaks_that_are_shown_are_reported(tmp_path: Path) -> None:
    found = judged(QUICK, tmp_path)
    assert missed(found) == {}
    assert sum(1 for v in found.values() if v.shown) >= 4, "too few of these rulesets leak"


def test_what_hides_nothing_is_not_reported(tmp_path: Path) -> None:
    found = judged(QUICK, tmp_path, hidden=0.0)
    assert {seed: set(v.reported & v.met) for seed, v in found.items() if v.reported & v.met} == {}
    assert {seed: set(v.shown) for seed, v in found.items() if v.shown} == {}


@pytest.mark.soak
def test_a_hundred_leaks_are_reported(tmp_path: Path) -> None:
    found = judged(LONG, tmp_path)
    assert missed(found) == {}
    leaking = [v for v in found.values() if v.shown]
    tight = [v for v in found.values() if not v.shown and v.met and v.whole]
    silent = [v for v in tight if not v.reported & v.met]
    print(
        f"{len(leaking)} leak, all reported; {len(silent)} of {len(tight)} without a leak stay without a "
        f"report"
    )
    assert len(leaking) >= 100
