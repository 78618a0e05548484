"""The public state (`runtime.state.State`) on compiled Python.

Frequent questions (who acts, legal actions, applying one, chance, copies) are answered by compiled code. For
all others the position is decoded to a machine of the evaluator, once a position. If an action fails,
compiled code replays the history up to there, and the evaluator applies that action: it finds the fault with
its code, words and place, or finds that there is no fault. If it can, compiled code then takes over again.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from croupier.execution.codec import ACTING, Codec
from croupier.execution.python_program import (
    Bailout,
    PositionCheck,
    PositionNumber,
    PythonPosition,
    PythonProgram,
    run_playout,
)
from croupier.lowering import Lowered, NotLowered, lower
from croupier.lowering.probes import MEASURE, ProbeExpression, Probing
from croupier.lowering.program import program_of
from croupier.lowering.watchers import INVARIANTS
from croupier.passes.pipeline import optimize
from croupier.printers.python import TooDeeplyNested
from croupier.runtime.engine import Engine
from croupier.runtime.event_cache import actor_and_action
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.runtime.machine import Machine
from croupier.runtime.position import restore
from croupier.runtime.state import RolledOut, State
from croupier.runtime.state_view import CHANCE

if TYPE_CHECKING:
    from croupier.core.types import CoreProgram
    from croupier.diagnostics import Diagnostic
    from croupier.kernel.tree import TypedExpr
    from croupier.runtime.state import Rules
    from croupier.semantics.procedures import Proc

NOT_COMPILED = (NotLowered, TooDeeplyNested, RecursionError, MemoryError, SyntaxError)
# positions in which an expression has been evaluated: compiling it takes about as long
WORTH_LOWERING = 1_000


class PythonGame:
    """A set-up compiled to Python, with the codec of its positions.

    Raises `NotLowered`, and `TooDeep` for loops nested deeper than Python allows.
    """

    def __init__(self, engine: Engine) -> None:
        game = engine.game
        lowered = lower(game)
        limits = game.program.limits
        self.engine, self.game = engine, game
        self.max_decisions, self.max_chance_events = limits["decisions"], limits["chance"]
        self.program = PythonProgram(
            lowered.program, limits["fuel"], (self.max_decisions, self.max_chance_events)
        )
        self.codec = Codec(lowered, self.program.program)
        # by text: how often it was asked for, up to a number; its code
        self._numbers: dict[str, tuple[int, PositionNumber | None]] = {}

    def encode_machine(self, ruleset: Rules, machine: Machine) -> PythonPosition | None:
        """Encode the position of a machine of the evaluator; None if the core has no equal one."""
        found = self.codec.encode_machine(ruleset, self.engine, machine)
        if found is None:
            return None
        p = self.program.position()
        p.load(*found)
        return p

    @cached_property
    def invariants(self) -> PositionCheck | None:
        """Return the test of a position whether all invariants hold.

        `None` if compiled Python has no test that works on positions of this program.
        """
        with suppress(*NOT_COMPILED):
            program = self._part(lower(self.game, invariants=True), INVARIANTS)
            return None if program is None else self.program.compile_check(program, INVARIANTS)
        return None

    def number(self, text: str, x: ProbeExpression) -> PositionNumber | None:
        """Return a function for the value of an expression at a position; `text` tells it from others of the
        game.

        `None` if compiled Python has no such function that works on positions of this program, and for the
        first `WORTH_LOWERING` positions, because it is compiled only then.
        """
        count, found = self._numbers.get(text, (0, None))
        if count == WORTH_LOWERING:
            with suppress(*NOT_COMPILED):
                program = self._part(lower(self.game, probing=Probing("", (x,))), f"{MEASURE}0")
                found = None if program is None else self.program.compile_number(program, f"{MEASURE}0")
        if count <= WORTH_LOWERING:
            self._numbers[text] = count + 1, found
        return found

    def _part(self, lowered: Lowered, name: str) -> CoreProgram | None:
        """The part of a program that a function needs, if it works on positions of this one."""
        program = optimize(program_of(lowered.program, name))
        has_arrays = all(
            m.constant or m.name in self.program.program.memories for m in program.memories.values()
        )
        return program if has_arrays and lowered.texts.long == self.codec.lowered.texts.long else None

    @property
    def source(self) -> str:
        """The printed text: the program for steps, then that for playouts if there is one."""
        playouts = (
            "" if self.program.playout() is None else f"\n\n# ---- whole games\n{self.program.playout_text}"
        )
        return self.program.text + playouts

    def machine_at(self, p: PythonPosition) -> Machine:
        """A machine of the evaluator at a position."""
        return restore(self.engine.rules, self.codec.decode(p.read()))


class PythonState(State):
    """A state on compiled Python.

    `_p` is its position, None while the evaluator plays; `_machine` is the machine of the evaluator, if it
    was made.

    To replay: the entries of the history from index `_since` on lead from the position `_base` (None: the
    initial one) to this one.
    """

    backend = "python"

    def __init__(self, ruleset: Rules, compiled: PythonGame) -> None:
        self.compiled = compiled
        self._p: PythonPosition | None = compiled.program.position()
        self._machine: Machine | None = None
        self._base: PythonPosition | None = None
        self._since = 0
        if self._p.failed:
            self._p, self._machine = None, Machine(compiled.engine.rules)
            self._machine.start()
        super().__init__(ruleset, compiled.engine, self._machine, [])

    # ------------------------------------------------------------ machines of the evaluator
    @property
    def _m(self) -> Machine:
        if self._machine is None:
            assert self._p is not None
            self._machine = self.compiled.machine_at(self._p)
        return self._machine

    @_m.setter
    def _m(self, machine: Machine | None) -> None:
        self._machine = machine

    def _faulted(self, fault: Fault) -> None:
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
            compiled, chances = self.compiled, self._chances
            over = (
                not p.S.frames
                or chances >= compiled.max_chance_events
                or len(self._history) - chances >= compiled.max_decisions
            )
            self._acting = "" if over else ACTING.get(p.S.seat, "one")
        return self._acting

    def current_player(self) -> int:
        if self._p is not None and self._seats() == "one":
            return int(self._p.S.seat)
        return super().current_player()

    def pending_seats(self) -> list[int]:
        if self._p is None or (self._acting or self._seats()) != "every":
            return super().pending_seats()
        if self._pending is None:
            self._pending = sorted(set(self._p.S.K))
        return self._pending[:]

    # ------------------------------------------------------------ actions
    def legal_actions(self, seat: int | None = None) -> list[int]:
        p = self._p
        if p is not None and seat is None and self._acting == "one":
            found = self._legal.get(p.S.seat)
            if found:
                return found[:]
        return self._options(None)[:] if seat is None else super().legal_actions(seat)

    def _options(self, seat: int | None) -> list[int]:
        p = self._p
        if p is None:
            return super()._options(seat)
        acting = self._seats()
        if acting == "":
            return []
        if acting == "chance":
            return p.S.O if seat is None or seat == CHANCE else []
        if acting == "one":
            if seat is None:
                seat = p.S.seat
            elif seat != p.S.seat:
                return []
        else:
            pending = self.pending_seats()
            seat = pending[0] if seat is None else seat
            if seat not in pending:
                return []
        found = self._legal.get(seat)
        if found is None:
            found = p.options(seat)
            if p.failed:  # the evaluator says why
                self._bail_out()
                return super()._options(seat)
            self._legal[seat] = found
        return found

    def _weights(self) -> list[tuple[int, int]]:
        if self._p is None:
            return super()._weights()
        if self._outcomes is None:
            self._outcomes = self._p.outcomes() if self.is_chance_node() else []
        return self._outcomes

    def _resume(self, m: Machine | None, seat: int, action: int) -> None:
        if m is not None or self._p is None:
            super()._resume(self._m if m is None else m, seat, action)
            if m is None:
                self._take_over(len(self._history) + 1)
        else:
            self._apply_compiled(self._p, seat, action)

    def _apply_compiled(self, p: PythonPosition, seat: int, action: int) -> None:
        """Apply a legal action to the position of this state; the evaluator does where compiled code
        fails.
        """
        self._legal, self._acting, self._player, self._pending, self._outcomes = {}, None, None, None, None
        self.compiled.program.apply(p.S, action, seat)
        if p.S.failed:
            self._bail_out()
            self._resume(None, seat, action)
        else:
            self._machine = None

    def _take_over(self, since: int) -> None:
        """Let compiled code take over from the evaluator, if it can; `since`: the length of the history
        here.
        """
        m = self._m
        if m.frames and m.fault is None and m.recorder is None:
            self._base, self._since = self.compiled.encode_machine(self.ruleset, m), since
            self._p = None if self._base is None else self._base.copy()

    def _bail_out(self) -> None:
        """Bail out: replay the history, and let the evaluator play on from there."""
        replayed = self.compiled.program.position() if self._base is None else self._base.copy()
        for entry in self._history[self._since :]:
            seat, action = actor_and_action(entry)
            replayed.apply(action, seat)
        self._p, self._machine = None, self.compiled.machine_at(replayed)
        self._forget()

    def left_to_evaluator(self) -> bool:
        return self._p is None or self._base is not None

    def apply_action(self, action: int, seat: int | None = None) -> None:
        p = self._p
        if p is not None and seat is None and action.__class__ is int:
            S, acting = p.S, self._acting or self._seats()
            if (
                acting == "one"
                and action in (self._legal.get(S.seat) or self._options(None))
                and self._p is p
            ):
                self._apply_compiled(p, S.seat, action)
                self._history.append(action)
                return
            if acting == "chance" and action in S.O:
                self._apply_compiled(p, CHANCE, action)
                self._history.append((action,))
                self._chances += 1
                self._acting = None  # chance events may be at their limit
                return
        super().apply_action(action, seat)

    def clone(self) -> PythonState:
        other = PythonState.__new__(PythonState)
        other.ruleset = self.ruleset
        other.engine = self.engine
        other.compiled = self.compiled
        other._history = self._history[:]
        other._p = None if self._p is None else self._p.copy()
        other._machine = None if self._p is not None or self._machine is None else self._machine.copy()
        other._start = self._start
        other._chances = self._chances
        other._base = self._base
        other._since = self._since
        other._forget()
        self._share(other)
        return other

    def _procedures(self) -> Iterable[int]:
        if self._p is None:
            return super()._procedures()
        maps = self.compiled.codec.maps
        return (maps[frame[0]].proc for frame in reversed(self._p.S.frames))

    def _whole_game(self, seed: int, game: int, checked: bool = False) -> RolledOut | None:
        if self._history or self._start is not None:
            return None
        checked = checked and bool(self.game.program.invariants)
        check = self.compiled.invariants if checked else None
        if checked and check is None:
            return None
        try:
            playout = run_playout(self.compiled.program, seed, game, check=check)
        except Bailout:
            return None
        end = self.clone()
        end._p = PythonPosition(self.compiled.program, playout.position)
        end._machine = None
        end._history = []
        end._chances = 0
        end._forget()
        return RolledOut(end.outcome(), end.hash, playout.decisions, playout.chance_events)

    # ------------------------------------------------------------ results
    def check_invariants(self) -> list[Diagnostic]:
        if not self.game.program.invariants:
            return []
        check = self.compiled.invariants
        if check is not None and self._p is not None:
            try:
                check(self._p.S)
                return []
            except self.compiled.program.failures:  # the evaluator says which does not hold
                pass
        return super().check_invariants()

    def _compiled_number(self, text: str, tree: TypedExpr, frame: Proc, seat: int) -> int | None:
        number = None if self._p is None else self.compiled.number(text, ProbeExpression(tree, frame, True))
        if number is not None and self._p is not None:
            with suppress(*self.compiled.program.failures):  # the evaluator says why
                return number(self._p.S, seat)
        return None

    def returns(self) -> list[int]:
        p = self._p
        if p is None:
            return super().returns()
        found = self.compiled.codec.decode_result(p.read().memories)
        return [0] * self.players if found is None else list(found[2])

    def _position_data(self) -> tuple[Value, ...]:
        return super()._position_data() if self._p is None else self.compiled.codec.decode(self._p.read())


def state_on_python(state: State, compiled: PythonGame) -> PythonState:
    """A state of the evaluator as one on compiled Python, at the same position; the evaluator plays on while
    that cannot be encoded.
    """
    found = PythonState.__new__(PythonState)
    found.ruleset = state.ruleset
    found.engine = state.engine
    found.compiled = compiled
    found._history = state._history
    found._p, found._machine, found._start, found._chances = None, state._m, state._start, state._chances
    found._base, found._since = None, 0
    found._forget()
    found._take_over(len(state._history))
    return found


__all__ = ["PythonGame", "PythonState", "state_on_python"]
