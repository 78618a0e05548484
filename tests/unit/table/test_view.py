"""The view of a seat holds what its observation holds, once, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.cli.views.position import table
from croupier.narration import Names
from croupier.play.match import GameMatch, MatchConfig
from croupier.runtime.state import State
from croupier.table import View, ZoneView, text_of, view
from hidden_twins import twin

GAMES = {
    "witches_of_blackmore": 3, "una_notte_da_lupi": 4, "wednesday_hyde": 2, "vudu": 3, "baron_voodoo": 2,
    "tic_tac_toe": 2, "hex": 2,
    "go_fish": 3, "leduc_poker": 2, "oware": 2, "nine_mens_morris": 2, "liars_dice": 2, "two_dice_pig": 2,
    "pairs": 2, "night_in_the_village": 5,
    "lantern": 3, "fish_market": 3,
}  # fmt: skip
HIDING = (
    "witches_of_blackmore", "una_notte_da_lupi", "wednesday_hyde", "vudu", "go_fish", "leduc_poker",
    "liars_dice", "pairs", "night_in_the_village",
    "lantern", "fish_market", "tiny_hanabi", "terraces", "kuhn_poker", "kiln", "mail_coaches", "mill",
    "picnic", "plain_tricks", "plain_trumps",
    "relics", "sealed_auction", "smuggler",
)  # fmt: skip
PAIRS = 5  # at least, in each of those: all shipped rulesets that hide anything but sealed choices


def positions(name: str, steps: int = 40, every: int = 8) -> Iterator[State]:
    match = GameMatch(
        croupier.load(name), MatchConfig(GAMES.get(name), {}, 7, ("random",), False, "reference")
    )
    for stop in range(every, steps, every):
        match.play(lambda stop=stop: len(match.steps) >= stop)  # type: ignore[misc]
        yield match.state


def zones(seen: View) -> list[ZoneView]:
    return [
        *seen.zones,
        *(z for s in seen.seats for z in s.zones),
        *(z for b in seen.boards for c in b.cells for z in c.zones),
    ]


def contents(zone: ZoneView) -> Any:
    if zone.count is None:
        return None
    return {"count": zone.count} if zone.things is None else [thing.label for thing in zone.things]


@pytest.mark.parametrize("name", GAMES)
def test_all_that_is_observed_is_there_once(name: str) -> None:
    for state in positions(name):
        for seat in (None, *range(state.players)):
            seen, observed = view(state, seat), state.observation(seat, spoken=True)
            assert json.loads(text_of(state, seen)) == seen.to_json(), (
                "what is kept in words is what it would be now"
            )
            program = state.game.program
            wanted = [
                one
                for key, entry in observed["zones"].items()
                for one in (entry.values() if program.zones[key].key is not None else [entry])
            ]
            found = [contents(zone) for zone in zones(seen)]
            assert sorted(map(json.dumps, found)) == sorted(map(json.dumps, wanted))
            worn = {
                thing.label: dict(thing.attributes) for zone in zones(seen) for thing in zone.things or ()
            }
            for kind, names in state.game.unlabelled.items():
                for name in names:
                    told = observed["state"].get(f"{kind}.{name}", {})
                    assert all(
                        worn[label][name.replace("_", " ")]
                        for label, value in told.items()
                        if label in worn and value not in (None, False)
                    )
            options = observed.get("decision", {}).get("options", {})
            assert {
                str(o.action): o.label for o in (seen.decision.options if seen.decision else ())
            } == options
            drawn = " ".join(table(seen, Names(("Anna",))).plain.split())
            assert all(
                label in drawn
                for zone in zones(seen)
                if zone not in _on_boards(seen)
                for label in _labels(zone)
            )


def _on_boards(seen: View) -> list[ZoneView]:
    return [z for b in seen.boards for c in b.cells for z in c.zones]


def _labels(zone: ZoneView) -> list[str]:
    return [Names(("Anna",))(thing.label) for thing in zone.things or ()]


@pytest.mark.parametrize("name", HIDING)
def test_positions_that_only_hidden_things_tell_apart_give_equal_views(name: str) -> None:
    pairs = 0
    for state in positions(name) if name in GAMES else positions(name, 38, 6):
        for seat in range(state.players):
            other = twin(state, seat, 11)
            if other is not None:
                pairs += 1
                assert json.dumps(view(state, seat).to_json()) == json.dumps(view(other, seat).to_json())
    assert pairs >= PAIRS


def test_options_are_attached_to_what_they_concern() -> None:
    state = croupier.load("tic_tac_toe").new_initial_state()
    (board,) = view(state, 0).boards
    assert [cell.options for cell in board.cells] == [(i,) for i in range(9)]
    assert all(not cell.options for cell in view(state, 1).boards[0].cells)
    dealt = next(positions("witches_of_blackmore", 30, 20))
    (seat,) = dealt.pending_seats()
    decision = view(dealt, seat).decision
    assert decision is not None
    held = [
        thing for zone in view(dealt, seat).seats[seat].zones for thing in zone.things or () if thing.options
    ]
    if decision.asks == "choose c":
        assert {a for thing in held for a in thing.options} == {o.action for o in decision.options}
        assert dict(held[0].attributes).keys() >= {"colour"}


def test_a_component_bears_the_rules_of_its_powers() -> None:
    """What only it can do comes first; a component without powers has none."""
    seen = view(croupier.load("baron_voodoo").new_initial_state(2), 0)
    things = {
        thing.label: [rule.partition(":")[0] for rule in thing.rules]
        for zone in seen.zones
        for thing in zone.things or ()
    }
    assert things["Papa Legba"] == ["BV-53", "BV-54", "BV-55", "BV-49"] and things["gold-offering"] == []


ASKED = """
croupier: 2
ruleset: asked
title: Asked
players: 2
components:
  Card: {attributes: {rank: 1..2}, each: [rank], label: "player {rank}"}
zones:
  row: {holds: Card, start: all, order: sequence, seen_by: everybody, label: "row of {players.last}"}
  hand: {holds: Card, per: Player, seen_by: owner, label: "{key}'s hand"}
phases:
  play: |
    choose c from row by players.first
    choose q from players by players.first
    finish win q
"""


def test_a_component_that_is_called_like_a_player_is_no_player(tmp_path: Path) -> None:
    file = tmp_path / "asked.yaml"
    file.write_text(ASKED, encoding="utf-8")
    state = croupier.load(file).new_initial_state()
    seen = view(state, 0)
    assert [seat.options for seat in seen.seats] == [(), ()]
    assert all(thing.options for zone in seen.zones for thing in zone.things or ())
    state.apply_action(state.legal_actions(0)[0])
    seen = view(state, 0)
    assert [seat.options for seat in seen.seats] == [(0,), (1,)]
    assert not any(thing.options for zone in seen.zones for thing in zone.things or ())


def test_a_text_says_in_json_where_it_names_a_player(tmp_path: Path) -> None:
    """A zone of a player says what it is called below its owner."""
    file = tmp_path / "asked.yaml"
    file.write_text(ASKED, encoding="utf-8")
    found = view(croupier.load(file).new_initial_state(), 0).to_json()
    [row], [hand] = found["zones"], found["seats"][1]["zones"]
    assert (row["title"], row["short"]) == (["row of ", 1], "")
    assert (hand["title"], hand["short"]) == ([1, "'s hand"], "hand")
    assert [thing["label"] for thing in row["things"]] == ["player 1", "player 2"]
