"""Texts: strings that know their parts, and what is made of them for pages and for programs."""

from __future__ import annotations

import json

import pytest

import croupier
from croupier.cli import main
from croupier.play.match import GameMatch, MatchConfig
from croupier.text import Number, Seat, Text, Thing

OF_A_PLAYER = Thing("zone", Text.of("hand of ", Seat(1)), 7)
CARD = Thing("component", "red-7", 12, "Card")
TEXT = Text.of(Seat(0), " moves ", CARD, " to ", OF_A_PLAYER, " for ", Number(3))


def test_a_text_is_the_plain_string_of_its_parts() -> None:
    assert TEXT == "player 1 moves red-7 to hand of player 2 for 3"
    assert TEXT.rendered(lambda seat: "to") == "to moves red-7 to hand of to for 3"


def test_pages_are_sent_the_players_of_a_text_and_no_other_part() -> None:
    assert TEXT.with_seats() == [0, " moves red-7 to hand of ", 1, " for 3"]
    assert Text.of(CARD, " stays").with_seats() == "red-7 stays" and Text().with_seats() == ""


@pytest.mark.parametrize(("text", "seat"), [(Text.of(Seat(1)), 1), (Text.of("player 2"), None), (TEXT, None)])
def test_a_text_that_is_a_player_is_no_text_that_reads_like_one(text: Text, seat: int | None) -> None:
    assert text.seat == seat


def test_programs_read_the_parts_of_a_text() -> None:
    assert TEXT.to_json() == [
        {"seat": 0},
        " moves ",
        {"component": "red-7"},
        " to ",
        {"zone": ["hand of ", {"seat": 1}]},
        " for ",
        {"number": 3},
    ]
    assert TEXT.to_json(keys=True)[2] == {"component": "red-7", "class": "Card", "key": 12}


def plain(part: object) -> str:
    """A part of a text as it is read."""
    match part:
        case {"seat": int(seat)}:
            return f"player {seat + 1}"
        case dict():
            return plain(next(iter(part.values())))
        case list():
            return "".join(map(plain, part))
    return str(part)


@pytest.mark.parametrize("name", ["witches_of_blackmore", "go_fish", "una_notte_da_lupi"])
def test_the_parts_of_an_event_are_its_text(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What a seat reads has no keys, which would tell things apart that look the same to it."""
    assert main(["run", name, "--seed", "3", "--seat", "1", "--format", "json"]) == 0
    events = json.loads(capsys.readouterr().out)["events"]
    assert events and all(plain(event["parts"]) == event["text"] for event in events)
    things = [part for event in events for part in event["parts"] if isinstance(part, dict)]
    assert things and all(len(part) == 1 for part in things)


def test_the_lines_of_the_referee_have_parts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "go_fish", "--seed", "3", "--format", "jsonl"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    events = [line for line in lines if line["type"] == "event"]
    assert events and all(plain(event["parts"]) == event["text"] for event in events)
    keys = {part["key"] for event in events for part in event["parts"] if "component" in part}
    match = GameMatch(croupier.load("go_fish"), MatchConfig(None, {}, 3, ("random",), False, "reference"))
    assert keys <= set(range(len(match.state.game.components)))
