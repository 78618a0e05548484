"""The small programs: each checks without a finding, random games of it finish, and its cases hold."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import croupier
from cases import LANGUAGE, read_cases, run_case
from croupier.pipeline import dump
from trees import random_game

PROGRAMS = sorted(p.name.removesuffix(".cases.yaml") for p in LANGUAGE.glob("*.cases.yaml"))
GAMES = {"baron_voodoo_board": 1}  # how many games at each number of players, 5 if not said
CASES = [(name, case) for name in PROGRAMS for case in read_cases(name)]


@cache
def ruleset(name: str) -> Any:
    return croupier.load(LANGUAGE / f"{name}.yaml")


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_checks_and_plays(name: str) -> None:
    found = [
        f"{d.span.line if d.span else '?'}: {d.message}"
        for d in croupier.check(LANGUAGE / f"{name}.yaml").diagnostics
    ]
    assert not found, found
    rng = random.Random(name)
    for players in ruleset(name).players:
        for _ in range(GAMES.get(name, 5)):
            state = random_game(ruleset(name).new_initial_state(players), rng)
            assert state.outcome()["status"] == "finished", state.outcome()


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_stage_can_be_shown(name: str) -> None:
    names = [*ruleset(name).program.defs, *ruleset(name).program.vars]
    assert dump(LANGUAGE / f"{name}.yaml", "core")
    for stage in ("ast", "typed"):
        text = dump(LANGUAGE / f"{name}.yaml", stage)
        assert [word for word in names if word.rsplit(".", 1)[-1] not in text] == [], stage


@pytest.mark.parametrize(("name", "case"), CASES, ids=[f"{name}: {case['name']}" for name, case in CASES])
def test_case(name: str, case: dict[str, Any]) -> None:
    run_case(ruleset(name), case)
