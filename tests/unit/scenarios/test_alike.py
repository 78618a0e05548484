"""What pieces are called: how a scenario means one of several that read alike, scenarios made of games too,
and seats in labels.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import Source
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.scenario_template import scenario_template
from croupier.play.script import read_script
from croupier.scenarios import run_scenarios

GAME = Path(__file__).parent / "alike"


@pytest.mark.parametrize("folder", ["alike", "seated", "named", "copies", "held"])
def test_every_form_passes(folder: str) -> None:
    results = run_scenarios(GAME.parent / folder)
    assert results and [r.message for r in results if not r.passed] == []


@pytest.mark.parametrize("seed", range(1, 9))
def test_the_scenario_of_a_game_passes(seed: int, tmp_path: Path) -> None:
    rules = croupier.load(GAME)
    match = GameMatch(rules, MatchConfig(seed=seed, players=2))
    record = match.play()
    (tmp_path / "ruleset.yaml").write_text(
        (GAME / "ruleset.yaml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "game.yaml").write_text(
        scenario_template(record, rules, len(record.steps)), encoding="utf-8"
    )
    assert [r.message for r in run_scenarios(tmp_path) if not r.passed] == []


def test_a_script_means_them_too() -> None:
    state = croupier.load(GAME).new_initial_state(2)
    script = read_script(
        Source("script.yaml", "- 1: {alike: white 1, number: 3}\n- 1: {alike: white 1, number: 4}\n")
    )
    assert script.decision(state, 0, state.legal_actions()) == 2
    with pytest.raises(croupier.RulesetError):
        script.decision(state, 0, state.legal_actions())


def test_as_many_copies_are_legal_as_are_listed(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        (GAME.parent / "copies" / "ruleset.yaml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    (tmp_path / "scenarios").mkdir()
    lists = [
        "[imp, imp, imp, ogre, ogre]",
        "[imp, ogre, ogre]",
        "{includes: [imp, imp, imp]}",
        "{excludes: [imp, imp]}",
    ]
    scenarios = "".join(
        f"  - {{id: list-{i}, then: {{legal: {{P1: {text}}}}}}}\n" for i, text in enumerate(lists)
    )
    (tmp_path / "scenarios" / "a.yaml").write_text(f"croupier: 1\nscenarios:\n{scenarios}", encoding="utf-8")
    assert [r.passed for r in run_scenarios(tmp_path)] == [False] * 4
