"""Rows of components that no game changes are read once for a program, and give what working them out
gives.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.runtime import plain_rows, setup

RULES = """\
croupier: 1
ruleset: stalls
title: Stalls
players: 2
parameters:
  price: {type: 1..5, default: 2}
types:
  Ware: [apple, pear]
components:
  Stall:
    attributes: {ware: Ware, sold: set of Ware, size: int, name: text, price: int}
    table:
      - {id: north, ware: pear, sold: "[pear, apple, pear]", size: 3, name: the north, price: price}
      - {id: south, ware: apple, sold: "[]", size: 1, name: the south, price: 4}
zones:
  market: {holds: Stall, start: all, seen_by: everybody}
phases:
  sell: finish win players.first
"""


@pytest.fixture
def stalls(tmp_path: Path) -> croupier.Ruleset:
    path = tmp_path / "stalls.yaml"
    path.write_text(RULES, encoding="utf-8")
    return croupier.load(path)


def test_a_row_without_parameters_is_plain(stalls: croupier.Ruleset) -> None:
    north, south = plain_rows.plain_rows(stalls.program, stalls.program.classes["Stall"])
    assert north is None and south == {"ware": 0, "sold": (), "size": 1, "name": "the south", "price": 4}


def test_plain_rows_are_what_set_up_works_out(
    stalls: croupier.Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = stalls.set_up(2, {"price": 5}).game.components
    monkeypatch.setattr(setup, "plain_rows", lambda program, k: (None,) * len(k.rows))
    assert stalls.set_up(2, {"price": 5}).game.components == quick
    assert quick[0].attributes["price"] == 5 and quick[1].attributes["price"] == 4
