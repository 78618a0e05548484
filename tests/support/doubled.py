"""Scenarios on two back ends at once: whatever a scenario does is done on a second state too, and both are
compared after every step.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import core_lockstep
from croupier.diagnostics import RulesetError
from croupier.execution.backends import compile_python, new_state
from croupier.execution.python_state import state_on_python
from croupier.lowering import NotLowered
from croupier.runtime.game import Game
from croupier.runtime.state import State, begun_at
from croupier.scenarios import run_scenarios
from lockstep import compare


@dataclass
class Tally:
    """What was played: steps on both, and states that the second back end could not begin with."""

    steps: int = 0
    alone: int = 0


def second(state: State, backend: str) -> State | None:
    """The same state on another back end; none where that cannot begin: it refuses the ruleset, or the
    position is inside of a call.
    """
    try:
        if state._start is None and not state.history:
            engine = state.ruleset.engine(state.players, state.parameters)
            return new_state(state.ruleset, engine, backend)
        again = state.ruleset.deserialize(state.serialize(), replay=False)
    except (RulesetError, ValueError):
        return None
    if backend != "python":
        return None
    return state_on_python(again, compile_python(again.engine))


def doubled(backend: str, tally: Tally, rng: random.Random) -> type[State]:
    """The class of states that have a second one beside them."""

    class Doubled(State):
        other: State | None = None
        begun = False

        def _resume(self, m: Any, seat: int, action: int) -> None:
            if m is not None and m.recorder is not None:
                super()._resume(m, seat, action)
                return
            if not self.begun:
                self.begun, self.other = True, second(self, backend)
                tally.alone += self.other is None
            super()._resume(m, seat, action)
            if self.other is None:
                return
            self.other.apply_action(action, None if seat < 0 else seat)
            tally.steps += 1
            history, self._history = self._history, self.other._history
            compare(self, self.other, rng)
            self._forget()
            self._history = history

    return Doubled


def doubled_by_core(target: str, tally: Tally) -> type[State]:
    """The same with the core beside them."""
    cores: dict[int, core_lockstep.Core | None] = {}  # by game, which they keep

    def core_of(game: Game) -> core_lockstep.Core | None:
        if id(game) not in cores:
            try:
                cores[id(game)] = core_lockstep.core_of(game, target)
            except NotLowered:
                cores[id(game)] = None
        return cores[id(game)]

    class Doubled(State):
        other: core_lockstep.Player | None = None
        begun = False

        def _resume(self, m: Any, seat: int, action: int) -> None:
            if m is not None and m.recorder is not None:
                super()._resume(m, seat, action)
                return
            core = core_of(self.game)
            if core is not None and not self.begun:
                self.begun, self.other = True, core_lockstep.begun(self, core)
                tally.alone += self.other is None
            super()._resume(m, seat, action)
            if core is None or self.other is None:
                return
            self.other.apply(action, seat)
            tally.steps += 1
            core_lockstep.compare_with_faults(self, self.other, core.codec)
            if self.other.failed:
                self.other = None

    return Doubled


def begun_as(cls: type[State]) -> Callable[..., State]:
    """`begun_at` for states of a class."""

    def begun(*arguments: Any) -> State:
        with patch("croupier.runtime.state.State", cls):
            return begun_at(*arguments)

    return begun


@contextmanager
def beside(backend: str, tally: Tally) -> Iterator[None]:
    """Within it scenarios are played on both."""
    cls = (
        doubled_by_core(backend, tally)
        if backend.startswith("core")
        else doubled(backend, tally, random.Random(0))
    )
    with (
        patch("croupier.scenarios.running.State", cls),
        patch("croupier.scenarios.positions.begun_at", begun_as(cls)),
    ):
        yield


def play_scenarios(name: str | Path, backend: str) -> tuple[Tally, list[str]]:
    """Play all scenarios of a ruleset or file: what was played, and those that fail. Raises `Differs`."""
    tally = Tally()
    with beside(backend, tally):
        results = run_scenarios(name)
    return tally, [f"{r.id}: {r.message}" for r in results if not r.passed]
