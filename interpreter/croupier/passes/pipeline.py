"""The pass pipelines: which passes a program goes through before it is printed or interpreted.

That of native code is in `native.py`.

    prepare_steps         for the interpreter of the core, and the base of native code: legalized, cut at
                          waits, payments merged
    prepare_games         the same without cuts, for code that plays whole games; the C target uses it
    prepare_python_steps  cut at waits for Python, which has lists and needs less legalization
    optimize              faster code, before any of these
    optimize_prepaid      the same with fewer payments and memoized offers; the Python target uses it
    strip_frame_maps      for code that plays whole games, before `optimize_prepaid`; the Python target uses
                          it
"""

from __future__ import annotations

from dataclasses import replace

from croupier.core import operations as op
from croupier.core.operations import Statement
from croupier.core.rewriting import replace_bodies, replace_statements
from croupier.core.types import CoreProgram
from croupier.core.walk import statements
from croupier.passes.arrays import scalarize_arrays
from croupier.passes.constant_functions import tabulate_constant_functions
from croupier.passes.constants import propagate_constants
from croupier.passes.fuel import merge_payments
from croupier.passes.fuel_bounds import prepay_fuel
from croupier.passes.inlining import inline_calls
from croupier.passes.legalization import legalize, recompute_recalls, share_recalls
from croupier.passes.locals import eliminate_locals, exit_searches_early
from croupier.passes.loop_tables import fuse_search_and_use, tabulate_loops
from croupier.passes.memoization import memoize_offers
from croupier.passes.offers import ask_first_seat_only, remove_offer_flags
from croupier.passes.states import cut_at_waits, merge_states
from croupier.passes.zones import fold_loose_tests

# statements of a program that is optimized once, not twice: a second time takes long and gains little
LARGE = 3_000
COPIED = 150  # statements that all calls of an inlined function may become: known arguments make them fewer
LONGER = 2  # factor on the limits of unrolling: in Python a loop costs more than its iterations


def prepare_steps(program: CoreProgram, stay: tuple[type, ...] = ()) -> CoreProgram:
    """The program cut at waits, with as few states as it needs.

    `stay`: operations that the target has, see `legalize`.
    """
    return merge_payments(merge_states(cut_at_waits(legalize(program, stay))))


def prepare_games(program: CoreProgram) -> CoreProgram:
    """The program for whole games, with nothing but plain operations."""
    return merge_payments(legalize(share_recalls(program)))


def prepare_python_steps(program: CoreProgram) -> CoreProgram:
    """The program cut at waits, for Python."""
    return merge_payments(merge_states(cut_at_waits(program)), at_once=True)


def optimize(program: CoreProgram) -> CoreProgram:
    """The same program, faster.

    Payments are merged first, as they hide patterns from other passes, and once more at the end.
    """
    program = remove_offer_flags(recompute_recalls(merge_payments(program)))
    is_large = sum(len(statements(f.body)) for f in program.functions.values()) > LARGE
    for last in (True,) if is_large else (False, True):
        program = propagate_constants(fold_loose_tests(inline_calls(program, COPIED)), LONGER)
        program = eliminate_locals(scalarize_arrays(tabulate_loops(program) if last else program))
    return fuse_search_and_use(exit_searches_early(merge_payments(program, at_once=True)))


def optimize_prepaid(program: CoreProgram, fuel: int) -> tuple[CoreProgram, int]:
    """The optimized program with prepaid fuel and memoized offers, and the fuel that an action has then.

    Prepayment comes first: payments in loops hide patterns from other passes.
    """
    program = propagate_constants(merge_payments(tabulate_constant_functions(program)))
    program, rest = prepay_fuel(program, fuel)
    return memoize_offers(optimize(program)), rest


def strip_frame_maps(program: CoreProgram) -> CoreProgram:
    """The program for whole games, in which no local is kept for a frame map."""

    def stripped(s: Statement) -> tuple[Statement]:
        return (replace(s, keeps=()) if isinstance(s, (op.Wait, op.Enter)) else s,)

    return replace_bodies(
        share_recalls(program), lambda body, _: replace_statements(ask_first_seat_only(body), stripped)
    )
