"""Histories that are tables (`inference/history_table.py`), played anew in native code.

`inference/replays.py` says what is compared, and does the same by the evaluator.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from croupier.core.exchanges import ACTOR, KIND, PLAIN, STEP
from croupier.execution.llvm_compiler import address_of
from croupier.inference.exchangeable import hidden_classes
from croupier.kernel import types as t
from croupier.lowering.results import STANDING
from croupier.lowering.shapes import width
from croupier.printers.llvm_layout import Status
from croupier.printers.llvm_replay import (
    COMPONENTS,
    FREE,
    HIDDEN,
    LENGTH,
    NUMBERS,
    PICKS,
    PROPOSALS,
    REQUEST,
    SEAT,
    SEED,
)
from croupier.runtime.event_cache import Entry, entry_of
from croupier.runtime.visibility import EVERYBODY, OTHERS, OWNER, admits

if TYPE_CHECKING:
    from croupier.execution.native_game import NativeGame
    from croupier.execution.search_start import SearchStart
    from croupier.inference.replays import Tables
    from croupier.runtime.state import State


class Replayed(Protocol):
    """A state on native code, as its replayer knows it."""

    native: NativeGame
    _history: list[Entry]
    _chances: int

    def at_history(self, saved: bytes, history: list[Entry]) -> State: ...


class NativeReplayer:
    """Plays tables of a state anew in native code: a `Replayer`."""

    def __init__(self, state: Replayed, seat: int, real: Tables) -> None:
        self._state, self._seat, self._real, self.native = state, seat, real, state.native
        words = visible_words(self.native, seat)
        self._plan = array("q", plan_of(self.native))
        self._visible = array("q", [real.components, len(words), *words])
        self._checks = array("q", bytes(8 * (real.length + 1)))
        self._weight = array("q", [0, 0])
        self._numbers = array("q", bytes(8 * NUMBERS))
        for at, number in (
            (FREE, len(real.free)),
            (HIDDEN, real.hidden),
            (LENGTH, real.length),
            (COMPONENTS, real.components),
            (SEAT, seat),
        ):
            self._numbers[at] = number
        self._spare = array("q", bytes(8 * (len(real.where) + len(real.steps))))
        arrays = (
            real.seen,
            real.free,
            self._plan,
            self._visible,
            self._checks,
            self._numbers,
            self._spare,
            self._weight,
        )
        self._addresses = [address(words) for words in arrays]
        self._has_begun = False
        self._first: int | None = None
        # the steps whose actions differ from one history to another: each with the form of its entry
        self._changing = [
            (k, type(state._history[k - 1]), real.steps[k * STEP + ACTOR])
            for k in range(1, real.length + 1)
            if real.steps[k * STEP + KIND] != PLAIN
        ]

    def begin(self) -> int | None:
        """Play the real history; return its weight, `None` if native code does not play it."""
        if not self._has_begun:
            self._has_begun, self._first = True, self._play(self._real, True)
        return self._first

    def walk(self, tables: Tables, proposals: int, picks: int, seed: int) -> int:
        """Let the chain go so many steps from a history; return how many were taken."""
        numbers = self._numbers
        numbers[PROPOSALS], numbers[PICKS], numbers[SEED] = proposals, picks, seed
        self._weight[0] = tables.weight
        taken = self.native.step_code.run(
            "game.walk", self._position(), address(tables.where), address(tables.steps), *self._addresses
        )
        tables.weight = self._weight[0]
        return taken

    def search(
        self,
        tables: Tables,
        proposals: int,
        picks: int,
        seeds: array[int],
        tree: memoryview[int],
        start: SearchStart,
    ) -> int | None:
        """Let the chain go so many steps, and play a round of a search where it is, once for each seed.

        Return how many proposals were taken; `None` if native code does not play all of it: history and tree
        are then of no use.
        """
        native, state = self.native, self._state
        if start.horizon and STANDING not in native.lowered.program.functions:
            return None
        streams, room = native.search_memory(start, len(seeds))
        numbers = self._numbers
        numbers[PROPOSALS], numbers[PICKS] = proposals, picks
        self._weight[0], self._weight[1] = tables.weight, 0
        walk = [self._position(), address(tables.where), address(tables.steps), *self._addresses]
        searched = [native.continuation, streams.address, address_of(tree), room.address, address(seeds)]
        decided = len(state._history) - state._chances
        counted = [
            start.seat,
            start.first,
            len(seeds),
            decided,
            state._chances,
            start.horizon,
            len(start.each),
        ]
        request = array("q", [*walk, *searched, *counted])
        assert len(request) == len(REQUEST)
        status = native.step_code.run("game.think", address(request))
        if status != Status.OK:
            return None
        tables.weight = self._weight[0]
        return self._weight[1]

    def _play(self, tables: Tables, is_first: bool) -> int | None:
        given = (tables.where, tables.steps, self._plan, self._visible, self._checks)
        status = self.native.step_code.run(
            "game.replay",
            self._position(),
            *(address(a) for a in given),
            tables.length,
            self._seat,
            int(is_first),
            address(self._weight),
        )
        return self._weight[0] if status == Status.OK else None

    def _position(self) -> int:
        """The address of a position of this thread, for a moment."""
        workspace = self.native.workspace
        workspace.acquire(_Visitor())
        return workspace.memory.position

    def state_of(self, tables: Tables) -> Callable[[], State]:
        """What makes the state at the end of the history that was played last."""
        saved, history = self.native.workspace.save(), self._history(tables)
        return lambda: self._state.at_history(saved, history[:])

    def _history(self, tables: Tables) -> list[Entry]:
        """The entries of the history of a table."""
        found = self._state._history[:]
        for k, form, actor in self._changing:
            found[k - 1] = entry_of(actor, tables.action(k), together=form is list)
        return found


class _Visitor:
    """It uses a workspace for a moment, and leaves nothing there."""

    def evict(self) -> bytes | None:
        """There is nothing to save."""
        return None


def address(words: array[int]) -> int:
    """The address of an array."""
    return words.buffer_info()[0]


def plan_of(native: NativeGame) -> list[int]:
    """The words of a plan (`printers/llvm_replay.py`)."""
    zones = [int(zone.order in ("pile", "sequence")) for zone in native.game.zones]
    maps = native.codec.maps
    points: dict[tuple[int, int], int] = {}
    found = [0] * (max(maps, default=0) + 1)
    for state, m in maps.items():
        found[state] = points.setdefault((m.proc, m.point), len(points))
    return [*zones, *found]


def visible_words(native: NativeGame, seat: int) -> list[int]:
    """The places of the words of a position that hold the state that a seat sees."""
    game, layout = native.game, native.layout
    hidden = hidden_classes(game)
    found: list[int] = []
    for v in game.variables:
        name = f"v{v.index}"
        if layout.at.get(name, -1) < 0:
            continue
        first, size = layout.at[name], width(native.lowered.variables[v.index])
        audience = game.seen_by[v.index]
        if v.of_class is not None:
            found += range(first, first + size) if v.of_class not in hidden else ()
        elif audience == EVERYBODY:
            found += range(first, first + size)
        elif audience in (OWNER, OTHERS) and isinstance(v.type, t.Map) and isinstance(v.type.key, t.Player):
            each = size // game.players
            for p in range(game.players):
                if admits(audience, p, seat, game.players):
                    found += range(first + p * each, first + (p + 1) * each)
    return found


__all__ = ["NativeReplayer"]
