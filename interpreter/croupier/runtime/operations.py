"""The reference evaluator, statements that suspend: each becomes an operation with a place to go on.

An operation runs with the machine and its frame. It sets where the frame goes on, pushes the frame of a call, or waits. What it must remember
while it waits lies in hidden locals of the frame, never in the operation: operations are shared by all states of a game.
"""

from __future__ import annotations

from typing import Any

from croupier.runtime.evaluate import Run
from croupier.runtime.faults import DeadEnd, Reached
from croupier.runtime.game import Value
from croupier.runtime.machine import WAIT, Frame
from croupier.runtime.plain import CONTINUE, RETURN, Do, Setter, write_back
from croupier.semantics.program import VarDef


class Op:
    """One operation. `point` is its number among the suspension points of its procedure (none: it never waits)."""

    next: Any = None
    point: int | None = None
    span: Any = None
    cites: tuple[str, ...] = ()
    seats: str = ""  # "one", "every", "chance" where it waits
    speaks = False  # a decision that is itself something said
    told = False  # chance: is the outcome an event of its own? (A card drawn or a die rolled is told by what it changes.)

    def run(self, m: Any, fr: Frame) -> Any:
        raise NotImplementedError

    def discreet(self, action: int) -> bool:
        """Does nobody else learn of this choice, not even that there was one to make?"""
        return False

    def returned(self, m: Any, fr: Frame, value: Value) -> None:
        raise AssertionError("nothing was called here")


class Leave:
    """What must happen when control leaves a block early: an end of `so that`, an end of `secretly`."""

    def leave(self, m: Any, fr: Frame) -> None:
        raise NotImplementedError


class PlainOp(Op):
    """Statements in a row that do not suspend."""

    def __init__(self, do: Do, next: Any, exits: tuple[Leave, ...], loop: Any) -> None:
        self.do, self.next, self.exits, self.loop = do, next, exits, loop

    def run(self, m: Any, fr: Frame) -> Any:
        m.viewer = fr.viewer
        signal = self.do(m, fr.L)
        if signal is None:
            fr.pc = self.next
        elif signal is RETURN:
            value, m.retval = m.retval, None
            for e in reversed(self.exits):
                e.leave(m, fr)
            m.leave(value)
        else:
            inside = len(self.loop.exits)
            for e in reversed(self.exits[inside:]):
                e.leave(m, fr)
            fr.pc = self.loop.step if signal is CONTINUE else self.loop.next
        return None


class BeginOp(Op):
    """Leaves a number behind before a procedure begins (tracing)."""

    def __init__(self, hit: set[int], number: int, next: Any) -> None:
        self.hit, self.number, self.next = hit, number, next

    def run(self, m: Any, fr: Frame) -> Any:
        self.hit.add(self.number)
        fr.pc = self.next


class IfOp(Op):
    def __init__(self, condition: Run, then: Any, other: Any) -> None:
        self.condition, self.then, self.other = condition, then, other

    def run(self, m: Any, fr: Frame) -> Any:
        fr.pc = self.then if self.condition(m, fr.L) else self.other


class MatchOp(Op):
    def __init__(self, value: Run, cases: list[tuple[list[Run], Any]], other: Any) -> None:
        self.value, self.cases, self.other = value, cases, other

    def run(self, m: Any, fr: Frame) -> Any:
        v = self.value(m, fr.L)
        for row, target in self.cases:
            if any(f(m, fr.L) == v for f in row):
                fr.pc = target
                return
        fr.pc = self.other


class Loop:
    """Where `break` and `continue` go."""

    def __init__(self, step: Any, next: Any, exits: tuple[Leave, ...]) -> None:
        self.step, self.next, self.exits = step, next, exits


class ForOp(Op):
    """Begins a `for`: the collection is walked as it is now; the condition is tested when each element's turn comes."""

    def __init__(self, source: Run, step: ForStep) -> None:
        self.source, self.step = source, step

    def run(self, m: Any, fr: Frame) -> Any:
        fr.L[self.step.items] = self.source(m, fr.L)
        fr.L[self.step.at] = 0
        fr.pc = self.step


