"""The reference evaluator, statements that do not suspend: blocks and control. What they do is in `acts.py`, what they write in `writing.py`.

The function of a statement gives none to go on, or a signal: RETURN (the value is in the machine), BREAK, CONTINUE.
"""

from __future__ import annotations

from typing import Any

from croupier.runtime.acts import Acts
from croupier.runtime.clauses import Cites
from croupier.runtime.evaluate import Run
from croupier.runtime.faults import Fault, GameOver
from croupier.runtime.sight import among
from croupier.runtime.trial import examine_machine, examined
from croupier.runtime.writing import BREAK, CONTINUE, RETURN, Do
from croupier.semantics.tree import S, X


def case_words(s: S) -> list[str]:
    """The cases of a `match` as written, for each of its blocks."""
    return [f"case {', '.join(x.span.text for x in row)}" for row in s.data[0]] + ["else"] * (len(s.blocks) - len(s.data[0]))


class Plain(Acts):
    """Blocks and control that never wait, as functions of machine and locals."""

    # ------------------------------------------------------------ blocks
    def block(self, block: list[S]) -> Do:
        todo = [self.do(s) for s in block if s.op != "pass"]
        if not todo:
            return lambda m, L: None
        if len(todo) == 1:
            return todo[0]

        def run(m: Any, L: list[Any]) -> Any:
            for f in todo:
                signal = f(m, L)
                if signal is not None:
                    return signal
            return None

        return run

    def traced_block(self, block: list[S], s: S, words: str) -> Do:
        """A block that one way out of a statement leads to."""
        trace = self.game.trace
        return self.block(block) if trace is None else trace.test(self.block(block), trace.number("branch", s.span, self.context, words=words))

    def branching(self, x: X) -> Run:
        """A condition that decides where to go on."""
        trace = self.game.trace
        return self.expr(x) if trace is None else trace.either(self.expr(x), x.span, self.context)

    context: tuple[str, ...] = ()  # what the statement or procedure around a statement cites

    def do(self, s: S) -> Do:
        outer = self.context
        self.context = cites = s.cites or outer
        f: Do = getattr(self, "s_" + s.op)(s)
        self.context = outer
        run = self.stepped(f, s, cites)
        trace = self.game.trace
        return run if trace is None else trace.test(run, trace.statement(s))

    def stepped(self, f: Do, s: S, cites: tuple[str, ...]) -> Do:
        """A statement costs a step, and what happens in it happens because of what it cites."""
        span, clause = s.span, Cites(cites, s.span)

        def run(m: Any, L: list[Any]) -> Any:
            m.fuel -= 1
            if m.fuel < 0:
                m.burn(span)
            if m.recorder is not None:
                m.cites = clause
            return f(m, L)

        return run

    def s_pass(self, s: S) -> Do:
        return lambda m, L: None

    def s_break(self, s: S) -> Do:
        return lambda m, L: BREAK

    def s_continue(self, s: S) -> Do:
        return lambda m, L: CONTINUE

    # ------------------------------------------------------------ control
    def s_if(self, s: S) -> Do:
        c, then, other = self.branching(s.args[0]), self.block(s.blocks[0]), self.block(s.blocks[1])
        return lambda m, L: then(m, L) if c(m, L) else other(m, L)

    def s_match(self, s: S) -> Do:
        value = self.expr(s.args[0])
        blocks = [self.traced_block(b, s, words) for b, words in zip(s.blocks, case_words(s), strict=True)]
        cases = [(self.exprs(tuple(row)), b) for row, b in zip(s.data[0], blocks, strict=False)]
        other = blocks[-1] if s.data[1] else None

        def run(m: Any, L: list[Any]) -> Any:
            v = value(m, L)
            for row, body in cases:
                if any(f(m, L) == v for f in row):
                    return body(m, L)
            return None if other is None else other(m, L)

        return run

    def s_for(self, s: S) -> Do:
        source, slot, body, span = self.expr(s.args[0]), s.data[0], self.block(s.blocks[0]), s.span
        condition = self.branching(s.args[1]) if len(s.args) > 1 else None

        def run(m: Any, L: list[Any]) -> Any:
            for v in source(m, L):
                m.burn(span)
                L[slot] = v
                if condition is None or condition(m, L):
                    signal = body(m, L)
                    if signal is BREAK:
                        break
                    if signal is RETURN:
                        return RETURN
            return None

        return run

    def s_turns(self, s: S) -> Do:
        source, slot, body, span = self.expr(s.args[0]), s.data[0], self.block(s.blocks[0]), s.span
        condition = self.branching(s.args[1]) if len(s.args) > 1 else None

        def run(m: Any, L: list[Any]) -> Any:
            order = source(m, L)
            if not order:
                raise Fault("R026", span)
            while True:
                for v in order:
                    m.burn(span)
                    L[slot] = v
                    if condition is None or condition(m, L):
                        signal = body(m, L)
                        if signal is BREAK:
                            return None
                        if signal is RETURN:
                            return RETURN

        return run

    def s_repeat(self, s: S) -> Do:
        until, body, span = self.branching(s.args[0]) if s.args else None, self.block(s.blocks[0]), s.span

        def run(m: Any, L: list[Any]) -> Any:
            while until is None or not until(m, L):
                m.burn(span)
                signal = body(m, L)
                if signal is BREAK:
                    break
                if signal is RETURN:
                    return RETURN
            return None

        return run

    def s_so_that(self, s: S) -> Do:
        body, other = self.traced_block(s.blocks[0], s, "can end so"), self.traced_block(s.blocks[1], s, "cannot end so")
        condition, span = self.expr(s.args[0]), s.span

        def run(m: Any, L: list[Any]) -> Any:
            trial = examine_machine(m, span)
            ok = True
            try:
                scratch = L[:]
                body(trial, scratch)
                ok = condition(trial, scratch)
            except GameOver:
                ok = False
            examined(m, trial)
            return body(m, L) if ok else other(m, L)

        return run

    def s_secretly(self, s: S) -> Do:
        players, body = self.expr(s.args[0]), self.block(s.blocks[0])

        def run(m: Any, L: list[Any]) -> Any:
            before, m.viewer = m.viewer, among(players(m, L)) if m.viewer is None else m.viewer
            try:
                return body(m, L)
            finally:
                m.viewer = before

        return run
