"""Random programs on two back ends at once.

In the suite a few, always the same; `tools/agree --programs 1000` plays others.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import RulesetError
from croupier.execution import llvm_compiler as engine
from generated.running import FEATURES, digest_of, many
from generated.world import program
from needs import compiler
from programs import DATA


@pytest.mark.soak  # `tests/agreement/test_soak.py` plays some on every back end
def test_python_plays_random_programs_like_the_evaluator() -> None:
    tally = many(2, "python")
    assert tally.sound and not tally.refused, str(tally)


@compiler
def test_native_code_plays_random_programs_like_the_evaluator() -> None:
    assert many(2, "native").steps > 0


PATHS = sorted(DATA.glob("*.yaml"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_whole_games_are_the_same(path: Path) -> None:
    """Those that a back end plays alone, too: generated Python all of them, native code, which takes long to
    compile, two of three.
    """
    ruleset = croupier.load(path)
    backends = ["python", "native"] if engine.is_installed() and PATHS.index(path) % 3 else ["python"]
    known = digest_of(ruleset, "reference")
    for backend in backends:
        try:
            assert digest_of(ruleset, backend) == known
        except RulesetError as refused:
            assert backend == "native" and [d.code for d in refused.diagnostics] == ["X601"]


def test_random_programs_have_what_is_hard() -> None:
    """At least half of them wait, a quarter use hooks, windows, watchers or look-ahead."""
    made = [program(random.Random(k).randrange) for k in range(100)]
    assert sum("waits" in p.used for p in made) >= 50
    assert sum(bool(p.used & FEATURES) for p in made) >= 25
