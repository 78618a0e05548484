"""Tables as a terminal shows them, kept as text in `tests/data/pictures`: narrow and wide, without colours,
and as they are read aloud.

`CROUPIER_RECORD=1` writes them anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import croupier
from croupier.cli.views.interactive import options, prompt_of, recent_events
from croupier.cli.views.position import table
from croupier.narration import Names
from croupier.play.match import GameMatch, MatchConfig
from croupier.runtime.legality import several
from croupier.table import view

PICTURES = Path(__file__).parents[2] / "data" / "pictures"
GAMES = {"witches_of_blackmore": 3, "una_notte_da_lupi": 4, "wednesday_hyde": 2, "vudu": 3, "baron_voodoo": 2}
WIDTHS = (60, 100, 200)


def drawn(name: str, width: int | None) -> str:
    """What stands on the terminal at the third decision of the first player; without a width as it is read
    aloud.
    """
    match = GameMatch(croupier.load(name), MatchConfig(GAMES[name], {}, 1, ("first",), False, "reference"))
    asked = 0
    while asked < 3 and not match.state.is_terminal():
        asked += 0 in match.state.pending_seats()
        if asked < 3:
            match.step()
    state, names = match.state, Names(("Anna", "Ben"))
    legal = state.legal_actions(0)
    numbers = {action: n for n, action in enumerate(legal, 1)}
    labels = [state.action_to_string(0, action) for action in legal]
    parts = (
        recent_events(state.events(0), True, names, "brief", width),
        table(view(state, 0), names, numbers, width, spoken=width is None),
        options(
            prompt_of(state, 0), list(numbers.values()), labels, False, several(state, 0), names, width or 1
        ),
    )
    return "\n\n".join(part.plain for part in parts) + "\n"


@pytest.mark.parametrize("width", [*WIDTHS, None])
@pytest.mark.parametrize("name", GAMES)
def test_a_table_on_a_terminal(name: str, width: int | None) -> None:
    text, file = drawn(name, width), PICTURES / f"{name}_{width or 'spoken'}.txt"
    if os.environ.get("CROUPIER_RECORD"):
        PICTURES.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), f"CROUPIER_RECORD=1 writes {file.name} anew"
    assert "\x1b" not in text
    if width is not None:
        assert max(map(len, text.splitlines())) <= width
    else:
        assert "│" not in text and not any("   " in line.strip() for line in text.splitlines()), (
            "nothing stands in columns"
        )
