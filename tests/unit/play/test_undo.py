"""When a decision may be taken back: as data in `undo.cases.yaml`."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.play.session import Session
from croupier.play.setup import Setup

DATA = YAML(typ="safe").load(Path(__file__).with_name("undo.cases.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", DATA["cases"].values(), ids=DATA["cases"])
def test_taking_back(case: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "desk.yaml"
    file.write_text(DATA["table"] + indent(case["play"], "    "), encoding="utf-8")
    session = Session(croupier.load(str(file)), Setup(None, {}, 1, ("random",)), frozenset(p - 1 for p in case.get("persons", [1])))
    for words in case["typed"]:
        seat = session.advance()
        assert seat is not None
        state = session.state
        session.choose(seat, state.legal_actions(seat)[0] if words == "first" else state.string_to_action(seat, words))
    session.advance()
    taken = 0
    while session.can_undo:
        session.undo()
        taken += 1
    assert taken == case["left"]
