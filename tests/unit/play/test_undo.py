"""When a decision may be taken back: as data in `undo.cases.yaml`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.play.match import MatchConfig
from croupier.play.record import CHANCE_SEAT
from croupier.play.session import Session

DATA = YAML(typ="safe").load(Path(__file__).with_name("undo.cases.yaml").read_text(encoding="utf-8"))


def sit_down(case: dict[str, Any], tmp_path: Path) -> Session:
    """A session at the table of a case."""
    file = tmp_path / "desk.yaml"
    file.write_text(DATA["table"] + indent(case["play"], "    "), encoding="utf-8")
    setup = MatchConfig(None, {}, 1, (case.get("bots", "random"),))
    return Session(croupier.load(str(file)), setup, frozenset(p - 1 for p in case.get("persons", [1])))


@pytest.mark.parametrize("case", DATA["cases"].values(), ids=DATA["cases"])
def test_taking_back(case: dict[str, Any], tmp_path: Path) -> None:
    session = sit_down(case, tmp_path)
    for words in case["typed"]:
        seat = session.advance()
        assert seat is not None
        state = session.state
        session.choose(
            seat, state.legal_actions(seat)[0] if words == "first" else state.string_to_action(seat, words)
        )
    session.advance()
    taken = 0
    while session.can_undo:
        session.undo()
        taken += 1
    assert taken == case["left"]


def first_options(session: Session, *, back: bool = False) -> list[Any]:
    """Play to the end, the person always the first option; with `back`, each decision is taken back once
    where it may be. What was done.
    """
    furthest = 0
    while (seat := session.advance()) is not None:
        if back and session.can_undo and len(session.steps) > furthest:
            furthest = len(session.steps)
            session.undo()
        else:
            session.choose(seat, session.state.legal_actions(seat)[0])
    return list(session.steps)


@pytest.mark.parametrize("name", [name for name, case in DATA["cases"].items() if case.get("again")])
def test_the_game_goes_on_as_if_nothing_had_been_taken_back_or_interrupted(name: str, tmp_path: Path) -> None:
    case = DATA["cases"][name]
    session = sit_down(case, tmp_path)
    whole = first_options(session)
    assert any(choice.seat == CHANCE_SEAT for step in whole for choice in step.choices), (
        "without chance and bots, nothing is shown"
    )
    assert first_options(sit_down(case, tmp_path), back=True) == whole
    for length in range(1, len(whole)):
        resumed = sit_down(case, tmp_path)
        resumed.catch_up(replace(session.record(), steps=tuple(whole[:length])))
        assert first_options(resumed) == whole, length
