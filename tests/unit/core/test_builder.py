"""The constructors of the core fold what is known, and nothing else."""

from __future__ import annotations

import pytest

from croupier.core.builder import add, and_, const, eq, lt, mul, not_, or_, select, sub
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
