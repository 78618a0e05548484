"""Passes for native code alone, after those for everybody; components in an unordered part on top of a zone are offered at once, not one by one."""

from __future__ import annotations

from dataclasses import replace

from croupier.core import operations as op
from croupier.core.operations import Body, Local, Statement
from croupier.core.types import CoreProgram
from croupier.core.walk import mentioned, statements
from croupier.passes.arrays import with_fewer_arrays
from croupier.passes.bitsets import inside, with_bitsets
from croupier.passes.expand import expanded, kept
from croupier.passes.fuel import settled
from croupier.passes.inline import with_short_calls
from croupier.passes.locals import leaving_early, with_fewer_locals
from croupier.passes.memo import with_kept_offers
from croupier.passes.offers import first_seat_only, without_marks
from croupier.passes.pipeline import ready
from croupier.passes.rows import with_rows
from croupier.passes.values import with_known_values
from croupier.runtime.game import Game
from croupier.semantics import types as t

IMPROVED = range(100, 600)  # statements of programs that are improved before they are printed: larger ones take too long, smaller ones gain nothing


def ready_for_native(program: CoreProgram, game: Game) -> CoreProgram:
    """A program that is cut into states, with offers and maps as bits where that pays."""
    looks = any(isinstance(s, op.Ahead) for f in program.functions.values() for s in statements(f.body))  # at copies, beside which nothing is kept
    program = with_tops(program) if looks else with_memos(with_tops(program))
    return with_bitsets(ready(leaving_early(settled(program, at_once=True)), (op.Memo, op.Rank)), domains(game))


def one_by_one(program: CoreProgram) -> CoreProgram:
    """The program in which those who choose at the same time are asked one after another."""
    return replace(program, functions={n: replace(f, body=first_seat_only(f.body)) for n, f in program.functions.items()})


def uncut_for_native(program: CoreProgram, game: Game) -> CoreProgram:
    """The same, but not cut: for whole games that nobody stops on the way. What was offered for the same words is kept.

    What a smaller program is improved by before keeps less as bits in some: of the two that program is taken that works on more bits.
    """
    program = kept(with_tops(one_by_one(program)))
    plain = _whole(program, game)
    if sum(len(statements(f.body)) for f in program.functions.values()) not in IMPROVED:
        return plain
    short = with_fewer_locals(with_fewer_arrays(with_known_values(with_short_calls(settled(program)))))
    better = _whole(with_fewer_arrays(with_rows(with_known_values(short))), game)
    return better if _bits(better) >= _bits(plain) else plain


def _whole(program: CoreProgram, game: Game) -> CoreProgram:
    program = leaving_early(settled(with_memos(program), at_once=True))
    return with_bitsets(settled(expanded(program, (op.Memo, op.Rank))), domains(game))


def _bits(program: CoreProgram) -> int:
    """How many operations on bits there are in a program."""
    return sum(isinstance(e, op.Bits) for f in program.functions.values() for e in mentioned(f.body))


def with_memos(program: CoreProgram) -> CoreProgram:
    """The program that keeps what it offers, where it offers nothing else before the next wait. Other functions stay as they are."""
    found = with_kept_offers(without_marks(with_known_values(settled(program))))
    functions = {n: f for n, f in found.functions.items() if any(isinstance(s, op.Memo) for s in statements(f.body))}
    return replace(program, functions=program.functions | functions, memories=found.memories) if functions else program


def domains(game: Game) -> dict[str, tuple[int, int]]:
    """Maps of the state that hold words: the lowest value and how many there are, beside none."""
    found = {}
    for v in game.variables:
        if isinstance(v.type, t.Map):
            kind = v.type.value.base if isinstance(v.type.value, t.Optional) else v.type.value
            if not isinstance(kind, (t.Record, t.Map, t.Collection, t.Optional)) and game.is_finite(kind):
                found[f"v{v.index}"] = game.domain(kind)
    return found


def with_tops(program: CoreProgram) -> CoreProgram:
    """The program with `OfferTop`, where lowering writes a loop; before anything else is done to it."""
    return replace(program, functions={n: replace(f, body=_topped(f.body)) for n, f in program.functions.items()})


def _topped(body: Body) -> Body:
    out: list[Statement] = []
    for s in body:
        match out[-1] if out else None, s:
            case op.Set(p, op.PartBegin(zone, _)), op.For(i, Local(q), _, (op.Offer(op.Element(same, Local(j)), op.Const(1)),)) if (
                p == q and i == j and zone == same
            ):
                out[-1] = op.OfferTop(zone)
            case _:
                out.append(inside(s, _topped))
    return tuple(out)
