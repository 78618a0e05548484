"""Expressions that are worked out at set-up, and defaults of parameters, bind slots of the frame they are
worked out in.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from programs import small


def finished(ruleset: croupier.Ruleset) -> dict[str, object]:
    state = ruleset.new_initial_state()
    assert state.is_terminal()
    return state.outcome()


def test_a_default_binds_slots_of_the_caller(tmp_path: Path) -> None:
    """The caller has no other local, and two calls have a slot each."""
    r = small(
        tmp_path,
        'total = many() + many()\nfinish draw as "{total}"',
        "def many(k: int = sum(p.seat for p in players)) -> int:\n    return k",
    )
    assert r.program.phases["play"].slots == ["p", "p"]
    assert finished(r)["grade"] == "6"


def test_set_up_may_bind_many_names(tmp_path: Path) -> None:
    file = tmp_path / "many.yaml"
    parameters = "".join(
        f"  p{i}: {{type: int, default: {' + '.join(['count(x for x in players)'] * 6)}}}\n"
        for i in range(12)
    )
    total = " + ".join(f"p{i}" for i in range(12))
    file.write_text(
        f"croupier: 1\nruleset: many\ntitle: Many\nplayers: 2\nparameters:\n{parameters}phases:\n  play: "
        f'|\n    finish draw as "{{{total}}}"\n',
        encoding="utf-8",
    )
    assert finished(croupier.load(file))["grade"] == str(2 * 6 * 12)


@pytest.mark.parametrize(
    "body",
    [
        "let k = total + 3\nlet x: 0..k = 2\nfinish draw",
        "let x: 0..total = 0\nfinish draw",
        "var xs: list of int up to total = []\nadd 1 to xs\nfinish draw",
    ],
)
def test_a_limit_of_a_type_is_known_at_set_up(tmp_path: Path, body: str) -> None:
    with pytest.raises(croupier.RulesetError) as caught:
        small(tmp_path, body)
    assert [d.code for d in caught.value.diagnostics] == ["T058"]


def test_a_limit_may_bind_names_of_its_own(tmp_path: Path) -> None:
    assert (
        finished(small(tmp_path, "let x: 0..sum(p.seat for p in players) = 3\ntotal = x\nfinish draw"))[
            "status"
        ]
        == "finished"
    )
