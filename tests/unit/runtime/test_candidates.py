"""The candidates of a decision: all that it is about, and why some of that may not be chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

import croupier

CASES = YAML(typ="safe", pure=True).load(
    Path(__file__).with_name("candidates.cases.yaml").read_text(encoding="utf-8")
)
HEAD = "croupier: 1\nruleset: asked\ntitle: Asked\nplayers: 2\n"


@pytest.mark.parametrize("name", CASES)
def test_candidates(name: str, tmp_path: Path) -> None:
    file = tmp_path / "asked.yaml"
    file.write_text(HEAD + CASES[name]["rules"], encoding="utf-8")
    state = croupier.load(file).new_initial_state()
    for words in CASES[name].get("after", ()):
        state.apply_action(state.string_to_action(state.current_player(), words))
    m, seat = state._m, state.current_player()
    frame = m.frames[-1]
    found = m.waiting.candidates(m, frame, seat)
    rows = []
    for c in found:
        failed = () if c.failed is None else (c.failed.kind, c.failed.words)
        rows.append([str(c.words(m, frame)), *filter(None, failed)])
    assert rows == CASES[name]["candidates"]
    assert sorted(c.action for c in found if c.failed is None) == state.legal_actions(seat)
    if "open_to" in CASES[name]:
        assert [p for p in range(2) if m.waiting.is_open_to(m, frame, p)] == CASES[name]["open_to"]