class ForStep(Op):
    def __init__(self, slot: int, items: int, at: int, condition: Run | None, endless: bool) -> None:
        self.slot, self.items, self.at, self.condition, self.endless = slot, items, at, condition, endless
        self.body: Any = None

    def run(self, m: Any, fr: Frame) -> Any:
        L, items = fr.L, fr.L[self.items]
        while True:
            i = L[self.at]
            if i >= len(items):
                if not self.endless or not items:
                    L[self.items] = L[self.at] = None
                    fr.pc = self.next
                    return
                i = 0
            m.burn(self.span)
            L[self.at] = i + 1
            L[self.slot] = items[i]
            if self.condition is None or self.condition(m, L):
                fr.pc = self.body
                return


class RepeatOp(Op):
    def __init__(self, until: Run | None) -> None:
        self.until = until
        self.body: Any = None

    def run(self, m: Any, fr: Frame) -> Any:
        m.burn(self.span)
        fr.pc = self.next if self.until is not None and self.until(m, fr.L) else self.body


class CallOp(Op):
    """A call that may suspend. The frame stays here until the call returns."""

    def __init__(
        self, target: int, args: list[Run], store: Any, back: list[Setter], is_return: bool, exits: tuple[Leave, ...], check: Any
    ) -> None:
        self.target, self.args, self.store, self.back, self.is_return, self.exits, self.check = target, args, store, back, is_return, exits, check
        self.original_slot: int | None = None

    def run(self, m: Any, fr: Frame) -> Any:
        m.burn(self.span)
        values = [f(m, fr.L) for f in self.args]
        code = m.game.code
        if m.recorder is not None:
            m.cites = self.cites
        if self.original_slot is not None:
            code.push_original(m, self.target, values, fr.L[self.original_slot], fr.viewer, self.span)
        elif self.target in code.hooked:
            code.push_dispatch(m, self.target, values, fr.viewer, self.span)
        else:
            m.enter(self.target, values, fr.viewer, self.span)
        if m.recorder is not None:
            m.recorder.entered(m, self.target)

    def returned(self, m: Any, fr: Frame, value: Value) -> None:
        write_back(self.back, m, fr.L)
        if self.check is not None:
            self.check(value, self.span)
        if self.store is not None:
            self.store(m, fr.L, value)
        if self.is_return:
            for e in reversed(self.exits):
                e.leave(m, fr)
            m.leave(value)
        else:
            fr.pc = self.next


class DrawOp(Op):
    """Components one by one from the top; one out of an unordered part is a chance event of its own."""

    seats = "chance"

    def __init__(self, count: Run, source: Run, to: Run, left: int, drawn: int) -> None:
        self.count, self.source, self.to, self.left, self.drawn = count, source, to, left, drawn

    def run(self, m: Any, fr: Frame) -> Any:
        L = fr.L
        if L[self.left] is None:
            if m.recorder is not None:
                m.cites = self.cites
            m.burn(self.span)
            L[self.left] = max(0, self.count(m, L))
            if self.drawn >= 0:
                L[self.drawn] = ()
        m.viewer = fr.viewer
        while L[self.left] > 0:
            items = m.zones[self.source(m, L)]
            if not items:
                break
            if m.game.places[self.source(m, L)].order == "bag":
                if len(items) > 1:
                    return WAIT
                self.take(m, L, items[0])
            elif type(items[-1]) is tuple:
                return WAIT
            else:
                self.take(m, L, items[-1])
        L[self.left] = None
        fr.pc = self.next
        return None

    def take(self, m: Any, L: list[Value], piece: int) -> None:
        m.burn(self.span)
        L[self.left] -= 1
        if self.drawn >= 0:
            L[self.drawn] = (*L[self.drawn], piece)
        m.move(piece, self.to(m, L), "top", self.span)

    def outcomes(self, m: Any, fr: Frame) -> list[tuple[int, int]]:
        items = m.zones[self.source(m, fr.L)]
        group = items if m.game.places[self.source(m, fr.L)].order == "bag" else items[-1]
        return [(piece, 1) for piece in group]

    def resume(self, m: Any, fr: Frame, seat: int, action: int) -> None:
        m.viewer = fr.viewer
        if m.recorder is not None:
            m.cites = self.cites
        self.take(m, fr.L, action)

    def describe(self, m: Any, fr: Frame, seat: int, action: int) -> str:
        return m.game.label(action, m)  # type: ignore[no-any-return]


