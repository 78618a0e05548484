"""What a seat sees of zones, by small programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

import croupier

CASES = YAML(typ="safe", pure=True).load(
    Path(__file__).with_name("seen.cases.yaml").read_text(encoding="utf-8")
)
HEAD = "croupier: 1\nruleset: seen\ntitle: Seen\nplayers: 2\n"


@pytest.mark.parametrize("name", CASES)
def test_what_a_seat_sees(name: str, tmp_path: Path) -> None:
    file = tmp_path / "seen.yaml"
    file.write_text(HEAD + CASES[name]["rules"], encoding="utf-8")
    state = croupier.load(file).new_initial_state()
    for action in CASES[name]["actions"]:
        state.apply_action(action)
    for player, zones in CASES[name]["sees"].items():
        seen = state.observation(player - 1)["zones"]
        assert {zone: seen[zone] for zone in zones} == zones, player
    assert all(state.evaluate(text) for text in CASES[name].get("holds", ()))
