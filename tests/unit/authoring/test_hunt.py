"""The hunt: planted faults that random players do not find are found, made shorter, and told as scenarios; a
seed gives one hunt.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.authoring.hunt import BadHunt, Finding, Hunt, HuntConfig, Hunter, hunting
from croupier.authoring.hunt.hunting import GAMES
from croupier.authoring.hunt.plans import CHOOSE, Plan, Setup
from croupier.authoring.hunt.player import GamePlayer, Task
from croupier.authoring.hunt.shorten import name_of, scenario_of
from croupier.pipeline import load
from croupier.resources import shipped
from croupier.runtime.state import State
from croupier.scenarios import run_scenarios

DATA = Path(__file__).parent.parent.parent / "data" / "hunt"
ENOUGH = 150  # games for the planted faults, of the GAMES that there are by default
SHIPPED = [name for name in shipped() if "/" not in name]


def hunted(name: str, games: int, seed: int = 1, **config: object) -> Hunt:
    return Hunter(DATA / f"{name}.yaml", replace(HuntConfig(seed=seed), **config)).run(games)


def found(hunt: Hunt) -> list[Finding]:
    return list(hunt.findings.values())


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(
    ("name", "code", "least"),
    [
        ("always_the_same", "R002", 10),
        ("a_counter_at_its_bound", "R002", 41),
        ("never_passing", "R002", 21),
        ("at_one_value", "R002", 8),
    ],
)
def test_a_planted_fault_is_found_with_the_least_actions_and_random_games_do_not_find_it(
    name: str, code: str, least: int, seed: int
) -> None:
    findings = found(hunted(name, GAMES if name == "at_one_value" else ENOUGH, seed))
    assert findings
    assert {(finding.trouble.code, finding.trouble.status) for finding in findings} == {(code, "faulted")}
    assert least <= min(len(finding.moves) for finding in findings) <= 2 * least + 1
    player = GamePlayer(load(DATA / f"{name}.yaml"), seed, 1_000)
    at_random = [
        player.play(Task(number, Setup(2), Plan()), lambda: False) for number in range(1, ENOUGH + 1)
    ]
    assert sum(game is not None and game.trouble is not None for game in at_random) <= ENOUGH // 100


def test_a_set_up_that_is_refused_is_tried_once() -> None:
    hunt = hunted("at_one_value", 100)
    assert hunt.knowledge.statuses["refused"] == 1 and hunt.games == 99


def test_an_invariant_that_does_not_hold_is_found_where_seats_choose_at_once() -> None:
    hunt = hunted("an_invariant", 60)
    (finding,) = found(hunt)
    assert (finding.trouble.code, finding.trouble.status) == ("R020", "faulted")
    assert finding.moves[-2:] == ((0, 2), (1, 2))


def test_nothing_is_found_where_nothing_is_wrong() -> None:
    hunt = hunted("nothing_wrong", 100)
    assert not hunt.findings and hunt.endless is None and hunt.games == 100


def test_a_game_that_players_keep_from_its_end_is_told_apart() -> None:
    hunt = hunted("without_end", 20, most_actions=50)
    assert not hunt.findings
    assert hunt.endless is not None and len(hunt.endless.moves) == 50
    assert hunt.knowledge.statuses["endless"] > 0


def test_a_limit_of_the_ruleset_that_is_reached_is_found(tmp_path: Path) -> None:
    text = (
        (DATA / "without_end.yaml").read_text().replace("players: 2", "players: 2\nlimits: {decisions: 20}")
    )
    (tmp_path / "limited.yaml").write_text(text)
    (finding,) = found(Hunter(tmp_path / "limited.yaml", HuntConfig(seed=1)).run(20))
    assert finding.trouble.status == "unfinished" and len(finding.moves) == 20
    text = scenario_of(finding, load(tmp_path / "limited.yaml"), 1)
    assert text is not None and "outcome: {status: running}" in text
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "a.yaml").write_text(text)
    (result,) = run_scenarios(tmp_path / "scenarios" / "a.yaml")
    assert [d.code for d in result.diagnostics] == ["K120"]


@pytest.mark.parametrize(
    "name", ["always_the_same", "a_counter_at_its_bound", "never_passing", "at_one_value", "an_invariant"]
)
def test_a_scenario_plays_the_game_and_fails_while_the_fault_is_there(name: str, tmp_path: Path) -> None:
    ruleset, scenarios = tmp_path / f"{name}.yaml", tmp_path / "scenarios"
    scenarios.mkdir()
    ruleset.write_bytes((DATA / f"{name}.yaml").read_bytes())
    (tmp_path / "another.yaml").write_bytes((DATA / "nothing_wrong.yaml").read_bytes())
    hunter = Hunter(ruleset, HuntConfig(seed=1))
    finding, *_ = hunter.run(ENOUGH).findings.values()
    text = scenario_of(finding, hunter.ruleset, 1)
    assert text is not None
    file = scenarios / f"{name_of(finding)}.yaml"
    file.write_text(text)
    (failed,) = run_scenarios(file)
    assert not failed.passed
    assert {d.code for d in failed.diagnostics} <= {"K107", "K108", "K103"}
    ruleset.write_text(
        ruleset.read_text()
        .replace("0..9", "0..999")
        .replace("0..40", "0..999")
        .replace("0..20", "0..999")
        .replace("0..7", "0..99")
    )
    ruleset.write_text(ruleset.read_text().replace("sum < 6", "sum < 7"))
    (passed,) = run_scenarios(file)
    assert passed.passed, passed.diagnostics


def test_a_seed_gives_one_hunt_in_any_number_of_processes() -> None:
    source = DATA / "never_passing.yaml"
    alone, shared = (Hunter(source, HuntConfig(seed=4)).run(60, jobs=jobs) for jobs in (1, 2))
    assert alone.to_json() == shared.to_json()


def test_a_hunt_goes_on_where_it_was_interrupted() -> None:
    source, config = DATA / "a_counter_at_its_bound.yaml", HuntConfig(seed=5)
    whole = Hunter(source, config).run(48)
    begun = Hunter(source, config)
    kept = json.dumps(begun.run(24).to_json())
    resumed = Hunter(source, config)
    resumed.resume(kept)
    assert resumed.run(48).knowledge.to_json() == whole.knowledge.to_json()


def test_a_hunt_that_is_stopped_in_a_round_keeps_the_games_that_were_over() -> None:
    asked = iter([False] * 15)
    hunter = Hunter(DATA / "an_invariant.yaml", HuntConfig(seed=1))
    hunt = hunter.run(None, should_stop=lambda: next(asked, True))
    assert 0 < hunt.games < hunting.ROUND and hunt.findings
    games = hunt.games
    assert hunter.run(games + 5).games == games + 5


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data | {"ruleset_hash": "0"}, "the ruleset has changed"),
        (lambda data: data | {"croupier": 99}, "another version"),
        (lambda data: data | {"config": data["config"] | {"seed": 9}}, "seed differ"),
        (lambda data: {"hello": 1}, "does not hold a hunt"),
        (lambda data: data | {"knowledge": []}, "does not hold a hunt"),
    ],
)
def test_what_was_kept_of_another_hunt_is_refused_in_words(
    change: Callable[[dict[str, object]], object], words: str
) -> None:
    hunter = Hunter(DATA / "nothing_wrong.yaml", HuntConfig(seed=1))
    kept = hunter.run(5).to_json()
    with pytest.raises(BadHunt, match=words):
        hunter.resume(json.dumps(change(json.loads(json.dumps(kept)))))


def test_a_mistake_of_croupier_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = State.apply_action

    def breaking(self: State, action: int, seat: int | None = None) -> None:
        if action == 1:
            raise RuntimeError("a planted mistake")
        usual(self, action, seat)

    monkeypatch.setattr(State, "apply_action", breaking)
    hunter = Hunter(DATA / "nothing_wrong.yaml", HuntConfig(seed=1))
    (finding,) = hunter.run(20).findings.values()
    assert (finding.trouble.status, finding.trouble.code) == ("crashed", "RuntimeError")
    assert scenario_of(finding, hunter.ruleset, 1) is None


def test_what_cannot_be_told_of_a_game_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaking(self: State, seat: int | None) -> str:
        raise RuntimeError("a planted mistake")

    monkeypatch.setattr(State, "information_state", breaking)
    (finding,) = Hunter(DATA / "nothing_wrong.yaml", HuntConfig(seed=1)).run(20).findings.values()
    assert (finding.trouble.status, finding.games) == ("crashed", 3), "one of eight games is read"


def test_every_policy_has_words_and_is_played() -> None:
    for policy in CHOOSE:
        assert Plan(policy, "x").words.startswith("everybody ")
    played = {name.split()[0] for name in hunted("a_counter_at_its_bound", 200).knowledge.plays}
    assert played == {"simple", "always", "never", "drive", "beginning"}


@pytest.mark.parametrize("name", SHIPPED)
def test_no_shipped_ruleset_faults_in_a_short_hunt(name: str) -> None:
    """Some simple plans once; `tools/soak` hunts for longer, at every number of players and with every value
    of each parameter.
    """
    hunter = Hunter(name, HuntConfig(seed=1, players=None, vary=False, most_actions=100))
    assert found(hunter.run(7)) == []


@pytest.mark.soak
@pytest.mark.parametrize("name", shipped())
def test_no_shipped_ruleset_faults_in_a_long_hunt(name: str) -> None:
    hunter = Hunter(name, HuntConfig(seed=1))
    setups = sum(map(len, hunting.setups_of(hunter.ruleset, hunter.config)))
    assert found(hunter.run(100 + setups)) == []
