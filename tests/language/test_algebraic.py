"""Cells that are called a1 to c3 (`cells: {labels: algebraic}`): what people read and type; numbers and JSON
stay.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.narration import Names
from croupier.runtime.boards import column_letters
from croupier.table import view
from croupier.table.text_drawing import TableDrawing

FILE = Path(__file__).parents[1] / "data" / "programs" / "algebraic.yaml"


def test_numbers_and_hashes_of_actions_stay(tmp_path: Path) -> None:
    plain = tmp_path / "plain.yaml"
    plain.write_text(FILE.read_text(encoding="utf-8").replace(", cells: {labels: algebraic}", ""), "utf-8")
    one, other = croupier.load(FILE), croupier.load(plain)
    assert one.meaning_hash == other.meaning_hash
    first, second = one.new_initial_state(2), other.new_initial_state(2)
    for _ in range(4):
        assert first.legal_actions() == second.legal_actions()
        action = first.legal_actions()[-1]
        assert first.action_to_struct(0, action) == second.action_to_struct(0, action)
        first.apply_action(action)
        second.apply_action(action)
    assert first.observation(0)["state"]["man"] == second.observation(0)["state"]["man"]


@pytest.mark.parametrize("typed", ["step c1-c2", "step (3,3)-(2,3)", "Step  C1-C2"])
def test_both_forms_are_typed(typed: str) -> None:
    state = croupier.load(FILE).new_initial_state(2)
    state.apply_action(state.string_to_action(0, "c1"))
    assert state.action_to_string(0, state.string_to_action(0, typed)) == "step c1-c2"


def test_the_table_has_heads_for_rows_and_columns() -> None:
    state = croupier.load(FILE).new_initial_state(2)
    state.apply_action(state.string_to_action(0, "(3,3)"))
    board = view(state, 0).boards[0]
    assert (board.row_names, board.column_names) == (("3", "2", "1"), ("a", "b", "c"))
    corner = board.cells[-1]
    assert (corner.name, [value.text for value in corner.values]) == ("c1", ["player 1"])
    assert {cell.name for cell in board.cells if cell.options} == {"c1", "b1", "c2"}


def test_a_grid_shows_the_heads() -> None:
    board = view(croupier.load(FILE).new_initial_state(2), 0).boards[0]
    assert TableDrawing(Names()).grid(board) == ["  a b c", "3 · · ·", "2 · · ·", "1 · · ·"]


def test_letters_go_on_behind_z() -> None:
    assert [column_letters(i) for i in (0, 25, 26, 51, 52, 701, 702)] == [
        "a",
        "z",
        "aa",
        "az",
        "ba",
        "zz",
        "aaa",
    ]
