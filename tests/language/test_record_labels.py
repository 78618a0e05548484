"""Labels and symbols of records: what is drawn on the table, and what is said to whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import croupier
from croupier.table import view
from croupier.text import Thing

FILE = Path(__file__).parents[1] / "data" / "programs" / "record_labels.yaml"


def begun() -> Any:
    """The game after the first player has placed a king."""
    state = croupier.load(FILE).new_initial_state(2)
    state.apply_action(state.string_to_action(0, "a monarch"))
    return state


def test_the_table_draws_the_symbol_and_says_the_label() -> None:
    state = begun()
    (value,) = view(state, 0).boards[0].cells[0].values
    assert (value.text, value.symbol) == ("player 1's monarch", "♚")
    assert [(v.text, v.symbol) for v in view(state, 0).seats[0].values] == [("player 1's pawn", "♟")]


def test_a_record_is_one_part_of_a_text() -> None:
    event = next(e for e in begun().events() if e.kind == "state")
    assert event.text == "man at (1,1) is now player 1's monarch"
    last = event.text.parts[-1]
    assert isinstance(last, Thing) and last.kind == "record"
    assert event.text.rendered(lambda seat: "Ada") == "man at (1,1) is now Ada's monarch"


def test_json_keeps_the_fields() -> None:
    assert begun().observation(0)["state"]["man"] == {"(1,1)": {"of": 0, "kind": "king"}}
