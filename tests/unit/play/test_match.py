"""One game: who is asked, what is recorded, how it can end."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import croupier
from croupier.diagnostics import RulesetError, Source
from croupier.play.agents import UnknownAgent, agent_names
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.record import GameRecord, as_text
from croupier.play.script import read_script
from fake_game import FakeRuleset


def played(name: str = "fake", game: int = 1, **options: Any) -> GameRecord:
    return GameMatch(FakeRuleset(name), MatchConfig(**options), game).play()


def test_a_finished_game() -> None:
    record = played(seed=5)
    assert record.status == "finished"
    assert record.outcome["winners"]
    assert [step.seat for step in record.steps][0] == -1 and record.steps[-1].seat == -2
    assert record.chance_events == sum(step.seat == -1 for step in record.steps)
    assert record.decisions == sum(step.seat >= 0 for step in record.steps) + 2
    assert record.final_hash == record.steps[-1].hash
    assert record.parameters == {"rounds": 2, "shy": False}


def test_the_same_seed_gives_the_same_game_and_another_another() -> None:
    assert played(seed=5) == played(seed=5)
    assert len({played(seed=seed).final_hash for seed in range(10)}) > 5
    assert len({played(seed=5, game=game).final_hash for game in range(1, 10)}) > 3


def test_agents() -> None:
    record = played(bots=("first",), seed=1)
    assert all(choice.action <= 1 for step in record.steps if step.seat != -1 for choice in step.choices)
    assert agent_names(("random", "first"), 2) == ["random", "first"]
    assert agent_names(("first",), 3) == ["first", "first", "first"]
    with pytest.raises(UnknownAgent, match="did you mean `random`"):
        agent_names(("randon",), 2)
    with pytest.raises(UnknownAgent, match="`random`, `first`"):
        agent_names(("nobody",), 2)
    with pytest.raises(UnknownAgent, match="2 bots for 3 seats"):
        played(bots=("first", "first"), players=3)


def test_a_stuck_game() -> None:
    record = played("fake-stuck", players=3, seed=3)
    assert record.status == "stuck" and "no legal action" in record.outcome["reason"]
    assert list(record.returns) == []


def test_a_faulted_and_an_unfinished_game() -> None:
    assert played("fake-fault").outcome["fault"]["code"] == "R001"
    assert played("fake-endless").status == "unfinished"


def test_invariants_are_checked_on_request() -> None:
    assert played("fake-broken-invariant", seed=2).status == "finished"
    record = played("fake-broken-invariant", seed=2, invariants=True)
    assert record.status == "faulted" and len(record.steps) == 5
    assert record.outcome["reason"] == "the counters are conserved"


def test_a_match_that_is_told_to_stop_has_a_whole_position() -> None:
    stops = iter([False, False, True])
    record = GameMatch(FakeRuleset(), MatchConfig(seed=5)).play(lambda: next(stops))
    assert record.status == "unfinished" and record.outcome["reason"] == "interrupted"
    assert len(record.steps) == 2 and record.final_hash == record.steps[-1].hash


def test_light_matches_differ_only_in_what_they_note() -> None:
    full, light = played(seed=9), GameMatch(FakeRuleset(), MatchConfig(seed=9), light=True).play()
    assert (full.final_hash, full.outcome, full.digest) == (light.final_hash, light.outcome, light.digest)


def test_the_json_of_a_record() -> None:
    record = played(seed=5)
    text = as_text(record.to_json())
    assert text.isascii() and json.loads(text) == record.to_json()
    assert text.count("\n") == len(record.steps) + 20
    promised = (
        "ruleset digest players parameters ruleset_hash meaning_hash seed outcome decisions "
        "chance_events actions final_hash"
    )
    assert set(promised.split()) <= set(record.to_json())
    assert as_text({"a": 1, "actions": []}) == '{\n  "a": 1,\n  "actions": []\n}\n'


def test_a_game_without_a_result_pays_nobody() -> None:
    """Saved games may say so with an empty list or with none at all."""
    records = [replace(played(), outcome={"status": "stuck", "returns": returns}) for returns in ([], None)]
    assert [list(record.returns) for record in records] == [[], []]
    assert len({record.former_digest for record in records}) == 1


def scripted(text: str, **options: Any) -> GameRecord:
    script = read_script(Source("script.yaml", text))
    record = GameMatch(FakeRuleset(), MatchConfig(**options), script=script).play()
    script.check_used()
    return record


def refused(text: str, **options: Any) -> Any:
    with pytest.raises(RulesetError) as caught:
        scripted(text, **options)
    return caught.value.diagnostics[0]


WHOLE = """\
croupier: 1
actions:
  - chance: roll 4
  - 1: take 3
  - take 1
  - chance: {roll: 2}
  - 1: {take: 1}
  - 2: take 1
  - all: {2: bid 0, P1: {bid: 2}}
"""


def test_a_script_decides() -> None:
    record = scripted(WHOLE)
    assert [choice.choice for step in record.steps for choice in step.choices] == [
        {"roll": 4}, {"take": 3}, {"take": 1}, {"roll": 2}, {"take": 1}, {"take": 1}, {"bid": 2}, {"bid": 0},
    ]  # fmt: skip
    assert record.outcome["scores"] == [6, 2]


def test_a_script_may_leave_out_forced_decisions_chance_and_the_end() -> None:
    record = scripted("- chance: roll 4\n- 1: take 3\n- chance: roll 2\n- take 1\n")
    assert [choice.choice for step in record.steps for choice in step.choices][:6] == [
        {"roll": 4}, {"take": 3}, {"take": 1}, {"roll": 2}, {"take": 1}, {"take": 1},
    ]  # fmt: skip
    assert scripted("- take 1\n- take 1\n", seed=4).status == "finished"


def test_what_a_script_cannot_do() -> None:
    first = refused("- chance: roll 4\n- 1: take 4\n")
    assert (first.code, first.span.line, first.span.column) == ("X520", 2, 3)
    assert first.notes == ("possible here: `take 1`, `take 2`, `take 3`",)
    assert refused("- chance: roll 4\n- 2: take 1\n").code == "X521"
    assert refused("- chance: roll 9\n").code == "X520"
    extra = refused(WHOLE + "  - 1: take 1\n")
    assert (extra.code, extra.span.line) == ("X522", 10)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("take 1\n", "X523", 1),
        ("croupier: 1\nactions: yes\n", "X523", 2),
        ("croupier: 2\nactions: []\n", "X503", 1),
        ("croupier: 1\nmoves: []\nactions: []\n", "X523", 2),
        ("croupier: 1\n", "X523", 1),
        ("- nobody: take 1\n", "X523", 1),
        ("- 0: take 1\n", "X523", 1),
        ("- &a take 1\n", "Y", 1),
        ("", "Y", 1),
    ],
)
def test_what_is_not_a_script(text: str, code: str, line: int) -> None:
    with pytest.raises(RulesetError) as caught:
        read_script(Source("script.yaml", text))
    first = caught.value.diagnostics[0]
    assert first.code.startswith(code) and first.span is not None and first.span.line == line


def test_native_code_plays_games_out_only_if_nobody_names_a_back_end() -> None:
    ruleset = croupier.load("tic_tac_toe")
    kinds = {
        backend: type(MatchConfig(backend=backend, bots=("mcts",)).initial_state(ruleset))
        for backend in ("reference", "python", "auto")
    }
    assert kinds["reference"] is not kinds["python"]
    assert kinds["python"] is type(ruleset.new_initial_state(backend="python"))
