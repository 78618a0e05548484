"""Which edits of a ruleset let games go on that were begun before: as data in `words.cases.yaml`."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.diagnostics import RulesetError, Source
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.record import GameRecord, as_text
from croupier.play.replay import Replayed, replay
from croupier.play.saved import parse_saved

DATA = YAML(typ="safe").load(Path(__file__).with_name("words.cases.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, GameRecord, str]:
    """The ruleset as it was, a game that was played with it, and a state."""
    ruleset = croupier.load(edited(("", ""), tmp_path_factory.mktemp("before")))
    match = GameMatch(ruleset, MatchConfig(seed=3))
    record = match.play()
    return ruleset.ruleset_hash, record, match.state.serialize()


def edited(edit: tuple[str, str], folder: Path) -> Path:
    """The ruleset with a text in place of another, in a file of its own."""
    old, new = edit
    text = DATA["ruleset"]
    assert old in text
    file = folder / "desk.yaml"
    file.write_text(text.replace(old, new), encoding="utf-8")
    return file


def again(record: GameRecord, ruleset: croupier.Ruleset) -> Replayed:
    return replay(parse_saved(Source("game.json", as_text(record.to_json()))), ruleset)


@pytest.mark.parametrize("edit", DATA["goes_on"].values(), ids=DATA["goes_on"])
def test_a_game_goes_on_whatever_words_its_rules_have_now(
    edit: tuple[str, str], begun: tuple[str, GameRecord, str], tmp_path: Path
) -> None:
    before, record, state = begun
    ruleset = croupier.load(edited(edit, tmp_path))
    assert ruleset.goes_on(before, record.meaning_hash)
    replayed = again(record, ruleset)
    assert replayed.complete
    assert ruleset.deserialize(state) == replayed.state


@pytest.mark.parametrize("edit", DATA["refused"].values(), ids=DATA["refused"])
def test_a_game_does_not_go_on_with_other_rules(
    edit: tuple[str, str], begun: tuple[str, GameRecord, str], tmp_path: Path
) -> None:
    before, record, state = begun
    ruleset = croupier.load(edited(edit, tmp_path))
    assert not ruleset.goes_on(before, record.meaning_hash)
    with pytest.raises(RulesetError) as refused:
        again(record, ruleset)
    assert refused.value.diagnostics[0].code == "X506"
    with pytest.raises(ValueError, match="another version of it"):
        ruleset.deserialize(state)
