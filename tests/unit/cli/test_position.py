"""What `look` shows: boards as rows with a legend, components with what changed about them, details, nothing
of what is not seen.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import pytest

import croupier
from croupier.cli import main
from croupier.cli.views.position import table
from croupier.narration import Names
from croupier.table import Board, Cell, Value, view
from croupier.table.text_drawing import TableDrawing
from croupier.text import Text

FIELD = """\
croupier: 1
ruleset: field
title: Field
players: 2
types:
  Kind: [attacker, archer, king]
components:
  Card: {attributes: {kind: Kind}, each: [kind], copies: 2, mutable: {doubled: bool = false, wear: 0..9 = 0}, label: "{kind}"}
  Tile: {ids: [marsh, hill], mutable: {up: bool = true}}
  Pebble: {count: 2}
zones:
  box: {holds: Card, start: all}
  tiles: {holds: Tile, start: all, order: sequence, seen_by: everybody}
  hand: {holds: Card, per: Player, seen_by: owner}
  safe: {holds: Card, seen_by: nobody, counted_by: nobody}
  row: {holds: Card, order: sequence, seen_by: everybody}
  pouch: {holds: Pebble, start: all}
boards:
  field: {shape: rectangle, rows: 2, columns: 3, cell: Cell, stack: {holds: Card, seen_by: everybody, order: pile}}
  comb: {shape: hex, rows: 2, columns: 2, cell: Cave}
  ring: {shape: ring, size: 3, cell: Step, stack: {holds: Pebble, seen_by: nobody}}
state:
  marked: {type: bool per Cell, start: {else: false}, seen_by: everybody}
  owner_of: {type: Player? per Cave, start: {else: none}, seen_by: everybody}
  way: {type: 0..9 per Step, start: {else: 0}, seen_by: everybody}
  noted: bool per Kind per Player seen by everybody as ""
  asked: 0..9 per Kind seen by everybody as ""
  spent: 0..9 per Player = 3 seen by owner as ""
  times: 0..9 seen by everybody as ""
phases:
  p: |
    let a = [c for c in box if c.kind == attacker]
    let b = [c for c in box if c.kind == archer]
    let k = [c for c in box if c.kind == king]
    a[1].doubled = true
    b[1].wear = 3
    move a to row
    move b to hand[players.first]
    move k[1] to field[field.cells.first]
    move k[2] to field[field.cells.first]
    marked[field.cells.last] = true
    owner_of[comb.cells.last] = players.last
    tiles.first!.up = false
    move pouch to ring[ring.cells.first]
    noted[players.last][king] = true
    spent[players.last] = 4
    choose n from 1..2 by players.first
    finish draw
