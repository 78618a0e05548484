"""The public state over a compiled position.

What is asked often (who acts, legal actions, applying one, chance, copies) is answered by compiled code. For everything else the position is made
into a machine of the reference evaluator, once a position. An action that deviates is applied again by the evaluator, from the last position
that was a machine; the state goes on with the evaluator's machine, and is compiled again where it can be.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from croupier.backends.python.position import Deviation, Position, Unfit
from croupier.backends.python.rollouts import roll_out
from croupier.backends.python.stands import Stand
from croupier.runtime.faults import Fault
from croupier.runtime.game import Game
from croupier.runtime.machine import Machine
from croupier.runtime.node import CHANCE
from croupier.runtime.position import encode, renumbered
from croupier.runtime.state import RolledOut, State

if TYPE_CHECKING:
    from croupier.backends.python import Compiled
    from croupier.runtime.state import Rules

Step = tuple[int, int]  # seat, action


class PythonState(State):
    """A state that runs as compiled Python. `_p` is its position, none while the evaluator stands in for it.

    `_base` is a machine from which `_since` leads here.
    """

    backend = "python"

    def __init__(self, ruleset: Rules, game: Game, compiled: Compiled, machine: Machine | None = None, history: list[Any] | None = None) -> None:
        self.compiled = compiled
        self._p: Position | None = None
        self._made: Machine | None = None
        self._since: list[Step] = []
        self._base: Machine | None = machine
        if machine is None:
            try:
                self._p = compiled.start()
            except Deviation:
                machine = Machine(game)
                machine.start()
                self._base = machine
        super().__init__(ruleset, game, machine if machine is not None else self._made, history)
        if machine is not None:
            self._adopt(machine)

    # ------------------------------------------------------------ the machine, when it is asked for
    @property
    def _m(self) -> Machine:
        if self._made is None:
            assert self._p is not None
            self._made = self.compiled.exchange.machine(self._p)
            self._base, self._since = self._made.copy(), []
        return self._made

    @_m.setter
    def _m(self, machine: Machine | None) -> None:
        self._made = machine

    def _adopt(self, machine: Machine) -> None:
        """Go on from a machine, compiled if it can be."""
        self._made, self._base, self._since = machine, machine.copy(), []
        try:
            self._p = self.compiled.exchange.position(machine)
        except (Unfit, Deviation):
            self._p = None

    def _faulted(self, fault: Any) -> None:
        m = self._m
        self._p = None
        m.fault, m.frames = fault, []
        self._forget()

    # ------------------------------------------------------------ who acts
    def _seats(self) -> str:
        if self._acting is None:
            p = self._p
            if p is None:
                return super()._seats()
            over = not p.frames or self._past_limit() is not None
            self._acting = "" if over else self.compiled.stands[p.frames[-1][-2]].seats
        return self._acting

    def current_player(self) -> int:
        if self._p is not None and self._seats() == "one":
            return self._p.seat
        return super().current_player()

    def pending_seats(self) -> list[int]:
        p = self._p
        if p is not None and self._seats() == "every":
            f = p.frames[-1]
            stand: Stand = self.compiled.stands[f[-2]]
            p.fuel = self.compiled.fuel
            try:
                return stand.pending(p, f)
            except (Deviation, Fault, RecursionError):
                pass
        return super().pending_seats()

    # ------------------------------------------------------------ actions
    def _options(self, seat: int | None) -> list[int]:
        p = self._p
        if p is None:
            return super()._options(seat)
        acting = self._seats()
        if acting == "":
            return []
        stand = self.compiled.stands[p.frames[-1][-2]]
        if acting == "chance":
            return stand.actions(p) if seat in (None, CHANCE) else []
        if acting == "one":
            if seat is not None and seat != p.seat:
                return []
            if p.seat not in self._legal:
                try:
                    self._legal[p.seat] = self.compiled.search.allowed(p, stand.actions(p))
                except (Deviation, Fault, RecursionError):
                    return super()._options(seat)
            return self._legal[p.seat]
        pending = self.pending_seats()
        seat = pending[0] if seat is None and pending else seat
        if seat is None or seat not in pending:
            return []
        if seat not in self._legal:
            p.fuel = self.compiled.fuel
            try:
                self._legal[seat] = stand.actions_of(stand.offer_to(p, seat))
            except (Deviation, Fault, RecursionError):
                return super()._options(seat)
        return self._legal[seat]

    def _weights(self) -> list[tuple[int, int]]:
        p = self._p
        if p is None:
            return super()._weights()
        if self._outcomes is None:
            self._outcomes = self.compiled.stands[p.frames[-1][-2]].chances(p) if self.is_chance_node() else []
        return self._outcomes

    def _resume(self, m: Machine | None, seat: int, action: int) -> None:
        p = self._p
        if p is None:
            assert self._made is not None
            super()._resume(self._made, seat, action)
            self._adopt(self._made)
            return
        self._forget()
        try:
            self.compiled.apply(p, seat, action)
        except Deviation:
            self._again(seat, action)
            return
        self._since.append((seat, action))
        self._made = None

    def _again(self, seat: int, action: int) -> None:
        """Apply an action that deviated by the evaluator, from the last machine on."""
        if self._base is None:
            self._base = Machine(self.game)
            self._base.start()
        m = self._base
        self._p, self._made = None, m
        for s, a in [*self._since, (seat, action)]:
            super()._resume(m, s, a)
        self._adopt(m)

    def apply_action(self, action: int, seat: int | None = None) -> None:
        p = self._p
        if p is not None and seat is None and action.__class__ is int and self._seats() == "one" and action in self._options(None):
            self._resume(None, p.seat, action)
            self._history.append(action)
            return
        super().apply_action(action, seat)

    def clone(self) -> PythonState:
        other = PythonState.__new__(PythonState)
        other.ruleset, other.game, other.compiled, other._history = self.ruleset, self.game, self.compiled, list(self._history)
        other._p = None if self._p is None else self._p.copy()
        other._made = None if self._p is not None or self._made is None else self._made.copy()
        other._base, other._since, other._start = self._base, self._since[:], self._start
        if self._base is not None:
            other._base = self._base.copy()
        other._chances = self._chances
        other._forget()
        self._share(other)
        return other

    def _whole_game(self, seed: int, game: int) -> RolledOut | None:
        if self._history or self._start is not None:
            return None
        try:
            rolled = roll_out(self.compiled, seed, game)
        except Deviation:
            return None
        end = PythonState.__new__(PythonState)
        end.ruleset, end.game, end.compiled, end._history, end._chances = self.ruleset, self.game, self.compiled, [], 0
        end._p, end._made, end._base, end._since, end._start = rolled.position, None, None, [], None
        end._forget()
        return RolledOut(end.outcome(), end.hash(), rolled.decisions, rolled.chance_events)

    # ------------------------------------------------------------ results
    def returns(self) -> list[int]:
        p = self._p
        if p is None or p.result is None:
            return super().returns() if p is None else [0] * self.players
        return list(self.compiled.exchange.result(p).returns)

    def position(self) -> bytes:
        if self._p is None:
            return super().position()
        out: list[bytes] = []
        encode(renumbered(self.game, self.compiled.exchange.data(self._p)), out)
        return b"".join(out)

    def hash(self) -> str:
        return sha256(self.position()).hexdigest()


__all__ = ["PythonState"]
