"""Variants that parameters switch on, in `tests/data/village`: the same game on every back end, in saved
games, positions and simulations.
"""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.diagnostics import Source
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.record import as_text
from croupier.play.replay import replay
from croupier.play.saved import parse_saved
from croupier.scenarios import run_scenarios
from needs import BACKENDS

VILLAGE = Path(__file__).parents[2] / "data" / "village"
SETTINGS: list[dict[str, Any]] = [
    {},
    {"vote_mode": "secret"},
    {"vote_mode": "secret", "long": True, "extra": 1},
    {"pairs": True},
]


@pytest.fixture(scope="module")
def village() -> croupier.Ruleset:
    return croupier.load(VILLAGE)


def test_scenarios() -> None:
    results = run_scenarios(VILLAGE)
    assert len(results) == 7 and [r.message for r in results if not r.passed] == []


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_back_end_plays_the_same(
    village: croupier.Ruleset, backend: str, settings: dict[str, Any]
) -> None:
    setups = [MatchConfig(parameters=settings, seed=3, backend=name) for name in ("reference", backend)]
    for game in range(1, 6):
        first, second = (GameMatch(village, setup, game).play().digest for setup in setups)
        assert first == second


def test_what_is_switched_on_is_the_variant(village: croupier.Ruleset) -> None:
    alone = croupier.load(VILLAGE / "variants" / "secret_votes.yaml")
    both = croupier.load(f"{VILLAGE.as_posix()}/secret_votes+long_days")
    for settings, other in (({"vote_mode": "secret"}, alone), ({"vote_mode": "secret", "long": True}, both)):
        here = GameMatch(village, MatchConfig(parameters=settings, seed=5)).play()
        there = GameMatch(other, MatchConfig(seed=5)).play()
        assert [step.choices for step in here.steps] == [step.choices for step in there.steps]
        assert here.outcome == there.outcome


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_saved_games_and_positions_hold_the_variants(
    village: croupier.Ruleset, settings: dict[str, Any]
) -> None:
    record = GameMatch(village, MatchConfig(parameters=settings, seed=7)).play()
    assert replay(parse_saved(Source("game.json", as_text(record.to_json()))), village).complete
    state = village.new_initial_state(parameters=settings)
    state.apply_action(state.legal_actions(0)[0], 0)
    for again in (
        village.deserialize(state.serialize()),
        copy.copy(state).clone(),
        pickle.loads(pickle.dumps(state)),
    ):
        assert (
            again == state
            and again.hash() == state.hash()
            and json.loads(again.serialize())["parameters"] == state.parameters
        )


def test_saved_games_of_a_variant_that_a_parameter_could_switch_on(tmp_path: Path) -> None:
    """A record has a value of every parameter.

    Of a switch that nobody set it is the default, which contradicts no variant that is named.
    """
    folder = tmp_path / "short"
    (folder / "variants").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(
        "croupier: 1\nruleset: short\ntitle: Short\nplayers: 2\nparameters:\n  long: {type: bool, default: "
        "false, variants: {true: longer}}\n"
        "phases:\n  play: |\n    choose n from 1..3 by players.first\n    finish draw\n"
    )
    (folder / "variants" / "longer.yaml").write_text(
        "croupier: 1\nextends: ../ruleset.yaml\ntitle: Longer\nphases:\n  play: |\n    choose n from 1..5 "
        "by players.last\n    finish draw\n"
    )
    ruleset = croupier.load(folder / "longer")
    record = GameMatch(ruleset, MatchConfig(seed=7)).play()
    assert record.parameters == {"long": False}
    assert replay(parse_saved(Source("game.json", as_text(record.to_json()))), ruleset).complete
    state = ruleset.new_initial_state()
    assert ruleset.deserialize(state.serialize()) == state


def test_parameters_by_their_names(village: croupier.Ruleset) -> None:
    assert village.new_initial_state(5, vote_mode="secret") == village.new_initial_state(
        5, {"vote_mode": "secret"}
    )
    assert village.new_initial_state(parameters={"long": True}, vote_mode="secret").parameters["days"] == 3
    assert (village.default_players, village.new_initial_state().players, village.players) == (
        4,
        4,
        (3, 4, 5),
    )
    with pytest.raises(ValueError, match="the parameter `long` is given twice"):
        village.new_initial_state(parameters={"long": True}, long=True)
    assert [dict(p.variants) for p in village.parameters if p.variants] == [
        {"secret": ("secret_votes",)}, {"true": ("long_days",)}, {"true": ("pairs",)}
    ]  # fmt: skip


def test_the_hash_covers_what_is_switched_on(tmp_path: Path, village: croupier.Ruleset) -> None:
    for path in (*VILLAGE.glob("*.yaml"), *VILLAGE.glob("variants/*.yaml")):
        copied = tmp_path / path.relative_to(VILLAGE)
        copied.parent.mkdir(exist_ok=True)
        copied.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert croupier.load(tmp_path).ruleset_hash == village.ruleset_hash
    pairs = tmp_path / "variants" / "pairs.yaml"
    pairs.write_text(pairs.read_text(encoding="utf-8").replace("== 0", "== 1"), encoding="utf-8")
    assert croupier.load(tmp_path).ruleset_hash != village.ruleset_hash
