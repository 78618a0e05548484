"""The reference evaluator, statements that suspend: each becomes an operation with a place to go on.

An operation runs with the machine and its frame. It sets where the frame goes on, pushes the frame of a call,
or waits. What it must remember while it waits lies in hidden locals of the frame, never in the operation:
operations are shared by all states of a game.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from croupier.diagnostics import Span
from croupier.records import dataclass
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.runtime.machine import CONTINUE, RETURN, Do, Frame, Machine, Op, Run, Setter, write_back


class BlockEnd(Op):
    """The end of a block that holds while control is in it: of `so that`, of `secretly`."""

    def run(self, m: Machine, fr: Frame) -> None:
        self.leave(m, fr)
        fr.pc = self.next

    @abstractmethod
    def leave(self, m: Machine, fr: Frame) -> None:
        """Control leaves the block, at its end or early."""


Exits = tuple[BlockEnd, ...]


class PlainOp(Op):
    """Statements in a row that do not suspend."""

    def __init__(
        self, do: Do, next: Op | None = None, exits: Exits = (), loop: LoopFrame | None = None
    ) -> None:
        self.do, self.next, self.exits, self.loop = do, next, exits, loop

    def run(self, m: Machine, fr: Frame) -> None:
        m.event_audience = fr.event_audience
        signal = self.do(m, fr.L)
        if signal is None:
            fr.pc = self.next
        elif signal is RETURN:
            value, m.retval = m.retval, None
            for e in reversed(self.exits):
                e.leave(m, fr)
            m.leave(value)
        else:
            assert self.loop is not None  # only what stands in a loop breaks out of it
            inside = len(self.loop.exits)
            for e in reversed(self.exits[inside:]):
                e.leave(m, fr)
            fr.pc = self.loop.step if signal is CONTINUE else self.loop.next


class BeginOp(Op):
    """Counts that control passes here (tracing)."""

    def __init__(self, counts: list[int], number: int, next: Op | None) -> None:
        self.counts, self.number, self.next = counts, number, next

    def run(self, m: Machine, fr: Frame) -> None:
        self.counts[self.number] += 1
        fr.pc = self.next


class IfOp(Op):
    """`if`, where a branch may wait."""

    def __init__(self, condition: Run, then: Op | None, other: Op | None) -> None:
        self.condition, self.then, self.other = condition, then, other

    def run(self, m: Machine, fr: Frame) -> None:
        fr.pc = self.then if self.condition(m, fr.L) else self.other


class MatchOp(Op):
    """`match`, where a case may wait."""

    def __init__(self, value: Run, cases: list[tuple[list[Run], Op | None]], other: Op | None) -> None:
        self.value, self.cases, self.other = value, cases, other

    def run(self, m: Machine, fr: Frame) -> None:
        v = self.value(m, fr.L)
        for row, target in self.cases:
            if any(f(m, fr.L) == v for f in row):
                fr.pc = target
                return
        fr.pc = self.other


class LoopFrame:
    """The targets of `break` and `continue` in a loop."""

    def __init__(self, step: Op, next: Op | None, exits: Exits) -> None:
        self.step, self.next, self.exits = step, next, exits


class ForOp(Op):
    """Begins a `for`: the collection is walked as it is now; the condition is tested when each element's turn
    comes.
    """

    def __init__(self, source: Run, step: ForStep) -> None:
        self.source, self.step = source, step

    def run(self, m: Machine, fr: Frame) -> None:
        fr.L[self.step.items] = self.source(m, fr.L)
        fr.L[self.step.at] = 0
        fr.pc = self.step


class ForStep(Op):
    """The next round of a `for` that may wait; the list and the place in it lie in hidden locals."""

    def __init__(self, slot: int, items: int, at: int, condition: Run | None, endless: bool) -> None:
        self.slot, self.items, self.at, self.condition, self.endless = slot, items, at, condition, endless
        self.body: Op | None = None

    def run(self, m: Machine, fr: Frame) -> None:
        L, items = fr.L, fr.L[self.items]
        while True:
            i = L[self.at]
            if i >= len(items):
                if self.endless and not items:
                    raise Fault("R026", self.span)
                if not self.endless:
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
    """`repeat`, where a round may wait."""

    def __init__(self, until: Run | None) -> None:
        self.until = until
        self.body: Op | None = None

    def run(self, m: Machine, fr: Frame) -> None:
        m.burn(self.span)
        fr.pc = self.next if self.until is not None and self.until(m, fr.L) else self.body


@dataclass(eq=False)
class CallOp(Op):
    """A call that may suspend. The frame stays here until the call returns."""

    target: int
    args: list[Run]
    store: Setter | None
    back: list[Setter]
    is_return: bool
    exits: Exits
    check: Callable[[Value, Span], None] | None
    original_slot: int | None = None

    def run(self, m: Machine, fr: Frame) -> None:
        m.burn(self.span)
        values = [f(m, fr.L) for f in self.args]
        code = m.rules
        if m.recorder is not None:
            m.cites = self.cites
        if self.original_slot is not None:
            code.push_original(m, self.target, values, fr.L[self.original_slot], fr.event_audience, self.span)
        elif self.target in code.hooked:
            code.push_dispatch(m, self.target, values, fr.event_audience, self.span)
        else:
            m.enter(self.target, values, fr.event_audience, self.span)
        if m.recorder is not None:
            m.recorder.entered(m, self.target, values)

    def returned(self, m: Machine, fr: Frame, value: Value) -> None:
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
