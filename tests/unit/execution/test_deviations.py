"""Faults, limits and long lists on compiled code: whatever is unusual is applied again by the evaluator, and
is what it says there.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lockstep import play
from programs import small

CASES = {
    "fuel": ("repeat until total < 0:\n    total = 1\nfinish draw", "R010"),
    "fuel after a choice": (
        "for p in turns():\n    choose n from 1..2 by p\n    repeat until total < 0:\n        total = n",
        "R010",
    ),
    "range": ("choose n from 1..9 by players.first\ntotal = 995 + n\nfinish draw", None),
    "division": ("choose n from 0..1 by players.first\ntotal = 6 // n\nfinish draw", None),
    "element": ("choose n from 1..9 by players.first\ntotal = [4, 5, 6][n]\nfinish draw", None),
    "none": (
        "choose n from 1..9 by players.first\ntotal = first(m for m in 1..5 if m > n)!\nfinish draw",
        None,
    ),
    "no end": ("choose n from 1..9 by players.first\ntotal = n", "R009"),
    "no options": ("choose n from 1..9 by players.first where total > n\nfinish draw", "R007"),
    "long list": (
        "let xs = [a * b for a in 1..60 for b in 1..60]\nchoose n from 1..9 by players.first\ntotal = "
        "xs.size - 3500\nfinish draw",
        None,
    ),
    "long range": (
        "let xs = 1..5000\nchoose n from 1..9 by players.first\ntotal = xs.size - 4900 + n\nfinish draw",
        None,
    ),
    "unordered": (
        "shuffle deck\nchoose n from 1..9 by players.first\nif deck.top is none: total = n\nfinish draw",
        "R008",
    ),
    "far too deep": ("f(9)\nfinish draw", "R011"),
}
DEFINITIONS = {"far too deep": "def f(n: 0..9) nested 3:\n    total += 1\n    if n > 0:\n        f(n - 1)"}


@pytest.mark.parametrize("name", CASES)
def test_the_same_outcome(tmp_path: Path, name: str) -> None:
    body, code = CASES[name]
    ruleset = small(
        tmp_path, body, DEFINITIONS.get(name, ""), "limits: {fuel: 20000}\n" if code == "R010" else ""
    )
    codes = set()
    for seed in range(8):
        a, b = ruleset.new_initial_state(), ruleset.new_initial_state(backend="python")
        play(a, b, random.Random(seed))
        fault = b.outcome()["fault"]
        codes.add(None if fault is None else fault["code"])
    assert code is None or codes == {code}
