"""Names of decisions: no two decisions of a ruleset have the same one, in structures of actions as in
data.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.record import checksum
from croupier.play.replay import replay
from croupier.play.saved import read_saved, save
from croupier.semantics.decision_sites import decision_sites
from programs import small

DEAL = """
def deal():
    if total == 0:
        choose n from 1..2 by players.first
        total += n
    if total > 0:
        choose n from 1..2 by players.first
        total += n
"""
PLAY = """
deal()
choose n from 1..2 by players.first
choose alone from 1..2 by players.first
choose by players.first:
    option "stop":
        finish draw
"""
NAMES = ["deal.n", "deal.n#2", "play.n", "alone", "menu"]


@pytest.mark.parametrize("name", croupier.shipped_names())
def test_every_decision_of_a_ruleset_has_a_name_of_its_own(name: str) -> None:
    sites = decision_sites(croupier.load(name).program)
    assert len({site.name for site in sites.values()}) == len(sites)


def test_names_that_several_decisions_share_are_told_apart(tmp_path: Path) -> None:
    sites = decision_sites(small(tmp_path, PLAY, DEAL).program)
    assert [site.name for site in sites.values()] == NAMES
    assert len({site.span for site in sites.values()}) == len(NAMES)


def test_a_structure_calls_a_decision_by_the_name_that_no_other_has(tmp_path: Path) -> None:
    state, found = small(tmp_path, PLAY, DEAL).new_initial_state(), list[Any]()
    while not state.is_terminal():
        struct = state.action_to_struct(0, state.legal_actions()[-1])
        found.append(struct.get("choose", "menu") if isinstance(struct, dict) else None)
        if found[-1] != "menu":
            assert isinstance(struct, dict)
            plain = {
                "choose": found[-1].removeprefix("deal.").removeprefix("play.").removesuffix("#2"),
                "value": struct["value"],
            }
            assert (
                state.struct_to_action(0, struct)
                == state.struct_to_action(0, plain)
                == state.legal_actions()[-1]
            )
        state.apply_action(state.legal_actions()[-1])
    assert found == NAMES


def test_a_file_that_calls_decisions_by_their_variables_alone_is_read(tmp_path: Path) -> None:
    ruleset, path = small(tmp_path, PLAY, DEAL), tmp_path / "game.json"
    save(GameMatch(ruleset, MatchConfig(seed=1)).play(), path)
    text = path.read_text(encoding="utf-8")
    for name in NAMES[:3]:
        text = text.replace(json.dumps(name), json.dumps("n"))
    document = json.loads(text)
    document["checksum"] = checksum(document)
    path.write_text(json.dumps(document), encoding="utf-8")
    assert replay(read_saved(path), ruleset, None).complete
