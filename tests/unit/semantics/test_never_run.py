"""Which procedures never run, by the programs of never_run.yaml: something always takes their place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from croupier.pipeline import load
from croupier.semantics.walk import never_run

CASES = YAML(typ="safe").load(Path(__file__).with_name("never_run.yaml"))
HEAD = """\
croupier: 1
ruleset: replaced
title: Replaced
players: 2
phases:
  play: |
    choose k from 0..9 by players.first
    announce "{worth(k)}"
    finish draw
definitions: |
"""


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_what_is_always_replaced(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "replaced.yaml"
    lines = case["definitions"].splitlines()
    path.write_text(HEAD + "".join(f"  {line}\n" for line in lines), encoding="utf-8")
    program = load(path).program
    above = HEAD.count("\n")
    assert sorted(program.procs[index].span.line - above for index in never_run(program)) == case["never"]
