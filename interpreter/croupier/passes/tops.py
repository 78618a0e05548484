"""Offers that need not be written down one by one: components in an unordered part on top of a zone; what others choose at the same time."""

from __future__ import annotations

from dataclasses import replace

from croupier.core import operations as op
from croupier.core.operations import Body, Local, Statement
from croupier.core.types import Program
from croupier.core.walk import statements
from croupier.passes.bitsets import inside


def with_tops(program: Program) -> Program:
    """The program with `OfferTop`, where lowering writes a loop; before anything else is done to it."""
    return replace(program, functions={n: replace(f, body=_body(f.body)) for n, f in program.functions.items()})


def first_seat_only(body: Body) -> Body:
    """Where several choose at the same time, only what the first of them may choose is put down: the others are asked after that.

    For whole games that nobody looks at on the way.
    """
    out: list[Statement] = []
    for s in body:
        match s:
            case op.For(seat, _, _, (op.If(test, then, ()),)) if _offers_of(then, seat):
                out.append(replace(s, body=(op.If(test, (*then, op.Break())),)))
            case _:
                out.append(inside(s, first_seat_only))
    return tuple(out)


def _offers_of(body: Body, seat: str) -> bool:
    return any(isinstance(s, op.Offer) and s.weight == Local(seat) for s in statements(body))


def _body(body: Body) -> Body:
    out: list[Statement] = []
    for s in body:
        match out[-1] if out else None, s:
            case op.Set(p, op.PartBegin(zone, _)), op.For(i, Local(q), _, (op.Offer(op.Element(same, Local(j)), op.Const(1)),)) if (
                p == q and i == j and zone == same
            ):
                out[-1] = op.OfferTop(zone)
            case _:
                out.append(inside(s, _body))
    return tuple(out)
