"""Which passes a program goes through before it is printed or interpreted.

    ready            what every other target and the interpreter needs: functions that wait are cut into states, no more than it takes
    uncut            the same for whole games, whose functions are not cut; the C target uses it
    ready_for_python the same for Python, which has lists and asks zones more than others do
    improved         before that, faster code for any target; the Python target uses it
    with_little_fuel after either of the next two, the same with fewer payments; the Python target uses it
    for_whole_games  instead of that, for functions that play whole games and are not cut; the Python target uses it
"""

from __future__ import annotations

from dataclasses import replace

from croupier.core import operations as op
from croupier.core.change import with_bodies
from croupier.core.operations import Body, Statement
from croupier.core.types import CoreProgram
from croupier.core.walk import statements
from croupier.passes.arrays import with_fewer_arrays
from croupier.passes.constant import with_constant_arrays
from croupier.passes.expand import expanded, kept, worked_out_again
from croupier.passes.free import freed
from croupier.passes.fuel import settled
from croupier.passes.inline import with_short_calls
from croupier.passes.locals import leaving_early, with_fewer_locals
from croupier.passes.memo import with_kept_offers
from croupier.passes.offers import first_seat_only, without_marks
from croupier.passes.rows import found_at_once, with_rows
from croupier.passes.states import cut, joined
from croupier.passes.values import with_known_values
from croupier.passes.zones import without_parts

LARGE = 3_000  # statements of a program that is improved once, not twice: it takes long to do, and what is left is little
COPIED = 150  # statements that calls of a function may become: what a function does is less where it is known what it is called for
LONGER = 2  # times as many rounds that offer are written out as for others: a loop costs Python more than its rounds


def ready(program: CoreProgram, stay: tuple[type, ...] = ()) -> CoreProgram:
    """A program whose functions that wait are cut into states, no more than it needs, and that pays for its steps. `stay`: see `expanded`."""
    return settled(joined(cut(expanded(program, stay))))


def uncut(program: CoreProgram) -> CoreProgram:
    """A program for whole games with nothing but plain operations, that pays for its steps."""
    return settled(expanded(kept(program)))


def ready_for_python(program: CoreProgram) -> CoreProgram:
    """The program made ready for Python, which has lists."""
    return settled(joined(cut(program)), at_once=True)


def improved(program: CoreProgram) -> CoreProgram:
    """The same program, faster. Payments are few before, so that they stand in nobody's way, and once more afterwards."""
    program = without_marks(worked_out_again(settled(program)))
    is_large = sum(len(statements(f.body)) for f in program.functions.values()) > LARGE
    for last in (True,) if is_large else (False, True):
        program = with_known_values(without_parts(with_short_calls(program, COPIED)), LONGER)
        program = with_fewer_locals(with_fewer_arrays(with_rows(program) if last else program))
    return found_at_once(leaving_early(settled(program, at_once=True)))


def with_little_fuel(program: CoreProgram, fuel: int) -> tuple[CoreProgram, int]:
    """A program improved that pays for fewer steps and keeps offers that cost much, and the fuel that an action has then.

    What a bound covers is not paid before anything else is done: payments in loops hide what these look for.
    """
    program, rest = freed(with_known_values(settled(with_constant_arrays(program))), fuel)
    return with_kept_offers(improved(program)), rest


def for_whole_games(program: CoreProgram) -> CoreProgram:
    """A program that nobody stops on the way: what frame maps name does not count."""
    program = kept(program)
    return replace(program, functions={n: replace(f, body=_unkept(first_seat_only(f.body))) for n, f in program.functions.items()})


def _unkept(body: Body) -> Body:
    def one(s: Statement) -> Statement:
        s = with_bodies(s, _unkept)
        return replace(s, keeps=()) if isinstance(s, (op.Wait, op.Enter)) else s

    return tuple(map(one, body))
