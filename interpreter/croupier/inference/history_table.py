"""A history as a table: where each component lay at each point, what was done at each step, and which
components a seat saw or heard named.

The table is made once, by the evaluator, and goes on when the history does. It cannot be made where something
is hidden that no exchange of components reaches: a choice of anything but a component that the seat did not
hear of, an event of chance likewise, options that are numbered as they are offered.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from croupier.core.exchanges import ACTOR, KIND, NAMES, PLAIN, RANKS, STEP
from croupier.inference.sightings import Sightings
from croupier.kernel import types as t
from croupier.kernel.tree import ChooseStmt, ZoneExpr
from croupier.runtime.asking import AskOp
from croupier.runtime.candidates import OptionSource, ValueSource
from croupier.runtime.chance import DrawOp, RollOp
from croupier.runtime.event_cache import Entry
from croupier.runtime.game import Value
from croupier.runtime.machine import Machine
from croupier.runtime.sets import SetOp
from croupier.runtime.state import State
from croupier.runtime.state_view import CHANCE
from croupier.runtime.visibility import admits, components_in, variable_audience
from croupier.semantics.program import VarDef

if TYPE_CHECKING:
    from croupier.runtime.game import Game

Step = tuple[int, int, int, int, int]
"""Who acted; kind, component and base as in `core/exchanges.py`; whether it goes on with the set before."""
SPARE = (0,) * (STEP - 5)  # for whoever plays a step anew


class NoTable(Exception):
    """A history is no table; the message says why, for people."""


def places(game: Game, m: Machine) -> list[int]:
    """The place of each component: the same for two of them if only their faces tell them apart there.

    A place is a number: that of the zone times `stride(game)`, and 0 in a set or bag; in a pile or a sequence
    1 more than how many lie below the component, or below the unordered part that it belongs to. Below 0,
    and of its own, where a component lies nowhere.
    """
    width = stride(game)
    found = [-1 - component for component in range(len(game.components))]
    for zone in game.zones:
        first = zone.number * width
        if zone.order not in ("pile", "sequence"):
            for component in m.zones[zone.number]:
                found[component] = first
            continue
        below = 1
        for item in m.zones[zone.number]:
            together = item if isinstance(item, tuple) else (item,)
            for component in together:
                found[component] = first + below
            below += len(together)
    return found


def stride(game: Game) -> int:
    """Places of one zone."""
    return len(game.components) + 2


class HistoryTable:
    """The table of the history of a state, for a seat.

    Raises `NoTable`.
    """

    def __init__(self, state: State, seat: int) -> None:
        self.seat, self.game, self.start = seat, state.game, state._start
        self.sightings = Sightings(state.players, seat)
        self.machine = state._started_machine(self.sightings)
        self._resume = state._resumer(self.machine)
        self._here = State(state.ruleset, state.engine, self.machine)
        self.visible_zones = [
            zone.number
            for zone in self.game.zones
            if admits(zone.seen_by, zone.owner, seat, self.game.players)
        ]
        self.where = array("q")
        self.seen = array("q")
        self.steps = array("q", (CHANCE, PLAIN, 0, 0, 0, *SPARE))
        self.history: list[Entry] = []
        self.is_sealed = False  # has somebody chosen what is not revealed yet?
        self._add_position()
        self.go_on(state._history)

    def continues_to(self, state: State) -> bool:
        """Return whether the history of a state begins with this one."""
        history = state._history
        return (
            state.game is self.game
            and state._start is self.start
            and len(self.history) <= len(history)
            and self.history == history[: len(self.history)]
        )

    @property
    def length(self) -> int:
        """The number of steps."""
        return len(self.history)

    def go_on(self, history: Sequence[Entry]) -> None:
        """Add the rest of a longer history. Raises `NoTable`."""
        for entry in history[len(self.history) :]:
            self._add(entry)

    def _add(self, entry: Entry) -> None:
        m, sightings = self.machine, self.sightings
        self._here._forget()
        actor, action = self._here._actor_and_action(entry)
        if actor != self.seat and not self._is_asked_openly(m):
            raise NoTable("whether somebody is asked depends on what is hidden")
        step, must_hear = self._step(m, actor, action)
        sightings.clear(is_told=actor == CHANCE and isinstance(m.waiting, DrawOp | RollOp))
        self._resume(m, entry)
        if isinstance(entry, list) and actor != self.seat and not sightings.heard:
            self.is_sealed = not sightings.was_revealed
        elif sightings.is_veiled:
            raise NoTable("whether somebody was asked depends on what is hidden")
        elif must_hear and not sightings.heard:
            raise NoTable("something was chosen or drawn in secret that is not a component")
        else:
            self.is_sealed = False
        self.history.append(entry)
        self.steps.extend((*step, *SPARE))
        self._add_position()

    def _add_position(self) -> None:
        """Add where everything lies now, and what the seat sees of it."""
        m, game = self.machine, self.game
        self.where.extend(places(game, m))
        seen = [0] * len(game.components)
        for component in self.sightings.named:
            seen[component] = 1
        width = stride(game)
        row = self.where[-len(seen) :]
        visible = set(self.visible_zones)
        for component, place in enumerate(row):
            if place >= 0 and place // width in visible:
                seen[component] = 1
        for v in game.variables:
            for at, value, kind in entries_of(m, v):
                if variable_audience(m, v.index, at)(self.seat):
                    for component in components_in(value, kind):
                        seen[component] = 1
        self.seen.extend(seen)

    # ------------------------------------------------------------ steps
    def _is_asked_openly(self, m: Machine) -> bool:
        """Tell whether the seat knows that what is asked now is asked.

        It does, too, where something is taken from a zone without a condition: it depends on how much lies
        there.
        """
        op: Any = m.waiting
        if isinstance(op, AskOp) and isinstance(op.tree, ChooseStmt):
            choice = op.tree.choice
            is_whole = isinstance(choice.source, ZoneExpr) or choice.source.op == "zone_list"
            if is_whole and not (op.sources[0].conditions or choice.merging or choice.such_that):
                return True
        return bool(op.is_asked_openly(m, m.frames[-1], self.seat))

    def _step(self, m: Machine, actor: int, action: int) -> tuple[Step, bool]:
        """A step, and whether it is known only if the seat hears of it."""
        op: Any = m.waiting
        plain: Step = (actor, PLAIN, 0, action, 0)
        if actor == self.seat:
            return plain, False
        match op:
            case DrawOp():
                order = self.game.zones[op.source(m, m.frames[-1].L)].order
                return ((actor, NAMES, action, 0, 0), False) if order != "bag" else (plain, False)
            case RollOp():
                return plain, not self._sees_roll(m, op)
            case AskOp() if (called := op.named(m, m.frames[-1], actor, action)) is not None:
                _, kinds, values = called
            case _:
                raise NoTable("a reaction is chosen")
        named = [c for kind, value in zip(kinds, values, strict=True) for c in components_in(value, kind)]
        if isinstance(op, SetOp):
            return self._set_step(m, op, actor, action, named)
        source = op.source_of(action)
        if isinstance(source, OptionSource) and source.is_claim:
            raise NoTable("a claim is made")
        is_numbered = (source if isinstance(source, ValueSource) else op.sources[0]).is_numbered
        if not named:
            if not is_numbered:
                raise NoTable("options are numbered as they are offered")
            return plain, True
        if len(named) > 1 or len(values) > 1 or not is_numbered:
            raise NoTable("an option has several components, or is numbered as it is offered")
        return (actor, NAMES, named[0], action - named[0], 0), False

    def _set_step(
        self, m: Machine, op: SetOp, actor: int, action: int, named: list[int]
    ) -> tuple[Step, bool]:
        """A step of a choice of several: the place of a component in its zone, or the end of the set."""
        if not named:
            return (actor, PLAIN, 0, action, 0), True
        (component,) = named
        count = len(self.game.components)
        row = self.where[-count:]
        rank = sum(1 for place in row[:component] if place == row[component])
        if action != rank + 1:
            raise NoTable("a set is chosen from a part of a zone")
        before = self.steps[-STEP:]
        goes_on = (before[ACTOR], before[KIND]) == (actor, RANKS) and bool(m.frames[-1].L[op.picked])
        return (actor, RANKS, component, 1, int(goes_on)), False

    def _sees_roll(self, m: Machine, op: RollOp) -> bool:
        at = m.frames[-1].L[op.left][0] - op.first
        return bool(variable_audience(m, op.variable.index, at)(self.seat))


def entries_of(m: Machine, v: VarDef) -> list[tuple[int | None, Value, t.Type]]:
    """The entries of a state variable: the place of each, its value and type."""
    value = m.vars[v.index]
    if isinstance(v.type, t.Map):
        return [(at, one, v.type.value) for at, one in enumerate(value)]
    return [(None, value, v.type)]


__all__ = ["HistoryTable", "NoTable", "places", "stride"]
