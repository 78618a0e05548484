"""Games of every ruleset and program: what is saved, loaded or copied at any node is equal, goes on alike and
is independent.

Long games and variants are a soak test.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.resources import shipped
from lasting import lasting_game

HERE = Path(__file__).parent
PROGRAMS = {p.stem: p for p in sorted(HERE.glob("*.yaml")) if not p.stem.endswith(".cases")}
PROGRAMS |= {
    name: HERE.parent / "data" / "programs" / f"{name}.yaml"
    for name in ("together", "decisions", "every_from_his_own")
}
SHIPPED = {name: place.path for name, place in shipped().items()}
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "una_notte_da_lupi": [
        {"role_set": "random", "discussion_rounds": 1},
        {"apprentice_optional": True, "discussion_model": "off"},
    ],
    "choose_several": [{"way": w} for w in ("merged", "some", "optional", "chance_merged")],
}
SLOW = {"baron_voodoo_board", "baron_voodoo", "chess", "vudu", "go_fish"}  # long games
TABLES = [
    pytest.param(
        path,
        parameters,
        id=f"{name}-{number}" if number else name,
        marks=[pytest.mark.soak] if name in SLOW or "/" in name else [],
    )
    for name, path in (SHIPPED | PROGRAMS).items()
    for number, parameters in enumerate(SETTINGS.get(name, [{}]))
]


@pytest.mark.parametrize(("path", "parameters"), TABLES)
def test_copies_at_every_node(path: Path, parameters: dict[str, Any]) -> None:
    ruleset = croupier.load(path)
    players = ruleset.players[-(len(path.parent.name) % 2)]  # the fewest or the most
    state = lasting_game(ruleset, players, parameters, 1)
    assert state.outcome()["status"] in ("finished", "unfinished"), state.outcome()
