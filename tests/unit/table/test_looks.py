"""What a ruleset's `table` says is in the view, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import croupier
from croupier.cli.views.position import table
from croupier.narration import Names
from croupier.table import view

RULES = """
croupier: 1
ruleset: looks
title: Looks
players: 2
types:
  Suit: [hearts, spades]
  Face: [sun, moon]
components:
  Card: {attributes: {suit: Suit, rank: 1..2}, each: [suit, rank], label: "{rank} of {suit}"}
  Die:
    mutable: {face: Face = sun}
    count: 1
    label: "{face}"
zones:
  pile: {holds: Card, order: pile, start: all}
  tray: {holds: Die, seen_by: everybody, start: all}
  row: {holds: Card, order: sequence, seen_by: everybody}
boards:
  field: {shape: rectangle, rows: 1, columns: 2}
state:
  stone: Player per Cell = players.first seen by everybody as ""
  earlier: Player per Cell = players.first seen by everybody as ""
  counted: 0..9 = 0 seen by everybody as ""
  trump: Suit = hearts seen by everybody
  turns: 0..9 = 0 seen by everybody
phases:
  play: |
    draw 4 from pile to row
    choose c from row by players.first
    finish win players.first
"""
LOOKS = """
table:
  values:
    Suit: {hearts: {colour: "#cc0000", symbol: ♥}, spades: black}
    Face: {sun: {colour: gold, symbol: ☼}}
  large: {Card: [rank, suit]}
  together: {in the middle: [pile, row]}
  details: [turns, earlier]
"""


def test_looks_are_in_the_view(tmp_path: Path) -> None:
    states = []
    for name, text in (("plain", RULES), ("looks", RULES + LOOKS)):
        file = tmp_path / f"{name}.yaml"
        file.write_text(text.replace("{face: Face = sun}", "\n      face: Face = sun"), encoding="utf-8")
        state = croupier.load(file).new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        states.append(state)
    plain, looks = states
    assert plain.ruleset.ruleset_hash == looks.ruleset.ruleset_hash and plain.hash() == looks.hash()
    seen = view(looks, 0)
    things = {
        thing.label: (thing.colour, thing.symbol, thing.large)
        for zone in seen.zones
        for thing in zone.things or ()
    }
    assert things["1 of hearts"] == ("#cc0000", "♥", ("1", "♥")) and things["2 of spades"] == (
        "#2e3436",
        "",
        ("2", "spades"),
    )
    assert things["sun"] == ("#d4a514", "☼", ())
    assert [(zone.zone, zone.group) for zone in seen.zones] == [
        ("pile", "in the middle"),
        ("row", "in the middle"),
        ("tray", ""),
    ]
    assert {value.name: (value.colour, value.symbol, value.is_detail) for value in seen.values} == {
        "trump": ("#cc0000", "♥", False), "turns": ("", "", True), "counted": ("", "", True),
    }  # fmt: skip
    on_cells = {
        (board.cells[0].name, value.name, value.is_detail)
        for board in seen.boards
        for value in board.cells[0].values
    }
    # bookkeeping on a board is drawn, unless it is a detail
    assert on_cells == {("(1,1)", "stone", False), ("(1,1)", "earlier", True)}
    drawn = table(seen, Names())
    assert (
        "♥ 1 of hearts" in drawn.plain
        and "turns" not in drawn.plain
        and "counted" not in drawn.plain
        and "in the middle —" in drawn.plain
    )
    assert any("#cc0000" in str(span.style) for span in drawn.spans)
    # a player may be called like a card: only cards have the colours of cards, also where lines are broken
    narrow = table(seen, Names(("1 of hearts", "sun")), None, 24)
    dyed = "".join(narrow.plain[s.start : s.end] for s in narrow.spans if "#cc0000" in str(s.style))
    assert dyed.replace(" ", "") == "2ofhearts1ofhearts"
    plainly = table(seen, Names(("1 of hearts", "sun")), None, 24).plain.split()
    assert plainly == table(seen, Names(("1 of hearts", "sun"))).plain.split()
    assert all(not thing.colour for zone in view(plain, 0).zones for thing in zone.things or ())


CHANGING = """
croupier: 2
ruleset: changing
title: Details that change
players: 2
components:
  Card:
    attributes: {worth: 0..3 = 1}
    mutable:
      dented: bool = true
      damage: 0..9 = 3
    ids: [drake]
zones:
  field: {holds: Card, start: all, seen_by: everybody, order: sequence}
phases:
  play: |
    choose c from field by players.first
    finish draw
"""


def test_details_may_be_attributes_that_change(tmp_path: Path) -> None:
    shown = {}
    for details in ("[worth]", "[dented]", "[dented, damage, worth]"):
        file = tmp_path / "changing.yaml"
        file.write_text(f"{CHANGING}table:\n  details: {details}\n", encoding="utf-8")
        [zone] = view(croupier.load(file).new_initial_state(), 0).zones
        [card] = zone.things or ()
        shown[details] = [name for name, _ in card.attributes]
    assert shown == {
        "[worth]": ["dented", "damage"],
        "[dented]": ["worth", "damage"],
        "[dented, damage, worth]": [],
    }
