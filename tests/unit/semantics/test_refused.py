"""What is said where a condition of a parameter is not met: for whom, with what else, and in variants where
the value was set.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.diagnostics import RulesetError
from croupier.pipeline import check, load

FILES = {
    "deal": """
croupier: 1
ruleset: deal
title: Deal
players: 2..4
parameters:
  cards: {type: 1..60, default: 20}
  hand:
    type: 1..20
    default: 5
    valid:
      there are so many: players.size * hand <= cards
phases:
  play: finish draw
""",
    "many": "croupier: 1\nextends: deal.yaml\nset: {hand: 6}\n",
    "more": "croupier: 1\nextends: many.yaml\ntitle: More\n",
    "none": "croupier: 1\nextends: deal.yaml\nset: {hand: 20}\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / f"{name}.yaml").write_text(text.lstrip(), encoding="utf-8")
    return tmp_path


def test_at_the_line_of_the_variant_with_the_numbers_of_players_that_fit(folder: Path) -> None:
    (found,) = check(folder / "many.yaml").diagnostics
    assert (
        found.code == "G013"
        and found.span is not None
        and (Path(found.span.source.name).name, found.span.line) == ("many.yaml", 3)
    )
    assert found.notes == (
        "that is so with 4 players",
        "the condition asks for `cards` too",
        "`deal` meets the condition with its own values",
    )
    assert found.help == "with 2, 3 players nothing is refused: say so with `players:`, or change what is set"
    (found,) = check(folder / "none.yaml").diagnostics
    assert (
        found.notes[0] == "that is so with 2 players" and found.help is not None and "`valid:`" in found.help
    )


def test_a_variant_of_a_variant_shows_where_it_was_set(folder: Path) -> None:
    (found,) = check(folder / "more.yaml").diagnostics
    assert found.span is not None and (Path(found.span.source.name).name, found.span.line) == ("many.yaml", 3)
    places = [(Path(label.span.source.name).name, label.span.line, label.text) for label in found.labels]
    assert places == [("deal.yaml", 11, "this was written for the ruleset as it was")]


def test_what_was_asked_for_is_named(folder: Path) -> None:
    with pytest.raises(RulesetError) as caught:
        load(folder / "deal.yaml").new_initial_state(3, {"cards": 12})
    (found,) = caught.value.diagnostics
    assert found.notes == ("that is so with 3 players, `cards` = 12", "the condition asks for `cards` too")
