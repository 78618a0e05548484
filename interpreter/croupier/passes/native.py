"""The pass pipeline of native code.

Beside the common passes it adds bitsets and memoized offers, and one operation that offers the whole
unordered part on top of a zone.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.core import operations as op
from croupier.core.operations import Body, Local, Statement
from croupier.core.rewriting import replace_bodies, rewrite_bodies
from croupier.core.types import CoreProgram
from croupier.core.walk import looks_ahead, mentioned, statements
from croupier.kernel import types as t
from croupier.passes.arrays import scalarize_arrays
from croupier.passes.bitsets import add_bitsets
from croupier.passes.constants import propagate_constants
from croupier.passes.fuel import merge_payments
from croupier.passes.inlining import inline_calls
from croupier.passes.legalization import legalize, share_recalls
from croupier.passes.locals import eliminate_locals, exit_searches_early
from croupier.passes.loop_tables import tabulate_loops
from croupier.passes.memoization import may_be_memoized, memoize_offers
from croupier.passes.offers import ask_first_seat_only, remove_offer_flags
from croupier.passes.pipeline import prepare_steps
from croupier.runtime.game import Game

# statements of programs that are optimized: larger ones take too long, smaller ones gain nothing
OPTIMIZED = range(100, 600)


def prepare_native_steps(program: CoreProgram, game: Game) -> CoreProgram:
    """The program cut into states, for stepping; with bitsets, and memoized offers unless it looks ahead,
    which copies positions but no memos.
    """
    looks = looks_ahead(program)
    program = offer_unordered_tops(program) if looks else memoize_functions(offer_unordered_tops(program))
    return add_bitsets(
        prepare_steps(exit_searches_early(merge_payments(program, at_once=True)), (op.Memo, op.Rank)),
        map_domains(game),
    )


def ask_one_by_one(program: CoreProgram) -> CoreProgram:
    """The program in which seats that choose simultaneously are asked one after another."""
    return replace_bodies(program, lambda body, _: ask_first_seat_only(body))


def prepare_native_games(program: CoreProgram, game: Game) -> CoreProgram:
    """The program for whole games, not cut at waits; with memoized offers and bitsets.

    Optimization can hide loops from the bitset pass: of the plain and the optimized program the one with more
    bit operations is taken.
    """
    program = share_recalls(offer_unordered_tops(ask_one_by_one(program)))
    plain = _whole(program, game)
    if sum(len(statements(f.body)) for f in program.functions.values()) not in OPTIMIZED:
        return plain
    short = eliminate_locals(scalarize_arrays(propagate_constants(inline_calls(merge_payments(program)))))
    better = _whole(scalarize_arrays(tabulate_loops(propagate_constants(short))), game)
    return better if _bits(better) >= _bits(plain) else plain


def _whole(program: CoreProgram, game: Game) -> CoreProgram:
    program = exit_searches_early(merge_payments(memoize_functions(program), at_once=True))
    return add_bitsets(merge_payments(legalize(program, (op.Memo, op.Rank))), map_domains(game))


def _bits(program: CoreProgram) -> int:
    """The number of bit operations in a program."""
    return sum(isinstance(e, op.Bits) for f in program.functions.values() for e in mentioned(f.body))


def memoize_functions(program: CoreProgram) -> CoreProgram:
    """The program with expensive offers memoized. Functions without any stay as they are."""
    merged = merge_payments(program)
    if not looks_ahead(program):
        merged = replace(
            merged, functions={n: f for n, f in merged.functions.items() if may_be_memoized(f.body)}
        )
    found = memoize_offers(remove_offer_flags(propagate_constants(merged)))
    functions = {
        n: f for n, f in found.functions.items() if any(isinstance(s, op.Memo) for s in statements(f.body))
    }
    if functions:
        return replace(program, functions=program.functions | functions, memories=found.memories)
    return program


def map_domains(game: Game) -> dict[str, tuple[int, int]]:
    """Return the maps of the state with words as values: the lowest value and the number of values, without
    `NONE`.
    """
    found = {}
    for v in game.variables:
        if isinstance(v.type, t.Map):
            kind = v.type.value.base if isinstance(v.type.value, t.Optional) else v.type.value
            if not isinstance(kind, (t.Record, t.Map, t.Collection, t.Optional)) and game.is_finite(kind):
                found[f"v{v.index}"] = game.domain(kind)
    return found


def offer_unordered_tops(program: CoreProgram) -> CoreProgram:
    """The program with `OfferTop` instead of the loops that lowering emits. It must run first."""
    return replace_bodies(program, lambda body, _: _topped(body))


def _topped(body: Body) -> Body:
    out: list[Statement] = []
    for s in body:
        match out[-1] if out else None, s:
            case op.Set(p, op.PartBegin(zone, _)), op.For(
                i, Local(q), _, (op.Offer(op.Element(same, Local(j)), op.Const(1)),)
            ) if p == q and i == j and zone == same:
                out[-1] = op.OfferTop(zone)
            case _:
                out.append(rewrite_bodies(s, _topped))
    return tuple(out)
