"""Calls with hooks: what runs around a compiled routine. Which hooks are live, and their order, is the evaluator's (`runtime/hooks.py`).

A call with hooks that may wait has a frame of its own, like the evaluator's: target, arguments, stage, what of the stage is still to run, value
so far. Routines that never wait run at once, without a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from croupier.backends.python.position import Deviation, Position
from croupier.backends.python.stands import Asked, Run, Stand, ask
from croupier.ir.module import Module
from croupier.ir.routines import Routine
from croupier.runtime.game import KEPT, Game, Value
from croupier.runtime.hooks import ARGS, REST, STAGE, STAGES, TARGET, VALUE, Chain, HookCode, HookMatch, Hooks
from croupier.semantics import types as t

Functions = dict[str, Callable[..., Any]]
AROUND = -2  # the routine of frames of calls with hooks, as in positions of the evaluator


class Around(Hooks):
    """The hooks of a game over compiled routines. `stand` is the site of frames of calls with hooks."""

    def __init__(self, game: Game, module: Module, stands: list[Stand], stand: Stand) -> None:
        super().__init__(game)
        self.module, self.stands, self.stand = module, stands, stand
        self.functions: Functions = {}
        stand.handed = self.step_over

    def learn(self, functions: Functions, fixed: dict[int, list[tuple[int, Asked]]], guards: dict[int, Asked]) -> None:
        """The compiled functions, and the compiled questions of each hook."""
        self.functions = functions
        for code in self.game.code.hooks.all:
            index = code.hook.index
            tests = [(param, _asker(asked)) for param, asked in fixed.get(index, [])]
            guard = _asker(guards[index]) if index in guards else None
            new = HookCode(code.hook, tests, code.bound, guard, None, code.pieces, code.live_anywhere)
            if code.hook.component is not None and not code.pieces:
                self.all.append(new)
            else:
                self.add(new)

    # ------------------------------------------------------------ values handed back
    def routine(self, index: int) -> Routine:
        return self.module.routines[index]

    def pack(self, index: int, value: Value, changed: Sequence[Value]) -> Any:
        """What a routine hands back, as compiled code takes it: one value, or several in a tuple."""
        values = [*([] if isinstance(self.routine(index).returns, t.Nothing) else [value]), *changed]
        return values[0] if len(values) == 1 else tuple(values)

    def unpack(self, index: int, handed: Any) -> tuple[Value, list[Value]]:
        """The value, and what each `var` parameter of what was called holds; `KEPT` for one that a hook does not name."""
        routine, slots = self.routine(index), self.game.code.procs[index].var_slots
        has_value = not isinstance(routine.returns, t.Nothing)
        several = has_value + len(routine.gives)
        values = list(handed) if several > 1 else [handed] if several else []
        value = values.pop(0) if has_value else None
        return value, [KEPT if slot is None else values.pop(0) for slot in slots]

    # ------------------------------------------------------------ calls that never wait
    def run_at_once(self, p: Position, index: int, slots: Sequence[Value]) -> tuple[Value, list[Value]]:
        return self.unpack(index, self.functions[f"p{index}"](p, *[slots[s] for s in self.routine(index).takes]))

    def run_plain(self, m: Any, match: HookMatch, span: Any) -> Value:
        m.burn(span)
        value, m.retval_vars = self.run_at_once(m, match.code.hook.proc.index, match.L)
        return value

    def run_instead(self, m: Any, target: int, args: list[Value], chain: Chain, span: Any) -> Value:
        if not chain:
            value, m.retval_vars = self.run_at_once(m, target, args)
            return value
        value = self.run_plain(m, self.instead(chain, args), span)
        m.retval_vars = [args[i] if v is KEPT else v for i, v in zip(self.var_places(target), m.retval_vars, strict=True)]
        return value

    def called(self, target: int) -> Callable[..., Any]:
        """What compiled code calls for a routine with hooks."""
        return lambda p, *args: self.pack(target, self.dispatch(p, target, list(args), None), p.retval_vars)

    def original(self, target: int) -> Callable[..., Any]:
        """And for the rest of a chain."""
        return lambda p, chain, *args: self.pack(target, self.run_instead(p, target, list(args), chain or (), None), p.retval_vars)

    # ------------------------------------------------------------ calls that may wait
    def call_around(self, p: Position, target: int, args: tuple[Value, ...], viewer: int | None) -> Run:
        p.frames.append([target, args, 0, self.keys(p, target, "before", list(args)), None, self.stand.number, viewer])  # type: ignore[arg-type]
        return self.go_around

    def go_around(self, p: Position, _: Any) -> Any:
        """One step after another, until one waits or all is done."""
        f = p.frames[-1]
        while True:
            target, args, stage, rest = f[TARGET], list(f[ARGS]), STAGES[f[STAGE]], f[REST]
            p.burn(None)
            if stage == "end":
                p.frames.pop()
                return self.hand(p, target, f[VALUE], [args[i] for i in self.var_places(target)])
            if stage == "call" and rest is not None:
                f[REST] = None
                return self.enter_instead(p, target, args, rest, f[-1])
            if not rest:
                f[STAGE] += 1
                kind = STAGES[f[STAGE]]
                f[REST] = self.keys(p, target, "instead" if kind == "call" else kind, args)  # type: ignore[arg-type]
                continue
            f[REST] = rest[1:]
            match = self.adjusts(p, rest[0], args, f[VALUE]) if stage == "adjust" else self.rebuild(rest[0], args)  # type: ignore[arg-type]
            if match is not None:
                return self.enter_match(p, match, f[-1])

    def step_over(self, p: Position, value: Value, changed: list[Value]) -> Run:
        """A step has ended: its `var` parameters are those of the call; the main step and `adjust` give the value."""
        f = p.frames[-1]
        args = list(f[ARGS])
        for i, v in zip(self.var_places(f[TARGET]), changed, strict=True):
            if v is not KEPT:
                args[i] = v
        f[ARGS] = tuple(args)
        if STAGES[f[STAGE]] in ("call", "adjust"):
            f[VALUE] = value
        return self.go_around

    def enter_instead(self, p: Position, target: int, args: list[Value], chain: Chain, viewer: int | None) -> Run:
        if chain:
            return self.enter_match(p, self.instead(chain, args), viewer)
        return self.enter(p, target, args, viewer)

    def enter_original(self, p: Position, target: int, chain: Chain | None, args: tuple[Value, ...], viewer: int | None) -> Run:
        return self.enter_instead(p, target, list(args), chain or (), viewer)

    def enter_match(self, p: Position, match: HookMatch, viewer: int | None) -> Run:
        p.burn(None)
        return self.enter(p, match.code.hook.proc.index, match.L, viewer)

    def enter(self, p: Position, index: int, slots: Sequence[Value], viewer: int | None) -> Run:
        """Begin a routine: with a frame, if it may wait."""
        routine = self.routine(index)
        if routine.colour != "suspends":
            value, changed = self.run_at_once(p, index, slots)
            return self.hand(p, index, value, changed)
        places = sum(1 for s in routine.slots if s.role != "temp")
        if routine.nested is not None and sum(1 for f in p.frames if self.of(f) == index) > routine.nested:
            raise Deviation
        p.frames.append([*slots[:places], *[None] * (places - len(slots)), -2 - index, viewer])
        return self.functions[f"e{index}"]

    def of(self, frame: Sequence[Any]) -> int:
        """The routine of a frame."""
        number: int = frame[-2]
        return -2 - number if number < 0 else self.stands[number].routine

    def leave(self, p: Position) -> Run:
        """The routine of the top frame has ended; what it hands back is in the position."""
        index = self.of(p.frames.pop())
        if not p.frames:
            raise Deviation
        stand: Stand = self.stands[p.frames[-1][-2]]
        if stand.handed is not None:
            return stand.handed(p, *self.unpack(index, p.ret))
        assert stand.after is not None
        return stand.after

    def hand(self, p: Position, index: int, value: Value, changed: list[Value]) -> Run:
        """Go on in the top frame with what a routine without one hands back."""
        stand: Stand = self.stands[p.frames[-1][-2]]
        if stand.handed is not None:
            return stand.handed(p, value, changed)
        p.ret = self.pack(index, value, changed)
        assert stand.after is not None
        return stand.after

    def flagged(self, stand: Stand, has_value: bool) -> Callable[..., Run]:
        """For a site that takes back `var` parameters which may have been left alone."""

        def handed(p: Position, value: Value, changed: list[Value]) -> Run:
            values = [value] if has_value else []
            for v in changed:
                values += [v is not KEPT, None if v is KEPT else v]
            p.ret = values[0] if len(values) == 1 else tuple(values)
            assert stand.after is not None
            return stand.after

        return handed


def _asker(asked: Asked) -> Any:
    return lambda m, slots: ask(asked, m, slots)
