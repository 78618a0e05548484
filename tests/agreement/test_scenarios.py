"""Scenarios on two back ends at once.

In the suite some short files; `tools/agree --scenarios` plays those of all shipped rulesets.
"""

from __future__ import annotations

import pytest

from doubled import play_scenarios
from programs import ROOT

FILES = [
    "rulesets/library/lantern/scenarios/basics.yaml",
    "rulesets/library/relics/scenarios/basics.yaml",
    "rulesets/library/sealed_auction/scenarios/basics.yaml",
    "tests/data/heap_without_order/scenarios/draws.yaml",
]


@pytest.mark.parametrize("name", FILES)
def test_scenarios_go_alike(name: str) -> None:
    tally, failed = play_scenarios(ROOT / name, "python")
    assert tally.steps > tally.alone and not failed


@pytest.mark.parametrize("backend", ["core", "core-python"])
@pytest.mark.parametrize("name", FILES)
def test_scenarios_go_alike_on_the_core(name: str, backend: str) -> None:
    tally, failed = play_scenarios(ROOT / name, backend)
    assert tally.steps > tally.alone and not failed
