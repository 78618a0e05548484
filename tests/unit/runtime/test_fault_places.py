"""Where a fault of a rule is told: at the whole expression that failed."""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier

RULES = """\
croupier: 1
ruleset: long_list
title: A long list
players: 2
limits: {{fuel: 1000}}
components:
  Card: {{attributes: {{n: 1..400}}, each: [n]}}
state:
  left: 0..400 seen by everybody
zones:
  deck: {{holds: Card, start: all, seen_by: everybody}}
  hand: {{holds: Card, per: 1..400, seen_by: everybody}}
phases:
  play: |
    repeat:
        let all = {expression}
        left = all.size
"""


@pytest.mark.parametrize("expression", ["deck.list", "hand.list"])
def test_the_whole_expression_is_told(expression: str, tmp_path: Path) -> None:
    path = tmp_path / "long_list.yaml"
    path.write_text(RULES.format(expression=expression), encoding="utf-8")
    fault = croupier.load(path).new_initial_state()._m.fault
    assert fault is not None and fault.code == "R010"
    assert fault.diagnostic.span is not None and fault.diagnostic.span.text == expression
