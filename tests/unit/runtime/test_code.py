"""When procedures are compiled: when they are first run, but for those that set-up has to settle."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import RulesetError
from croupier.runtime.state import State
from croupier.runtime.trace import Trace

GAME = Path(__file__).parents[1] / "scenarios" / "game" / "ruleset.yaml"
SHARES = """\
croupier: 1
ruleset: shares
title: Shares
players: 2
parameters:
  n: {type: 0..3, default: 1}
state:
  bank: int = 0 seen by everybody
definitions: |
  def pile(k: int):
      bank = least(k)

  def least(k: int) -> 0..12 // n:
      return k

  def more(k: int) -> int:
      return k + 1

  def much(k: int) -> int:
      return k + 100
phases:
  deal: |
    choose k from [1, 2] by players.first
    bank = more(k)
    if bank > 100:
        pile(much(k))
    finish win players.first
"""


@pytest.fixture
def shares(tmp_path: Path) -> croupier.Ruleset:
    path = tmp_path / "shares.yaml"
    path.write_text(SHARES, encoding="utf-8")
    return croupier.load(path)


def compiled(ruleset: croupier.Ruleset) -> set[str]:
    return {code.proc.name for code in ruleset.engine(2, None).rules.procs if code.is_compiled}


def test_a_definition_is_compiled_when_it_first_runs(shares: croupier.Ruleset) -> None:
    shares.game(2, None)
    # what calls for a bound that a parameter gives is settled at set-up
    assert compiled(shares) == {"main", "pile", "least"}
    state = shares.new_initial_state(2)
    assert compiled(shares) == {"main", "pile", "least", "deal"}
    state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and compiled(shares) == {"main", "pile", "least", "deal", "more"}


def test_a_bound_that_cannot_be_worked_out_is_refused_at_set_up(shares: croupier.Ruleset) -> None:
    with pytest.raises(RulesetError) as refused:
        shares.game(2, {"n": 0})
    assert [d.code for d in refused.value.diagnostics] == ["R003"]


def test_states_of_one_game_in_several_threads_compile_it_together() -> None:
    ruleset = croupier.load(GAME)

    def play(_: int) -> str:
        state = ruleset.new_initial_state(3)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        return state.hash()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(play, range(16)))) == 1


def test_compiling_the_rest_gives_every_place_a_number() -> None:
    ruleset = croupier.load(GAME)

    def words(*, whole: bool) -> set[tuple[str, int, str]]:
        trace = Trace(ruleset.program)
        engine = ruleset.set_up(3, {}, trace)
        state = State(ruleset, engine)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        if whole:
            engine.rules.compile_rest()
        return {(spot.kind, spot.span.start, spot.words) for spot in trace.spots}

    assert words(whole=False) < words(whole=True)
