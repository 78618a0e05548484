"""The public state over a position in native code.

A state keeps its words: the position, and what is on offer. They are put into the memory of its game when it goes on, unless they are there still.
What is asked rarely is answered by a machine of the evaluator, made of the position. An action that deviates is applied again by the evaluator,
which then plays that game to its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from croupier.backends.native import plan as p
from croupier.backends.native.batch import Kept, Native
from croupier.runtime.hooks import STAGES
from croupier.runtime.machine import Frame, Machine
from croupier.runtime.node import CHANCE
from croupier.runtime.position import position_hash
from croupier.runtime.state import State
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.load import Ruleset


class NativeState(State):
    """A state that runs as native code. `_kept` are its words, none once the evaluator stands in for it; `_made` is its machine."""

    def __init__(self, ruleset: Ruleset, native: Native) -> None:
        self.native = native
        self._made: Machine | None = None
        self._kept: tuple[bytes, bytes] | None = None
        status = native.start()
        if status == p.DEVIATES:
            self._made = Machine(native.game)
            self._made.start()
        else:
            self._look()
        super().__init__(ruleset, native.game, self._made, None)

    def _look(self) -> None:
        """Note the words that are in the memory of the game now."""
        self._kept, self._words, self._actions = self.native.kept()
        self._each: dict[int, tuple[Kept, list[int]]] = {}  # what each may choose from who choose at the same time

    # ------------------------------------------------------------ the machine, when it is asked for
    @property
    def _m(self) -> Machine:
        if self._made is None:
            self._made = self.machine()
        return self._made

    @_m.setter
    def _m(self, machine: Machine | None) -> None:
        if machine is not None:
            self._made = machine

    def machine(self) -> Machine:
        """The evaluator's machine of the position."""
        native, words, printer = self.native, self._words, self.native.layout
        game, plan, gathered = native.game, printer.plan, printer.words.gathered
        m = Machine(game)
        m.vars = [gathered(words, plan.vars[v.index], v.type) for v in game.variables]
        m.zones = [native.zone(words, z) for z in range(len(game.places))]
        m.where = list(words[plan.where : plan.where + len(game.pieces)])
        for k, w in enumerate(printer.module.watchers):
            kind = game.program.watchers[w.index].value.type
            m.seen_values.append(gathered(words, plan.seen[k], kind) if w.kind == "watch" else None)
        at = words[p.FRAME]
        while at:
            if words[at + 1] in native.around_at:
                m.frames.insert(0, self._around(words, at))
                at = words[at]
                continue
            site = native.site_at[words[at + 1]]
            proc = game.code.procs[site.routine.index]
            slots: list[Any] = [None] * proc.slots
            known = printer.known(site.routine)
            for s in site.live:
                kind = site.routine.slots[s].type
                slots[s] = known[s] if s in known else gathered(words, at + plan.frames[site.routine.index].slots[s], kind)
                if site.routine.slots[s].role == "chain" and slots[s] is not None:
                    slots[s] = tuple(map(printer.hooks.keys.read, slots[s]))
                if site.routine.slots[s].role == "picked":
                    slots[s] = tuple((seat, v) for seat, v in enumerate(slots[s]) if v is not None)
            m.frames.insert(0, Frame(proc, proc.points[site.point], slots, None if words[at + 2] < 0 else words[at + 2]))
            at = words[at]
        m.result = native.result(words)
        m.refuel()
        return m

    def _around(self, words: Sequence[int], at: int) -> Frame:
        """The frame of a call with hooks."""
        native, code = self.native, self.native.game.code.hooks.dispatch_code
        target = native.around_at[words[at + 1]]
        plan, gathered, hooks = native.layout.plan.arounds[target], native.layout.words.gathered, native.layout.hooks
        args = tuple(gathered(words, at + place, kind) for place, kind in zip(plan.args, hooks.kinds(target), strict=True))
        stage, returns, value = words[at + p.STAGE], native.layout.module.routines[target].returns, None
        rest = tuple(hooks.keys.read(key) for key in words[at + plan.rest + 1 : at + plan.rest + 1 + words[at + plan.rest]])
        if STAGES.index("call") < stage and not isinstance(returns, t.Nothing):
            value = gathered(words, at + plan.value, returns)
        slots: list[Any] = [target, args, stage, None if STAGES[stage] == "call" else rest, value]
        return Frame(code, code.points[0], slots, None if words[at + 2] < 0 else words[at + 2])

    # ------------------------------------------------------------ who acts
    def _seats(self) -> str:
        if self._kept is None:
            return super()._seats()
        if self._acting is None:
            over = self._words[p.FRAME] == 0 or self._past_limit() is not None
            seats = "every" if self._words[p.EVERY] else "chance" if self._words[p.SEAT] == p.CHANCE else "one"
            self._acting = "" if over else seats
        return self._acting

    def current_player(self) -> int:
        if self._kept is not None and self._seats() == "one":
            return int(self._words[p.SEAT])
        return super().current_player()

    def pending_seats(self) -> list[int]:
        if self._kept is not None and self._seats() == "every":
            return [seat for seat in range(self.players) if self._words[p.EVERY] >> seat & 1]
        return super().pending_seats()

    # ------------------------------------------------------------ actions
    def legal_actions(self, seat: int | None = None) -> list[int]:
        acting = self._seats()
        if self._kept is None:
            return super().legal_actions(seat)
        if acting == "every":
            seat = self._words[p.SEAT] if seat is None else seat
            return list(self._offer_to(seat)[1]) if seat in self.pending_seats() and self._kept is not None else []
        mine = (None, CHANCE) if acting == "chance" else (None, self._words[p.SEAT])
        return list(self._actions) if acting and seat in mine else []

    def _offer_to(self, seat: int) -> tuple[Kept, list[int]]:
        """The position with what one of those may choose from who choose at the same time, and its actions."""
        assert self._kept is not None
        if seat == self._words[p.SEAT]:
            return self._kept, self._actions
        if seat not in self._each:
            if self.native.ask(self._kept, seat) != p.WAITS:
                raise AssertionError("what was on offer is not on offer any more")
            kept, _, actions = self.native.kept()
            self._each[seat] = kept, actions
        return self._each[seat]

    def _weights(self) -> list[tuple[int, int]]:
        if self._kept is None:
            return super()._weights()
        if self._seats() != "chance":
            return []
        weights = memoryview(self._kept[1]).cast("q")[p.WEIGHT :: p.STRIDE] if self._words[p.WEIGHED] else [1] * len(self._actions)
        return list(zip(self._actions, weights, strict=True))

    def _resume(self, m: Machine, seat: int, action: int) -> None:
        if self._kept is None:
            super()._resume(m, seat, action)
        else:
            self._step(seat, action)

    def _step(self, seat: int, action: int) -> None:
        assert self._kept is not None
        kept, actions = self._offer_to(seat) if self._seats() == "every" else (self._kept, self._actions)
        self._forget()
        if self.native.apply(kept, actions.index(action)) == p.DEVIATES:
            machine = self._m
            self._kept = None
            super()._resume(machine, seat, action)
            return
        self._made = None
        self._look()

    def apply_action(self, action: int, seat: int | None = None) -> None:
        if self._kept is not None and seat is None and self._seats() == "one" and action in self._actions:
            self._step(self._words[p.SEAT], action)
            self.history.append(action)
            return
        super().apply_action(action, seat)

    def clone(self) -> NativeState:
        other = NativeState.__new__(NativeState)
        other.native, other.ruleset, other.game, other.history = self.native, self.ruleset, self.game, list(self.history)
        other._kept, other._made, other._start, other._chances = self._kept, None, self._start, self._chances
        if self._kept is None:
            other._made = self._m.copy()
        else:
            other._words, other._actions, other._each = self._words, self._actions, {}
        other._forget()
        return other

    def hash(self) -> str:
        return position_hash(self._m)


__all__ = ["NativeState"]
