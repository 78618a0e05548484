"""The candidates of a choice of one thing: actions and their values."""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, const, eq, sub
from croupier.core.operations import Expression, Local
from croupier.kernel.tree import Choice
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.costs import cost, pay, pay_for
from croupier.lowering.operands import word
from croupier.lowering.sources import elements, gathered, is_distinct, listed, walk


class Candidates:
    """The candidates of a choice: actions and their values."""

    def __init__(self, c: Context, choice: Choice) -> None:
        self.c, self.choice = c, choice
        self.finite = c.game.is_finite(choice.base)
        self.low = c.game.domain(choice.base)[0] if self.finite else 0
        self.shift = 1 if choice.optional else 0
        self.offered: Ref | None = None  # the list that was walked, where actions are indices in it
        self.alike = c.game.alike.among(choice.base)  # are some of them components that are called alike?

    def each(self, body: Callable[[Expression, Operand], None]) -> None:
        """Loop over the candidates that meet the conditions, with action and value."""
        c, ch, w = self.c, self.choice, self.c.w
        index = None
        if not self.finite:
            index = w.fresh()
            w.set(index, const(-1))
        seen = None
        if self.finite and ch.chooser == "chance" and not is_distinct(c, ch.source):
            seen = w.array(c.game.domain(ch.base)[1], "m")
            held = seen
            w.count(FALSE, const(c.game.domain(ch.base)[1]), lambda i: w.store(held, i, FALSE))
        tests = [*([] if ch.where is None else [ch.where]), *(q.value for q in ch.conditions)]
        pay_for(c, [ch.source, *([] if ch.by is None else [ch.by])], 2)
        weight = [ch.by] if ch.chooser == "chance" and ch.by is not None else []
        steps = 1 + sum(cost(c, x) for x in (*tests, *weight))

        def one(v: Operand) -> None:
            pay(c, steps)
            if index is not None:
                w.set(index, add(Local(index), TRUE))
                action: Expression = add(Local(index), const(self.shift))
            else:
                assert not isinstance(v, Ref)
                action = add(v, const(self.shift - self.low))

            def passes(i: int) -> None:
                if i == len(tests):
                    body(action, v)
                else:
                    w.when(word(c, tests[i]), lambda: passes(i + 1))

            with c.alias(ch.item, v):
                test(v, passes)

        def test(v: Operand, passes: Callable[[int], None]) -> None:
            if seen is not None:
                at = w.temp(sub(v, const(self.low)))  # type: ignore[arg-type]

                def first() -> None:
                    w.store(seen, at, TRUE)
                    passes(0)

                w.when(eq(op.Load(seen, at), FALSE), first)
            else:
                passes(0)

        if self.finite or ch.every is not None:
            walk(c, ch.source, one)
        else:
            self.offered = listed(c, ch.source)
            elements(c, self.offered, one)

    def decode(self, action: Expression) -> Operand:
        """The value of an action."""
        c = self.c
        if self.finite:
            return add(action, const(self.low - self.shift))
        if self.offered is None:
            list_ = gathered(c, self.choice.source)
        else:
            with c.w.inside() as again:
                list_ = listed(c, self.choice.source)
            if list_.memory == self.offered.memory or list_.at != const(0) or self.offered.at != const(0):
                c.w.out.extend(again)
                return c.element(list_, sub(action, const(self.shift)))
            c.w.emit(op.Recall(list_.memory, self.offered.memory, tuple(again)))
        return c.element(list_, sub(action, const(self.shift)))
