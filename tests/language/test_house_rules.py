"""The house rules in `tests/data/house_rules`: each is clean, means what its scenarios say, can be played,
and copies next to nothing of its game.
"""

from __future__ import annotations

import random
import shutil
from itertools import combinations
from pathlib import Path

import pytest

import croupier
from croupier.authoring.trial import trial_problems
from croupier.resources import shipped
from croupier.scenarios import run_scenarios
from documents import ROOT, read_document
from trees import random_game

FOLDER = Path(__file__).resolve().parents[1] / "data" / "house_rules"
CASES = ".cases.yaml"
GAMES_OF = sorted(folder.name for folder in FOLDER.iterdir())
HOUSE_RULES = sorted(
    file.relative_to(FOLDER).as_posix().removesuffix(CASES) for file in FOLDER.glob(f"*/*{CASES}")
)

GAMES = 3
MOST_LINES = 40
MOST_COPIED = 2
SHORTEST_COPY = 15
"""Characters of a line that counts as copied: shorter ones, like `add:`, stand in every file."""

IN_THE_GUIDE = "una_notte_da_lupi/second_vote"
GUIDE = "grammar/guide/variants.md"

SHORT_GAMES = {"vudu": {"turn_limit": 20}}
"""Parameters with which players at random come to an end."""


def file_of(name: str) -> Path:
    return FOLDER / f"{name}.yaml"


def lines_of(file: Path) -> list[str]:
    return [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]


def test_every_game_has_some() -> None:
    found = [file.relative_to(FOLDER).with_suffix("").as_posix() for file in FOLDER.glob("*/*.yaml")]
    assert sorted(name for name in found if not name.endswith(".cases")) == HOUSE_RULES
    assert len(HOUSE_RULES) >= 12


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_it_is_clean(name: str) -> None:
    assert list(croupier.check(file_of(name)).diagnostics) == []
    assert trial_problems(croupier.load(file_of(name))) == []


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_its_scenarios_hold(name: str) -> None:
    results = list(run_scenarios(FOLDER / f"{name}{CASES}"))
    assert results
    assert [result.message for result in results if not result.passed] == []


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_games_of_it_come_to_an_end(name: str) -> None:
    ruleset = croupier.load(file_of(name))
    chances = random.Random(name)
    settings = SHORT_GAMES.get(name.split("/")[0], {})
    for _ in range(GAMES):
        players = chances.choice(list(ruleset.players))
        state = random_game(ruleset.new_initial_state(players, **settings), chances)
        assert state.outcome()["status"] == "finished"


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_next_to_nothing_is_copied(name: str) -> None:
    own = lines_of(file_of(name))
    game = shipped()[name.split("/")[0]].path.parent
    base = {line for file in game.glob("*.yaml") for line in lines_of(file)}
    assert len(own) <= MOST_LINES
    assert len([line for line in own if line in base and len(line) >= SHORTEST_COPY]) <= MOST_COPIED


@pytest.mark.parametrize("game", GAMES_OF)
def test_two_of_a_game_go_together_in_any_order(game: str, tmp_path: Path) -> None:
    shutil.copytree(FOLDER / game, tmp_path, dirs_exist_ok=True)
    both = tmp_path / "both.yaml"
    for pair in combinations([name.split("/")[1] for name in HOUSE_RULES if name.startswith(f"{game}/")], 2):
        meanings = set()
        for one, other in (pair, pair[::-1]):
            both.write_text(f"croupier: 1\nextends: [{one}.yaml, {other}.yaml]\n", encoding="utf-8")
            meanings.add(croupier.load(both).meaning_hash)
        assert len(meanings) == 1, pair


@pytest.mark.parametrize("suffix", [".csv", ".yaml"])
def test_the_guide_shows_one_of_them(suffix: str) -> None:
    file = FOLDER / f"{IN_THE_GUIDE}{suffix}"
    blocks = read_document(GUIDE, (ROOT / GUIDE).read_text(encoding="utf-8")).blocks
    shown = [block.text for block in blocks if block.marks.get("file") == file.name]
    assert shown == [file.read_text(encoding="utf-8")]
