"""States of one ruleset in several threads at once: each plays as it does alone, also when it wanders from
thread to thread.
"""

from __future__ import annotations

import random
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import croupier
from lasting import step
from needs import BACKENDS

THREADS, GAMES = 3, 45


def end_of(state: Any, number: int) -> str:
    rng = random.Random(number)
    while not state.is_terminal():
        step(state, rng)
    return str(state.hash())


def wanderers(states: list[Any]) -> list[str]:
    """Each state goes on for three steps at a time in whichever thread is free."""
    waiting = deque((state, random.Random(number)) for number, state in enumerate(states))

    def work(_: int) -> None:
        while waiting:
            try:
                state, rng = waiting.popleft()
            except IndexError:
                return
            for _ in range(3):
                if not state.is_terminal():
                    step(state, rng)
            if not state.is_terminal():
                waiting.append((state, rng))

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(THREADS)))
    for state, rng in waiting:
        while not state.is_terminal():
            step(state, rng)
    return [str(state.hash()) for state in states]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["connect_four", "goofspiel", "leduc_poker"])
def test_threads(name: str, backend: str) -> None:
    ruleset = croupier.load(name)
    root = ruleset.new_initial_state(backend=backend)
    expected = [end_of(root.clone(), number) for number in range(GAMES)]
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(lambda number: end_of(root.clone(), number), range(GAMES))) == expected
        assert (
            list(
                pool.map(
                    lambda number: end_of(ruleset.new_initial_state(backend=backend), number), range(GAMES)
                )
            )
            == expected
        )
    assert wanderers([root.clone() for _ in range(GAMES)]) == expected
