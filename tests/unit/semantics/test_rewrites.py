"""Conditions that act and blocks `at once`, as the statements that they become: programs of rewrites.yaml."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from croupier.pipeline import load
from croupier.semantics.canonical import dump_typed

CASES = YAML(typ="safe").load(Path(__file__).with_name("rewrites.yaml"))
HEAD = """\
croupier: 1
ruleset: rewritten
title: Rewritten
players: 3
state:
  n: 0..9 = 0 seen by everybody
  best: Player? seen by everybody
definitions: |
  def high(p: Player) -> bool:
      choose k from 0..9 by p
      n = k
      return k > 5
phases:
  play: |
"""


def typed(play: str, path: Path) -> str:
    """The statements of the phase `play` as `croupier dump --stage typed` shows them, without their lines."""
    path.write_text(HEAD + "".join(f"    {line}\n" for line in play.splitlines()), encoding="utf-8")
    (body,) = re.findall(r"(?ms)^procedure \d+ play: .*?\n\n", dump_typed(load(path).program) + "\n\n")
    shown = [line[9:] for line in body.splitlines()[1:] if "live at" not in line]
    return "".join(f"{line.rstrip()}\n" for line in shown if line.strip())


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_what_it_becomes(case: dict[str, Any], tmp_path: Path) -> None:
    assert typed(case["play"], tmp_path / "rewritten.yaml") == case["typed"]
