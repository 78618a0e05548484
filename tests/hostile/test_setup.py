"""Games that cannot be set up, or that go wrong as they run: each has the outcome that its first line names,
in words, in time.

The first lines of a file: `# expect:` a code, or how the game ends (`finished`, `unfinished`); `# set:`
parameters as JSON; `# players:`.
"""

from __future__ import annotations

import json
import random
import re
import time
from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import RulesetError
from croupier.diagnostics.render import render_human

FILES = sorted((Path(__file__).parent / "setup").glob("*.yaml"))
SECONDS = 2.0


def head(text: str, name: str) -> str | None:
    found = re.search(rf"^# {name}: (.*)$", text, re.M)
    return None if found is None else found.group(1)


def ending(file: Path, text: str) -> str:
    """The code, or how a game of first options ends."""
    settings = json.loads(head(text, "set") or "{}")
    players = head(text, "players")
    try:
        state = croupier.load(file).new_initial_state(None if players is None else int(players), settings)
    except RulesetError as refused:
        (one,) = refused.diagnostics
        assert one.message in render_human([one])
        return one.code
    rng = random.Random(1)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            for seat in state.pending_seats():
                state.apply_action(rng.choice(state.legal_actions(seat)), seat)
    if state.fault is None:
        return str(state.outcome()["status"])
    assert state.fault.span is not None and state.fault.span.source.name.endswith(file.name)
    return state.fault.code


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_outcome(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    started = time.process_time()
    assert ending(file, text) == head(text, "expect")
    assert time.process_time() - started < SECONDS