"""  # noqa: E501 the text as it is read


def shown(tmp_path: Path, seat: int | None, names: tuple[str, ...] = ()) -> str:
    path = tmp_path / "field.yaml"
    path.write_text(FIELD, encoding="utf-8")
    state = croupier.load(path).new_initial_state(2)
    while state.is_chance_node():
        state.apply_action(0)
    return table(view(state, seat), Names(names), details=True).plain


def test_boards_are_rows_and_changes_stand_beside_the_component(tmp_path: Path) -> None:
    text = shown(tmp_path, 0)
    assert (
        "field\n    1   2   3\n  1 k,k ·   ·\n  2 ·   ·   m\n  k king, m marked; in a cell from the bottom "
        "to the top\n" in text
    )
    assert "row: attacker (doubled), attacker\n" in text and "tiles: marsh, hill (up)\n" in text
    assert "hand: archer (wear 3), archer\n" in text and "Card-" not in text and "Card.doubled" not in text
    assert "comb\n    1  2\n  1 ·  ·\n  2  ·  p2\n  p2 player 2\n" in text


def test_what_a_seat_does_not_see_is_not_told(tmp_path: Path) -> None:
    text = shown(tmp_path, 1)
    assert "hand: 2 face down\n" in text and "archer (wear" not in text and "safe: ?" in text
    assert "archer (wear 3)" in shown(tmp_path, None)


def test_details_are_shown_but_for_those_that_say_nothing(tmp_path: Path) -> None:
    assert "times" not in shown(tmp_path, 0) and "noted: attacker no, archer no, king yes" in shown(
        tmp_path, 0
    )
    assert (
        "spent: 3" in shown(tmp_path, 0)
        and "spent: 4" not in shown(tmp_path, 0)
        and "spent: 4" in shown(tmp_path, 1)
    )


def test_a_game_is_looked_at_alike_when_it_is_played_and_when_it_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "field.yaml").write_text(FIELD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("look\n1\n"))
    assert (
        main(["play", "field.yaml", "--players", "2", "--seat", "1", "--seed", "1", "--save", "game.json"])
        == 0
    )
    looked = capsys.readouterr().out.partition("player 1> ")[2].partition("player 1> ")[0].strip()
    assert main(["replay", "game.json", "--ruleset", "field.yaml", "--at", "0", "--seat", "1"]) == 0
    assert looked.startswith("field\n") and "spent: 3" in looked and looked in capsys.readouterr().out


Rows = tuple[tuple[tuple[str, ...], ...], ...]


def grid(rows: Rows, beside: Mapping[str, str] | None = None) -> list[str]:
    """The lines of a board with these words on its cells."""
    cells = tuple(
        Cell(f"({r},{c})", r - 1, c - 1, 0, 0, values=tuple(Value("", Text.of(word)) for word in words))
        for r, row in enumerate(rows, 1)
        for c, words in enumerate(row, 1)
    )
    return TableDrawing(Names(), beside=beside or {}).grid(
        Board("board", "rectangle", len(rows), len(rows[0]), cells)
    )


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ((((), ("X",)), (("O",), ())), ["  1 2", "1 · X", "2 O ·"]),
        (
            ((("attacker",), ("archer",)), (("a",), ("red man", "red mule"))),
            [
                "  1     2",
                "1 at    ar",
                "2 a     rm,ru",
                "ar archer, at attacker, rm red man, ru red mule; in a cell from the bottom to the top",
            ],
        ),
        (
            ((("red-point",), ("red-protection",), ("blue-protection",), ("blue-point",)),),
            [
                "  1  2  3  4",
                "1 rp rr br bp",
                "bp blue-point, br blue-protection, rp red-point, rr red-protection",
            ],
        ),
        ((((), ("x" * 5,) * 60),), [f"(1,2): [{', '.join(['x' * 5] * 60)}]", "all other cells: []"]),
        ((((), ("\x1b[2Jx",)),), None),
    ],
)
def test_rows_on_a_terminal(rows: Rows, told: list[str] | None) -> None:
    lines = grid(rows)
    assert not any("\x1b" in one for one in lines)
    assert told is None or lines == told


def test_two_boards_can_share_their_signs() -> None:
    """A word has the same sign on both, and what only the other has is not told; an `'s` is no part."""
    before: Rows = ((("red-turn",), ("red-theft",)),)
    after: Rows = ((("red-turn",), ()),)
    assert grid(before)[1:] == ["1 ru rt", "rt red-theft, ru red-turn"]
    assert grid(after)[1:] == ["1 rt ·", "rt red-turn"]
    assert grid(after, beside={"red-theft": "", "red-turn": ""})[1:] == ["1 ru ·", "ru red-turn"]
    assert grid(after, beside={"red-theft": "☛"})[1:] == ["1 rt ·", "rt red-turn"]
    assert grid(((("player 1's rook",),),))[1:] == ["1 p1r", "p1r player 1's rook"]


def test_a_player_who_is_called_like_a_word_of_the_game(tmp_path: Path) -> None:
    """Names stand for players alone; a zone stands below its owner without naming them."""
    told = shown(tmp_path, 0, ("player 2", "archer"))
    assert "row: attacker (doubled)" in told and "hand: archer (wear 3)" in told
    assert "player 2 (you, to act)\n  hand: " in told and "\narcher\n  empty: hand\n" in told
    assert "a archer" in told and "p2" not in told


GROWING = """\
croupier: 1
ruleset: growing
title: Growing
players: 2
components:
  Tile: {ids: [sun, moon]}
zones:
  bag: {holds: Tile, start: all}
boards:
  land: {shape: rectangle, grows: 4, cell: Spot, edge: Hedge, stack: {holds: Tile, seen_by: everybody}}
  bush: {shape: hex, grows: 3, cell: Leaf, stack: {holds: Tile, seen_by: everybody}}
state:
  hedged: Player? per Hedge seen by everybody
phases:
  p: |
    move sun to land[land.at(-3, 0)!]
    hedged[land.at(-3, 0)!.edges.first] = players.last
    move moon to bush[bush.at(1, -1)!]
    choose c from bush.frontier by players.last
    finish draw
"""
GROWN = """\
land
      -1   0   1
     +   +   +   +
  -4   ·   ·   ·
     +   +p2 +   +
  -3   ·  sun  ·
     +   +   +   +
  -2   ·   ·   ·
     +   +   +   +
  p2 player 2
bush
    -2 -1 0
  0 ·  ·  ·
  1  ·  m  ·
  2    ·  ·  ·
  m moon
"""


def test_of_a_board_that_grows_the_part_is_drawn_where_something_is(tmp_path: Path) -> None:
    (tmp_path / "growing.yaml").write_text(GROWING, encoding="utf-8")
    state = croupier.load(tmp_path / "growing.yaml").new_initial_state(players=2)
    seen = view(state, 0)
    assert str(table(seen, Names(()))).startswith(GROWN)
    drawn = [(b.name, b.first_row, b.first_column, len(b.cells)) for b in seen.boards]
    assert drawn == [("land", -4, -1, 9), ("land edges", -4, -1, 24), ("bush", 0, -2, 9)]
