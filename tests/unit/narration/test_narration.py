"""Narration says what the events say, for every reader: each clause can be counted back into the texts of its
events.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.cli.views.game import log
from croupier.narration import Line, Names, Narrator, clauses, narrate, prompt
from croupier.narration.merging import HEADINGS
from croupier.play.match import GameMatch, MatchConfig
from croupier.text import Seat, Text, Thing
from unfolding import texts_of

CASES = YAML(typ="safe", pure=True).load(
    Path(__file__).with_suffix("").with_name("lines.cases.yaml").read_text(encoding="utf-8")
)
PUBLISHED = [
    ("witches_of_blackmore", 2),
    ("una_notte_da_lupi", 5),
    ("wednesday_hyde", 4),
    ("vudu", 3),
    ("baron_voodoo", 2),
]
GAMES = [
    ("witches_of_blackmore", 3),
    ("una_notte_da_lupi", 5),
    ("wednesday_hyde", 2),
    ("go_fish", 3),
    ("liars_dice", 2),
    ("kuhn_poker", 2),
]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_clauses_count_back_into_events(name: str, players: int) -> None:
    match = GameMatch(croupier.load(name), MatchConfig(players, {}, 5, ("random",), False, "reference"))
    match.play(lambda: len(match.steps) > 150)
    for reader in (None, *range(players)):
        events = [e for e in match.state.events(reader) if not e.quiet]
        assert all(e.shape is None or e.shape.text == e.text for e in events)
        assert [text for c in clauses(events) for text in texts_of(c.form)] == [e.text for e in events]
        lines = narrate(events)
        told = [text for line in lines for c in line.clauses for text in texts_of(c.form)]
        assert told == [e.text for e in events if e.kind not in HEADINGS]
        assert {r for line in lines for r in line.rules} >= {
            r for e in events if e.kind not in HEADINGS for r in e.rules
        }
        silenced = {r for e in match.state.events(reader) if e.worded for r in e.rules}
        assert {r for line in narrate(match.state.events(reader)) for r in line.rules} >= silenced
        grown, narrator = list[Line](), Narrator()
        for at in range(0, len(events), 7):
            grown += narrator.tell(events[at : at + 7])
            assert [*grown, *narrator.copy().unsettled()] == narrate(events[: at + 7]), "told as it grows"
            assert narrator.prompt(0, "react in x") == prompt(events[: at + 7], 0, "react in x")
        assert len(lines) <= len(told)


def played(name: str, players: int, seed: int = 1, most: int = 300) -> GameMatch:
    """A game that bots have played, for at most so many steps."""
    match = GameMatch(croupier.load(name), MatchConfig(players, {}, seed, ("random",), False, "reference"))
    match.play(lambda: len(match.steps) > most)
    return match


def test_brief_logs_are_a_third_of_full_ones() -> None:
    """Over the five published games together, in lines and in characters, as they are printed."""
    lengths: dict[str, list[int]] = {"full": [], "brief": []}
    for name, players in PUBLISHED:
        state = played(name, players).state
        for detail, found in lengths.items():
            printed = log(state.events(None), Names(), detail, players=players).plain
            found += [len(line) for line in printed.splitlines()]
    assert 3 * len(lengths["brief"]) <= len(lengths["full"])
    assert 3 * sum(lengths["brief"]) <= sum(lengths["full"])


def shown(line: Line, names: Names) -> str:
    return " · ".join(names(words) for words in (line.part, line.title, line.text) if words)


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["name"])
def test_lines(case: Any, tmp_path: Path) -> None:
    file = tmp_path / "told.yaml"
    file.write_text(case.get("head", CASES["head"]) + case["rules"], encoding="utf-8")
    ruleset = croupier.load(file)
    match = GameMatch(
        ruleset, MatchConfig(case.get("players", 2), {}, case.get("seed", 1), ("first",), False, "reference")
    )
    match.play()
    for reader, wanted in case["lines"].items():
        events = match.state.events(None if reader == "referee" else reader - 1)
        names = Names(case.get("names", ()))
        lines = narrate(events, brief=case.get("brief", False), players=match.state.players)
        assert [shown(line, names) for line in lines] == wanted, reader
        if "cites" in case:
            assert [list(line.rules) for line in narrate(events)] == case["cites"][reader], reader


def test_names_are_put_in_where_a_player_is_meant() -> None:
    names = Names(["Anna", "", "Mary Ann"])
    text = Text.of(
        Seat(0), " shows ", Thing("component", Text.of(Seat(2), "'s player 1 doll"), 4), " to ", Seat(12)
    )
    assert names(text) == "Anna shows Mary Ann's player 1 doll to player 13"
    assert names("player 1") == "player 1", "words of the game are nobody's name"
    assert names.of(1) == "player 2" and Names()(text) == str(text)


@pytest.mark.parametrize("case", CASES["prompts"], ids=lambda case: case["name"])
def test_prompts(case: Any, tmp_path: Path) -> None:
    """Each seat that acts is asked so; then everybody takes the last option."""
    file = tmp_path / "asked.yaml"
    file.write_text(case.get("head", CASES["head"]) + case["rules"], encoding="utf-8")
    state = croupier.load(file).new_initial_state(2)
    for wanted in case["prompts"]:
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        acting = state.pending_seats()
        once = state.is_simultaneous_node()
        assert [
            prompt(state.events(p), p, (state.asked(p) or {})["asks"], at_once=once).text for p in acting
        ] == wanted
        for p in acting:
            state.apply_action(state.legal_actions(p)[0], p)
