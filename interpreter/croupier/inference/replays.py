"""A history that is a table, played anew: is each step legal, and does the seat perceive what it did?

At each point it is compared with the real history: who is asked and where in the rules, what the seat sees of
the state, what was told to it, what it could choose from, and where each component lies, which the table
foretells.

The evaluator plays it here; native code plays it in one call (`printers/llvm_replay.py`), with the same
outcome.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from croupier.core.exchanges import ACTOR, BASE, COMPONENT, KIND, NAMES, RANKS, STEP, exchanges
from croupier.inference.history_table import HistoryTable, entries_of, places
from croupier.inference.sightings import Sightings
from croupier.printers.python import functions_source
from croupier.runtime.event_cache import entry_of
from croupier.runtime.state import State, apply_history
from croupier.runtime.state_view import CHANCE
from croupier.runtime.visibility import variable_audience

if TYPE_CHECKING:
    from croupier.runtime.machine import Machine


@cache
def functions() -> dict[str, Callable[..., int]]:
    """The functions of `core/exchanges.py`, by name, as Python."""
    namespace: dict[str, Any] = {}
    exec(functions_source(exchanges()), namespace)  # noqa: S102 - printed here from a constant text
    return {name.removeprefix("f_"): found for name, found in namespace.items() if name.startswith("f_")}


@dataclass(slots=True)
class Tables:
    """The arrays of a history table: places by point and component, steps, what is seen by point and
    component, the components that were out of sight at some point, first those `hidden` ones that are now.

    `weight`: of the history, as `Replayer.play` has it.
    """

    where: array[int]
    steps: array[int]
    seen: array[int]
    free: array[int]
    hidden: int
    length: int
    components: int
    weight: int = 0

    @classmethod
    def of(cls, table: HistoryTable) -> Tables:
        """Copies of the arrays of a table, which goes on."""
        count = len(table.game.components)
        once = {at % count for at, is_seen in enumerate(table.seen) if not is_seen and at >= count}
        last = table.length * count
        hidden = [component for component in range(count) if not table.seen[last + component]]
        free = array("q", [*hidden, *sorted(once - set(hidden))])
        return cls(table.where[:], table.steps[:], table.seen[:], free, len(hidden), table.length, count)

    def copy(self) -> Tables:
        """A copy whose places and steps may change."""
        return replace(self, where=self.where[:], steps=self.steps[:])

    def action(self, k: int) -> int:
        """The action of a step."""
        at = k * STEP
        kind, base, component = self.steps[at + KIND], self.steps[at + BASE], self.steps[at + COMPONENT]
        if kind == NAMES:
            return component + base
        if kind == RANKS:
            return base + functions()["rank"](None, self.where, k - 1, self.components, component)
        return base


class Start(Protocol):
    """Where a search begins: `execution.search_start.SearchStart`."""

    @property
    def first(self) -> int: ...


class Replayer(Protocol):
    """Plays tables anew."""

    def begin(self) -> int | None:
        """Play the real history, to know what to compare with; return its weight: 65,536 times the sum of the
        logarithms of how many options others had, and of how unlikely each event of chance was. `None` where
        it is not played to its end.
        """
        ...

    def walk(self, tables: Tables, proposals: int, picks: int, seed: int) -> int:
        """Let the chain go so many steps from a history, which changes, with so many exchanges in each;
        return how many were taken.
        """
        ...

    def state_of(self, tables: Tables) -> Callable[[], State]:
        """What makes the state at the end of a history, after a walk that changed it."""
        ...


def replayer(state: State, seat: int, real: Tables) -> Replayer:
    """What plays histories of a state anew, on its back end."""
    native = getattr(state, "replayer", None)
    found: Replayer | None = None if native is None else native(seat, real)
    return found or EvaluatorReplayer(state, seat, real)


Check = tuple[object, ...]


class EvaluatorReplayer:
    """Plays tables anew by the evaluator."""

    def __init__(self, state: State, seat: int, real: Tables) -> None:
        self._state, self._seat, self._real = state, seat, real
        self._checks: list[Check] | None = None

    def begin(self) -> int | None:
        return self._play(self._real)

    def walk(self, tables: Tables, proposals: int, picks: int, seed: int) -> int:
        library, x, taken = functions(), seed, 0
        given = (tables.seen, tables.free, len(tables.free), tables.hidden, tables.length, tables.components)
        for _ in range(proposals):
            proposal = tables.copy()
            x = library["exchange"](None, proposal.where, proposal.steps, *given, picks, x)
            weight = self._play(proposal)
            if weight is None:
                continue
            x = library["next"](None, x)
            if library["accepts"](None, weight - tables.weight, x):
                tables.where, tables.steps, tables.weight = proposal.where, proposal.steps, weight
                taken += 1
        return taken

    def _play(self, tables: Tables) -> int | None:
        state, game = self._state, self._state.game
        sightings = Sightings(state.players, self._seat)
        m = state._started_machine(sightings)
        resume = state._resumer(m)
        here = State(state.ruleset, state.engine, m)
        known, checks, weight = self._checks, list[Check](), 0
        for k in range(1, tables.length + 1):
            actor, action = tables.steps[k * STEP + ACTOR], tables.action(k)
            here._m = m
            here._forget()
            m.recorder = None
            share = self._share(here, actor, action)
            m.recorder = sightings
            if share is None:
                return None
            weight += 0 if actor == self._seat else share
            sightings.clear()
            entry = entry_of(actor, action, together=isinstance(state._history[k - 1], list))
            here._history.append(entry)
            resume(m, entry)
            if m.fault is not None:
                return None
            check = self._check(here, m, sightings)
            if known is not None and check != known[k - 1]:
                return None
            if places(game, m) != list(tables.where[k * tables.components : (k + 1) * tables.components]):
                return None
            checks.append(check)
        if known is None:
            self._checks = checks
        return weight

    def _share(self, here: State, actor: int, action: int) -> int | None:
        """The logarithm of how many options there were; `None` if the action is not among them."""
        if actor == CHANCE:
            if not here.is_chance_node():
                return None
            weights = dict(here._weights())
            if action not in weights:
                return None
            return logarithm(sum(weights.values())) - logarithm(weights[action])
        if actor not in here.pending_seats():
            return None
        options = here.legal_actions(actor)
        return logarithm(len(options)) if action in options else None

    def _check(self, here: State, m: Machine, sightings: Sightings) -> Check:
        """What the seat perceives at a point."""
        here._forget()
        m.recorder = None
        seat, game = self._seat, here.game
        pending = here.pending_seats() if m.frames else []
        own = here.legal_actions(seat) if seat in pending else []
        m.recorder = sightings
        seen = [
            (v.index, at, value)
            for v in game.variables
            for at, value, _ in entries_of(m, v)
            if variable_audience(m, v.index, at)(seat)
        ]
        return here.asked_at() if m.frames else None, pending, own, seen, tuple(sightings.told_texts)

    def state_of(self, tables: Tables) -> Callable[[], State]:
        real = self._state
        history = [
            entry_of(tables.steps[k * STEP + ACTOR], tables.action(k), together=isinstance(entry, list))
            for k, entry in enumerate(real._history[: tables.length], 1)
        ]

        def made() -> State:
            state = real.beginning()
            apply_history(state, history)
            return state

        return made


def logarithm(n: int) -> int:
    """65,536 times the natural logarithm of a number from 1, as all back ends round it."""
    return functions()["logarithm"](None, n)


__all__ = ["EvaluatorReplayer", "Replayer", "Tables", "functions", "logarithm", "replayer"]
