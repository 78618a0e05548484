"""Parameters as somebody types them: names need no quotes; what is refused says what it may be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.diagnostics import RulesetError

RULESET = """\
croupier: 1
ruleset: stall
title: Stall
players: 3
types:
  Fruit: [pear, plum, fig]
parameters:
  stock: {type: 0..9 per Fruit, default: {else: 1}}
  order: {type: list of Fruit up to 3, default: [pear]}
  first: {type: Player, default: players.first}
  limit: {type: 1..9?, default: none}
  open: {type: bool, default: true}
  way: {one_of: [left, right]}
  prize: {type: 1..9? per 2..4, default: {2: 1, else: none}}
  price: {type: 1..9 per 2..3, default: {else: 1}}
phases:
  play: |
    choose n from 1..2 by players.first
    finish rank {p: stock[pear] for p in players}
"""


@pytest.fixture
def rules(tmp_path: Path) -> Any:
    (tmp_path / "ruleset.yaml").write_text(RULESET, encoding="utf-8")
    return croupier.load(tmp_path)


@pytest.mark.parametrize(
    ("setting", "holds"),
    [
        ({"stock": "{pear: 3, else: 2}"}, "stock[pear] == 3 and stock[plum] == 2"),
        ({"stock": '{"pear": 3, fig: 4}'}, "stock[pear] == 3 and stock[plum] == 0 and stock[fig] == 4"),
        ({"order": "[plum, pear]"}, "order == [plum, pear]"),
        ({"order": "[ ]"}, "order.empty"),
        ({"first": "seat 3"}, "first == players.last"),
        ({"limit": "none"}, "limit is none"),
        ({"open": "false", "way": "right"}, "not open and way == right"),
        ({"prize": "{2: 3, 4 : 5, else: none}"}, "prize[2] == 3 and prize[3] is none and prize[4] == 5"),
        ({"price": '{"2": 3, 3: 4}'}, "price[2] == 3 and price[3] == 4"),
    ],
)
def test_names_without_quotes(rules: Any, setting: dict[str, str], holds: str) -> None:
    assert rules.new_initial_state(3, setting).evaluate(holds)


@pytest.mark.parametrize(
    ("name", "value", "help"),
    [
        ("stock", "{pear: 10}", "it may be `0..9 per Fruit`, written like `{pear: …, else: …}`"),
        ("stock", "{apple: 1}", "it may be `0..9 per Fruit`, written like `{pear: …, else: …}`"),
        ("stock", "{pear: 1", "it may be `0..9 per Fruit`, written like `{pear: …, else: …}`"),
        ("order", "[apple]", "it may be `list of Fruit`"),
        ("first", "4", "it may be `seat 1` to `seat 3`"),
        ("limit", "many", "it may be `1..9`, or `none`"),
        ("open", "True", "it may be `true` or `false`"),
        ("way", "up", "it may be `left` or `right`"),
        ("price", "{2: 3}", "it may be `1..9 per 2..3`, written like `{2: …, else: …}`"),
        ("price", "{2: 0, else: 1}", "it may be `1..9 per 2..3`, written like `{2: …, else: …}`"),
    ],
)
def test_what_it_may_be(rules: Any, name: str, value: str, help: str) -> None:
    with pytest.raises(RulesetError) as refused:
        rules.new_initial_state(3, {name: value})
    (found,) = refused.value.diagnostics
    assert (found.code, found.help) == ("G011", help)


@pytest.mark.parametrize(
    ("value", "notes"),
    [
        ("{2: 3}", ("it says nothing for 3",)),
        ("{2: 0, else: 1}", ("`0` cannot stand for `2`",)),
        ("{4: 1, else: 1}", ("there is no key `4`",)),
        ("5", ()),
    ],
)
def test_what_is_wrong_in_a_map(rules: Any, value: str, notes: tuple[str, ...]) -> None:
    with pytest.raises(RulesetError) as refused:
        rules.new_initial_state(3, {"price": value})
    (found,) = refused.value.diagnostics
    assert found.notes == notes
