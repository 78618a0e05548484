"""Live variables."""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.operations import Add, Const, Local
from croupier.passes.liveness import NOTHING, live


def test_loops_that_are_one_object_are_told_apart() -> None:
    """What is live at the head of a loop says nothing of the same loop elsewhere; found by random program
    30340.
    """
    empty = op.For("i", Const(0), Const(2), ())
    body = (
        empty,
        op.Set("sum", Const(0)),
        op.For("k", Const(0), Const(9), (empty, op.Set("sum", Add(Local("sum"), Local("k"))))),
    )
    assert live(body, frozenset({"sum"}), {}, NOTHING, NOTHING) == NOTHING
    assert live(body[1:], frozenset({"sum", "more"}), {}, NOTHING, NOTHING) == {"more"}
