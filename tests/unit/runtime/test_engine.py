"""What plays a game, and what others keep with it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

import croupier
from croupier.diagnostics import Source
from croupier.runtime.engine import Engine
from croupier.runtime.faults import Redacted
from croupier.runtime.machine import Machine
from croupier.runtime.visibility import SeatObserver
from croupier.semantics import check_expression
from croupier.source.ruletext import whole


def test_a_game_never_changes() -> None:
    game = croupier.load("kuhn_poker").game(2, None)
    with pytest.raises(FrozenInstanceError):
        game.players = 3  # type: ignore[misc]


def test_a_ruleset_makes_an_engine_once() -> None:
    ruleset = croupier.load("kuhn_poker")
    engine = ruleset.engine(2, None)
    assert ruleset.new_initial_state(2).engine is engine is ruleset.engine(2, {})
    assert ruleset.game(2, None) is engine.game


def test_what_is_kept_is_made_once_for_each_game() -> None:
    made: list[Engine] = []

    def count(engine: Engine) -> list[int]:
        made.append(engine)
        return [len(made)]

    engines = [croupier.load(name).engine(2, None) for name in ("kuhn_poker", "tic_tac_toe")]
    kept = [engine.kept(count) for engine in engines for _ in range(2)]
    assert kept == [[1], [1], [2], [2]] and kept[0] is kept[1]
    assert made == engines


def test_rules_that_observe_are_others() -> None:
    rules = croupier.load("kuhn_poker").engine(2, None).rules
    observing = rules.observing
    assert observing is not rules and observing is rules.observing is observing.observing
    assert observing.game is rules.game and not rules.observes


def test_only_rules_that_observe_refuse_to_read_what_is_hidden() -> None:
    state = croupier.load("kuhn_poker").new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    text = whole(Source("question", "hand[players.last].top!.rank"))
    x, proc, found = check_expression(state.game.program, text)
    assert x is not None and not found
    rules, machine, frame = state.engine.rules, Machine(state.engine.rules), [None] * (len(proc.slots) + 1)
    machine.zones, machine.where = state._m.zones, state._m.where
    rank = rules.expr(x)(machine, frame)
    for seat in range(2):
        machine.observer = SeatObserver(machine, seat)
        assert rules.expr(x)(machine, frame) == rank
        if seat == 1:
            assert rules.observing.expr(x)(machine, frame) == rank
        else:
            with pytest.raises(Redacted):
                rules.observing.expr(x)(machine, frame)
