"""Conditions that act: `if asks(p):`, `repeat until a(p) and not b(p):`.

A definition that asks or changes the game may be called in the condition of `if`, `elif` and `repeat until`, alone or under `and`, `or`, `not`. Once
it is known which calls do so (`flow.py`), each becomes a statement of its own before the condition is tested: the left side first, the right side
only if it counts. Calls elsewhere in expressions stay refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.tree import ActionStmt, CallExpr, ConstExpr, LetStmt, LocalExpr, OperationExpr, S, X
from croupier.semantics.types import BOOL


class Questions:
    """Rewrites the conditions of a program that act; `found` are the calls in them, by their identity."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.found: set[int] = set()
        for proc in program.procs:
            if proc.kind != "main":
                proc.body = self.block(proc, proc.body)

    def acts(self, x: X) -> bool:
        """Is it a call that acts, and no part of an expression?"""
        if not isinstance(x, CallExpr):
            return False
        target = self.program.procs[x.proc]
        return target.effect != "pure" or any(q.var for q in target.params)

    def parts(self, x: X) -> Iterator[X]:
        """The parts of a condition under `and`, `or` and `not`, in the order in which they are asked."""
        if x.op in ("and", "or", "not"):
            for a in x.args:
                yield from self.parts(a)
        else:
            yield x

    def is_question(self, x: X) -> bool:
        """Does part of it act? Not behind a part that tells of which kind something is: that might be so no more."""
        kinds = False
        for part in self.parts(x):
            if self.acts(part):
                return not kinds
            kinds = kinds or any(y.op in ("is_kind", "is_other") for y in part.walk())
        return False

    def block(self, proc: Proc, block: list[S]) -> list[S]:
        out: list[S] = []
        for s in block:
            s.blocks = tuple(self.block(proc, b) for b in s.blocks)
            if s.op == "if" and self.is_question(s.args[0]):
                before, answer = self.asked(proc, s.args[0], s)
                out += before
                s.args = (answer,)
            elif s.op == "repeat" and s.args and self.is_question(s.args[0]):
                before, answer = self.asked(proc, s.args[0], s)
                stop = ActionStmt("if", s.args[0].span, (answer,), ([ActionStmt("break", s.args[0].span)], []))
                s.args, s.blocks = (), ([*before, stop, *s.blocks[0]],)
            out.append(s)
        return out

    def asked(self, proc: Proc, x: X, s: S) -> tuple[list[S], X]:
        """The statements that work out a condition, and its value behind them."""
        slot = proc.slot("$asked", BOOL)
        answer = LocalExpr(BOOL, x.span, slot=slot)
        if self.acts(x):
            self.found.add(id(x))
            return [LetStmt(x.span, (x,), cites=s.cites, slot=slot)], answer
        first = LetStmt(x.span, (ConstExpr(BOOL, x.span, value=False),), slot=slot)
        return [first, *self.steps(x, slot, s.cites)], answer

    def steps(self, x: X, slot: int, cites: tuple[str, ...]) -> list[S]:
        """The statements after which a local holds the value of a condition."""
        local = LocalExpr(BOOL, x.span, slot=slot)
        if x.op in ("and", "or") and any(self.acts(p) for p in self.parts(x)):
            left, right = (self.steps(a, slot, cites) for a in x.args)
            return [*left, ActionStmt("if", x.span, (local,), (right, []) if x.op == "and" else ([], right))]
        if x.op == "not" and any(self.acts(p) for p in self.parts(x)):
            return [*self.steps(x.args[0], slot, cites), ActionStmt("assign", x.span, (local, OperationExpr("not", BOOL, x.span, (local,))))]
        if self.acts(x):
            self.found.add(id(x))
        return [ActionStmt("assign", x.span, (local, x), cites=cites)]
