"""What a seat is offered follows from what it knows: with equal information states, or observations, the
options and their words are equal.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.execution import llvm_compiler as engine
from croupier.resources import shipped
from croupier.runtime.legality import why_not
from croupier.runtime.state import State
from croupier.scenarios import run_scenarios
from doubled import begun_as
from programs import DATA, ROOT

CASES = YAML(typ="safe", pure=True).load((Path(__file__).parent / "offers.yaml").read_text(encoding="utf-8"))
HEAD = "croupier: 1\nruleset: case\ntitle: A case\nplayers: 2\n"
BACKENDS = ["reference", "python", *(["native"] if engine.is_installed() else [])]
NAMES = [
    *(name for name in shipped() if "/" not in name),
    *(str(path) for path in sorted(DATA.glob("*.yaml"))),
]
MOST_STEPS, GAMES = 20, 2


def played(rules: croupier.Ruleset, backend: str, plan: list[str]) -> Any:
    """The state after what is named was chosen or drawn; each once where the same is asked again, and `no` is
    whatever declines.
    """
    state = rules.new_initial_state(2, {}, backend=backend)
    for words in plan:
        seat = -1 if state.is_chance_node() else state.current_player()
        state.apply_action(next(a for a in state.legal_actions() if state.action_to_string(seat, a) == words))
    return state


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_two_games(case: dict[str, Any], backend: str, tmp_path: Path) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(HEAD + case["rules"], encoding="utf-8")
    rules, seat = croupier.load(file), case["seat"] - 1
    one, other = (played(rules, backend, plan) for plan in case["plans"])
    assert (one.information_state(seat) == other.information_state(seat)) is case["same"]
    assert seat in one.pending_seats() or not case["same"] or "neither" in case["name"]
    if case["same"]:
        assert offered(one, seat) == offered(other, seat)
        for words in case.get("why", ()):
            assert why_not(one, seat, words) == why_not(other, seat, words), words


def offered(state: Any, seat: int) -> list[tuple[int, str, str]]:
    """Options with their words and structures."""
    return [
        (a, state.action_to_string(seat, a), str(state.action_to_struct(seat, a)))
        for a in state.legal_actions(seat)
    ]


class Offers:
    """What seats were offered by what they know; `note` asserts that with equal knowledge it is the same."""

    def __init__(self) -> None:
        self.known: dict[tuple[Any, ...], list[tuple[int, str, str]]] = {}
        self.seen: dict[tuple[Any, ...], list[tuple[int, str]]] = {}

    def note(self, state: Any) -> None:
        if state.is_chance_node() or state.is_terminal():
            return
        for seat in range(state.players):
            now, seen, whose = (
                offered(state, seat),
                state.observation(seat),
                (state.ruleset.name, state.players, str(state.parameters), seat),
            )
            assert self.known.setdefault((*whose, state.information_state(seat)), now) == now, state.history
            # which decision it is, the seat knows from what happened before
            words = [(action, text) for action, text, _ in now]
            assert self.seen.setdefault((*whose, str(seen)), words) == words, state.history
            assert ("decision" in seen) is (seat in state.pending_seats())


@pytest.mark.parametrize("name", NAMES)
def test_equal_knowledge_is_offered_the_same(name: str) -> None:
    """In random games that begin alike, for every seat at every node."""
    rules, offers = croupier.load(name), Offers()
    for game in range(GAMES):
        rng, state = random.Random(game // 2), rules.new_initial_state(rules.players[0])
        step = 0
        while step < MOST_STEPS and not state.is_terminal():
            chances = [a for a, _ in state.chance_outcomes()]
            step += not chances  # a long deal is not all that is looked at
            offers.note(state)
            if game % 2 and step > MOST_STEPS // 4:
                rng = random.Random(step)
            options = chances or state.legal_actions()
            if not options:
                break
            state.apply_action(rng.choice(options))
    assert offers.known


CHEAP = [
    f"rulesets/library/{name}/scenarios/basics.yaml"
    for name in ("lantern", "relics", "sealed_auction", "two_dice_pig")
]
FILES = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "rulesets").rglob("scenarios/*.yaml"))]


def noted(file: str) -> Offers:
    """What was offered at every state from which a scenario of a file goes on."""
    offers = Offers()

    class Noted(State):
        def _resume(self, m: Any, seat: int, action: int) -> None:
            if m is None or m.recorder is None:
                offers.note(self)
            super()._resume(m, seat, action)

    with (
        patch("croupier.scenarios.running.State", Noted),
        patch("croupier.scenarios.positions.begun_at", begun_as(Noted)),
    ):
        for _ in run_scenarios(ROOT / file):
            pass
    return offers


@pytest.mark.parametrize("file", CHEAP)
def test_scenarios_offer_the_same_to_equal_knowledge(file: str) -> None:
    assert noted(file).known


@pytest.mark.soak
@pytest.mark.parametrize("file", [file for file in FILES if file not in CHEAP])
def test_all_scenarios_offer_the_same_to_equal_knowledge(file: str) -> None:
    if not noted(file).known:
        pytest.skip("no scenario of this file goes on from a decision")


REACTING = """\
state:
  stopped: bool seen by everybody
definitions: |
  window about(p: Player)
  in about(p) if p != owner as "stop it":
      stopped = true
phases:
  play: |
    open about(players.first) to others(players.first)
    choose n from 1..2 by players.first
    finish draw
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_nobody_else_learns_who_may_react(backend: str, tmp_path: Path) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(HEAD + REACTING, encoding="utf-8")
    state = croupier.load(file).new_initial_state(2, {}, backend=backend)
    assert state.pending_seats() == [1]
    assert [state.is_open_to(seat) for seat in (None, 0, 1, croupier.SPECTATOR)] == [True, False, True, False]
    assert all('"decision"' not in state.information_state(seat) for seat in (None, 0, croupier.SPECTATOR))
    assert (
        state.asked(1) == {"asks": "react in about", "options": {"0": "no", "1": "stop it"}}
        and state.asked(0) is None
    )
    state.apply_action(0)
    assert all(state.is_open_to(seat) for seat in (None, 0, 1, croupier.SPECTATOR))
    assert state.observation(0)["decision"] == {
        "asks": "choose n",
        "options": {"0": "1", "1": "2"},
    } and "decision" not in state.observation(1)