class RollOp(Op):
    """Each die in turn, every face alike."""

    seats = "chance"

    def __init__(self, pieces: Run, variable: VarDef, first: int, values: tuple[Value, ...], left: int, kind: Any) -> None:
        self.pieces, self.variable, self.first, self.values, self.left, self.kind = pieces, variable, first, values, left, kind
        self.index = variable.index

    def run(self, m: Any, fr: Frame) -> Any:
        L = fr.L
        if L[self.left] is None:
            m.burn(self.span)
            L[self.left] = tuple(sorted(self.pieces(m, L)))
        if L[self.left]:
            if len(self.values) > 1:
                return WAIT
            self.set(m, L, self.values[0])
            return None
        L[self.left] = None
        fr.pc = self.next
        return None

    def set(self, m: Any, L: list[Value], value: Value) -> None:
        m.burn(self.span)
        piece, old = L[self.left][0], m.vars[self.index]
        L[self.left] = L[self.left][1:]
        at = piece - self.first
        if m.recorder is not None and old[at] == value:
            m.recorder.value_at(m, self.variable, at, value)
        m.set_var(self.index, (*old[:at], value, *old[at + 1 :]))

    def outcomes(self, m: Any, fr: Frame) -> list[tuple[int, int]]:
        return [(i, 1) for i in range(len(self.values))]

    def resume(self, m: Any, fr: Frame, seat: int, action: int) -> None:
        m.viewer = fr.viewer
        if m.recorder is not None:
            m.cites = self.cites or m.cites
        self.set(m, fr.L, self.values[action])

    def describe(self, m: Any, fr: Frame, seat: int, action: int) -> str:
        return f"{m.game.label(fr.L[self.left][0], m)} shows {m.game.show(self.values[action], self.kind)}"


class SoThatOp(Op):
    """`so that`: enter the block only if some way through it ends with the condition true."""

    def __init__(self, condition: Run, slot: int, within: int | None) -> None:
        self.condition, self.slot, self.within = condition, slot, within
        self.body: Any = None
        self.other: Any = None

    def run(self, m: Any, fr: Frame) -> Any:
        from croupier.runtime.lookahead import can_end

        m.burn(self.span)
        if can_end(m, self):
            fr.L[self.slot] = True
            fr.pc = self.body
        else:
            fr.pc = self.other


class SoThatEnd(Op, Leave):
    def __init__(self, begin: SoThatOp) -> None:
        self.begin = begin

    def run(self, m: Any, fr: Frame) -> Any:
        self.leave(m, fr)
        fr.pc = self.next

    def leave(self, m: Any, fr: Frame) -> None:
        if fr.L[self.begin.slot] is None:
            return
        fr.L[self.begin.slot] = None
        if m.search is not None:
            if not self.begin.condition(m, fr.L):
                raise DeadEnd
            if m.search == (len(m.frames), self.begin.slot):
                raise Reached


class SecretlyOp(Op):
    def __init__(self, player: Run, slot: int) -> None:
        self.player, self.slot = player, slot

    def run(self, m: Any, fr: Frame) -> Any:
        fr.L[self.slot] = -1 if fr.viewer is None else fr.viewer
        if fr.viewer is None:
            fr.viewer = self.player(m, fr.L)
        m.viewer = fr.viewer
        fr.pc = self.next


class SecretlyEnd(Op, Leave):
    def __init__(self, slot: int) -> None:
        self.slot = slot

    def run(self, m: Any, fr: Frame) -> Any:
        self.leave(m, fr)
        fr.pc = self.next

    def leave(self, m: Any, fr: Frame) -> None:
        before = fr.L[self.slot]
        fr.viewer = None if before == -1 else before
        m.viewer = fr.viewer
        fr.L[self.slot] = None
