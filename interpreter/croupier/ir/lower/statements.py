"""Lowering statements that never wait by themselves: values, calls, control.

Fuel is charged where the reference evaluator charges it: one unit for each statement that cannot wait, one for each round of a loop; a statement
that can wait is threaded there and charges as its kind says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from croupier.ir.lower.table import TableStatements
from croupier.ir.terminators import Foresee, Return, Settle, Walk
from croupier.semantics import types as t
from croupier.semantics.tree import S, X
from croupier.semantics.walk import statement_call


@dataclass(frozen=True, slots=True)
class Loop:
    """Where `break` and `continue` go, and how many blocks that need leaving stand around the loop."""

    done: int
    head: int
    inside: int


class Statements(TableStatements, ABC):
    """Lowers blocks. `leaving` holds what must happen when the blocks around a statement are left, outermost first."""

    gives: tuple[int, ...]
    leaving: list[Callable[[], None]]
    loops: list[Loop]
    threaded: bool

    # ------------------------------------------------------------ blocks
    def block(self, block: list[S]) -> None:
        for s in block:
            self.statement(s)

    def statement(self, s: S) -> None:
        outer, self.span = self.span, s.span
        self.threaded = s.suspends or (self.proc.kind == "main" and bool(s.blocks))
        if s.op != "pass":
            if not self.threaded:
                self.burn(s)
            rule: Callable[[S], None] = getattr(self, "s_" + s.op)
            rule(s)
        self.span = outer

    def burn(self, s: S) -> None:
        self.emit("burn", (), (), s.cites)

    def leave(self, inside: int = 0) -> None:
        """Leave blocks early, innermost first, but for the outermost `inside` of them."""
        for end in reversed(self.leaving[inside:]):
            end()

    # ------------------------------------------------------------ values
    def s_let(self, s: S) -> None:
        self.keep(s.data, self.result(s))

    def s_do(self, s: S) -> None:
        self.called(s)

    def s_assign(self, s: S) -> None:
        self.write(s.args[0], self.result(s))

    def s_return(self, s: S) -> None:
        value = self.fit(self.result(s), self.proc.returns) if s.args else None
        self.leave()
        self.end(Return(self.span, value, self.gives))

    def result(self, s: S) -> int:
        """The value on the right side of a statement, which may be a call that acts."""
        x = s.args[-1]
        if statement_call(s) is None:
            return self.value(x)
        slot = self.called(s)
        assert slot is not None
        return self.make("check", x.type, (slot,)) if x.op == "bound" else slot

    def called(self, s: S) -> int | None:
        """A call as a statement: its value, if it has one, after its `var` parameters have been written back."""
        call = statement_call(s)
        assert call is not None
        if s.suspension_point is not None:
            return self.waiting_call(s, call)
        proc = self.program.procs[call.data]
        args = self.arguments(proc.params, self.values(call.args))
        slot = None if isinstance(call.type, t.Nothing) else self.temp(call.type)
        backs = [(q, a, self.temp(q.type)) for q, a in zip(proc.params, call.args, strict=True) if q.var]
        into = (*(() if slot is None else (slot,)), *(b for _, _, b in backs))
        if call.op == "original":
            args = (self.chain(), *args)
        self.emit(call.op, into, args, call.data)
        for q, a, b in backs:
            self.back(q, a, b)
        return slot

    @abstractmethod
    def waiting_call(self, s: S, call: X) -> int | None:
        """Lower a call that may wait; the slot of its result, if it has one."""

    # ------------------------------------------------------------ control
    def s_if(self, s: S) -> None:
        yes, no, done = self.label(), self.label(), self.label()
        self.branch(s.args[0], yes, no)
        for label, block in zip((yes, no), s.blocks, strict=True):
            self.begin(label)
            self.block(block)
            self.go_on(done)
        self.begin(done)

    def go_on(self, label: int) -> None:
        if self.at is not None:
            self.jump(label)

    def s_match(self, s: S) -> None:
        """One case after another; without `else` the cases are exhaustive, and the last needs no test."""
        value, done = self.value(s.args[0]), self.label()
        values, has_else = s.data
        for i, (row, block) in enumerate(zip(values, s.blocks, strict=False)):
            hit, miss = self.label(), self.label()
            if has_else or i < len(values) - 1:
                for x in row:
                    on = self.label()
                    self.end_if(self.make("eq", t.BOOL, self.alike("eq", x, (self.value(x), value))[0]), hit, on)
                    self.begin(on)
                self.jump(miss)
            self.begin(hit)
            self.block(block)
            self.go_on(done)
            if has_else or i < len(values) - 1:
                self.begin(miss)
        if has_else:
            self.block(s.blocks[-1])
            self.go_on(done)
        self.begin(done)

    def s_for(self, s: S, endless: bool = False) -> None:
        slot, items, at = s.data
        self.keep(items, self.value(s.args[0]))
        self.emit("const", (at,), (), 0)
        head, body, done = self.label(), self.label(), self.label()
        self.begin(head)
        self.end(Walk(self.span, items, at, slot, body, None if endless else done))
        self.begin(body)
        self.burn(s)
        if len(s.args) > 1:
            passed = self.label()
            self.branch(s.args[1], passed, head)
            self.begin(passed)
        self.loop_body(s, Loop(done, head, len(self.leaving)))

    def s_turns(self, s: S) -> None:
        self.s_for(s, True)

    def loop_body(self, s: S, loop: Loop) -> None:
        self.loops.append(loop)
        self.block(s.blocks[0])
        self.loops.pop()
        self.go_on(loop.head)
        self.begin(loop.done)

    def s_repeat(self, s: S) -> None:
        head, done, threaded = self.label(), self.label(), self.threaded
        self.begin(head)
        if threaded:
            self.burn(s)
        if s.args:
            body = self.label()
            self.branch(s.args[0], done, body)
            self.begin(body)
        if not threaded:
            self.burn(s)
        self.loop_body(s, Loop(done, head, len(self.leaving)))

    def s_break(self, s: S) -> None:
        self.leave(self.loops[-1].inside)
        self.jump(self.loops[-1].done)

    def s_continue(self, s: S) -> None:
        self.leave(self.loops[-1].inside)
        self.jump(self.loops[-1].head)

    def s_so_that(self, s: S) -> None:
        _, within, slot = s.data
        if self.threaded:
            self.burn(s)
        body, other, done = self.label(), self.label(), self.label()
        self.end(Foresee(self.span, slot, within, body, other))
        self.begin(body)

        def settle() -> None:
            outer, self.span = self.span, s.span
            asked = self.query("condition", (), lambda: self.value(s.args[0]))
            on = self.label()
            self.end(Settle(self.span, slot, asked, on))
            self.begin(on)
            self.span = outer

        self.within(s.blocks[0], settle)
        self.go_on(done)
        self.begin(other)
        self.block(s.blocks[1])
        self.begin(done)

    def within(self, block: list[S], end: Callable[[], None]) -> None:
        """A block that needs leaving: at its end, and before that by `break`, `continue` and `return`."""
        self.leaving.append(end)
        self.block(block)
        self.leaving.pop()
        if self.at is not None:
            end()

    def s_secretly(self, s: S) -> None:
        self.emit("viewer", (s.data,))
        open_, body = self.fork(self.make("lt", t.BOOL, (s.data, self.make("const", t.INT, (), 0))))
        self.begin(open_)
        self.emit("hush", (), (self.value(s.args[0]),))
        self.begin(body)
        self.within(s.blocks[0], lambda: self.emit("unhush", (), (s.data,)))
