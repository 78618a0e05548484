"""Chess beside OpenSpiel's: the same positions with the same number of legal moves, along random games."""

from __future__ import annotations

import random
from typing import Any

import pytest

import croupier

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed: an optional group, croupier[peers]"
)
LETTERS = {"knight": "n"}  # of the others it is the first


def placement(state: Any) -> str:
    """The first part of Forsyth and Edwards' notation of a position."""
    men, rows = state.evaluate("[man[c] for c in board]"), []
    for row in range(8):
        text, gap = "", 0
        for man in men[8 * row : 8 * row + 8]:
            if man is None:
                gap += 1
                continue
            letter = LETTERS.get(man["kind"], man["kind"][0])
            text, gap = f"{text}{gap or ''}{letter.upper() if man['of'] == 0 else letter}", 0
        rows.append(f"{text}{gap or ''}")
    return "/".join(rows)


@pytest.mark.parametrize("number", [0, *(pytest.param(number, marks=pytest.mark.soak) for number in (1, 2))])
def test_lock_step(number: int) -> None:
    """Theirs also ends where a position is repeated, or too little is left for a mate: from there on nothing
    is compared.
    """
    rng = random.Random(number)
    ours, theirs = (
        croupier.load("chess").new_initial_state(backend="python"),
        pyspiel.load_game("chess").new_initial_state(),
    )
    while not theirs.is_terminal() and not ours.is_terminal():
        legal = ours.legal_actions()
        assert len(legal) == len(theirs.legal_actions()), str(theirs)
        ours.apply_action(rng.choice(legal))
        after = [
            child
            for child in map(theirs.child, theirs.legal_actions())
            if str(child).split()[0] == placement(ours)
        ]
        assert len(after) == 1, (placement(ours), str(theirs))
        theirs = after[0]
    if ours.is_terminal() and ours.outcome()["grade"] in ("checkmate", "stalemate"):
        # their first seat is Black
        assert theirs.is_terminal() and ours.returns() == list(theirs.returns())[::-1]
