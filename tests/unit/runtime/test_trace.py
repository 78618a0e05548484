"""Tracing changes nothing but what it remembers."""

from __future__ import annotations

from pathlib import Path

import croupier
from croupier.runtime.setup import set_up
from croupier.runtime.state import State
from croupier.runtime.trace import Trace

GAME = Path(__file__).parents[1] / "scenarios" / "game" / "ruleset.yaml"


def test_a_traced_game_is_the_same_game() -> None:
    ruleset = croupier.load(GAME)
    trace = Trace(ruleset.program)
    plain, traced = (
        State(ruleset, ruleset.engine(3, None)),
        State(ruleset, set_up(ruleset.program, 3, None, trace)),
    )
    steps = 0
    while not plain.is_terminal():
        options = plain.legal_actions()
        assert traced.legal_actions() == options and traced.hash() == plain.hash()
        action = options[steps % len(options)]
        plain.apply_action(action)
        traced.apply_action(action)
        steps += 1
    assert traced.outcome() == plain.outcome()
    assert steps > 10
    assert {"MK-1", "MK-2", "MK-3", "MK-4", "MK-5", "MK-7", "MK-10"} <= trace.rules()
    assert "MK-9" not in trace.rules()  # nobody calls it
    lines = {span.line for span in trace.spans() if span.source.name.endswith("ruleset.yaml")}
    words = GAME.read_text(encoding="utf-8").splitlines()
    assert all(
        i in lines
        for i, line in enumerate(words, 1)
        if line.strip() in ("move c to table", "points[p] += worth(c)", "secret[p] = vote[p]")
    )
    assert not any(i in lines for i, line in enumerate(words, 1) if "move c to hand[taker]" in line)


def test_clearing_forgets_what_ran_but_not_the_set_up() -> None:
    ruleset = croupier.load(GAME)
    trace = Trace(ruleset.program)
    State(ruleset, set_up(ruleset.program, 2, None, trace))
    assert "MK-1" in trace.rules()
    trace.clear()
    assert trace.rules() == {"MK-7"}
