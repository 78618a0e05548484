"""Choices of one thing, by a player or by chance.

An action is a number: the place of the value in its type's domain, or, where that is not finite, its place in
the source; "no" comes before them. While somebody chooses only numbers are kept: what was chosen is worked
out from the number.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, const, eq, lt, not_
from croupier.core.operations import CHANCE, Expression, Local
from croupier.kernel.tree import Choice, ChooseStmt
from croupier.lowering import sets, simultaneous
from croupier.lowering.candidates import Candidates
from croupier.lowering.chance import wait
from croupier.lowering.context import Context, Operand
from croupier.lowering.lookahead import stuck
from croupier.lowering.merging import decoded, groups, options
from croupier.lowering.operands import word
from croupier.lowering.shapes import optional
from croupier.lowering.statements import block, form


@form(ChooseStmt)
def _choose(c: Context, s: ChooseStmt) -> None:
    choice: Choice = s.choice
    if choice.many:
        sets.choose(c, s, choice)
    elif choice.chooser == "every":
        simultaneous.choose(c, s, choice, Candidates(c, choice))
    elif choice.chooser == "chance":
        by_chance(c, s, choice)
    else:
        by_player(c, s, choice)


def bind_chosen(c: Context, s: ChooseStmt, choice: Choice, v: Operand) -> None:
    """Bind the local of the choice to the chosen value."""
    shape = c.shape(choice.base)
    c.bind(choice.slot, v, optional(shape) if s.has_other else shape)  # behind `else` it may be none


def otherwise(c: Context, s: ChooseStmt, choice: Choice) -> None:
    """Write the code for a choice without options: run `else`, or go on if it is optional; otherwise the game
    is stuck.
    """
    if choice.optional or s.has_other:
        block(c, s.blocks[1])
    else:
        stuck(c)


def by_player(c: Context, s: ChooseStmt, choice: Choice) -> None:
    """A choice of one thing by a player, perhaps optional."""
    w, found = c.w, Candidates(c, choice)
    assert choice.by is not None
    some = w.fresh()
    w.emit(op.NoOffers())
    w.set(some, FALSE)

    def offer(action: Expression) -> None:
        w.emit(op.Offer(action, TRUE))
        w.set(some, TRUE)

    options(c, choice, found, lambda action, _, v: offer(action))

    def ask() -> None:
        assert choice.by is not None
        if choice.optional:
            w.emit(op.Offer(FALSE, TRUE))
        wait(c, word(c, choice.by), s.suspension_point)

        def accept() -> None:
            bind_chosen(c, s, choice, decoded(c, choice, found, op.Chosen()))
            if choice.optional:
                block(c, s.blocks[0])

        if choice.optional:
            w.when(eq(op.Chosen(), FALSE), lambda: block(c, s.blocks[1]), accept)
        else:
            accept()

    w.when(eq(Local(some), TRUE), ask, lambda: otherwise(c, s, choice))


def by_chance(c: Context, s: ChooseStmt, choice: Choice) -> None:
    """A choice by chance, with weights; a single outcome is no event."""
    w, found = c.w, Candidates(c, choice)
    n, last = w.fresh(), w.fresh()
    w.emit(op.NoOffers())
    w.set(n, FALSE)
    w.set(last, FALSE)

    def weigh(v: Operand) -> Expression:
        if choice.by is None:
            return TRUE
        with c.alias(choice.item, v):
            weight = w.temp(word(c, choice.by))
        w.guard(op.Le(FALSE, weight))
        return weight

    def offer(action: Expression, weight: Expression) -> None:
        def take() -> None:
            w.emit(op.Offer(action, weight))
            w.set(n, add(Local(n), TRUE))
            w.set(last, action)

        w.when(not_(eq(weight, FALSE)), take)

    if choice.merging or found.alike:
        groups(c, choice, found, lambda action, weight, v: offer(action, weight), weigh)
    else:
        found.each(lambda action, v: offer(action, weigh(v)))

    def go_on() -> None:
        w.when(lt(TRUE, Local(n)), ask)
        bind_chosen(c, s, choice, decoded(c, choice, found, Local(last)))
        if choice.optional:
            block(c, s.blocks[0])

    def ask() -> None:
        wait(c, const(CHANCE), s.suspension_point)
        w.set(last, op.Chosen())

    w.when(eq(Local(n), FALSE), lambda: otherwise(c, s, choice), go_on)
