"""Simultaneous choices: all seats that have not chosen are asked, in any order; the choices are revealed when
all are made.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, const, eq, mul
from croupier.core.operations import SEVERAL, Expression, Local
from croupier.core.types import Memory
from croupier.kernel.tree import Choice, ChooseStmt
from croupier.lowering.candidates import Candidates
from croupier.lowering.chance import wait
from croupier.lowering.context import Context, Ref
from croupier.lowering.merging import decoded, options
from croupier.lowering.positions import Made
from croupier.lowering.progress import count_round
from croupier.lowering.shapes import TableShape, Word, optional, width
from croupier.lowering.sources import marked


def choose(c: Context, s: ChooseStmt, choice: Choice, found: Candidates) -> None:
    """`choose … by every p in ps`."""
    w, n = c.w, c.game.players
    assert choice.every is not None and choice.by is not None
    shape = optional(c.shape(choice.base))
    name = f"s{choice.picked}"
    whole = TableShape(0, n, shape)
    w.memories[name] = Memory(name, width(whole))
    made = Ref(name, FALSE, whole)
    c.body.where[choice.picked] = Made(name, whole)
    w.count(
        FALSE,
        const(n),
        lambda p: w.store(
            name, mul(p, const(width(shape))), const(op.NONE if isinstance(shape, Word) else 0)
        ),
    )
    by, every = choice.by, choice.every
    count_round(c)

    def missing(p: Expression) -> Expression:
        return c.missing(c.load(c.entry(made, p)))

    def round_() -> None:
        asked = marked(c, by, 0, n)
        waiting, some = w.fresh(), w.fresh()
        w.set(waiting, FALSE)
        w.emit(op.NoOffers())

        def ask(p: Expression) -> None:
            w.set(waiting, TRUE)
            w.set(some, FALSE)

            def offer(action: Expression) -> None:
                w.emit(op.Offer(action, p))
                w.set(some, TRUE)

            with c.alias(every, p):
                options(c, choice, found, lambda action, _, v: offer(action))
            w.guard(eq(Local(some), TRUE))

        w.count(
            FALSE, const(n), lambda p: w.when(op.And(eq(op.Load(asked, p), TRUE), missing(p)), lambda: ask(p))
        )
        w.leave_if(eq(Local(waiting), FALSE))
        wait(c, const(SEVERAL), s.suspension_point)
        seat = w.temp(op.ChosenSeat())
        with c.alias(every, seat):
            c.put(decoded(c, choice, found, op.Chosen()), c.entry(made, seat))

    w.forever(round_)
    c.bind(choice.slot, made, TableShape(0, n, shape))
