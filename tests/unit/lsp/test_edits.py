"""Edits across folders and at the ends of ranges, without a server."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls")

from croupier.lsp.analysis import real_path
from croupier.lsp.edits import RefusedEdit, definition, fixes_in, rename
from croupier.lsp.workspace import Workspace, uri_of

GAME = """\
croupier: 1
ruleset: lanterns
title: Lanterns
players: 2
state:
  burnt: 0..9 = 0 seen by everybody
phases:
  play: |
    burnt += 1
    choose n from 1..2 by players.first
    finish draw
"""
VARIANT = (
    "croupier: 1\nextends: {base}\nphases:\n  play: |\n    burnt += 2\n    choose n from 1..2 by "
    "players.first\n    finish draw\n"
)
SCENARIOS = """\
croupier: 1
ruleset: {ruleset}
scenarios:
  - id: lit
    do: [2]
    then:
      state: {{burnt: 1}}
"""


FAR = """\
croupier: 1
extends: tic_tac_toe
invariants:
  nine cells: count(c for c in grid if mark[c] is none) <= 9
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A ruleset in one folder, a variant of it in another, each with scenarios."""
    for folder in ("base/scenarios", "other/scenarios"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "base" / "ruleset.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "other" / "ruleset.yaml").write_text(GAME.replace("lanterns", "lamps"), encoding="utf-8")
    for folder in ("base", "other"):
        (tmp_path / folder / "scenarios" / "some.yaml").write_text(
            SCENARIOS.format(ruleset="../ruleset.yaml"), encoding="utf-8"
        )
    return tmp_path


def places(workspace: Workspace, path: Path, word: str, name: str) -> dict[str, int]:
    """How many edits a new name takes, by file."""
    offset = path.read_text(encoding="utf-8").index(word)
    found: dict[str, int] = {}
    for edit in rename(workspace, real_path(str(path)), offset, name):
        file = Path(edit.span.source.name)
        found[file.name] = found.get(file.name, 0) + 1
    return found


def test_a_new_name_reaches_variants_that_are_open_and_lie_elsewhere(game: Path) -> None:
    base, variant = game / "base" / "ruleset.yaml", game / "base" / "double.yaml"
    variant.write_text(VARIANT.format(base="ruleset.yaml"), encoding="utf-8")
    workspace = Workspace()
    workspace.put(uri_of(real_path(str(base))), GAME)
    assert places(workspace, base, "burnt", "lit") == {"ruleset.yaml": 2, "some.yaml": 1}
    workspace.put(uri_of(real_path(str(variant))), variant.read_text(encoding="utf-8"))
    assert places(workspace, base, "burnt", "lit") == {"ruleset.yaml": 2, "double.yaml": 1, "some.yaml": 1}


def test_a_new_name_reaches_the_scenarios_of_every_folder(tmp_path: Path) -> None:
    variant = tmp_path / "mine.yaml"
    variant.write_text(FAR, encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "own.yaml").write_text(
        "croupier: 1\nruleset: ../mine.yaml\nscenarios:\n  - id: empty\n    then:\n      - mark[grid.at(1, "
        "1)!] is none\n",
        encoding="utf-8",
    )
    workspace = Workspace()
    workspace.put(uri_of(real_path(str(variant))), FAR)
    found = places(workspace, variant, "mark", "sign")
    assert found["own.yaml"] == 1 and found["mine.yaml"] == 1 and found["ruleset.yaml"] > 1
    assert len(found) > 3, "the scenarios of the shipped ruleset"


TOUCHES = [
    (-1, -1, False),
    (-1, 0, True),
    (0, 0, True),
    (2, 2, True),
    (4, 4, True),
    (5, 5, False),
    (4, 9, True),
]


@pytest.mark.parametrize(("start", "end", "found"), TOUCHES)
def test_a_fix_is_offered_where_the_cursor_touches_what_is_wrong(
    game: Path, start: int, end: int, found: bool
) -> None:
    path = real_path(str(game / "base" / "ruleset.yaml"))
    workspace = Workspace()
    text = GAME.replace("burnt += 1", "brnt += 1")
    workspace.put(uri_of(path), text)
    diagnostics = workspace.diagnose(path, thorough=False)[path]
    at = text.index("brnt")
    assert bool(fixes_in(diagnostics, path, at + start, at + end)) is found


PASSING = """\
croupier: 1
ruleset: passing
title: Passing
players: 2
uses: {drafting: {hand: cards}}
components:
  Card: {attributes: {number: 1..9}, each: [number]}
zones:
  deck: {holds: Card, order: pile, start: all}
  cards: {holds: Card, per: Player, seen_by: owner}
phases:
  play: |
    draw 1 from deck to cards[players.first]
    pass_hands()
    finish draw
"""


def test_names_lead_into_a_module_and_leave_it_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "passing.yaml"
    path.write_text(PASSING, encoding="utf-8")
    workspace = Workspace()
    analysis = workspace.analysis(real_path(str(path)))
    assert analysis is not None and analysis.diagnostics == ()
    there = definition(workspace, real_path(str(path)), PASSING.index("pass_hands"))
    assert [(Path(span.source.name).name, span.text) for span in there] == [("drafting.yaml", "pass_hands")]
    assert places(workspace, path, "cards: {", "held") == {"passing.yaml": 3}
    with pytest.raises(RefusedEdit, match="Card"):
        rename(workspace, real_path(str(path)), PASSING.index("Card:"), "Leaf")
