"""The constructors of the core fold what is known, and nothing else."""

from __future__ import annotations

import pytest

from croupier.core import operations as op
from croupier.core.builder import Writer, add, and_, const, eq, lt, mul, not_, or_, select, sub
from croupier.core.operations import Expression, Local
from croupier.core.text import expression

X, Y = Local("x"), Local("y")


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (add(const(2), const(3)), "5"),
        (add(X, const(0)), "x"),
        (add(add(X, const(2)), const(3)), "add(x, 5)"),
        (sub(add(X, const(2)), const(2)), "x"),
        (add(X, const(-1)), "sub(x, 1)"),
        (mul(X, const(1)), "x"),
        (mul(X, const(0)), "0"),
        (eq(X, X), "1"),
        (eq(const(3), X), "eq(x, 3)"),
        (not_(lt(X, Y)), "le(y, x)"),
        (not_(not_(X)), "x"),
        (and_(const(0), X), "0"),
        (and_(X, const(1)), "x"),
        (or_(const(1), X), "1"),
        (select(const(1), X, Y), "x"),
        (select(X, Y, Y), "y"),
    ],
)
def test_folding(made: Expression, text: str) -> None:
    assert expression(made) == text


def test_blocks_become_bodies() -> None:
    w = Writer()
    with w.count(const(0), X) as i, w.where(lt(i, Y)):
        w.store("a", i, w.temp(add(i, X)))
    with w.forever():
        w.leave_if(eq(X, Y))
    loop, endless = w.out
    assert isinstance(loop, op.For) and isinstance(loop.body[0], op.If)
    assert [type(s) for s in loop.body[0].then] == [op.Set, op.Store]
    assert endless == op.Loop((op.If(eq(X, Y), (op.Break(),)),))


def test_a_block_that_never_runs_leaves_nothing_behind() -> None:
    w = Writer()
    with w.count(const(2), const(2)) as i:
        w.store(w.array(3), i, w.temp(X))
    with w.where(const(0)):
        w.set(w.variable(X), Y)
    assert (w.out, w.memories, w.fresh()) == ([], {}, "t_1")


def test_a_test_that_always_holds_is_not_written() -> None:
    w = Writer()
    with w.where(const(1)):
        w.set("x", Y)
    assert w.out == [op.Set("x", Y)]
