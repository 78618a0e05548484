"""What a decision offers, by small programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.runtime.legality import why_not

CASES = YAML(typ="safe", pure=True).load(
    Path(__file__).with_name("offered.cases.yaml").read_text(encoding="utf-8")
)
HEAD = "croupier: 1\nruleset: offered\ntitle: Offered\nplayers: 2\n"


@pytest.mark.parametrize("name", CASES)
def test_what_is_offered(name: str, tmp_path: Path) -> None:
    file = tmp_path / "offered.yaml"
    file.write_text(HEAD + CASES[name]["rules"], encoding="utf-8")
    state = croupier.load(file).new_initial_state()
    for words in CASES[name].get("after", ()):
        state.apply_action(state.string_to_action(state.current_player(), words))
    seat = state.current_player()
    offered = [state.action_to_string(seat, action) for action in state.legal_actions(seat)]
    assert offered == CASES[name]["offers"]
    assert all(why_not(state, seat, words).known for words in CASES[name].get("known", ()))
    assert not any(why_not(state, seat, words).known for words in CASES[name].get("unknown", ()))
    for words, clauses in CASES[name].get("refused", {}).items():
        assert [clause.words for clause in why_not(state, seat, words).clauses] == clauses
