"""Random programs on two back ends at once. In the suite a few, always the same; `tools/agree --programs 1000` plays others."""

from __future__ import annotations

import random

import pytest

from croupier.backends.native import engine
from generated.running import FEATURES, many
from generated.world import program


def test_python_plays_random_programs_like_the_evaluator() -> None:
    tally = many(8, "python")
    assert tally.sound >= 4 and not tally.refused, str(tally)


@pytest.mark.skipif(not engine.installed(), reason="llvmlite is not installed: native code is an optional extra, croupier[native]")
def test_native_code_plays_random_programs_like_the_evaluator() -> None:
    many(3, "native")


def test_random_programs_have_what_is_hard() -> None:
    """At least half of them wait, a quarter use hooks, windows, watchers or look-ahead."""
    made = [program(random.Random(k).randrange) for k in range(100)]
    assert sum("waits" in p.used for p in made) >= 50
    assert sum(bool(p.used & FEATURES) for p in made) >= 25
