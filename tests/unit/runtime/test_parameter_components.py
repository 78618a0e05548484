"""Components as values of parameters: by the id in the table or by the label, several alike count as one."""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import RulesetError

TEXT = """\
croupier: 1
ruleset: small
title: Small
players: 2
parameters:
  prize: {type: Token, default: sun}
  order: {type: list of Token, default: [moon]}
components:
  Token: {attributes: {name: text}, columns: [id, name], table: [[sun, the sun], [moon, the moon]], label: "{name}", copies: 2}
zones:
  shelf: {holds: Token, start: all, seen_by: everybody}
scoring: |
  finish win players
phases:
  play: |
    pass
invariants:
  prizes: prize in shelf and all(t in shelf for t in order)
"""  # noqa: E501 the text as it is read


@pytest.fixture
def small(tmp_path: Path) -> croupier.Ruleset:
    (tmp_path / "ruleset.yaml").write_text(TEXT, encoding="utf-8")
    return croupier.load(tmp_path)


@pytest.mark.parametrize("value", ["moon", "the moon"])
def test_a_component_is_found_by_id_or_label(small: croupier.Ruleset, value: str) -> None:
    state = small.new_initial_state(parameters={"prize": value, "order": [value, "sun"]})
    assert state.evaluate("prize == order.first and prize != sun") is True


def test_another_name_is_refused(small: croupier.Ruleset) -> None:
    with pytest.raises(RulesetError) as caught:
        small.new_initial_state(parameters={"prize": "star"})
    assert [d.code for d in caught.value.diagnostics] == ["G011"]
