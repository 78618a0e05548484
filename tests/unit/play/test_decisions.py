"""Rows of decisions and events: what they say, in what order, and that they are the same on every back
end.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.cli.guard import guarded
from croupier.play.decisions import EVENT_COLUMNS, DecisionLog, DecisionTable, as_object, event_rows
from croupier.play.match import GameMatch, MatchConfig
from needs import BACKENDS
from programs import small
from published import validated

FIVE = ("vudu", "baron_voodoo", "witches_of_blackmore", "una_notte_da_lupi", "wednesday_hyde")
KINDS = {"int64": int, "double": float, "bool": bool, "string": str}


def played(
    ruleset: croupier.Ruleset, backend: str = "reference", game: int = 1
) -> tuple[GameMatch, list[dict[str, Any]]]:
    """A game of a seed, and the rows of its decisions."""
    match = GameMatch(ruleset, MatchConfig(seed=1, backend=backend), game, light=True)
    match.log = DecisionLog(DecisionTable(match.state.game), game)
    record = match.play()
    return match, [as_object(match.log.columns, row) for row in match.log.rows(record.outcome)]


@pytest.mark.parametrize("name", FIVE)
def test_a_row_is_an_entry_of_the_history(name: str) -> None:
    match, rows = played(croupier.load(name))
    state = match.state.beginning()
    for entry, row in zip(match.state.history, rows, strict=True):
        action = entry[0] if isinstance(entry, tuple) else entry[-1] if isinstance(entry, list) else entry
        seat = state.pending_seats()[0] if not state.is_chance_node() else -1
        assert (row["seat"], row["action"]) == (seat, action)
        assert row["words"] == state.action_to_string(seat, action)
        assert row["options"] == len(state.legal_actions()) and row["forced"] is (row["options"] == 1)
        assert row["phase"] == state.phase()
        state.apply_action(action)
    assert [row["index"] for row in rows] == list(range(len(rows)))


@pytest.mark.parametrize("name", FIVE)
def test_cells_have_the_types_of_their_columns(name: str) -> None:
    match, rows = played(croupier.load(name))
    assert match.log is not None
    events = [as_object(EVENT_COLUMNS, row) for row in event_rows(match.state, 1)]
    for columns, some in ((match.log.columns, rows), (EVENT_COLUMNS, events)):
        for column in columns:
            assert {type(row[column.name]) for row in some} <= {KINDS[column.type], type(None)}, column
        assert len({column.name for column in columns}) == len(columns)


@pytest.mark.parametrize("name", [*FIVE, "goofspiel", "kuhn_poker"])
@pytest.mark.parametrize("backend", [b for b in BACKENDS if b != "reference"])
def test_rows_are_the_same_on_every_back_end(name: str, backend: str) -> None:
    ruleset = croupier.load(name)
    for game in (1, 2):
        assert played(ruleset, backend, game)[1] == played(ruleset, "reference", game)[1]


@pytest.mark.parametrize("name", FIVE)
def test_what_lasts_is_the_same_when_it_is_worked_out_again(name: str) -> None:
    ruleset = croupier.load(name)
    match, _ = played(ruleset)
    table = DecisionTable(match.state.game)
    for game in range(1, 6):
        kept = GameMatch(ruleset, MatchConfig(seed=1), game, light=True)
        anew = GameMatch(ruleset, MatchConfig(seed=1), game, light=True)
        kept.log, anew.log = DecisionLog(table, game), DecisionLog(Forgetful(match.state.game), game)
        assert kept.log.rows(kept.play().outcome) == anew.log.rows(anew.play().outcome)


class Forgetful(DecisionTable):
    """Works every action out again."""

    def describe(self, *asked: Any) -> Any:
        self._known.clear()
        return super().describe(*asked)


@pytest.mark.parametrize("name", FIVE)
def test_every_option_that_is_taken_is_one_of_the_rules(name: str) -> None:
    match, rows = played(croupier.load(name))
    known = {(decision, option) for decision, option, _ in DecisionTable(match.state.game).options()}
    assert {
        (row["decision"], row["option"]) for row in rows if row["seat"] >= 0 and row["option"] != "done"
    } <= known


def test_turns_count_decisions_of_one_seat_in_a_row() -> None:
    _, rows = played(croupier.load("witches_of_blackmore"))
    turn, seat = 0, -1
    for row in rows:
        if row["seat"] >= 0 and row["seat"] != seat:
            turn, seat = turn + 1, row["seat"]
        assert row["turn"] == turn


def test_every_decision_says_what_came_of_the_game_for_its_seat() -> None:
    match, rows = played(croupier.load("witches_of_blackmore"))
    outcome = match.state.outcome()
    for row in rows:
        seat = row["seat"]
        of_seat = (
            (None, None, None)
            if seat < 0
            else (float(seat in outcome["winners"]), outcome["returns"][seat], outcome["scores"][seat])
        )
        assert (row["won"], row["return"], row["score"]) == of_seat


def test_events_name_the_decision_that_they_follow_from(tmp_path: Path) -> None:
    ruleset = small(
        tmp_path,
        "total = 1\nchoose n from 5..6 by players.first\ntotal = n\nchoose c from deck by "
        "players.first\nmove c to hand[players.last]\nfinish draw",
    )
    match, rows = played(ruleset)
    events = [as_object(EVENT_COLUMNS, row) for row in event_rows(match.state, 1)]
    states = [(e["decision"], e["variable"], e["number"]) for e in events if e["kind"] == "state"]
    assert states == [(-1, "total", 1), (0, "total", rows[0]["number"])]
    moves = [
        (e["decision"], e["component"], e["from"], e["from_of"], e["to"], e["to_of"])
        for e in events
        if e["kind"] == "move"
    ]
    assert moves == [(1, rows[1]["component"], "deck", None, "hand", "1")]
    assert [(e["decision"], e["seat"]) for e in events if e["kind"] == "decision"] == [(0, 0), (1, 0)]
    assert {e["phase"] for e in events} == {"play"}


@pytest.mark.parametrize("name", FIVE)
def test_run_prints_decisions_and_their_events_in_the_order_of_play(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(["run", name, "--seed", "1", "--format", "jsonl"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [lines[0]["type"], lines[-1]["type"]] == ["header", "outcome"]
    assert validated(json.dumps(lines[0]))["ruleset"] == name
    assert {line["type"] for line in lines[1:-1]} == {"decision", "event"}
    at = -1
    for line in lines[1:-1]:
        at += line["type"] == "decision"
        assert line["index" if line["type"] == "decision" else "decision"] == at
    events = [line["index"] for line in lines if line["type"] == "event"]
    assert events == list(range(len(events)))
    names: dict[str, set[str]] = {}
    for line in lines[1:-1]:
        if line["type"] == "decision" and "choose" in line["choice"]:
            assert line["choice"]["choose"] == line["decision"]
            names.setdefault(line["decision"], set()).add(line["place"])
    assert all(len(places) == 1 for places in names.values())
