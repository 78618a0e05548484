"""Whether somebody is asked for a reaction is no business of the others: two games that differ in this are
the same to them, byte for byte.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.cli import main
from croupier.play.match import MatchConfig
from croupier.server.hosted_match import HostedMatch

RULES = """\
croupier: 1
ruleset: unseen
title: Unseen
players: 2
components:
  Card: {attributes: {value: 1..3}, each: [value]}
zones:
  deck: {holds: Card, order: pile, start: all}
  hand: {holds: Card, per: Player, seen_by: owner}
state:
  stopped: bool seen by everybody
definitions: |
  window about(p: Player)
  in about(p) if p != owner and any(c.value == 3 for c in hand[owner]) as "stop it":
      stopped = true
phases:
  play: |
    shuffle deck
    for p in players: draw 1 from deck to hand[p]
    choose m from 1..2 by players.first
    open about(players.first) to others(players.first)
    choose n from 1..2 by players.first
    finish draw
"""
NOT_ASKED = ["chance: '1'", "chance: '2'", "1: '2'", "1: '1'"]
ASKED = ["chance: '1'", "chance: '3'", "1: '2'", "2: 'no'", "1: '1'"]
OUTPUTS = [[], ["--log", "full"], ["--format", "json"], ["--html", "page.html", "--force"]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("unseen.yaml").write_text(RULES, encoding="utf-8")
    for name, plan in (("not_asked", NOT_ASKED), ("asked", ASKED)):
        Path(f"{name}.yaml").write_text("".join(f"- {line}\n" for line in plan), encoding="utf-8")
        assert (
            main(["run", "unseen.yaml", "--seed", "1", "--actions", f"{name}.yaml", "--save", f"{name}.json"])
            == 0
        )
    return tmp_path


@pytest.mark.parametrize("seat", ["1", None])
def test_a_game_is_told_alike_by_all_commands(
    seat: str | None, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told: dict[str, list[str]] = {"not_asked": [], "asked": []}
    whose = [] if seat is None else ["--seat", seat]
    capsys.readouterr()
    for name, found in told.items():
        for options in OUTPUTS:
            assert main(["replay", f"{name}.json", "--ruleset", "unseen.yaml", *whose, *options]) == 0
            found.append(capsys.readouterr().out)
        found.append(Path("page.html").read_text(encoding="utf-8"))
        for options in (*OUTPUTS[:3], ["--format", "jsonl"]):
            assert (
                main(["run", "unseen.yaml", "--seed", "1", "--actions", f"{name}.yaml", *whose, *options])
                == 0
            )
            found.append(capsys.readouterr().out)
    same = [one == other for one, other in zip(*told.values(), strict=True)]
    assert all(same) if seat is not None else not same[0], same


@pytest.mark.parametrize("persons", [[0, 1], [1]])
def test_who_was_asked_unseen_takes_nothing_back_that_others_would_notice(
    persons: list[int], folder: Path
) -> None:
    match = HostedMatch(croupier.load("unseen.yaml"), MatchConfig(2, {}, 3, ("first",)), frozenset(persons))
    match.advance()
    while match.waiting() != [1]:
        match.choose(0, match.state.legal_actions(0)[0])
    assert match.state.asked(1) == {"asks": "react in about", "options": {"0": "no", "1": "stop it"}}
    match.choose(1, 0)
    assert match.can_undo(1) is (persons == [1] and not match.is_over)
    assert match.waiting() == persons[:-1]
