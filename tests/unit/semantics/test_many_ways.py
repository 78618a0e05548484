"""Values that come to a local on many ways: how many policies its label has grows no faster than the locals
do, and a leak on each way is told.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.diagnostics import Source, Span
from croupier.pipeline import check, load
from croupier.semantics.infoflow.interfaces import ProcedureSummary
from croupier.semantics.infoflow.store import MOST_WAYS, Label, Policy, depth, through
from croupier.semantics.infoflow.summaries import FlowAnalysis, widened

RULES = """\
croupier: 1
ruleset: many_ways
title: Many ways
players: 2
components:
  Card: {{attributes: {{value: 1..4}}, each: [value]}}
zones:
  deck: {{holds: Card, order: pile, start: all}}
  hand: {{holds: Card, per: Player, seen_by: owner}}
phases:
  play: |
    shuffle deck
    for p in players: draw 1 from deck to hand[p]
    let x0 = hand[players.first].first!.value
    let x1 = x0 + 1
{lets}
    choose m from 1..9 by players.last where m >= x{last} or m == 9
{told}
    choose n from 1..9 by players.last where n >= x{last} or n == 9
    finish draw
"""


def ruleset(locals_: int, told: int) -> str:
    """Each local is worked out from the two before it; those from the last one down to `told` are
    announced.
    """
    lets = "\n".join(f"    let x{i} = min(x{i - 1} + x{i - 2}, 9)" for i in range(2, locals_))
    announced = "\n".join(f'    announce "{{x{i}}}"' for i in reversed(range(told, locals_)))
    return RULES.format(lets=lets, told=announced, last=locals_ - 1)


def largest_label(path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """The number of policies in the largest label of a local, in the analysis of a ruleset."""
    sizes = [0]

    def counted(label: Label, number: tuple[object, ...]) -> Label:
        found = through(label, number)
        sizes.append(len(found))
        return found

    monkeypatch.setattr("croupier.semantics.infoflow.expressions.through", counted)
    FlowAnalysis(load(path).program)
    return max(sizes)


@pytest.mark.parametrize("locals_", [10, 40, 80])
def test_labels_stay_small(locals_: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ruleset.yaml"
    path.write_text(ruleset(locals_, 0), encoding="utf-8")
    assert 0 < largest_label(path, monkeypatch) <= MOST_WAYS


@pytest.mark.parametrize("locals_", [10, 80])
def test_the_leak_is_told_before_and_not_afterwards(locals_: int, tmp_path: Path) -> None:
    path = tmp_path / "ruleset.yaml"
    path.write_text(ruleset(locals_, locals_ - 1), encoding="utf-8")
    lines = [d.span.line for d in check(path).diagnostics if d.code == "L030" and d.span is not None]
    text = path.read_text(encoding="utf-8").split("\n")
    assert ["choose m" in text[line - 1] for line in lines] == [True]


@pytest.mark.parametrize(
    ("number", "deep"),
    [
        (("players",), 1),
        (("param", 3, 0), 1),
        (("expr", "next", None, (("param", 3, 0),)), 3),
        (("expr", "+", None, (("param", 3, 0), ("expr", "next", None, (("param", 3, 0),)))), 5),
        ((), 1),
        ("", 0),
    ],
)
def test_how_deep_the_number_of_a_value_is(number: object, deep: int) -> None:
    """Numbers that are too deep are given up, so that there are finitely many."""
    assert depth(number) == deep


def test_where_much_is_written_anew_no_source_is_lost() -> None:
    """What two rounds have written is joined: all that either of them found, known by declaration alone."""
    place = Span(Source("rules", "hint = secret"), 0, 4)
    secret, bid = (
        Policy("state", name, None, place, frozenset({("players",)})) for name in ("secret", "bid")
    )
    before = ProcedureSummary(written={"hint": frozenset({secret}), "first": frozenset({bid})})
    after = ProcedureSummary(written={"hint": frozenset({bid}), "second": frozenset({secret})})
    found = widened(before, after).written
    assert {name: {p.name for p in label} for name, label in found.items()} == {
        "hint": {"secret", "bid"},
        "first": {"bid"},
        "second": {"secret"},
    }
    assert not any(p.readers for label in found.values() for p in label)
